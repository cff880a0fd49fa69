model A
  Real größe;
end A;
// expect error: 2:10 unexpected character 'ö'
