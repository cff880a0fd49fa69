package Redundant "Constraints of which more than one follows from others"
  model Parallel "Three clutches between two shafts, of which the third has a gear on either side"
    Real w1(start = 1, fixed = true), w2(start = 2, fixed = true), t[3];
    Boolean locked = time > 1;
  equation
    der(w1) = sum(t);
    3*der(w2) = -sum(t);
    if locked then
      w1 = w2;
    else
      t[1] = 0;
    end if;
    if locked then
      w2 = w1;
    else
      t[2] = 0;
    end if;
    if locked then
      2*w1 = 2*w2;
    else
      t[3] = 0;
    end if;
  end Parallel;

  model Complete "A clutch between any two of four shafts"
    Real w[4](start = {1, 2, 3, 4}, each fixed = true), t[4, 4];
    Boolean locked = time > 1 and time < 2;
  equation
    for i in 1:4 loop
      i*der(w[i]) = sum(t[i, :]) + i*(i - 2.5);
      for j in 1:i loop
        if i == j then
          t[i, j] = 0;
        else
          t[i, j] = -t[j, i];
        end if;
        if i > j then
          if locked then
            w[i] = w[j];
          else
            t[i, j] = 0;
          end if;
        end if;
      end for;
    end for;
  end Complete;

  model Table "The fourth leg of a table comes down"
    Real z(start = 0, fixed = true), a, b, vz, va, vb, N[4], load = sum(N);
    Boolean down = time > 0.5;
  equation
    der(z) = vz;
    der(a) = va;
    der(b) = vb;
    der(vz) = load - 9.81;
    der(va) = N[1] - N[2] + N[3] - N[4];
    der(vb) = N[1] + N[2] - N[3] - N[4];
    z + a + b = 0;
    z - a + b = 0;
    z + a - b = 0;
    if down then
      z - a - b = 0;
    else
      N[4] = 0;
    end if;
  end Table;

  model Driven "Four clutches between three shafts, and a torque that is no constant"
    Real w[3](start = {1, 2, -1}, each fixed = true), t[4];
  equation
    if time > 1 then
      w[2] = w[1];
    else
      t[1] = 0;
    end if;
    if time > 0.5 then
      w[1] = w[3];
    else
      t[2] = 0;
    end if;
    if time > 1 then
      w[1] = w[2];
    else
      t[3] = 0;
    end if;
    if time > 1 then
      w[2] = w[3];
    else
      t[4] = 0;
    end if;
    der(w[1]) = sin(time) + t[1] - t[2] - t[3];
    der(w[2]) = 0.75 - t[1] + t[3] - t[4];
    der(w[3]) = 1.0 + t[2] + t[4];
  end Driven;

  model Balance "What two gears on one shaft demand, and another clutch, is no jump of these momenta"
    Real w1(start = 1, fixed = true), w2(start = 2, fixed = true), a, b, f;
    Boolean locked = time > 0.5;
  equation
    1.3*der(w1) = a + b + f;
    2.7*der(w2) = -a - b - f;
    if locked then
      w1 = w2;
    else
      a = 0;
    end if;
    if locked then
      w2 = w1;
    else
      b = 0;
    end if;
    if locked then
      w1 = 3*w2;
    else
      f = 0;
    end if;
  end Balance;
end Redundant;
