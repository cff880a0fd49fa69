// What triggers events outside of a function stays in it: a call.
operator record C
  Real x;
  encapsulated operator function '*'
    import C;
    input C a;
    input C b;
    output C r;
  algorithm
    r := C(if a.x > b.x then a.x else b.x);
  end '*';
end C;
model M
  C a = C(time);
  C b = a*a;
end M;
// expect flat:
// record C
//   Real x;
// end C;
// function 'C.\'*\''
//   input C a;
//   input C b;
//   output C r;
// algorithm
//   r := C(if a.x > b.x then a.x else b.x);
// end 'C.\'*\'';
// model M
//   Real 'a.x';
//   Real 'b.x';
// equation
//   'a.x' = time;
//   'b.x' = ('C.\'*\''(C('a.x'), C('a.x'))).x;
// end M;
