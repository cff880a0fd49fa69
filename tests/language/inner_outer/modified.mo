model A
  outer parameter Real p = 2;
end A;
model B
  outer Real q;
end B;
model M
  inner parameter Real p = 1;
  inner Real q = time;
  A a;
  B b(q(unit = "V"));
end M;
// expect error: 2:28 'p' is outer and cannot be modified: the inner component is what counts
// expect error: 11:7 'q' is outer and cannot be modified: the inner component is what counts
