model Crash4
  record R
    Real a;
    Real b;
  end R;
  function f
    input Real u;
    output R r;
  algorithm
    r.a := u;
  end f;
  constant R c = f(1);
  R r = f(time);
  Real x = c.a + r.a;
end Crash4;
