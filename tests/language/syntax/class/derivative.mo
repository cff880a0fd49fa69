function f_x = der(f, x);
function f_xy = der(.P.f, x, y) "mixed derivative" annotation(Inline = true);
