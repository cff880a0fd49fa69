function f
  input Integer n;
  output Integer s;
protected
  Integer i;
algorithm
  s := 0;
  i := 0;
  while true loop
    i := i + 1;
    if i > n then
      return;
    elseif mod(i, 2) == 0 then
      s := s + i;
    else
      for k in 1:3 loop
        if k == 2 then
          break;
        end if;
        s := s + k;
      end for;
    end if;
  end while;
end f;
model M
  parameter Integer n = 6;
  Real x[f(n)];
equation
  x = zeros(f(n));
end M;
// expect flat:
// model M
//   parameter Integer n = 6;
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
//   Real 'x[4]';
//   Real 'x[5]';
//   Real 'x[6]';
//   Real 'x[7]';
//   Real 'x[8]';
//   Real 'x[9]';
//   Real 'x[10]';
//   Real 'x[11]';
//   Real 'x[12]';
//   Real 'x[13]';
//   Real 'x[14]';
//   Real 'x[15]';
// equation
//   'x[1]' = 0.0;
//   'x[2]' = 0.0;
//   'x[3]' = 0.0;
//   'x[4]' = 0.0;
//   'x[5]' = 0.0;
//   'x[6]' = 0.0;
//   'x[7]' = 0.0;
//   'x[8]' = 0.0;
//   'x[9]' = 0.0;
//   'x[10]' = 0.0;
//   'x[11]' = 0.0;
//   'x[12]' = 0.0;
//   'x[13]' = 0.0;
//   'x[14]' = 0.0;
//   'x[15]' = 0.0;
// end M;
