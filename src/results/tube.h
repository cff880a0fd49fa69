// SPDX-License-Identifier: MIT
//
// Two tables of results, the same or not: every value of one must lie in a tube around the curve
// of the other, which is as wide in time as in value, so that jumps at slightly different times do
// not count.

#ifndef SALTUS_RESULTS_TUBE_H
#define SALTUS_RESULTS_TUBE_H

#include "results/table.h"

typedef struct TubeColumn {
    const char *name;
    bool is_same;
    bool is_missing;  // in the second table
    double deviation; // the largest distance from the other curve, beyond the width in time
    double allowed;   // of it
    double at;        // when; NaN: there is none
} TubeColumn;

// Column `index` of `a`, the first one being the abscissa, against that of the same name in `b`.
// The tube has half the width `time` in time and, in value, `absolute` and `relative` times the
// largest |value| of the column.
TubeColumn tube_compare(const Table *a, const Table *b, size_t index, double relative,
                        double absolute, double time);

#endif
