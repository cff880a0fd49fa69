package Bounces "floors that are reinit alone: bounces accumulate, and nothing rests there"
  model Ball
    parameter Real e = 0.8;
    Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81*cos(1e-6*h) "not linear, so that it is not solved exactly";
    when h < 0 then reinit(v, -e*pre(v)); end when;
  end Ball;
  model Slope "with drag, on a floor that is inclined"
    parameter Real e = 0.8;
    Real x(start = 0, fixed = true), y(start = 1, fixed = true), vx(start = 1, fixed = true), vy(start = 0, fixed = true), vn;
  equation
    der(x) = vx; der(y) = vy;
    der(vx) = -0.1*vx; der(vy) = -9.81 - 0.1*vy;
    vn = vy + 0.2*vx;
    when y + 0.2*x <= 0 then
      reinit(vy, pre(vy) - (1 + e)*pre(vn)/1.04);
      reinit(vx, pre(vx) - (1 + e)*0.2*pre(vn)/1.04);
    end when;
  end Slope;
  model Lever "the height follows from the angle"
    parameter Real e = 0.8;
    Real th(start = 0.5, fixed = true), w(start = 0, fixed = true), y;
  equation
    der(th) = w; 2*der(w) = -9.81*cos(th);
    y = sin(th);
    when y < 0 then reinit(w, -e*pre(w)); end when;
  end Lever;
  model Pair "two masses that a spring presses together"
    parameter Real e = 0.8;
    Real x1(start = -1, fixed = true), x2(start = 1, fixed = true), v1(start = 0, fixed = true), v2(start = 0, fixed = true);
  equation
    der(x1) = v1; der(x2) = v2;
    der(v1) = 3*(x2 - x1 + 1); 2*der(v2) = -3*(x2 - x1 + 1);
    when x1 > x2 then
      reinit(v1, (pre(v1) + 2*pre(v2) - 2*e*(pre(v1) - pre(v2)))/3);
      reinit(v2, (pre(v1) + 2*pre(v2) + e*(pre(v1) - pre(v2)))/3);
    end when;
  end Pair;
end Bounces;
