operator record C
  Real x;
  operator '+'
    function one
      input C a;
      input Real b;
      output C r;
    algorithm
      r := C(a.x + b);
    end one;
    function two
      input C a;
      input Real b;
      output C r;
    algorithm
      r := C(a.x - b);
    end two;
  end '+';
end C;
model M
  C a = C(time);
  C b = a + 1;
end M;
// expect error: 22:9 '+' is ambiguous here: 'C.'+'.one' and 'C.'+'.two' fit (section 14.5)
