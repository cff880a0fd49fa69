within A;
