model A
  String s = “text”;
  Real x = 3 − 2;
  Real y = a×b;
end A;
// expect error: 2:14 unexpected character '“'
// expect error: 2:19 unexpected character '”'
// expect error: 3:14 unexpected character '−'
// expect error: 4:13 unexpected character '×'
