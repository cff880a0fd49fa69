// Base classes of base classes are looked through one by one, so there must not be too many.
model A0 Real x = time; end A0;
model A1 extends A0; extends A0; end A1;
model A2 extends A1; extends A1; end A2;
model A3 extends A2; extends A2; end A3;
model A4 extends A3; extends A3; end A4;
model A5 extends A4; extends A4; end A5;
model A6 extends A5; extends A5; end A6;
model A7 extends A6; extends A6; end A7;
model A8 extends A7; extends A7; end A8;
model A9 extends A8; extends A8; end A9;
model A10 extends A9; extends A9; end A10;
model A11 extends A10; extends A10; end A11;
model A12 extends A11; extends A11; end A12;
model A13 extends A12; extends A12; end A13;
model M extends A13; end M;
// expect error: 15:7 'A13' has more than 10000 base classes and base classes of these
