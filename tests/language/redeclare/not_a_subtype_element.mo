package P
  model Base
    replaceable type Level = Real;
    Level h = 1;
  end Base;
  model M
    extends Base;
    redeclare type Level = Boolean;
  end M;
end P;
// expect error: 4:15 the binding of 'h' must be Boolean, but this is Integer
// expect error: 8:5 'P.M.Level' cannot take this place: it is Boolean, not Real
