model M
  Real x = time;
equation
  when x > 1 then
    terminate(5);
  end when;
end M;
// expect error: 5:15 the message must be String, but this is Integer
