// SPDX-License-Identifier: MIT
//
// The tables of saltus compare: as text, or as a file.

#include "cli/compare.h"
#include "cli/grid.h"

#include <math.h>

// ---------------------------------------------------------------------------
// Methods
// ---------------------------------------------------------------------------

static size_t count_observed(const CompareCommand *s)
{
    const Observations *o = study_observations(s->run.study);
    size_t count = 0;
    for (size_t i = 0; i < observations_count(o); i++)
        count += observations_length(o, i) > 0 ? (size_t)observations_length(o, i) : 0;
    return count;
}

static void compare_write_name_columns(const CompareCommand *s, Grid *g)
{
    const Observations *o = study_observations(s->run.study);
    grid_add_column(g, "%.0e", "tolerance");
    grid_add_column(g, NULL, "solver");
    grid_add_column(g, NULL, "locate");
    grid_add_column(g, "%.0f", "events");
    grid_add_column(g, "%.0f", "same_events");
    grid_add_column(g, "%.1e", "event_deviation");
    grid_add_column(g, "%.1e", "end_deviation");
    for (size_t i = 0; i < observations_count(o); i++)
        for (long k = 1; k <= observations_length(o, i); k++) {
            const bool is_one = observations_length(o, i) == 1;
            grid_add_column(g, "%.10g", is_one ? "%s" : "%s[%ld]", observations_name(o, i), k);
            grid_add_column(g, "%.1e", is_one ? "%s_deviation" : "%s[%ld]_deviation",
                            observations_name(o, i), k);
        }
    grid_add_column(g, "%.0f", "steps");
    grid_add_column(g, "%.0f", "evaluations");
    grid_add_column(g, "%.0f", "event_evaluations");
    grid_add_column(g, "%.2f", "relative_time");
    grid_add_column(g, NULL, "status");
}

static void compare_write_fill_row(const CompareCommand *s, const ComparisonRun *run,
                                   size_t observed, double *numbers, const char **words)
{
    const ComparisonRun *r = &s->reference;
    size_t k = 0, variable;
    double fastest = INFINITY;
    for (size_t i = 0; i < s->run_count; i++)
        fastest = s->runs[i].status >= 0 ? fmin(fastest, s->runs[i].seconds) : fastest;
    numbers[k++] = settings_is_fixed_step(run->solver) ? NAN : run->method.relative_tolerance;
    words[k++] = saltus_solver_name(run->status < 0 ? run->method.solver : run->solver);
    words[k++] = saltus_locate_name(run->method.locate);
    numbers[k++] = (double)run->sequence.count;
    numbers[k++] = (double)comparison_common(run, r);
    numbers[k++] = comparison_event_deviation(run, r);
    numbers[k++] = comparison_end_deviation(run, r, run->method.absolute_tolerance, &variable);
    for (size_t i = 0; i < observed; i++) {
        const double value = i < run->observed_count ? run->observed[i] : NAN;
        numbers[k++] = value;
        numbers[k++] = i < r->observed_count ? fabs(value - r->observed[i]) : NAN;
    }
    numbers[k++] = (double)run->statistics.steps;
    numbers[k++] = (double)run->statistics.f_evaluations;
    numbers[k++] = (double)run->statistics.h_evaluations;
    numbers[k++] = run == r ? NAN : run->seconds / fastest;
    words[k++] = run == r && run->status >= 0 ? "reference" : study_status_text(run->status);
}

static bool write_methods(const CompareCommand *s)
{
    Grid g;
    const size_t observed = count_observed(s), columns = 12 + 2 * observed;
    bool is_written = false;
    if (grid_create(&g, columns, s->run_count + 1)) {
        compare_write_name_columns(s, &g);
        for (size_t i = 0; i <= s->run_count; i++)
            compare_write_fill_row(s, i < s->run_count ? &s->runs[i] : &s->reference, observed,
                                   g.numbers + i * columns, g.words + i * columns);
        is_written = true;
        if (s->output)
            is_written = grid_write(&g, s->output, study_flat(s->run.study)->name, "compare");
        else
            grid_print(&g);
    } else {
        fputs("saltus compare: out of memory\n", stderr);
    }
    grid_free(&g);
    return is_written;
}

// ---------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------

static void name_runs(const CompareCommand *s, Grid *g)
{
    grid_add_column(g, "%.0f", "event");
    grid_add_column(g, "%.17g", "reference");
    for (size_t i = 0; i < s->run_count; i++) {
        const SaltusMethod *m = &s->runs[i].method;
        grid_add_column(g, "%.17g", "%s/%s/%g", saltus_solver_name(m->solver),
                        saltus_locate_name(m->locate), m->relative_tolerance);
    }
}

static double event_time(const ComparisonRun *run, size_t index)
{
    return index < run->sequence.count ? run->events[index] : NAN;
}

static bool compare_write_write_events(const CompareCommand *s)
{
    Grid g;
    const size_t columns = 2 + s->run_count;
    size_t rows = s->reference.sequence.count;
    bool is_written = false;
    for (size_t i = 0; i < s->run_count; i++)
        rows = s->runs[i].sequence.count > rows ? s->runs[i].sequence.count : rows;
    if (grid_create(&g, columns, rows)) {
        name_runs(s, &g);
        for (size_t r = 0; r < rows; r++) {
            g.numbers[r * columns] = (double)(r + 1);
            g.numbers[r * columns + 1] = event_time(&s->reference, r);
            for (size_t i = 0; i < s->run_count; i++)
                g.numbers[r * columns + 2 + i] = event_time(&s->runs[i], r);
        }
        is_written = grid_write(&g, s->events, study_flat(s->run.study)->name, "compare");
    } else {
        fputs("saltus compare: out of memory\n", stderr);
    }
    grid_free(&g);
    return is_written;
}

bool compare_write(const CompareCommand *s)
{
    return write_methods(s) && (!s->events || compare_write_write_events(s));
}
