// SPDX-License-Identifier: MIT
//
// C21: how results depend on solver, tolerance and locator (parts of B6, R2 and P3).

#include "report/c21.h"

#include <math.h>

enum { MOST_EVENTS = 400 };

static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
                                       SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
                                       SALTUS_SOLVER_ADAMS};
static const double tolerances[] = {1e-3, 1e-6, 1e-9};
static const SaltusLocate locators[] = {SALTUS_LOCATE_BISECTION, SALTUS_LOCATE_SECANT,
                                        SALTUS_LOCATE_TANGENT, SALTUS_LOCATE_QUADRATIC,
                                        SALTUS_LOCATE_HENON};

enum { COMBINATIONS = COUNT(solvers) * COUNT(tolerances), ROWS = COMBINATIONS + COUNT(locators) };

// First all solvers with all tolerances, then all locators with one of them.
static SaltusMethod c21_methods_method_of(const C21Study *study, size_t row)
{
    if (row < COMBINATIONS)
        return lab_method(solvers[row / COUNT(tolerances)], tolerances[row % COUNT(tolerances)],
                          0.0);
    SaltusMethod method = lab_method(study->located, 1e-9, 0.0);
    method.locate = locators[row - COMBINATIONS];
    return method;
}

// The largest deviation of the events that are compared; NAN if their number differs.
static double deviation(const C21Study *study, const double *exact, size_t right,
                        const double *found, size_t count)
{
    double largest = 0.0;
    if (count != right)
        return NAN;
    for (size_t i = 0; i < study->compared && i < count; i++)
        largest = fmax(largest, fabs(found[i] - exact[i]));
    return largest;
}

// Deviations over evaluations, one curve per solver.
static void plot_work(Benchmark *b, const C21Study *study, const double *misses, const double *work)
{
    PlotCurve curves[COUNT(solvers)];
    for (size_t i = 0; i < COUNT(solvers); i++)
        curves[i] = (PlotCurve){.label = saltus_solver_name(solvers[i]),
                                .x = work + i * COUNT(tolerances),
                                .y = misses + i * COUNT(tolerances),
                                .count = COUNT(tolerances),
                                .style = PLOT_LINE_POINTS};
    const PlotPanel panel = {.x = {.label = "right-hand sides", .scale = PLOT_LOGARITHMIC},
                             .y = {.label = "deviation", .unit = "s", .scale = PLOT_LOGARITHMIC},
                             .curves = curves,
                             .curve_count = COUNT(solvers),
                             .legend = PLOT_LEGEND_ABOVE};
    document_figure(b->document, DOCUMENT_BOTH, document_format(b->document, "%s.work", study->id),
                    document_format(b->document,
                                    "%s: deviation over work, for tolerances 10^{−3}, 10^{−6}, "
                                    "10^{−9}; a point is missing where the events differ",
                                    study->caption),
                    &(PlotFigure){.panels = &panel, .panel_count = 1, .width = PLOT_COLUMN_WIDTH});
}

size_t c21_compare_methods(Benchmark *b, const C21Study *study)
{
    static const char *const columns[] = {
        "solver", "locator",          "tolerance",       "events", "deviation in s",
        "steps",  "right-hand sides", "event functions", "ms",     "sensible"};
    enum { COLUMNS = COUNT(columns) };
    const char *cells[ROWS * COLUMNS];
    double *exact = ARENA_ARRAY(b->arena, MOST_EVENTS, double);
    double *found = ARENA_ARRAY(b->arena, MOST_EVENTS, double);
    double *misses = ARENA_ARRAY(b->arena, COMBINATIONS, double);
    double *work = ARENA_ARRAY(b->arena, COMBINATIONS, double);
    LabSetup setup = study->setup;
    setup.is_silent = true;
    const size_t right = study->events(benchmark_lab(b, &setup), exact, MOST_EVENTS);
    Document *d = b->document;
    for (size_t r = 0; r < ROWS; r++) {
        setup.method = c21_methods_method_of(study, r);
        LabRun *run = benchmark_lab(b, &setup);
        const SaltusStatistics *s = &run->statistics;
        const size_t count = study->events(run, found, MOST_EVENTS);
        const double miss = deviation(study, exact, right, found, count);
        if (r < COMBINATIONS) {
            misses[r] = miss;
            work[r] = (double)s->f_evaluations;
        }
        const char **cell = cells + COLUMNS * r;
        cell[0] = run->solver;
        cell[1] = saltus_locate_name(setup.method.locate);
        cell[2] = document_format(d, "%.0e", setup.method.relative_tolerance);
        cell[3] = document_format(d, "%zu", count);
        cell[4] = isnan(miss) ? "events differ" : document_format(d, "%.1e", miss);
        cell[5] = document_format(d, "%ld", s->steps);
        cell[6] = document_format(d, "%ld", s->f_evaluations);
        cell[7] = document_format(d, "%ld", s->h_evaluations);
        cell[8] = document_format(d, "%.1f", 1e3 * run->seconds);
        cell[9] = miss <= study->sensible ? "yes" : "";
    }
    document_table(d, study->place,
                   &(DocumentTable){.id = study->id,
                                    .caption = study->caption,
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = ROWS,
                                    .is_wide = true});
    plot_work(b, study, misses, work);
    return right;
}
