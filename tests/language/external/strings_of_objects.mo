// The texts that an object is made of are known before the run, also where parameters choose them.
class Curve
  extends ExternalObject;
  function constructor
    input String name;
    input String file;
    output Curve curve;
    external "C" curve = ModelicaStandardTables_CombiTable1D_init2(name, file, fill(0.0, 0, 2), 0, 2, {2}, 1, 1, 1, false);
  end constructor;
  function destructor
    input Curve curve;
    external "C" ModelicaStandardTables_CombiTable1D_close(curve);
  end destructor;
end Curve;
model M
  parameter Boolean isText = true;
  parameter String file = "a.txt";
  final parameter Boolean hasName = isText and file <> "";
  parameter Curve curve = Curve(if hasName then "tab" else "none", if isText then file else "b.mat");
end M;
// expect flat:
// class Curve
//   extends ExternalObject;
// end Curve;
// function 'Curve.constructor'
//   input String name;
//   input String file;
//   output Curve curve;
// external curve = ModelicaStandardTables_CombiTable1D_init2(name, file, fill(0.0, 0, 2), 0, 2, {2}, 1, 1, 1, false);
// end 'Curve.constructor';
// model M
//   parameter Boolean isText = true;
//   parameter String file = "a.txt";
//   final parameter Boolean hasName = isText and file <> "";
//   parameter Curve curve = 'Curve.constructor'("tab", "a.txt");
// end M;
