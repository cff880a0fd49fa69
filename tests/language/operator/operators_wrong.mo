operator record C
  Real x;
  operator function '0'
    input Real x;
    output C r;
  algorithm
    r := C(x);
  end '0';
  operator function '*'
    input C a;
    input C b = C(1);
    output C r;
  algorithm
    r := a;
  end '*';
  operator function '/'
    input Real a;
    input Real b;
    output C r;
  algorithm
    r := C(a);
  end '/';
  operator function 'String'
    input C a;
    output Real r;
  algorithm
    r := a.x;
  end 'String';
  operator function '%'
    input C a;
    input C b;
    output C r;
  algorithm
    r := a;
  end '%';
  operator '+'
    constant Real one = 1;
  end '+';
end C;
model M
  C c;
equation
  c.x = time;
end M;
// expect error: 3:21 the function of '0' must have no inputs and one output, of the operator record (section 14.6)
// expect error: 9:21 a function of this operator must have two inputs without defaults, one of the operator record, and one output (section 14.5)
// expect error: 16:21 a function of this operator must have two inputs without defaults, one of the operator record, and one output (section 14.5)
// expect error: 23:21 a function of 'String' must have the operator record as its first input, defaults for all others, and a String as its only output (section 14.4)
// expect error: 29:21 '%' is not an operator that can be overloaded (chapter 14)
// expect error: 37:5 'one' in '+': an operator contains functions only (section 4.7)
