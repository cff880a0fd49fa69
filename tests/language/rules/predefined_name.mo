// Section 4.8: the names of the predefined types are taken.
model M
  Integer Real = 2;
end M;
// expect error: 3:11 'Real' is a predefined type; nothing else can have this name
