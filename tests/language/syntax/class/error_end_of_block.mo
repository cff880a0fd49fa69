model A
  Real x;
end if;
  Real y;
end A;
// expect error: 3:1 'end if' without 'if'
