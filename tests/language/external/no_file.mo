impure function countLines
  input String file;
  output Integer n;
  external "C" n = ModelicaInternal_countLines(file);
end countLines;
impure function sizes
  input String file;
  input String name;
  output Integer d[2];
  external "C" ModelicaIO_readMatrixSizes(file, name, d);
end sizes;
model M
  parameter Integer n = countLines("no such file.txt");
  parameter Integer d[2] = sizes("no such file.mat", "m");
end M;
// expect error: 13:25 what is read from a file must be known before the run: in 'countLines': 'no such file.txt' cannot be read: No such file or directory
// expect error: 14:28 what is read from a file must be known before the run: in 'sizes': 'no such file.mat' cannot be read: No such file or directory
