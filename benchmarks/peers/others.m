% SPDX-License-Identifier: MIT
%
% Octave on J2 of bench-peers: octave-cli others.m TOLERANCE
% prints the processor time, then the times of the events.
%
% ode45 interpolates linearly where an event stops it. So the last step before the event is taken
% again, up to where Newton's method finds the event function c * x to be zero.

1;

function [value, stops, direction] = falling_event (x, c)
  value = c * x; stops = 1; direction = -1;
end

% From (t, x) to where c * x falls through zero; found: false if it does not before stop.
function [t, x, found] = to_event (f, t, x, c, stop, tolerances)
  options = odeset (tolerances{:}, "Events", @(t, x) falling_event (x, c));
  [s, y, te] = ode45 (f, [t, stop], x, options);
  found = ! isempty (te) && s(end) < stop;
  if (! found)
    return;
  end
  t = s(end - 1); x = y(end - 1, :)';
  next = te(end);
  for k = 1:5
    if (next == t)
      break;
    end
    [~, y] = ode45 (f, [t, next], x, odeset (tolerances{:}));
    t = next; x = y(end, :)';
    next = t - (c * x) / (c * f (t, x));
  end
end

function times = contact (tolerance)
  g = 9.81; beta = 0.002; k = 1e6; d = 500;
  flying = @(t, x) [x(2); -g - beta * x(2) * abs(x(2)); -(k / d) * x(3)];
  touching = @(t, x) [x(2); -k * x(1) - d * x(2) - g; -x(2)];
  tolerances = {"RelTol", tolerance, "AbsTol", 1e-2 * tolerance};
  t = 0; x = [10; 0; 0]; times = []; touches = false;
  while (true)
    if (touches)
      [t, x, found] = to_event (touching, t, x, [-k, -d, 0], 30, tolerances);
      x(3) = -x(1);
    else
      [t, x, found] = to_event (flying, t, x, [1, 0, 1], 30, tolerances);
    end
    if (! found)
      break;
    end
    times(end + 1) = t;
    touches = ! touches;
  end
end

warning ("off", "all"); % that an event stopped it
words = argv ();
begin = cputime ();
times = contact (str2double (words{1}));
printf ("%.6f\n", cputime () - begin);
printf ("%.17g\n", times);
