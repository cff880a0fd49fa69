model 'a model'
  Real 'x', x, '1+2', 'it\'s', 'with "double"', '\"', '\?', '?', 'a\\b', '\a\b\f\n\r\t\v', '';
  Real '!#$%&()*+,-./:;<>=?@[]^{|}~ ';
equation
  'x' = x + 'it\'s'.'1+2';
end 'a model';
