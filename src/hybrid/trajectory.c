// SPDX-License-Identifier: MIT

#include "hybrid/trajectory.h"

#include "base/memory.h"

static size_t width_of(const SaltusModeDef *mode)
{
    return (size_t)mode->state_count + (size_t)mode->algebraic_count + (size_t)mode->output_count;
}

static bool trajectory_reserve(Trajectory *trajectory, size_t width)
{
    if (trajectory->count == trajectory->capacity) {
        const long first = trajectory->is_short ? 1 : 256;
        const long capacity = trajectory->capacity ? 2 * trajectory->capacity : first;
        TrajectoryRow *rows = memory_resize(trajectory->allocator, trajectory->rows,
                                            (size_t)capacity, sizeof(TrajectoryRow));
        if (!rows)
            return false;
        trajectory->rows = rows;
        trajectory->capacity = capacity;
    }
    if (trajectory->value_count + width > trajectory->value_capacity || !trajectory->values) {
        const size_t more = trajectory->is_short ? 0 : 1024;
        const size_t capacity = 2 * trajectory->value_capacity + width + more;
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
    const size_t width = width_of(mode_def);
    if (!trajectory_reserve(trajectory, width))
        return NULL;
    const size_t offset = trajectory->value_count;
    trajectory->rows[trajectory->count++] = (TrajectoryRow){.t = t,
                                                            .mode = mode,
                                                            .x_count = mode_def->state_count,
                                                            .z_count = mode_def->algebraic_count,
                                                            .y_count = mode_def->output_count,
                                                            .kind = kind,
                                                            .offset = offset};
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
    const double *x = trajectory->values + row->offset;
    const double *z = x + row->x_count;
    return (SaltusRow){.t = row->t,
                       .mode = row->mode,
                       .kind = row->kind,
                       .x_count = row->x_count,
                       .z_count = row->z_count,
                       .y_count = row->y_count,
                       .x = x,
                       .z = z,
                       .y = z + row->z_count};
}

void trajectory_free(Trajectory *trajectory)
{
    memory_free(trajectory->allocator, trajectory->rows);
    memory_free(trajectory->allocator, trajectory->values);
}
