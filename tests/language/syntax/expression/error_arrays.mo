model A
equation
  x = {};
  x = {1, };
  x = [];
  x = [1, 2; ];
  x = [1, 2; 3 4; 5, 6];
  x = {i for };
  x = {1, 2 for i in 1:3};
  x = 2;
end A;
// expect error: 3:7 an array constructor needs an element; an array without any is fill(0.0, 0)
// expect error: 4:11 expected an expression, found '}'
// expect error: 5:8 expected an expression, found ']'
// expect error: 6:14 expected an expression, found ']'
// expect error: 7:16 expected ']' to match '[', found number 4
// expect error: 8:14 expected the name of an iterator, found '}'
// expect error: 9:13 expected '}' to match '{', found keyword 'for'
