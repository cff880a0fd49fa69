model Divider "A bridge of resistors with a capacitor: a linear block of equations"
  parameter Real R[4] = {1, 2, 3, 4};
  parameter Real R5 = 5, C = 0.1, U = 10;
  Real i[5], u1, u2, uc(start = 0, fixed = true), total;
equation
  R[1] * i[1] = U - u1;
  R[2] * i[2] = u1;
  R[3] * i[3] = U - u2;
  R[4] * i[4] = u2;
  R5 * i[5] + uc = u1 - u2;
  i[1] = i[2] + i[5];
  i[3] + i[5] = i[4];
  total = i[1] + i[3];
  C * der(uc) = i[5];
  annotation(experiment(StopTime = 20));
end Divider;
