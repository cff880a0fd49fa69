model A
  String s = "a\qb";
  String t = "fine\n";
  String u = "\d\é";
end A;
// expect error: 2:16 unknown escape sequence '\q'
// expect error: 4:15 unknown escape sequence '\d'
// expect error: 4:17 unknown escape sequence '\é'
