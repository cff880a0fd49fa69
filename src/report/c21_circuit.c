// SPDX-License-Identifier: MIT
//
// C21, RLC circuit with diode: tasks R1 to R7.

#include "report/c21.h"

#include "studies/statistics.h"

#include <math.h>
#include <string.h>

enum { UP = 1, DOWN = 2 }; // Circuit.Orientation
enum { SWITCHINGS = 10 };

static const double resistances[] = {1e3, 10.0}; // as printed; where the diode matters

static LabSetup circuit(const char *model, const SaltusSetting *values, size_t count)
{
    return (LabSetup){.file = "Circuit.mo",
                      .model = model,
                      .values = values,
                      .value_count = count,
                      .method = lab_method(SALTUS_SOLVER_DOP853, 1e-11, 0.0)};
}

// "Two switching periods": two full cycles of conducting and locking, a little more than 2/f.
static double two_periods(Benchmark *b)
{
    const double f =
        lab_parameter(b->lab, &(LabSetup){.file = "Circuit.mo", .model = "Circuit.Shockley"}, "f");
    return 2.2 / f;
}

// The times at which the diode switched: its flag or the mode changed.
static size_t switchings(const LabRun *run, double *times, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < run->event_count && count < most; i++) {
        const LabEvent *e = &run->events[i];
        bool is_decision = strcmp(e->from, e->to) != 0;
        for (size_t k = 0; k < e->change_count; k++)
            is_decision |= strstr(e->changes[k].name, "conducting") != NULL ||
                           strcmp(e->changes[k].name, "coupled") == 0;
        if (is_decision && e->t > 0.0)
            times[count++] = e->t;
    }
    return count;
}

// Values of a column at the regular rows only, so that runs can be compared.
static double *regular(Benchmark *b, const LabRun *run, const char *name, size_t *count)
{
    const double *column = benchmark_column(b, run, name);
    double *values = ARENA_ARRAY(b->arena, run->row_count + 1, double);
    *count = 0;
    for (size_t i = 0; i < run->row_count; i++)
        if (run->kinds[i] == SALTUS_ROW_INTERVAL || run->kinds[i] == SALTUS_ROW_START)
            values[(*count)++] = column[i];
    return values;
}

static double largest_difference(Benchmark *b, const LabRun *one, const LabRun *other,
                                 const char *name)
{
    size_t n, m;
    const double *x = regular(b, one, name, &n), *y = regular(b, other, name, &m);
    if (n != m || n == 0)
        return NAN;
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i] - y[i]) <= largest))
            largest = fabs(x[i] - y[i]);
    return largest;
}

// ---------------------------------------------------------------------------
// R1
// ---------------------------------------------------------------------------

static void compare_approaches(Benchmark *b, const char *id, const char *const *models,
                               size_t count)
{
    double reference[4] = {NAN, NAN, NAN, NAN};
    for (size_t i = 0; i < count; i++) {
        double times[4] = {NAN, NAN, NAN, NAN};
        LabSetup setup = circuit(models[i], NULL, 0);
        setup.stop_time = two_periods(b);
        setup.is_silent = true;
        LabRun *run = benchmark_lab(b, &setup);
        switchings(run, times, 4);
        if (i == 0)
            memcpy(reference, times, sizeof times);
        // At a relative tolerance of 1e-11, in units of the time constant L/R1 = 25 ns.
        for (size_t k = 0; i && k < 4; k++)
            findings_check(&b->findings, times[k], "s", reference[k], 1e-14, models[0],
                           "R1.%s.t[%zu]", models[i] + strlen("Circuit."), k + 1);
        if (strcmp(models[i], "Circuit.ShortcutDecomposed") == 0)
            benchmark_chart(b, DOCUMENT_BOTH, run, "R1.chart",
                            "R1: the state machine `Circuit.ShortcutDecomposed` over two periods");
        benchmark_events(b, DOCUMENT_PAGE, run, 4,
                         document_format(b->document, "%s.%s", id, models[i] + strlen("Circuit.")),
                         document_format(b->document, "R1: events of `%s`", models[i]));
    }
}

void c21_r1(Benchmark *b)
{
    static const char *const shortcuts[] = {"Circuit.ShortcutMatrix", "Circuit.Shortcut",
                                            "Circuit.ShortcutDecomposed", "Circuit.ShortcutMaximal",
                                            "Circuit.ShortcutComponents"};
    static const char *const exponentials[] = {
        "Circuit.Shockley", "Circuit.ShockleyCurrent", "Circuit.ShockleyDecomposed",
        "Circuit.ShockleyMaximal", "Circuit.ShockleyComponents"};
    document_text(b->document, DOCUMENT_BOTH,
                  "With h = s (R_{2} i + u_{C}), where s is the orientation of the diode, h is its "
                  "voltage while it locks, and R_{2} times its current while a shortcut conducts; "
                  "for Shockley's law h = u_{D} + R_{2} i_{D}. So h > 0 decides for every diode "
                  "model. The shortcut is modelled with a parameter in the state matrix (SE-P), as "
                  "an if-equation (u_{D} = 0 or i_{D} = 0), as a state machine (SE-F), with a "
                  "maximal state space (SE-X) and from components; Shockley's law likewise, with "
                  "one algebraic unknown. All give the same switching times.");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "RLC", "What all circuits share");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "WithDiode", "The circuit with any diode");
    benchmark_listing(b, DOCUMENT_BOTH, "Circuit.mo", "Shortcut", "The shortcut as if-equation");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "ShortcutMatrix",
                      "The shortcut in the state matrix");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "ShortcutDecomposed",
                      "The shortcut as state machine");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "Phase", "What its states share");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "Locking", "Its state `locking`");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "ShortcutConducting",
                      "Its state `conducting`");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "ShortcutMaximal", "Maximal state space");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "Components", "Electrical components");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "FromComponents",
                      "The circuit from components, with any diode");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "ShortcutComponents",
                      "The same with the shortcut");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "Exponential", "The parameters of its law");
    benchmark_listing(b, DOCUMENT_BOTH, "Circuit.mo", "Shockley", "Shockley's law");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "ShockleyCurrent",
                      "Shockley's law with i_{D} as unknown");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "ShockleyDecomposed",
                      "Shockley's law as state machine");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "Interpolated",
                      "Shockley's law interpolated");
    benchmark_listing(b, DOCUMENT_PAGE, "Circuit.mo", "Explicit",
                      "Shockley's law explicit: the machine");
    benchmark_listing(b, DOCUMENT_BOTH, "Circuit.mo", "ExplicitConducting",
                      "Shockley's law differentiated, (38) corrected");
    compare_approaches(b, "R1.shortcut", shortcuts, COUNT(shortcuts));
    compare_approaches(b, "R1.shockley", exponentials, COUNT(exponentials));
}

// ---------------------------------------------------------------------------
// R2
// ---------------------------------------------------------------------------

static const double published_shortcut[] = {3.3586e-6, 7.6818e-6, 9.7116e-6, 14.6370e-6};
static const double published_shockley[] = {4.3486e-6, 6.7260e-6, 10.9827e-6, 13.4246e-6};

static bool c21_circuit_is_standard(Benchmark *b)
{
    static const struct {
        const char *name;
        double value;
    } values[] = {{"R1", 1e3},   {"R2", 20.0},  {"L", 25.3e-6}, {"C", 100e-9},
                  {"f", 0.15e6}, {"I_S", 1e-8}, {"U_T", 26e-3}};
    const LabSetup setup = {.file = "Circuit.mo", .model = "Circuit.Shockley"};
    for (size_t i = 0; i < COUNT(values); i++)
        if (lab_parameter(b->lab, &setup, values[i].name) != values[i].value)
            return false;
    return true;
}

static void find_switchings(Benchmark *b, int orientation, double R1, const char *model,
                            const char *name, const double *published)
{
    double times[SWITCHINGS], second[SWITCHINGS];
    const SaltusSetting values[] = {{"orientation", orientation}, {"R1", R1}};
    LabSetup setup = circuit(model, values, isnan(R1) ? 1u : 2u);
    setup.stop_time = 50e-6;
    setup.is_silent = true;
    const size_t count = switchings(benchmark_lab(b, &setup), times, SWITCHINGS);
    setup.method = lab_method(SALTUS_SOLVER_RODAS, 1e-11, 0.0);
    const size_t other = switchings(benchmark_lab(b, &setup), second, SWITCHINGS);
    const char *direction = orientation == UP ? "up" : "down";
    if (count < SWITCHINGS || other < SWITCHINGS)
        benchmark_fail(b, "R2: %s, %s: only %zu and %zu switchings", model, direction, count,
                       other);
    for (size_t i = 0; i < count && i < other; i++) {
        findings_check(&b->findings, times[i], "s", second[i], 1e-9 * times[i], "rodas",
                       isnan(R1) ? "R2.%s.%s.t[%zu]" : "R2.R10.%s.%s.t[%zu]", direction, name,
                       i + 1);
        if (published && i < 4) // four digits behind the point, in microseconds
            findings_check(&b->findings, times[i], "s", published[i], 0.51e-10,
                           "published solution", "R2.published.%s.t[%zu]", name, i + 1);
    }
}

void c21_r2(Benchmark *b)
{
    const bool has_published = c21_circuit_is_standard(b);
    for (int o = UP; o <= DOWN; o++) {
        const bool is_published = has_published && o == UP;
        find_switchings(b, o, NAN, "Circuit.ShortcutMatrix", "shortcut",
                        is_published ? published_shortcut : NULL);
        find_switchings(b, o, NAN, "Circuit.Shockley", "shockley",
                        is_published ? published_shockley : NULL);
        find_switchings(b, o, 10.0, "Circuit.ShortcutMatrix", "shortcut", NULL);
        find_switchings(b, o, 10.0, "Circuit.Shockley", "shockley", NULL);
    }
    document_text(b->document, DOCUMENT_BOTH,
                  "The time constant L/R_{1} of 25 ns beside a period of 6.7 µs makes the circuit "
                  "mildly stiff: explicit methods need thousands of steps for 500 µs even at loose "
                  "tolerances, `rodas` some hundreds. The run begins on the "
                  "switching surface, with h = h' = 0; the diode's first phase is found from the "
                  "sign that h takes just after.");
    C21Study study = {.id = "R2.shortcut",
                      .caption = "R2: shortcut, 500 µs",
                      .setup = circuit("Circuit.ShortcutMatrix", NULL, 0),
                      .events = switchings,
                      .compared = 200,
                      .located = SALTUS_SOLVER_DOPRI5,
                      .sensible = 1e-10};
    c21_compare_methods(b, &study);
    study.id = "R2.shockley";
    study.caption = "R2: Shockley's law, 500 µs";
    study.setup = circuit("Circuit.Shockley", NULL, 0);
    c21_compare_methods(b, &study);
}

// ---------------------------------------------------------------------------
// R3
// ---------------------------------------------------------------------------

// points 0: the model does not interpolate.
static LabRun *run_two_periods_with(Benchmark *b, SaltusSolver solver, const char *model,
                                    int points, double R1, double interval)
{
    const SaltusSetting values[] = {{"R1", R1}, {"N", points}};
    LabSetup setup = circuit(model, values, points ? 2 : 1);
    setup.stop_time = two_periods(b);
    setup.interval = interval;
    setup.method = lab_method(solver, 1e-11, 0.0);
    return benchmark_lab(b, &setup);
}

static LabRun *run_two_periods(Benchmark *b, const char *model, int points, double R1,
                               double interval)
{
    return run_two_periods_with(b, SALTUS_SOLVER_DOP853, model, points, R1, interval);
}

static void plot_runs(Benchmark *b, DocumentPlace place, const char *id, const char *caption,
                      LabRun *const *runs, const char *const *labels, size_t count)
{
    static const char *const names[] = {"i", "u_C", "u_D"};
    static const char *const units[] = {"A", "V", "V"};
    static const char *const axes[] = {"i", "u_{C}", "u_{D}"};
    PlotPanel panels[COUNT(names)];
    for (size_t k = 0; k < COUNT(names); k++) {
        PlotCurve *curves = ARENA_ARRAY(b->arena, count, PlotCurve);
        for (size_t i = 0; i < count; i++)
            curves[i] = benchmark_curve(b, runs[i], names[k], k ? NULL : labels[i]);
        panels[k] = benchmark_panel(axes[k], units[k], curves, count);
    }
    document_figure(b->document, place, id, caption,
                    &(PlotFigure){.panels = panels, .panel_count = COUNT(panels), .height = 84.0});
}

// The top of the parabola through the largest row and its neighbours, which are as far apart as all
// rows: smooth there, so no event is near.
static double largest_of(Benchmark *b, const LabRun *run, const char *name)
{
    const double *column = benchmark_column(b, run, name);
    size_t top = 0;
    for (size_t i = 1; i < run->row_count; i++)
        top = column[i] > column[top] ? i : top;
    if (top == 0 || top + 1 >= run->row_count)
        return run->row_count ? column[top] : -INFINITY;
    const double slope = column[top + 1] - column[top - 1];
    const double bend = column[top - 1] - 2.0 * column[top] + column[top + 1];
    return bend < 0.0 ? column[top] - slope * slope / (8.0 * bend) : column[top];
}

// Values at 5 microseconds, against published ones (of which only so many digits are right).
static void check_at_five(Benchmark *b)
{
    static const struct {
        const char *model, *name, *variable;
        double value, bound;
    } values[] = {
        {"Circuit.Shockley", "shockley", "u_C", -0.0100427069, 1e-8},
        {"Circuit.Shockley", "shockley", "u_D", -0.0097561896, 5e-8},
        {"Circuit.Shockley", "shockley", "i", 9.89944823e-4, 2e-9},
        {"Circuit.ShortcutMatrix", "shortcut", "u_C", 0.0100996694, 5e-8},
        {"Circuit.ShortcutMatrix", "shortcut", "u_D", -0.0295034846, 1e-6},
        {"Circuit.ShortcutMatrix", "shortcut", "i", 9.70190761e-4, 5e-8},
    };
    for (size_t i = 0; i < COUNT(values); i++) {
        LabSetup setup = circuit(values[i].model, NULL, 0);
        setup.stop_time = 5e-6;
        setup.is_silent = true;
        findings_check(&b->findings, lab_last(benchmark_lab(b, &setup), values[i].variable), "",
                       values[i].value, values[i].bound, "published solution, its last digits off",
                       "R3.%s.%s[5us]", values[i].name, values[i].variable);
    }
}

enum { REPEATS = 9, COSTS = 7 };

// Two rows of the table of costs: both diodes, run in turns so that what else the machine does
// meets both.
static void compare_costs(Benchmark *b, double R1, const char **cells)
{
    static const char *const models[] = {"Circuit.ShortcutMatrix", "Circuit.Shockley"};
    static const char *const labels[] = {"shortcut", "Shockley"};
    double seconds[2][REPEATS];
    SaltusStatistics statistics[2] = {{0}};
    for (int k = 0; k < REPEATS; k++)
        for (size_t i = 0; i < 2; i++) {
            const SaltusSetting values[] = {{"R1", R1}};
            LabSetup setup = circuit(models[i], values, 1);
            setup.stop_time = two_periods(b);
            setup.is_silent = true;
            setup.method = lab_method(SALTUS_SOLVER_RODAS, 1e-8, 0.0);
            LabRun *run = lab_run(b->lab, &setup);
            seconds[i][k] = run ? run->seconds : NAN;
            if (run)
                statistics[i] = run->statistics;
            lab_run_free(run);
        }
    SampleSummary times[2];
    for (size_t i = 0; i < 2; i++)
        times[i] = statistics_summarize(seconds[i], REPEATS);
    for (size_t i = 0; i < 2; i++) {
        Document *d = b->document;
        const char **cell = cells + COSTS * i;
        cell[0] = document_format(d, "%g", R1);
        cell[1] = labels[i];
        cell[2] = document_format(d, "%ld", statistics[i].steps);
        cell[3] = document_format(d, "%ld", statistics[i].f_evaluations);
        cell[4] = document_format(d, "%.0f", 1e6 * times[i].minimum);
        cell[5] = document_format(d, "%.0f", 1e6 * times[i].quantiles[STATISTICS_QUANTILES / 2]);
        cell[6] = document_format(d, "%.2f", times[i].minimum / times[0].minimum);
    }
}

void c21_r3(Benchmark *b)
{
    static const char *const labels[] = {"shortcut", "Shockley"};
    static const char *const ids[] = {"R3.curves", "R3.curves.R10"};
    static const char *const captions[] = {
        "R3: shortcut and Shockley's law over two periods, R_{1} = 1 kΩ as printed",
        "R3: shortcut and Shockley's law over two periods, R_{1} = 10 Ω, where the diode matters"};
    const char *cells[2 * COSTS * COUNT(resistances)];
    for (size_t r = 0; r < COUNT(resistances); r++) {
        LabRun *runs[] = {run_two_periods(b, "Circuit.ShortcutMatrix", 0, resistances[r], 1e-8),
                          run_two_periods(b, "Circuit.Shockley", 0, resistances[r], 1e-8)};
        plot_runs(b, DOCUMENT_BOTH, ids[r], captions[r], runs, labels, 2);
        LabRun *fine = run_two_periods(b, "Circuit.Shockley", 0, resistances[r], 2e-10);
        LabRun *second = run_two_periods_with(b, SALTUS_SOLVER_RODAS, "Circuit.Shockley", 0,
                                              resistances[r], 2e-10);
        // Rows every 0.2 ns: the parabola misses a maximum by (2 pi f 0.2 ns)^3 = 7e-12 of it.
        const double u_D = largest_of(b, fine, "u_D"), i_D = largest_of(b, fine, "i_D");
        const double u_2 = largest_of(b, second, "u_D"), i_2 = largest_of(b, second, "i_D");
        if (r == 0 && c21_circuit_is_standard(b))
            findings_check(&b->findings, u_D, "V", 0.03218, 5.1e-6, "published solution",
                           "R3.u_D_max");
        else
            findings_check(&b->findings, u_D, "V", u_2, 1e-9, "rodas",
                           r ? "R3.u_D_max.R10" : "R3.u_D_max");
        // A voltage off by 1e-9 V is a current off by 1e-9/U_T = 4e-8 of it.
        findings_check(&b->findings, i_D, "A", i_2, 1e-7 * i_D, "rodas",
                       r ? "R3.i_D_max.R10" : "R3.i_D_max");
        compare_costs(b, resistances[r], cells + 2 * COSTS * r);
        if (r == 0)
            document_text(b->document, DOCUMENT_BOTH,
                          "With the printed R_{1} the Shockley diode carries at most %.1f nA of "
                          "about 1 mA: it hardly conducts, while the shortcut changes everything. "
                          "A second parameter set, R_{1} = 10 Ω, lets it conduct.",
                          1e9 * i_D);
    }
    benchmark_animation(b,
                        (BenchmarkAnimation){.id = "R3.animation",
                                             .file = "Circuit.mo",
                                             .model = "Circuit.ShortcutComponents",
                                             .plot = "capacitor.v,diode.v",
                                             .stop_time = 20e-6},
                        "R3: the circuit from components; the diode lights up while it conducts");
    if (c21_circuit_is_standard(b))
        check_at_five(b);
    document_text(b->document, DOCUMENT_BOTH,
                  "[#R3.costs] compares what the two diodes cost with the same solver and "
                  "tolerance. Times are the least of %d runs of each, taken in turns; behind them "
                  "is the time of the middle run. Counts do not depend on the machine.",
                  REPEATS);
    static const char *const columns[] = {
        "R_{1} in Ω",       "diode",        "steps",        "right-hand sides",
        "least time in µs", "middle in µs", "relative time"};
    document_table(b->document, DOCUMENT_BOTH,
                   &(DocumentTable){.id = "R3.costs",
                                    .caption = "R3: cost of two periods",
                                    .columns = columns,
                                    .column_count = COSTS,
                                    .cells = cells,
                                    .row_count = 2 * COUNT(resistances),
                                    .is_wide = true});
}

// ---------------------------------------------------------------------------
// R4
// ---------------------------------------------------------------------------

// What the interpolations differ from Shockley's law by, where the curves lie on each other.
static void plot_deviations(Benchmark *b, const char *id, size_t set, LabRun *const *runs,
                            const char *const *labels)
{
    PlotCurve curves[3];
    for (size_t i = 0; i < 3; i++) {
        size_t n, m;
        const double *exact = regular(b, runs[0], "u_D", &n);
        double *y = regular(b, runs[i + 1], "u_D", &m),
               *x = ARENA_ARRAY(b->arena, runs[0]->row_count + 1, double);
        size_t count = 0;
        for (size_t k = 0; k < runs[0]->row_count; k++)
            if (runs[0]->kinds[k] == SALTUS_ROW_INTERVAL || runs[0]->kinds[k] == SALTUS_ROW_START)
                x[count++] = runs[0]->time[k];
        count = n < m ? n : m;
        for (size_t k = 0; k < count; k++)
            y[k] -= exact[k];
        curves[i] = (PlotCurve){.label = labels[i + 1], .x = x, .y = y, .count = count};
    }
    const PlotPanel panel = benchmark_panel("deviation of u_{D}", "V", curves, 3);
    document_figure(b->document, DOCUMENT_BOTH, id,
                    set ? "R4: the interpolations' deviations, R_{1} = 10 Ω"
                        : "R4: the interpolations' deviations, R_{1} = 1 kΩ",
                    &(PlotFigure){.panels = &panel, .panel_count = 1, .height = 45.0});
}

void c21_r4(Benchmark *b)
{
    static const char *const deviations[] = {"R4.deviations", "R4.deviations.R10"};
    static const int points[] = {3, 5, 10};
    static const char *const labels[] = {"Shockley", "3 points", "5 points", "10 points"};
    static const char *const ids[] = {"R4.curves", "R4.curves.R10"};
    static const char *const captions[] = {
        "R4: Shockley's law and its interpolation, R_{1} = 1 kΩ",
        "R4: Shockley's law and its interpolation, R_{1} = 10 Ω"};
    document_text(b->document, DOCUMENT_BOTH,
                  "The interpolation has N points, equidistant on [0, 0.0384 V] for the printed "
                  "R_{1} and on [0, 0.385 V] for 10 Ω. A chord of a convex curve lies above it, so "
                  "the interpolated diode conducts too much; with 10 Ω and three points the first "
                  "chord already carries most of the current.");
    for (size_t r = 0; r < COUNT(resistances); r++) {
        LabRun *runs[4] = {run_two_periods(b, "Circuit.Shockley", 0, resistances[r], 1e-8)};
        LabRun *other = run_two_periods_with(b, SALTUS_SOLVER_RODAS, "Circuit.Shockley", 0,
                                             resistances[r], 1e-8);
        for (size_t i = 0; i < COUNT(points); i++) {
            runs[i + 1] =
                run_two_periods(b, "Circuit.Interpolated", points[i], resistances[r], 1e-8);
            LabRun *second = run_two_periods_with(b, SALTUS_SOLVER_RODAS, "Circuit.Interpolated",
                                                  points[i], resistances[r], 1e-8);
            // Differences of voltages below 1 V, each to 1e-11 of it and a few more by the events.
            findings_check(&b->findings, largest_difference(b, runs[0], runs[i + 1], "u_D"), "V",
                           largest_difference(b, other, second, "u_D"), 1e-9, "rodas",
                           r ? "R4.u_D_dev.R10[N=%d]" : "R4.u_D_dev[N=%d]", points[i]);
            findings_check(&b->findings, largest_difference(b, runs[0], runs[i + 1], "u_C"), "V",
                           largest_difference(b, other, second, "u_C"), 1e-9, "rodas",
                           r ? "R4.u_C_dev.R10[N=%d]" : "R4.u_C_dev[N=%d]", points[i]);
        }
        plot_runs(b, DOCUMENT_BOTH, ids[r], captions[r], runs, labels, 4);
        plot_deviations(b, deviations[r], r, runs, labels);
    }
}

// ---------------------------------------------------------------------------
// R5
// ---------------------------------------------------------------------------

void c21_r5(Benchmark *b)
{
    static const char *const names[] = {"i", "u_C", "u_D", "i_D"};
    static const char *const units[] = {"A", "V", "V", "A"};
    for (size_t r = 0; r < COUNT(resistances); r++) {
        LabRun *voltage = run_two_periods(b, "Circuit.Shockley", 0, resistances[r], 1e-8);
        LabRun *current = run_two_periods(b, "Circuit.ShockleyCurrent", 0, resistances[r], 1e-8);
        // Two runs at a relative tolerance of 1e-11.
        for (size_t i = 0; i < COUNT(names); i++)
            findings_check(&b->findings, largest_difference(b, voltage, current, names[i]),
                           units[i], 0.0, 1e-9, "both unknowns describe one curve",
                           r ? "R5.difference.R10.%s" : "R5.difference.%s", names[i]);
        if (r == 0)
            continue;
        document_text(b->document, DOCUMENT_BOTH,
                      "With u_{D} or i_{D} as algebraic unknown the results are the same to the "
                      "tolerance. The equation for i_{D} contains a logarithm, which Newton's "
                      "method must not leave towards negative arguments, and is flatter where "
                      "much current flows; the one for u_{D} contains an exponential that can "
                      "overflow. Steps of the two runs: %ld and %ld; evaluations of the right-hand "
                      "side: %ld and %ld.",
                      voltage->statistics.steps, current->statistics.steps,
                      voltage->statistics.f_evaluations, current->statistics.f_evaluations);
    }
}

// ---------------------------------------------------------------------------
// R6
// ---------------------------------------------------------------------------

static void compare_real_time(Benchmark *b, DocumentPlace place, double R1, const char *id,
                              const char *caption)
{
    static const struct {
        const char *model, *exact, *label;
        int points;
    } models[] = {{"Circuit.ShortcutMatrix", "Circuit.ShortcutMatrix", "shortcut", 0},
                  {"Circuit.Interpolated", "Circuit.Interpolated", "interpolated, 10 points", 10},
                  {"Circuit.Explicit", "Circuit.Shockley", "explicit (38)", 0}};
    static const struct {
        SaltusSolver solver;
        double step;
    } methods[] = {{SALTUS_SOLVER_EULER, 1e-9}, {SALTUS_SOLVER_EULER, 1e-8},
                   {SALTUS_SOLVER_HEUN, 1e-8},  {SALTUS_SOLVER_RK4, 1e-9},
                   {SALTUS_SOLVER_RK4, 1e-8},   {SALTUS_SOLVER_RK4, 2e-8},
                   {SALTUS_SOLVER_RK4, 5e-8}};
    static const char *const columns[] = {
        "model",         "solver",        "step in ns", "largest error of i in A",
        "of u_{C} in V", "of u_{D} in V", "ns per step"};
    enum { COLUMNS = COUNT(columns), ROWS = COUNT(models) * COUNT(methods) };
    const char *cells[ROWS * COLUMNS];
    const double interval = 1e-7;
    for (size_t m = 0; m < COUNT(models); m++) {
        const SaltusSetting values[] = {{"R1", R1}, {"N", models[m].points}};
        LabRun *exact = run_two_periods(b, models[m].exact, models[m].points, R1, interval);
        for (size_t k = 0; k < COUNT(methods); k++) {
            LabSetup setup = circuit(models[m].model, values, models[m].points ? 2 : 1);
            setup.stop_time = two_periods(b);
            setup.interval = interval;
            setup.backstep = SALTUS_NO_BACKSTEP;
            setup.method = lab_method(methods[k].solver, 1e-6, 0.0);
            setup.method.step = methods[k].step;
            LabRun *run = benchmark_lab(b, &setup);
            const char **cell = cells + COLUMNS * (m * COUNT(methods) + k);
            Document *d = b->document;
            cell[0] = models[m].label;
            cell[1] = run->solver;
            cell[2] = document_format(d, "%g", 1e9 * methods[k].step);
            cell[3] = document_format(d, "%.1e", largest_difference(b, run, exact, "i"));
            cell[4] = document_format(d, "%.1e", largest_difference(b, run, exact, "u_C"));
            cell[5] = document_format(d, "%.1e", largest_difference(b, run, exact, "u_D"));
            double least = run->seconds;
            for (int repeat = 0; repeat < 4; repeat++) {
                LabRun *again = lab_run(b->lab, &setup);
                least = again ? fmin(least, again->seconds) : least;
                lab_run_free(again);
            }
            cell[6] = document_format(d, "%.0f", 1e9 * least / (double)run->statistics.steps);
        }
    }
    document_table(b->document, place,
                   &(DocumentTable){.id = id,
                                    .caption = caption,
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = ROWS,
                                    .is_wide = true});
}

void c21_r6(Benchmark *b)
{
    document_text(
        b->document, DOCUMENT_BOTH,
        "For real time the step is fixed and an event takes effect at the end of the step "
        "in which it is seen. The explicit model (38) needs no iteration: u_{D} is a third "
        "state while the diode conducts, started at 0 by the event; its equation is (38) "
        "with the derivative of R_{2} i, which the print lacks. The time constant of 25 ns "
        "bounds the step of explicit methods. A late event costs an error of second order "
        "in the step only, because the right-hand sides of both phases agree where h = 0; the "
        "explicit model loses one order, because u_{D} starts late at 0.");
    compare_real_time(b, DOCUMENT_BOTH, 1e3, "R6.realtime",
                      "R6: fixed step without backstepping over two periods, against the accurate "
                      "solution");
    compare_real_time(b, DOCUMENT_PAGE, 10.0, "R6.realtime.R10", "R6: the same with R_{1} = 10 Ω");
}

// ---------------------------------------------------------------------------
// R7
// ---------------------------------------------------------------------------

void c21_r7(Benchmark *b)
{
    const SaltusSetting values[] = {{"R1", 10.0}};
    LabSetup setup = circuit("Circuit.PrintedSigns", values, COUNT(values));
    setup.may_fail = true;
    LabRun *run = benchmark_lab(b, &setup);
    setup.method = lab_method(SALTUS_SOLVER_RODAS, 1e-11, 0.0);
    setup.is_silent = true;
    LabRun *second = benchmark_lab(b, &setup);
    findings_check(&b->findings, run->end, "s", second->end, 1e-9 * run->end, "rodas",
                   "R7.fold_time");
    // u - R2 i_D(u) is largest where its slope vanishes.
    findings_check(&b->findings, lab_parameter(b->lab, &setup, "u_fold"), "V", 0.3062, 5.1e-5,
                   "U_T ln(U_T/(R2 I_S))", "R7.u_fold");
    findings_check(&b->findings, lab_parameter(b->lab, &setup, "h_fold"), "V", 0.28016, 5.1e-6,
                   "U_T ln(U_T/(R2 I_S)) - U_T + R2 I_S", "R7.h_fold");
    const PlotCurve curves[] = {benchmark_curve(b, run, "h", "h = R_{2} i + u_{C}"),
                                benchmark_curve(b, run, "u_D", "u_{D}")};
    const PlotPanel panel = benchmark_panel("voltage", "V", curves, 2);
    document_text(
        b->document, DOCUMENT_BOTH,
        "With the signs as printed, (25) to (28) and (34), the diode delivers power: u_{D} "
        "− R_{2} i_{D}(u_{D}) = h has two solutions below h = 0.28016 V and none above. "
        "With R_{1} = 1 kΩ this is not reached; with 10 Ω the solution ends at %.4f µs "
        "([#R7.fold]), where Saltus stops and names the equation that has no solution any more.",
        1e6 * run->end);
    document_figure(b->document, DOCUMENT_BOTH, "R7.fold",
                    "R7: the printed signs with R_{1} = 10 Ω, until the fold",
                    &(PlotFigure){.panels = &panel, .panel_count = 1, .width = PLOT_COLUMN_WIDTH});
}
