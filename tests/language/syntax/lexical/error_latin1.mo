// Grüße in Latin-1, warned about once
model A "Grüße"
  Real ü;
end A;
// expect warning: 1:6 the file is not encoded in UTF-8
// expect error: 3:8 unexpected byte 0xFC, which is not UTF-8
