// Section 7.1.3: a function extends functions only.
type Base = Real;
function F
  extends Base;
algorithm
end F;
model M
equation
  F();
end M;
// expect error: 4:11 the function 'F' cannot extend 'Base', which is a type
