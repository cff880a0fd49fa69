// SPDX-License-Identifier: MIT
//
// Uses the solver and the result format that CONTRIBUTING.md adds: the midpoint rule has order 2
// and its dense output, too; a file of tabs reads back. Exit status 1: something is wrong.

#include "results/writer.h"
#include "solvers/solver.h"
#include <saltus/saltus.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// x' = t x, x = exp(t^2/2).
static int grow(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)z;
    dx[0] = t * x[0];
    return 0;
}

// The errors at 1, and at 0.99 between two steps of the grid.
static bool measure(SaltusSolver solver, double step, double error[2])
{
    static const double start[] = {1.0}, ends[] = {0.99, 1.0};
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "growing";
    mode.state_count = 1;
    mode.start = start;
    mode.rhs = grow;
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = &mode;
    SaltusSystem *system;
    SaltusRun *run;
    if (saltus_system_create(&def, &system, NULL) != SALTUS_OK)
        return false;
    SaltusOptions options = saltus_default_options();
    options.method.solver = solver;
    options.method.step = step;
    bool is_fine = saltus_run_create(system, &options, &run, NULL) == SALTUS_OK;
    for (int i = 0; is_fine && i < 2; i++) {
        is_fine = saltus_run_advance(run, ends[i]) >= 0;
        error[i] = fabs(saltus_run_states(run)[0] - exp(0.5 * ends[i] * ends[i]));
    }
    if (is_fine)
        saltus_run_destroy(run);
    saltus_system_destroy(system);
    return is_fine;
}

static bool check_solver(void)
{
    SaltusSolver solver;
    double coarse[2], fine[2];
    if (!saltus_solver_from_name("midpoint", &solver) || !measure(solver, 0.04, coarse) ||
        !measure(solver, 0.02, fine))
        return false;
    const double order = log2(coarse[1] / fine[1]);
    printf("midpoint: error %.3g, order %.3f\n", fine[1], order);
    // Half the step, a quarter of the error, up to terms of the next order: 2 % of it.
    return fabs(order - 2.0) < 0.05 && (solver_kind(solver)->traits & SOLVER_FIXED_STEP);
}

static bool check_format(const char *path)
{
    static const TableHeading columns[] = {{.name = "time"}, {.name = "x"}};
    char *message = NULL, text[100] = "";
    WriterDef def = {.path = path, .column_count = 2, .columns = columns};
    if (!table_format(path, &def.format))
        return false;
    Writer *writer = writer_create(&def, &message);
    if (!writer)
        return false;
    writer_row(writer, (const double[]){0.0, 0.5}, NULL);
    if (!writer_close(writer, &message))
        return false;
    FILE *file = fopen(path, "r");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    printf("tabs: %zu bytes; one of %s\n", length, TABLE_ENDINGS);
    return strcmp(text, "time\tx\n0\t0.5\n") == 0 && strstr(TABLE_ENDINGS, ".tsv");
}

int main(int argc, char **argv)
{
    return argc == 2 && check_solver() && check_format(argv[1]) ? 0 : 1;
}
