operator record C
  Real x;
  operator 'constructor'
    function one
      input Real x;
      output C r(x = x);
    algorithm
    end one;
    function two
      input Real x;
      input Real y;
      output C r(x = x + y);
    algorithm
    end two;
  end 'constructor';
end C;
model M
  C c = C("text");
end M;
// expect error: 18:9 none of the functions of 'constructor' in 'C' takes these arguments
