// SPDX-License-Identifier: MIT
package Saltus "Components for circuits, mechanics, heat and control"
  annotation(version = "0.1.0");
end Saltus;
