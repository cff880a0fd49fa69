// SPDX-License-Identifier: MIT
//
// What is drawn need not be a variable: sqrt(x^2 + y^2), a.v - b.v, abs(der(x)). Names, numbers,
// + - * / ^, parentheses and the functions on numbers that Modelica has are computed row by row.

#ifndef SALTUS_PLOT_DERIVED_H
#define SALTUS_PLOT_DERIVED_H

#include "plot/request.h"

// Gives the tables of a request a column more for each expression in its panels, called as it is
// written there. What is the name of a column, or matches some, is no expression. Nothing is copied
// but the list of columns. False: the message says what is wrong.
bool derived_columns(Arena *arena, PlotRequest *request, char **message);

#endif
