// Section 11.2.7 of the specification: not in if, for and while of an algorithm, whatever decides
// about them.
model M
  parameter Boolean p = true;
  Integer a(start = 0), b[2](each start = 0), c(start = 0), d(start = 0);
algorithm
  if p then
    when time > 0.5 then
      a := 1;
    end when;
  end if;
  for i in 1:2 loop
    when time > 0.5*i then
      b[i] := 1;
    end when;
  end for;
  while time > 3 loop
    when time > 0.5 then
      c := 1;
    end when;
  end while;
  if time > 1 then
    when time > 2 then
      d := 1;
    end when;
  end if;
end M;
// expect error: 8:5 'when' cannot be used in an 'if' of an algorithm
// expect error: 13:5 'when' cannot be used in a loop of an algorithm
// expect error: 18:5 'when' cannot be used in a loop of an algorithm
// expect error: 23:5 'when' cannot be used in an 'if' of an algorithm
