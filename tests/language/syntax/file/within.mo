within A.B.C;
model M end M;
