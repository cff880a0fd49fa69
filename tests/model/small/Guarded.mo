package Guarded "conditions that have no value where others make them idle"
  function root "refuses what is negative"
    input Real u;
    output Real y;
  algorithm
    assert(u >= 0, "of a negative number");
    y := sqrt(u);
  end root;
  model Elseif "in a chain of branches: 1 from x = 0.04 on"
    Real x(start = -0.5, fixed = true), v(start = 0, fixed = true);
  equation
    der(x) = 1;
    der(v) = if x <= 0 then 0 elseif root(x) > 0.2 then 1 else 0;
  end Elseif;
  model Equation "in an if-equation"
    Real x(start = -0.5, fixed = true), v(start = 0, fixed = true), z;
  equation
    der(x) = 1;
    der(v) = z;
    if x <= 0 then z = 0; elseif sqrt(x) > 0.2 then z = 1; else z = 0; end if;
  end Equation;
  model Section "in an algorithm"
    Real x = time - 0.5, y;
    Real v(start = 0, fixed = true);
  algorithm
    if x <= 0 then
      y := 0;
    elseif root(x) > 0.2 then
      y := 1;
    else
      y := 0;
    end if;
  equation
    der(v) = y;
  end Section;
  model Both "behind `and`: log(x) is beyond all bounds where x begins to be positive"
    Real x(start = -0.5, fixed = true), v(start = 0, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(x) = 1;
    der(v) = if x > 0 and log(x) > -1 then 1 else 0;
    when x > 0 and sqrt(x) >= 0.3 then
      n = pre(n) + 1;
    end when;
  end Both;
end Guarded;
