// SPDX-License-Identifier: MIT

#include "support/heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double neighbour(const double *u, int m, int column, int row)
{
    bool inside = column >= 0 && column < m && row >= 0 && row < m;
    return inside ? u[row * m + column] : 0.0;
}

// f without the sink
static double flux(int m, double t, const double *u, int cell)
{
    int column = cell % m, row = cell / m;
    double sum = neighbour(u, m, column - 1, row) + neighbour(u, m, column + 1, row) +
                 neighbour(u, m, column, row - 1) + neighbour(u, m, column, row + 1);
    return 0.01 * m * m * (sum - 4.0 * u[cell]) + 0.1 * sin(t);
}

static int rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)z;
    const Heat *heat = c->data;
    for (int i = 0; i < heat->m * heat->m; i++)
        dx[i] = flux(heat->m, t, x, i) - x[i] * x[i] * x[i];
    return 0;
}

static int rhs_with_sink(const SaltusContext *c, double t, const double *x, const double *z,
                         double *dx)
{
    const Heat *heat = c->data;
    for (int i = 0; i < heat->m * heat->m; i++)
        dx[i] = flux(heat->m, t, x, i) - z[i];
    return 0;
}

static int sink(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)t;
    const Heat *heat = c->data;
    for (int i = 0; i < heat->m * heat->m; i++)
        g[i] = z[i] - x[i] * x[i] * x[i];
    return 0;
}

static int residual(const SaltusContext *c, double t, const double *x, const double *z,
                    const double *dx, double *r)
{
    const Heat *heat = c->data;
    rhs(c, t, x, z, r);
    for (int i = 0; i < heat->m * heat->m; i++)
        r[i] = (1.0 + x[i] * x[i]) * (dx[i] - r[i]);
    return 0;
}

static bool adjacent(int m, int a, int b)
{
    int across = abs(a % m - b % m), up = abs(a / m - b / m);
    return across + up <= 1;
}

// The pattern of (f, g) with respect to (x, z), by looking at every pair.
static void make_sparsity(Heat *heat, int n)
{
    int cells = heat->m * heat->m;
    heat->column_start = calloc((size_t)n + 1, sizeof(int));
    heat->rows = calloc((size_t)n * 6, sizeof(int));
    int count = 0;
    for (int c = 0; c < n; c++) {
        heat->column_start[c] = count;
        for (int r = 0; r < n; r++) {
            bool states = c < cells && r < cells && adjacent(heat->m, c, r);
            bool coupled = n > cells && c % cells == r % cells;
            if (states || coupled)
                heat->rows[count++] = r;
        }
    }
    heat->column_start[n] = count;
    heat->sparsity = (SaltusSparsity){heat->column_start, heat->rows};
    heat->mode.hints.sparsity = &heat->sparsity;
}

void heat_create(Heat *heat, int m, HeatForm form, bool sparse)
{
    int cells = m * m, n = form == HEAT_SEMI_EXPLICIT ? 2 * cells : cells;
    *heat = (Heat){.m = m, .mode = saltus_default_mode()};
    heat->start = calloc((size_t)n, sizeof(double));
    for (int i = 0; i < cells; i++)
        heat->start[i] = sin(3.0 * i / cells);
    heat->mode.name = "heat";
    heat->mode.data = heat;
    heat->mode.state_count = cells;
    heat->mode.start = heat->start;
    if (form == HEAT_ODE) {
        heat->mode.rhs = rhs;
    } else if (form == HEAT_IMPLICIT) {
        heat->mode.residual = residual;
    } else {
        heat->mode.algebraic_count = cells;
        heat->mode.rhs = rhs_with_sink;
        heat->mode.algebraic = sink;
    }
    if (sparse)
        make_sparsity(heat, n);
}

void heat_destroy(Heat *heat)
{
    free(heat->start);
    free(heat->column_start);
    free(heat->rows);
}
