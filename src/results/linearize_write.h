// SPDX-License-Identifier: MIT
//
// Linearizations for people and programs: text, JSON, CSV, MATLAB v4. docs/linearize.md describes
// the formats.

#ifndef SALTUS_RESULTS_LINEARIZE_WRITE_H
#define SALTUS_RESULTS_LINEARIZE_WRITE_H

#include "results/table.h"

#include <stdio.h>

void linearize_write_text(const SaltusLinearization *l, FILE *out);
// `model`: its name, for JSON. False: something could not be written.
// Matrices are no table: not every format has room for them.
bool linearize_has_format(TableFormat format);
bool linearize_write(const SaltusLinearization *l, TableFormat format, const char *model,
                     FILE *out);

#endif
