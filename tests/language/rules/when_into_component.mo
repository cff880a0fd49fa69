// Section 4.4.4.
model A
  discrete Real x;
end A;
model M
  A a;
equation
  when time > 1 then
    a.x = 2;
  end when;
end M;
// expect error: 9:5 'a.x' belongs to 'a': a 'when' here cannot assign it; assign a variable, and give that to 'a.x' by an equation
