// Section 4.8.
model M
  type Boolean = Integer;
  Boolean b = 1;
end M;
// expect error: 3:8 'Boolean' is a predefined type; nothing else can have this name
