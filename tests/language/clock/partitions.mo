connector ClockInput = input Clock;
block Sampler
  ClockInput c;
  input Real u;
  output Real y = sample(u, c);
end Sampler;
model M
  Clock c = Clock(1, 10);
  Sampler s(u = time*time, c = c);
  Real x(start = 1), z, held;
equation
  when Clock() then
    x = previous(x) + s.y*interval();
  end when;
  z = subSample(x + s.y, 5);
  held = hold(z);
end M;
// expect flat:
// model M
//   Real 's.u';
//   discrete Real 's.y';
//   discrete Real x(start = 1.0);
//   discrete Real z;
//   Real held;
// protected
//   Boolean 'clock 1.tick';
//   Integer 'clock 1.count'(start = 0, fixed = true);
//   parameter Real 'clocks.start'(fixed = false);
//   Boolean 'clocks.begin';
//   discrete Real 'clock 1.next'(start = 1e300, fixed = true);
//   Boolean 'clock 2.tick';
//   Integer 'clock 2.count'(start = 0, fixed = true);
//   discrete Real 'clock 2.next'(start = 1e300, fixed = true);
//   discrete Real 'subSample 1';
// initial equation
//   'clocks.start' = time;
// equation
//   's.u' = time*time;
//   'clocks.begin' = sample('clocks.start', 1e300);
//   'clock 1.tick' = 'clocks.begin' or time >= 'clocks.start' + pre('clock 1.next');
//   'clock 2.tick' = 'clocks.begin' or time >= 'clocks.start' + pre('clock 2.next');
//   held = pre(z);
//   when 'clock 1.tick' then
//     'clock 1.count' = pre('clock 1.count') + 1;
//     'clock 1.next' = 'clock 1.count'/10.0;
//     's.y' = pre('s.u');
//     x = pre(x) + 's.y'*0.1;
//     'subSample 1' = x + 's.y';
//   end when;
//   when 'clock 2.tick' then
//     'clock 2.count' = pre('clock 2.count') + 1;
//     'clock 2.next' = 'clock 2.count'/2.0;
//     z = 'subSample 1';
//   end when;
// end M;
