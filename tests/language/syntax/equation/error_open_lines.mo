model A
equation
  x = f(1,
        2,
        3;
  y = {1,
       2 3};
  z = 1;
end A;
// expect error: 5:10 expected ')' behind the arguments, found ';'
// expect note: 3:8 what is to be closed begins here
// expect error: 7:10 expected '}' to match '{', found number 3
// expect note: 6:7 what is to be closed begins here
