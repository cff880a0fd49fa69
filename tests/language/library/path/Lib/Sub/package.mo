within Lib;
package Sub
  constant Real c = 3;
end Sub;
