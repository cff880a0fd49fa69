partial function F
  input Real x;
  output Real y;
end F;
function id
  extends F;
algorithm
  y := x;
end id;
function take
  input F f;
  output Real y;
algorithm
  y := f(2);
end take;
model M
  function a
    extends F;
    input Real k;
  algorithm
    y := k*x;
  end a;
  function b
    input Real u;
    output Real y;
  algorithm
    y := u;
  end b;
  function c
    input Integer x;
    output Real y;
  algorithm
    y := x;
  end c;
  function d
    extends F;
    input Real z = 3;
  algorithm
    y := x + z;
  end d;
  function e
    input Real x;
    output Real z;
  algorithm
    z := x;
  end e;
  function g
    input Real x;
    output Real y[2];
  algorithm
    y := {x, x};
  end g;
  impure function h
    extends F;
  algorithm
    y := x;
  end h;
  function tooMany
    input F f;
    output Real y;
  algorithm
    y := f(1, 2);
  end tooMany;
  function unknownName
    input F f;
    output Real y;
  algorithm
    y := f(1, z = 2);
  end unknownName;
  function asValue
    input F f;
    output Real y;
  algorithm
    y := f;
  end asValue;
  function assigned
    input F f;
    output Real y;
  algorithm
    f := 1;
    y := 1;
  end assigned;
  function several
    input F f[2];
    output Real y;
  algorithm
    y := 1;
  end several;
  function noInput
    output Real y;
  protected
    F f;
  algorithm
    y := 1;
  end noInput;
  function higher
    input take h;
    output Real y;
  algorithm
    y := h(id);
  end higher;
  record R
    Real x;
  end R;
  Real v = time;
  Real y[:] = {
    take(a),
    take(b),
    take(c),
    take(d),
    take(e),
    take(g),
    take(h),
    take(1),
    take(),
    tooMany(d),
    unknownName(d),
    asValue(id),
    assigned(id),
    several(id),
    noInput(),
    higher(take),
    take(v),
    take(R),
    take(nothing),
    take(sum),
    take(function id(x = 1)),
    take(function id(q = 1)),
    take(function a(k = true)),
    take(function a(k = 1, k = 2)),
    take(F),
    take(id, id),
    take(id, f = id),
    take(take),
    take(atan2),
    id(function id())};
end M;
// expect error: 107:10 input 'k' of 'M.a' has no value, so it cannot be input 'f' of 'take'
// expect note: 1:18 what is expected is declared here
// expect error: 108:10 'M.b' has no input 'x' in that place, so it cannot be input 'f' of 'take'
// expect note: 1:18 what is expected is declared here
// expect error: 109:10 input 'x' of 'M.c' is Integer, not Real, so it cannot be input 'f' of 'take'
// expect note: 1:18 what is expected is declared here
// expect error: 111:10 'M.e' has no output 'y' in that place, so it cannot be input 'f' of 'take'
// expect note: 1:18 what is expected is declared here
// expect error: 112:10 output 'y' of 'M.g' is Real[2], not Real, so it cannot be input 'f' of 'take'
// expect note: 1:18 what is expected is declared here
// expect error: 113:10 'M.h' is impure, so it cannot be input 'f' of 'take'
// expect note: 1:18 what is expected is declared here
// expect error: 114:10 input 'f' of 'take' is a function: give the name of one
// expect error: 115:5 input 'f' of function 'take' is missing
// expect error: 62:10 function 'M.d' takes 1 argument, but 2 are given
// expect error: 68:15 function 'M.d' has no input 'z'
// expect error: 74:10 'f' is a function: it can be called, or be an argument of a function
// expect error: 80:5 'f' is a function: it can be called, or be an argument of a function
// expect error: 84:13 there are no arrays of functions
// expect error: 92:5 a variable of a function that is a function must be an input
// expect error: 97:11 a function as an argument cannot take functions itself
// expect error: 123:10 'v' is a component, not a function
// expect error: 124:10 'R' is a record, but a function is expected here
// expect error: 125:10 there is no function 'nothing' in 'M'; did you mean 'String'?
// expect error: 126:10 'sum' is no function of numbers: write a function that calls it
// expect error: 127:10 'id' has no input 'x', so it cannot be input 'f' of 'take'
// expect note: 1:18 what is expected is declared here
// expect error: 128:22 function 'id' has no input 'q'
// expect error: 129:25 input 'k' of 'M.a' must be Real, but this is Boolean
// expect error: 130:28 function 'M.a' has its input 'k' bound already
// expect error: 131:10 'F' is partial and cannot be called
// expect note: 1:18 it is declared here
// expect error: 132:5 function 'take' takes 1 argument, but 2 are given
// expect error: 133:18 input 'f' of 'take' is given twice
// expect error: 134:10 input 'f' of function 'take' is missing
// expect error: 135:10 input 'u2' of 'atan2_function' has no value, so it cannot be input 'f' of 'take'
// expect note: 1:18 what is expected is declared here
// expect error: 136:8 a function with bound inputs can only be an argument of a function that takes it
