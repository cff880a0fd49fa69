// SPDX-License-Identifier: MIT
//
// Formulas of a report: written in the part of LaTeX's notation that reports need, given out as
// MathML, which browsers set by themselves.
//
// What is understood: letters, numbers, signs; groups {...}; scripts _ and ^; primes; \frac, \sqrt,
// \dot, \ddot, \hat, \bar, \text, \mathrm; \left and \right; Greek letters, names of functions,
// relations, arrows and spaces; the environments aligned and cases. A command that is not known
// stands there as it was written, so that it is seen.

#ifndef SALTUS_REPORT_FORMULA_H
#define SALTUS_REPORT_FORMULA_H

#include "base/text.h"

#include <stdbool.h>

// is_display: a formula on a line of its own.
void formula_mathml(StringBuilder *out, const char *latex, size_t length, bool is_display);

#endif
