package A "all places where an annotation may stand"
  import B "imp" annotation(a);
  extends C annotation(b);
  type D = Real "d" annotation(c);
  type E = enumeration(x annotation(d), y "y" annotation(e)) annotation(f);
  Real g "g" annotation(h), i annotation(j);
  replaceable model K = L annotation(k) constrainedby M "m" annotation(l);
  function n
    external "C" annotation(o);
    annotation(p);
  end n;
equation
  g = i annotation(q);
  connect(r, s) annotation(t);
  if u then v = w annotation(x); end if annotation(y);
  f(z) annotation(aa);
algorithm
  g := 1 annotation(bb);
  break annotation(cc);
  annotation(dd);
end A;
