// Every kind of class.
class A end A;
model B end B;
record C end C;
block D end D;
connector E end E;
expandable connector F end F;
type G extends Real; end G;
package H end H;
function I end I;
operator record J end J;
operator K end K;
operator function L end L;
pure function M end M;
impure function N end N;
pure operator function O end O;
