model A
equation
  x = integral(function f(a = 1, b = 2), 0, 1);
  x = g(function M.f(), y = function .M.g(a = function h(b = 1)));
  x = g(1, function f(a = 2));
end A;
