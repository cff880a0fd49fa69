package FrictionChain "Blocks on a rough floor: what sticks loses its degree of freedom"
  model Block "A block with Coulomb friction and stiction"
    parameter Real m = 1;
    parameter Real holding = 1.5 "largest force of friction at rest";
    parameter Real sliding = 1 "force of friction in motion";
    Real x(start = 0, fixed = true), v(start = 0, fixed = true);
    input Real applied "force of what is around";
    Real friction "force of the floor, against the motion";
    Real heat(start = 0, fixed = true) "work of the friction";
    Integer motion(start = 0, fixed = true) "1 forwards, -1 backwards, 0 sticks";
  equation
    der(x) = v;
    m * der(v) = applied - friction;
    der(heat) = friction * v;
    if motion == 0 then
      v = 0;
    else
      friction = motion * sliding;
    end if;
    when {pre(motion) == 0 and friction > holding, pre(motion) == 0 and friction < -holding} then
      motion = if friction > 0 then 1 else -1;
    elsewhen {pre(motion) == 1 and v < 0, pre(motion) == -1 and v > 0} then
      motion = 0;
    end when;
  end Block;

  partial model Chain "Blocks in a row, with springs between them"
    parameter Integer n = 1;
    parameter Real c = 10 "stiffness of the springs";
    Block b[n](each holding = 1.5, each sliding = 1);
    Real pull "force on the last one";
    Real work(start = 0, fixed = true) "of this force";
    Real energy = sum(b.m .* b.v .^ 2) / 2 + sum({c * (b[i + 1].x - b[i].x) ^ 2 / 2 for i in 1:n - 1});
    Real balance = work - energy - sum(b.heat) "zero, always";
  equation
    for i in 1:n loop
      b[i].applied = (if i > 1 then c * (b[max(i - 1, 1)].x - b[i].x) else 0) +
        (if i < n then c * (b[min(i + 1, n)].x - b[i].x) else pull);
    end for;
    der(work) = pull * b[n].v;
  end Chain;

  model One "One block, pulled to and fro"
    extends Chain(n = 1);
  equation
    pull = 2 * sin(time);
    annotation(experiment(StopTime = 10));
  end One;

  model Two "Two blocks: the second has to be moved by the first"
    extends Chain(n = 2);
  equation
    pull = 3 * sin(time / 2);
    annotation(experiment(StopTime = 20));
  end Two;

  model Eight "Eight blocks: a wave of slipping runs through the chain"
    extends Chain(n = 8);
  equation
    pull = 10 * sin(time / 4);
    annotation(experiment(StopTime = 40));
  end Eight;
end FrictionChain;
