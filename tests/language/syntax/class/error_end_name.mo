model Pendulum
  Real x;
end Pendulun;
// expect error: 3:5 expected 'end Pendulum', found identifier 'Pendulun'
// expect note: 1:7 class 'Pendulum' begins here
