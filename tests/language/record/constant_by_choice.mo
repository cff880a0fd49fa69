// The constants of a record that a parameter chooses: it is chosen before the run.
record R
  constant String name = "none";
  parameter Real x = 0;
end R;
record A
  extends R(name = "a");
end A;
record B
  extends R(name = "b");
end B;
model M
  parameter Boolean second = true;
  parameter R r = if second then B(x = 2) else A(x = 1);
  Real y = if r.name == "b" then 1 else 0;
end M;
// expect flat:
// model M
//   parameter Boolean second = true;
//   constant String 'r.name' = "b";
//   parameter Real 'r.x' = if second then 2.0 else 1.0;
//   Real y;
// equation
//   y = 1.0;
// end M;
