// SPDX-License-Identifier: MIT
//
// The trajectory of a run: rows of (t, mode, x, z, y), each as wide as its mode.

#ifndef SALTUS_HYBRID_TRAJECTORY_H
#define SALTUS_HYBRID_TRAJECTORY_H

#include <saltus/saltus.h>

typedef struct TrajectoryRow {
    double t;
    int mode; // it may be gone when the row is read
    int x_count, z_count, y_count;
    SaltusRowKind kind;
    size_t offset; // of its values
} TrajectoryRow;

typedef struct Trajectory {
    const SaltusAllocator *allocator;
    TrajectoryRow *rows;
    long count, capacity;
    double *values;
    size_t value_count, value_capacity;
    bool is_short; // rows are handed over, one by one
} Trajectory;

// Room for the values of one more row, x then z then y; NULL: out of memory.
double *trajectory_add(Trajectory *trajectory, double t, int mode, const SaltusModeDef *mode_def,
                       SaltusRowKind kind);
// Takes the last row away.
void trajectory_drop(Trajectory *trajectory);
SaltusRow trajectory_row(const Trajectory *trajectory, long index);
void trajectory_free(Trajectory *trajectory);

#endif
