model A equation end A;
model B algorithm initial equation public protected end B;
