connector C
  flow Real f;
  stream Real s;
  flow input Real fi;
  Real p;
end C;
model A
  discrete Real d;
  parameter Real p = 1;
  constant Real c = 2;
  input Real i;
  output Real o;
  parameter input Real pi;
  discrete output Integer n;
  inner Real inn;
  outer Real out;
  inner outer Real both;
  final parameter Real fp = 3;
  final inner parameter Real fip = 3;
  replaceable Real r;
  inner replaceable parameter Real ir;
  redeclare Real rd;
  redeclare final inner outer replaceable constant output Real all;
end A;
