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
      input Real y = 0;
      output C r(x = x + y);
    algorithm
    end two;
  end 'constructor';
  operator function '+'
    input C a;
    input C b;
    output C r;
  algorithm
    r := C(a.x + b.x, 0);
  end '+';
end C;
model M
  C a = C(time, 0);
  C b = a + 1;
  C c = C(1);
end M;
// expect error: 26:9 '+' is ambiguous here: 'C.'+'' fits in several ways (section 14.5)
// expect error: 27:9 'constructor' is ambiguous here: 'C.'constructor'.one' and 'C.'constructor'.two' fit (section 14.5)
