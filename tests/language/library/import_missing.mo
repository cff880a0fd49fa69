model M
  import SI = Missing.Units;
  SI.Voltage v;
  SI.Current i;
end M;
// What follows from the import alone is not reported.
// expect error: 2:15 there is no imported element 'Missing'
