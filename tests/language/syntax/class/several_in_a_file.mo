model A end A;
model B end B;
package C end C;
