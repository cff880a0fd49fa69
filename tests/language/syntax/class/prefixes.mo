partial model A end A;
encapsulated model B end B;
encapsulated partial model C end C;
final model D end D;
final encapsulated partial package E end E;
