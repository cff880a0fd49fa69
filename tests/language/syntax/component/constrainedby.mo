model A
  replaceable B b constrainedby C;
  replaceable B b2(x = 1) "b" constrainedby C(y = 2) "c" annotation(choicesAllMatching = true);
  replaceable model M = N constrainedby O(p = 1) "model" annotation(choices(choice(redeclare model M = P "P")));
  replaceable package Medium = Water constrainedby PartialMedium annotation(choicesAllMatching = true);
  replaceable B x, y constrainedby C;
  replaceable model L
    Real z;
  end L constrainedby K;
  replaceable function f = g;
end A;
