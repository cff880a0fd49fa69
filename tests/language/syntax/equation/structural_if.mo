model Pendulum
equation
  if taut then
    x ^ 2 + y ^ 2 = l ^ 2;
  else
    lambda = 0;
  end if;
  if time < 0.5 then
    der(x) = 10;
  else
    x = -5;
  end if;
end Pendulum;
