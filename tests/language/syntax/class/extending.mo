package P
  extends Q;
  redeclare model extends M end M;
  redeclare replaceable partial function extends f(n = 3) "changed"
    input Real x;
  algorithm
    y := x;
  end f;
end P;
