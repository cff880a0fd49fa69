// SPDX-License-Identifier: MIT
//
// Axes of a study: which values a parameter takes. Written
//
//   k=5            one value
//   d=50,500,5000  a list
//   k=0:1:11       so many values from one to the other
//   k=0:1:lin:11   the same
//   k=1e4:1e8:log:30   likewise with equal ratios
//   k=0:1, k=1e4:1e8:log   an interval, to be sampled or searched
//   k=normal(5,0.1)        a distribution, to be sampled: normal(mean, deviation),
//                          lognormal(median, factor), uniform(from, to), triangular(from, peak,
//                          to), exponential(mean)
//
// What always holds: the first and the last value of a range are those that were written.

#ifndef SALTUS_STUDIES_AXIS_H
#define SALTUS_STUDIES_AXIS_H

#include "studies/study.h"

typedef enum AxisLaw {
    AXIS_UNIFORM, // over the interval, range or list
    AXIS_NORMAL,
    AXIS_LOGNORMAL,
    AXIS_TRIANGULAR,
    AXIS_EXPONENTIAL,
} AxisLaw;

typedef struct Axis {
    char *name;
    uint32_t parameter;
    bool is_logarithmic;
    bool is_whole; // the parameter has whole numbers only
    size_t count;  // of its values; 0: an interval
    double lower, upper;
    double *list; // NULL: a range
    AxisLaw law;
    double law_parameters[3]; // as they are written
} Axis;

// False: the message says what is wrong and what would be right.
bool axis_read(const Study *study, const char *text, Axis *axis, char **message);
void axis_free(Axis *axis);

double axis_value(const Axis *axis, size_t index);
// The value at a part (0 to 1) of the interval, range or list; of a distribution: the one that it
// is below of with this probability.
double axis_sample(const Axis *axis, double part);

#endif
