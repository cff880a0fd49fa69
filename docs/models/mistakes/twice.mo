model Twice "Two machines that assign one variable"
  model Up
    outer output Real x;
  equation
    der(x) = 1;
  end Up;
  model Down
    outer output Real x;
  equation
    der(x) = -1;
  end Down;
  inner Real x(start = 0, fixed = true);
  Up up, up2;
  Down down, down2;
equation
  initialState(up);
  transition(up, down, x > 1);
  initialState(up2);
  transition(up2, down2, x > 2);
end Twice;
