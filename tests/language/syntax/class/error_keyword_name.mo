model model
end model;
// expect error: 1:7 expected the name of the class, but 'model' is a keyword
