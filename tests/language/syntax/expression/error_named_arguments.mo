model A
equation
  x = f(a = 1, b);
  x = f(a = 1, b + 1);
  x = f(a := 1);
  x = f(1; 2);
  x = 2;
end A;
// expect error: 3:16 behind named arguments all others need a name, too
// expect error: 4:16 behind named arguments all others need a name, too
// expect error: 5:11 expected ')' behind the arguments, found ':='
// expect error: 6:10 arguments are separated by ',', not ';'
