operator record C
  Real x;
  operator 'constructor'
    function one
      input Real x;
      output Real y;
    algorithm
      y := x;
    end one;
  end 'constructor';
end C;
model M
  C c;
equation
  c.x = time;
end M;
// expect error: 4:14 a function of 'constructor' must have one output, of the operator record (section 14.3)
