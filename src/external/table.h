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

#ifndef SALTUS_EXTERNAL_TABLE_H
#define SALTUS_EXTERNAL_TABLE_H

#include "external/external.h"

typedef enum TableKind { TABLE_TIME, TABLE_ONE, TABLE_TWO } TableKind;

// The literals of Modelica.Blocks.Types.Smoothness, Extrapolation and TimeEvents.
typedef enum TableSmoothness {
    TABLE_LINEAR = 1,
    TABLE_AKIMA,
    TABLE_CONSTANT,
    TABLE_FRITSCH_BUTLAND,
    TABLE_STEFFEN,
    TABLE_MAKIMA,
} TableSmoothness;
typedef enum TableExtrapolation {
    TABLE_HOLD = 1,
    TABLE_LAST_TWO,
    TABLE_PERIODIC,
    TABLE_NONE,
} TableExtrapolation;
typedef enum TableEvents {
    TABLE_EVENTS_ALWAYS = 1,
    TABLE_EVENTS_AT_JUMPS,
    TABLE_EVENTS_NEVER,
} TableEvents;

// An abscissa at which a time table has an event, and the first and the last row that has it.
typedef struct TableEvent {
    double at;
    uint32_t left, right;
} TableEvent;

typedef struct Table {
    TableKind kind;
    TableSmoothness smoothness;
    TableExtrapolation extrapolation;
    TableEvents events;
    double start, shift;    // of a time table: before `start` it is 0; abscissa = time - shift
    char *name;             // for messages
    double *values;         // as they are given, with abscissae
    uint32_t rows, columns; // of `values`
    uint32_t *selected;     // columns of `values`, from 0; of two variables: none
    uint32_t selected_count;
    double *slopes; // rows for each selected column; of two variables: see table_two.c
    TableEvent *instants;
    uint32_t instant_count;
} Table;

void table_free(Table *table); // NULL is allowed
bool table_equal(const Table *a, const Table *b);

// A table with values, of which it becomes the owner; false after a message. (table.c, table_two.c)
bool table_prepare(ExternalCall *call, Table *table);
bool table_prepare_two(ExternalCall *call, Table *table);

// y, y' and y'' of a column at u.
bool table_value(ExternalCall *call, const Table *table, uint32_t column, double u, double y[3]);
// Of a time table at t, while its next event is at `next`: the branch that ends there, on both
// sides of it. So there is no jump before the event has happened.
bool table_value_at(ExternalCall *call, const Table *table, uint32_t column, double t, double next,
                    double y[3]);
// The first event after t; DBL_MAX: none.
double table_next_event(const Table *table, double t);

// A point of a surface: its value and derivatives, y12 by u1 and u2.
typedef struct TablePoint {
    double y, y1, y2, y11, y12, y22, y112, y122;
} TablePoint;
bool table_surface(ExternalCall *call, const Table *table, double u1, double u2, TablePoint *point);

// Slopes at `count` points x, y with strides; the smoothness is one of the cubic ones.
void table_slopes(TableSmoothness smoothness, uint32_t count, const double *x, size_t x_stride,
                  const double *y, size_t y_stride, double *slopes, size_t slope_stride);

// The matrix `name` of a file (table_read.c): false after a message. *values is allocated.
bool table_read(ExternalCall *call, const char *file, const char *name, const char *delimiter,
                uint32_t header_lines, double **values, uint32_t *rows, uint32_t *columns);

#endif
