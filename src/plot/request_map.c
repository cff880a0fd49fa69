// SPDX-License-Identifier: MIT

#include "plot/request_map.h"

#include "base/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CELLS = 4000000 };

static int request_map_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The different finite values of a column, sorted.
static double *distinct(Arena *arena, const TableColumn *column, size_t rows, size_t *count)
{
    double *values = ARENA_ARRAY(arena, rows, double);
    size_t n = 0;
    for (size_t i = 0; i < rows; i++)
        if (isfinite(column->values[i]))
            values[n++] = column->values[i];
    qsort(values, n, sizeof *values, request_map_compare);
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || values[i] != values[i - 1])
            values[(*count)++] = values[i];
    return values;
}

static size_t request_map_place_of(const double *values, size_t count, double value)
{
    const double *found = bsearch(&value, values, count, sizeof *values, request_map_compare);
    return found ? (size_t)(found - values) : count;
}

// Whether the steps are equal by ratio rather than by difference: a logarithmic sweep.
static bool is_geometric(const double *values, size_t count)
{
    static const double same = 1e-6;
    if (count < 3 || values[0] <= 0.0)
        return false;
    const double ratio = values[1] / values[0];
    for (size_t i = 2; i < count; i++)
        if (fabs(values[i] / values[i - 1] / ratio - 1.0) > same)
            return false;
    return ratio > 1.0 + 1e-3;
}

// The column of the name s ... s + length - 1.
static const TableColumn *find_column(Arena *arena, const PlotRequest *r, const char *s,
                                      size_t length, char **message)
{
    const Table *table = r->tables[0];
    const char *name = arena_copy_text(arena, s, length);
    const TableColumn *column = table_column(table, name);
    if (column && column->heading.kind == TABLE_NUMBERS)
        return column;
    const char *nearest = table_nearest(table, name);
    if (column)
        message_set(message, "the column '%s' has no numbers", name);
    else
        message_set(message, "%s has no column '%s'%s%s%s", r->names[0], name,
                    nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return NULL;
}

static PlotAxis axis_of(const TableColumn *column, PlotScale scale, const double *values,
                        size_t count)
{
    const bool is_log = scale == PLOT_LOGARITHMIC || is_geometric(values, count);
    return (PlotAxis){.label = column->heading.name,
                      .unit = column->heading.unit,
                      .scale = is_log ? PLOT_LOGARITHMIC : PLOT_LINEAR};
}

static bool fill(Arena *arena, const PlotRequest *r, const TableColumn *const zxy[3],
                 PlotFigure *figure, char **message)
{
    const size_t rows = r->tables[0]->row_count;
    PlotMap *map = ARENA_NEW(arena, PlotMap);
    PlotPanel *panel = ARENA_NEW(arena, PlotPanel);
    const double *x = distinct(arena, zxy[1], rows, &map->x_count);
    const double *y = distinct(arena, zxy[2], rows, &map->y_count);
    if (map->x_count && map->y_count > MOST_CELLS / map->x_count) {
        message_set(message, "a map of %zu by %zu points is too large", map->x_count, map->y_count);
        return false;
    }
    double *z = ARENA_ARRAY(arena, map->x_count * map->y_count, double);
    for (size_t i = 0; i < map->x_count * map->y_count; i++)
        z[i] = NAN;
    for (size_t i = 0; i < rows; i++) {
        const size_t column = request_map_place_of(x, map->x_count, zxy[1]->values[i]);
        const size_t row = request_map_place_of(y, map->y_count, zxy[2]->values[i]);
        if (column < map->x_count && row < map->y_count)
            z[row * map->x_count + column] = zxy[0]->values[i];
    }
    map->x = x;
    map->y = y;
    map->z = z;
    map->colour = (PlotAxis){.label = zxy[0]->heading.name, .unit = zxy[0]->heading.unit};
    *panel = (PlotPanel){.map = map,
                         .x = axis_of(zxy[1], r->x_scale, x, map->x_count),
                         .y = axis_of(zxy[2], r->y_scale, y, map->y_count)};
    figure->panels = panel;
    figure->panel_count = 1;
    return true;
}

bool request_map(Arena *arena, const PlotRequest *r, PlotFigure *figure, char **message)
{
    const char *colon = strchr(r->map, ':');
    const char *comma = colon ? strchr(colon, ',') : NULL;
    if (!comma) {
        message_set(message, "a map needs 'z:x,y', not '%s'", r->map);
        return false;
    }
    const TableColumn *zxy[3] = {find_column(arena, r, r->map, (size_t)(colon - r->map), message),
                                 NULL, NULL};
    if (zxy[0])
        zxy[1] = find_column(arena, r, colon + 1, (size_t)(comma - colon - 1), message);
    if (zxy[1])
        zxy[2] = find_column(arena, r, comma + 1, strlen(comma + 1), message);
    return zxy[2] && fill(arena, r, zxy, figure, message);
}
