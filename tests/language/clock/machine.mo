model M
  inner Real x(start = 0);
  block A
    outer output Real x;
  equation
    x = previous(x) + sample(time, Clock(1, 2));
  end A;
  block B
    outer output Real x;
    Integer n(start = 0);
  equation
    x = 0;
    n = previous(n) + 1;
  end B;
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, previous(x) > 3);
  transition(b, a, b.n > 4, immediate = false);
end M;
// expect flat:
// model M
//   discrete Real x(start = 0.0);
//   Integer 'b.n'(start = 0);
// protected
//   Boolean 'clock 1.tick';
//   Integer 'clock 1.count'(start = 0, fixed = true);
//   parameter Real 'clocks.start'(fixed = false);
//   Boolean 'clocks.begin';
//   discrete Real 'clock 1.next'(start = 1e300, fixed = true);
//   Integer 'machine 1.state'(start = 1, fixed = true);
//   Integer 'machine 1.entry'(start = 0, fixed = true);
//   discrete Real 'machine 1.entered'(start = 0.0, fixed = true);
//   Boolean 'state a.tick';
//   Boolean 'state a.resets'(start = false, fixed = true);
//   Boolean 'state a.pending'(start = true, fixed = true);
//   Boolean 'state b.tick';
//   Boolean 'state b.resets'(start = false, fixed = true);
//   Boolean 'state b.pending'(start = true, fixed = true);
//   Integer 'machine 1.fired';
//   Boolean 'machine 1.transition 2'(start = false, fixed = true);
//   Boolean 'machine 1.resets'(start = false, fixed = true);
// initial equation
//   'clocks.start' = time;
// equation
//   'clocks.begin' = sample('clocks.start', 1e300);
//   'clock 1.tick' = 'clocks.begin' or time >= 'clocks.start' + pre('clock 1.next');
//   'state a.tick' = 'clock 1.tick' and 'machine 1.state' == 1;
//   'state b.tick' = 'clock 1.tick' and 'machine 1.state' == 2;
//   when 'clock 1.tick' then
//     'clock 1.count' = pre('clock 1.count') + 1;
//     'clock 1.next' = 'clock 1.count'/2.0;
//     x = if 'machine 1.state' == 1 then pre(x) + time elseif 'machine 1.state' == 2 then 0.0 else pre(x);
//     'machine 1.transition 2' = 'machine 1.state' == 2 and 'b.n' > 4;
//     'machine 1.fired' = if pre('machine 1.state') == 1 and pre(x) > 3.0 then 1 else if pre('machine 1.state') == 2 and pre('machine 1.transition 2') then 2 else 0;
//     'machine 1.state' = if pre('clock 1.count') == 0 then 1 else if 'machine 1.fired' == 1 then 2 else if 'machine 1.fired' == 2 then 1 else pre('machine 1.state');
//     'machine 1.resets' = if pre('clock 1.count') == 0 then true else if 'machine 1.fired' == 1 then true else if 'machine 1.fired' == 2 then true else false;
//     'machine 1.entry' = if pre('clock 1.count') == 0 or 'machine 1.fired' > 0 then 'clock 1.count' else pre('machine 1.entry');
//     'machine 1.entered' = if pre('clock 1.count') == 0 or 'machine 1.fired' > 0 then time else pre('machine 1.entered');
//     'state a.resets' = 'machine 1.state' == 1 and ('machine 1.resets' or (pre('clock 1.count') == 0 or pre('state a.pending')));
//     'state a.pending' = if 'machine 1.state' == 1 then false else pre('clock 1.count') == 0 or pre('state a.pending');
//     'state b.resets' = 'machine 1.state' == 2 and ('machine 1.resets' or (pre('clock 1.count') == 0 or pre('state b.pending')));
//     'state b.pending' = if 'machine 1.state' == 2 then false else pre('clock 1.count') == 0 or pre('state b.pending');
//   end when;
//   when 'state b.tick' then
//     'b.n' = (if 'state b.resets' then 0 else pre('b.n')) + 1;
//   end when;
// end M;
