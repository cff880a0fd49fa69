model A
  String s = "Grüße 世界" x;
end A;
// expect error: 2:25 expected ';' behind the declaration, found identifier 'x'
