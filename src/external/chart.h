// SPDX-License-Identifier: MIT
//
// The tables of Modelica.Blocks: a function of time or of one variable, for several columns, and a
// function of two variables.
//
// Between points it is linear, constant, or cubic with slopes at the points from
//   Akima: A new method of interpolation and smooth curve fitting based on local procedures,
//     J. ACM 17 (1970); of two variables: A method of bivariate interpolation and smooth surface
//     fitting based on local procedures, Comm. ACM 17 (1974)
//   Fritsch, Butland: A method for constructing local monotone piecewise cubic interpolants,
//     SIAM J. Sci. Stat. Comput. 5 (1984)
//   Steffen: A simple method for monotonic interpolation in one dimension, Astron. Astrophys. 239
//     (1990)
//   the modified weights of Akima's slopes that do not overshoot beside constant pieces ("makima")
//
// A table does not change once it is made.

#ifndef SALTUS_EXTERNAL_CHART_H
#define SALTUS_EXTERNAL_CHART_H

#include "external/external.h"

typedef enum ChartKind { CHART_TIME, CHART_ONE, CHART_TWO } ChartKind;

// The literals of Modelica.Blocks.Types.Smoothness, Extrapolation and TimeEvents.
typedef enum ChartSmoothness {
    CHART_LINEAR = 1,
    CHART_AKIMA,
    CHART_CONSTANT,
    CHART_FRITSCH_BUTLAND,
    CHART_STEFFEN,
    CHART_MAKIMA,
} ChartSmoothness;
typedef enum ChartExtrapolation {
    CHART_HOLD = 1,
    CHART_LAST_TWO,
    CHART_PERIODIC,
    CHART_NONE,
} ChartExtrapolation;
typedef enum ChartEvents {
    CHART_EVENTS_ALWAYS = 1,
    CHART_EVENTS_AT_JUMPS,
    CHART_EVENTS_NEVER,
} ChartEvents;

typedef struct Chart {
    ChartKind kind;
    ChartSmoothness smoothness;
    ChartExtrapolation extrapolation;
    ChartEvents events;
    double start, shift;    // of a time table: before `start` it is 0; abscissa = time - shift
    char *name;             // for messages
    double *values;         // as they are given, with abscissae
    uint32_t rows, columns; // of `values`
    uint32_t *selected;     // columns of `values`, from 0; of two variables: none
    uint32_t selected_count;
    double *slopes; // rows for each selected column; of two variables: see chart_two.c
    // An abscissa at which a time table has an event, and the first and the last row that has it.
    struct {
        double at;
        uint32_t left, right;
    } * instants;
    uint32_t instant_count;
} Chart;

void chart_free(Chart *table); // NULL is allowed
bool chart_equal(const Chart *a, const Chart *b);

// A table with values, of which it becomes the owner; false after a message. (chart.c, chart_two.c)
bool chart_prepare(ExternalCall *call, Chart *table);
bool chart_prepare_two(ExternalCall *call, Chart *table);

// y, y' and y'' of a column at u.
bool chart_value(ExternalCall *call, const Chart *table, uint32_t column, double u, double y[3]);
// Of a time table at t, while its next event is at `next`: the branch that ends there, on both
// sides of it. So there is no jump before the event has happened.
bool chart_value_at(ExternalCall *call, const Chart *t, uint32_t column, double time, double next,
                    double y[3]);
// The first event after a time; DBL_MAX: none.
double chart_next_event(const Chart *t, double time);

// A point of a surface: its value and derivatives, y12 by u1 and u2.
typedef struct ChartPoint {
    double y, y1, y2, y11, y12, y22, y112, y122;
} ChartPoint;
bool chart_surface(ExternalCall *call, const Chart *table, double u1, double u2, ChartPoint *point);

// The secants of points, with two more on either side that continue them as a parabola does (Akima
// 1970): d[-1] = 2 d[0] - d[1].
typedef struct ChartSecants {
    const double *x, *y;
    size_t x_stride, y_stride;
    uint32_t count; // of points
} ChartSecants;
double chart_secant(const ChartSecants *s, int64_t i); // i = -2 .. count; of a single point: 0

// Slopes at `count` points x, y with strides; the smoothness is one of the cubic ones.
void chart_slopes(ChartSmoothness smoothness, uint32_t count, const double *x, size_t x_stride,
                  const double *y, size_t y_stride, double *slopes, size_t slope_stride);

// The matrix `name` of a file (chart_read.c): false after a message. *values is allocated.
bool chart_read(ExternalCall *call, const char *file, const char *name, const char *delimiter,
                uint32_t header_lines, double **values, uint32_t *rows, uint32_t *columns);

#endif
