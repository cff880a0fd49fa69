model Clocks
  Real fast = sample(time, Clock(1, 10));
  Real slow = sample(time, Clock(1, 2));
  Real difference = fast - slow;
end Clocks;
