package P
  constant Real c = 1;
  encapsulated model E
    Real x = c;
  end E;
end P;
model M
  P.E e;
end M;
// expect error: 4:14 there is no variable 'c' in 'P.E'; 'P.E' is encapsulated and must import it
