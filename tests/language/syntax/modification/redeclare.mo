model A
  B b(
    redeclare model M = N,
    redeclare replaceable model M2 = N(x = 1) "comment" constrainedby O(y = 2),
    redeclare each final model M3 = N,
    redeclare Real r,
    redeclare Real[3] v,
    redeclare parameter Real p = 3,
    redeclare final C c[2](each x = 1) = d "text" annotation(z),
    redeclare replaceable flow output Real q constrainedby R,
    replaceable package P = Q,
    each replaceable Real s,
    redeclare type E = enumeration(a, b),
    redeclare function f = der(g, x),
    redeclare partial operator record X = Y,
    redeclare expandable connector Bus = Bus2);
end A;
