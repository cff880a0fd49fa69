// Section 7.1.3: who may extend whom.
model Base
  Real x = 1;
end Base;
package Derived
  extends Base;
end Derived;
model M
  Real y = Derived.c;
end M;
// expect error: 6:11 the package 'Derived' cannot extend 'Base', which is a model, only a package
