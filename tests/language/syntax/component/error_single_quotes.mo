model M
  Real x = 1 'the first';
end M;
// expect error: 2:14 expected ';' behind the declaration
// expect note: 2:14 a string stands in double quotes: "text"
