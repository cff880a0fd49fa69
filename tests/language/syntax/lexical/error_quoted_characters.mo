model A
  Real 'käse';
  Real 'a\qb';
end A;
// expect error: 2:10 unexpected character 'ä'
// expect error: 3:10 unknown escape sequence '\q'
