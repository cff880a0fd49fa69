// SPDX-License-Identifier: MIT

#include "results/trajectory.h"

#include "base/memory.h"

static size_t width_of(const SaltusModeDef *mode)
{
    return (size_t)mode->state_count + (size_t)mode->algebraic_count + (size_t)mode->output_count;
}

static bool reserve(Trajectory *trajectory, size_t width)
{
    if (trajectory->count == trajectory->capacity) {
        long capacity = trajectory->capacity ? 2 * trajectory->capacity : 256;
        TrajectoryRow *rows = memory_resize(trajectory->allocator, trajectory->rows,
                                            (size_t)capacity, sizeof(TrajectoryRow));
        if (!rows)
            return false;
        trajectory->rows = rows;
        trajectory->capacity = capacity;
    }
    if (trajectory->value_count + width > trajectory->value_capacity || !trajectory->values) {
        size_t capacity = 2 * trajectory->value_capacity + width + 1024;
        double *values =
            memory_resize(trajectory->allocator, trajectory->values, capacity, sizeof(double));
        if (!values)
            return false;
        trajectory->values = values;
        trajectory->value_capacity = capacity;
    }
    return true;
}

double *trajectory_add(Trajectory *trajectory, double t, int mode, const SaltusModeDef *mode_def,
                       SaltusRowKind kind)
{
    size_t width = width_of(mode_def);
    if (!reserve(trajectory, width))
        return NULL;
    size_t offset = trajectory->value_count;
    trajectory->rows[trajectory->count++] =
        (TrajectoryRow){.t = t, .mode_def = mode_def, .mode = mode, .kind = kind, .offset = offset};
    trajectory->value_count += width;
    return trajectory->values + offset;
}

void trajectory_drop(Trajectory *trajectory)
{
    trajectory->count--;
    trajectory->value_count = trajectory->rows[trajectory->count].offset;
}

SaltusRow trajectory_row(const Trajectory *trajectory, long index)
{
    const TrajectoryRow *row = &trajectory->rows[index];
    const SaltusModeDef *mode = row->mode_def;
    const double *x = trajectory->values + row->offset;
    const double *z = x + mode->state_count;
    return (SaltusRow){.t = row->t,
                       .mode = row->mode,
                       .kind = row->kind,
                       .x_count = mode->state_count,
                       .z_count = mode->algebraic_count,
                       .y_count = mode->output_count,
                       .x = x,
                       .z = z,
                       .y = z + mode->algebraic_count};
}

void trajectory_free(Trajectory *trajectory)
{
    memory_free(trajectory->allocator, trajectory->rows);
    memory_free(trajectory->allocator, trajectory->values);
}
