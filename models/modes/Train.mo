package Train "Wagons whose couplings have slack"
  model Coupling "Pulls once its slack is used up"
    parameter Real slack = 0.5;
    input Real s "how far it is drawn out";
    Real f "force";
    Boolean taut(start = false, fixed = true);
  equation
    if taut then
      s = slack;
    else
      f = 0;
    end if;
    when s > slack then
      taut = true;
    elsewhen f < 0 then
      taut = false;
    end when;
  end Coupling;

  model Start "A locomotive sets five wagons in motion, one after the other"
    parameter Integer n = 5 "wagons";
    parameter Real m[n + 1] = {80, 20, 25, 30, 20, 15} "masses: locomotive first";
    parameter Real force = 40;
    Real x[n + 1](each start = 0, each fixed = true), v[n + 1](each start = 0, each fixed = true);
    Coupling k[n];
    Real momentum = m * v "force times time";
  equation
    der(x) = v;
    m[1] * der(v[1]) = force - k[1].f;
    for i in 2:n loop
      m[i] * der(v[i]) = k[i - 1].f - k[i].f;
    end for;
    m[n + 1] * der(v[n + 1]) = k[n].f;
    for i in 1:n loop
      k[i].s = x[i] - x[i + 1];
    end for;
    annotation(experiment(StopTime = 8));
  end Start;
end Train;
