// SPDX-License-Identifier: MIT
//
// The electrical circuit of C21's forerunner: tasks F1 to F4.
//
// Our reading of what its missing figures leave open: the source is 15 sin(2 pi f t), all starts at
// rest, the switch S1 closes once, or once in every microsecond.

#include "report/c21.h"

#include <math.h>
#include <string.h>

static const double instants[] = {1e-6, 5e-6, 10e-6};
static const char *const forerunner_names[] = {"1us", "5us", "10us"};

// One experiment: a model with values, run twice, by two solvers.
typedef struct Case {
    const char *key, *model;
    SaltusSetting values[3];
    size_t value_count;
} Case;

static LabSetup setup_of(const Case *c, SaltusSolver solver, double stop)
{
    return (LabSetup){.file = "Forerunner.mo",
                      .model = c->model,
                      .values = c->values,
                      .value_count = c->value_count,
                      .stop_time = stop,
                      .method = lab_method(solver, 1e-11, 0.0)};
}

// i and u_C (or another voltage) at 1, 5 and 10 microseconds, checked by a second solver.
static void note_values(Benchmark *b, const Case *c, const char *more)
{
    const char *names[] = {"i", "u_C", more};
    const char *units[] = {"A", "V", "V"};
    for (size_t k = 0; k < COUNT(instants); k++) {
        LabSetup setup = setup_of(c, SALTUS_SOLVER_RODAS, instants[k]);
        setup.is_silent = true;
        LabRun *run = benchmark_lab(b, &setup);
        setup.method = lab_method(SALTUS_SOLVER_DOP853, 1e-11, 0.0);
        LabRun *second = benchmark_lab(b, &setup);
        for (size_t n = 0; n < (more ? 3u : 2u); n++) {
            const double value = lab_last(run, names[n]), other = lab_last(second, names[n]);
            const double scale = n ? 15.0 : 15.0 / 2e3; // of the source, and over R1 + R2
            findings_check(&b->findings, value, units[n], other, 1e-9 * scale + 1e-9 * fabs(other),
                           "dop853", "%s.%s[%s]", c->key, names[n], forerunner_names[k]);
        }
    }
}

static void plot_current(Benchmark *b, DocumentPlace place, const char *id, const char *caption,
                         const Case *cases, const char *const *labels, size_t count,
                         const char *name, const char *axis, const char *unit)
{
    PlotCurve *curves = ARENA_ARRAY(b->arena, count, PlotCurve);
    for (size_t i = 0; i < count; i++) {
        LabSetup setup = setup_of(&cases[i], SALTUS_SOLVER_RODAS, 10e-6);
        setup.interval = 5e-9;
        curves[i] = benchmark_curve(b, benchmark_lab(b, &setup), name, labels[i]);
    }
    const PlotPanel panel = {.x = {.label = "time", .unit = "s"},
                             .y = {.label = axis, .unit = unit},
                             .curves = curves,
                             .curve_count = count,
                             .is_time = true,
                             .legend = PLOT_LEGEND_ABOVE};
    document_figure(b->document, place, id, caption,
                    &(PlotFigure){.panels = &panel, .panel_count = 1});
}

// ---------------------------------------------------------------------------
// F1
// ---------------------------------------------------------------------------

// Table 4: two eigenvalues each, with four digits behind the point, times a power of ten. The ramps
// are linear in time and sampled at their first step of 10 ns.
void c21_f1(Benchmark *b)
{
    static const struct {
        const char *setting, *model;
        double R;
        double real[2], imaginary, unit; // as printed
    } rows[] = {
        {"1: S1, S2 open", "Forerunner.Open", NAN, {-0.0785, -0.0785}, 6.2827, 1e6},
        {"2: until t_{1}", "Forerunner.Constant", 1e8, {-0.0811, -0.0811}, 6.2827, 1e6},
        {"2: t_{1} to t_{2}", "Forerunner.Constant", 0.8e8, {-0.0817, -0.0817}, 6.2827, 1e6},
        {"2: t_{2} to t_{3}", "Forerunner.Constant", 1e-4, {-0.0008, -5.0265}, 0.0, 1e8},
        {"2: t_{3} to t_{4}", "Forerunner.Constant", 0.2e8, {-0.0911, -0.0911}, 6.2825, 1e6},
        {"3: diode as 20 Ω", "Forerunner.Constant", 20.0, {-0.0008, -4.9280}, 0.0, 1e8},
    };
    static const char *const columns[] = {"setting", "λ_{1} in 1/s", "λ_{2} in 1/s",
                                          "printed λ_{1}", "printed λ_{2}"};
    enum { COLUMNS = COUNT(columns) };
    const char *cells[COUNT(rows) * COLUMNS];
    Document *d = b->document;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const SaltusSetting values[] = {{"R", rows[i].R}};
        LabRun *run = benchmark_lab(b, &(LabSetup){.file = "Forerunner.mo",
                                                   .model = rows[i].model,
                                                   .values = values,
                                                   .value_count = isnan(rows[i].R) ? 0u : 1u,
                                                   .stop_time = 1e-9,
                                                   .is_silent = true,
                                                   .is_linearized = true});
        const bool is_fine = run->eigenvalue_count == 2;
        for (size_t k = 0; k < 2; k++) {
            const SaltusEigenvalue none = {NAN, NAN, NAN, NAN},
                                   e = is_fine ? run->eigenvalues[k] : none;
            const double real = rows[i].real[k] * rows[i].unit,
                         imaginary = (k ? -1.0 : 1.0) * rows[i].imaginary * rows[i].unit;
            // Half a unit of the last printed digit.
            const double bound = 0.51e-4 * rows[i].unit;
            findings_check(&b->findings, e.real, "1/s", real, bound, "forerunner, Table 4",
                           k ? "F1.lambda[%zu].2" : "F1.lambda[%zu]", i + 1);
            findings_check(&b->findings, e.imaginary, "1/s", imaginary, bound,
                           "forerunner, Table 4", k ? "F1.lambda[%zu].2.im" : "F1.lambda[%zu].im",
                           i + 1);
            cells[COLUMNS * i + 1 + k] =
                e.imaginary != 0.0 ? document_format(d, "%.6g %+.6g i", e.real, e.imaginary)
                                   : document_format(d, "%.6g", e.real);
            cells[COLUMNS * i + 3 + k] = imaginary != 0.0
                                             ? document_format(d, "%.4g %+.5g i", real, imaginary)
                                             : document_format(d, "%.5g", real);
        }
        cells[COLUMNS * i] = rows[i].setting;
    }
    document_text(d, DOCUMENT_BOTH,
                  "The eigenvalues are those of the compiled model, linearized at the start. L and "
                  "C follow from the quality and the frequency; the printed formula for f lacks a "
                  "π. All printed digits are reproduced if the ramps are sampled at their first "
                  "step of 10 ns.");
    document_table(d, DOCUMENT_BOTH,
                   &(DocumentTable){.id = "F1.eigenvalues",
                                    .caption = "F1: eigenvalues of the forerunner's circuit",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = COUNT(rows),
                                    .is_wide = true});
}

// ---------------------------------------------------------------------------
// F2
// ---------------------------------------------------------------------------

// What the corners of the resistance cost where the solver does not know of them.
static void compare_synchronisation(Benchmark *b)
{
    static const double tolerances[] = {1e-4, 1e-6, 1e-8};
    static const char *const columns[] = {"events", "tolerance", "error of i at 10 µs in A",
                                          "steps",  "rejected",  "right-hand sides"};
    enum { COLUMNS = COUNT(columns), ROWS = 2 * COUNT(tolerances) };
    static const Case cases[] = {
        {"", "Forerunner.TimeResistor", {{"isRepeated", 1.0}}, 1},
        {"", "Forerunner.UnsynchronisedResistor", {{"isRepeated", 1.0}}, 1}};
    const char *cells[ROWS * COLUMNS];
    LabSetup exact = setup_of(&cases[0], SALTUS_SOLVER_RODAS, 10e-6);
    exact.is_silent = true;
    const double right = lab_last(benchmark_lab(b, &exact), "i");
    for (size_t r = 0; r < ROWS; r++) {
        const size_t k = r / COUNT(tolerances);
        LabSetup setup = setup_of(&cases[k], SALTUS_SOLVER_RODAS, 10e-6);
        setup.method = lab_method(SALTUS_SOLVER_RODAS, tolerances[r % COUNT(tolerances)], 0.0);
        setup.is_silent = true;
        LabRun *run = benchmark_lab(b, &setup);
        const char **cell = cells + COLUMNS * r;
        Document *d = b->document;
        cell[0] = k ? "none" : "time events (SE-I)";
        cell[1] = document_format(d, "%.0e", setup.method.relative_tolerance);
        cell[2] = document_format(d, "%.1e", lab_last(run, "i") - right);
        cell[3] = document_format(d, "%ld", run->statistics.steps);
        cell[4] = document_format(d, "%ld", run->statistics.rejected_steps);
        cell[5] = document_format(d, "%ld", run->statistics.f_evaluations);
    }
    document_table(b->document, DOCUMENT_BOTH,
                   &(DocumentTable){.id = "F2.synchronised",
                                    .caption = "F2: the time-dependent resistor with and without "
                                               "synchronised events",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = ROWS});
}

void c21_f2(Benchmark *b)
{
    static const Case cases[] = {
        {"F2.single.dt50ns", "Forerunner.TimeResistor", {{"slew", 50e-9}}, 1},
        {"F2.single.jump", "Forerunner.TimeResistor", {{"slew", 0.0}}, 1},
        {"F2.repeated.dt50ns",
         "Forerunner.TimeResistor",
         {{"slew", 50e-9}, {"isRepeated", 1.0}},
         2},
        {"F2.repeated.jump", "Forerunner.TimeResistor", {{"slew", 0.0}, {"isRepeated", 1.0}}, 2},
    };
    static const char *const labels[] = {"one pulse, ramps of 50 ns", "one pulse, jumps",
                                         "every µs, ramps of 50 ns", "every µs, jumps"};
    document_text(b->document, DOCUMENT_BOTH,
                  "The slope π/4 is the ramp of 50 ns, π/2 a jump. The resistance changes over "
                  "twelve decades, linearly in time: a falling ramp acts at its end and a rising "
                  "one at its beginning. So with ramps the switch is closed for 200 ns instead of "
                  "250 ns, which the current shows.");
    for (size_t i = 0; i < COUNT(cases); i++)
        note_values(b, &cases[i], NULL);
    plot_current(b, DOCUMENT_PAGE, "F2.current", "F2: current of the source", cases, labels,
                 COUNT(cases), "i", "i", "A");
    compare_synchronisation(b);
}

// ---------------------------------------------------------------------------
// F3
// ---------------------------------------------------------------------------

void c21_f3(Benchmark *b)
{
    static const Case cases[] = {
        {"F3.ideal", "Forerunner.SwitchDiode", {{"U_D", 0.0}}, 1},
        {"F3.threshold", "Forerunner.SwitchDiode", {{"U_D", 0.7}}, 1},
        {"F3.shockley", "Forerunner.ShockleyDiode", {{"I_0", INFINITY}}, 1},
        {"F3.shockley_limited", "Forerunner.ShockleyDiode", {{"I_0", 1e6}}, 1},
    };
    static const char *const labels[] = {"ideal switch", "switch with threshold 0.7 V", "Shockley",
                                         "Shockley, limited"};
    static const char *const printed[] = {"154.6", "91.8", "131.8", ""};
    static const char *const columns[] = {"diode", "time relative to the first", "steps", "events",
                                          "printed time in s"};
    enum { COLUMNS = COUNT(columns), REPEATS = 9 };
    const char *cells[COUNT(cases) * COLUMNS];
    double least[COUNT(cases)] = {0.0};
    LabRun *runs[COUNT(cases)] = {NULL};
    for (int k = 0; k < REPEATS; k++) // in turns: what else the machine does meets all of them
        for (size_t i = 0; i < COUNT(cases); i++) {
            LabSetup setup = setup_of(&cases[i], SALTUS_SOLVER_RODAS, 10e-6);
            setup.method = lab_method(SALTUS_SOLVER_RODAS, 1e-6, 0.0);
            setup.is_silent = true;
            runs[i] = benchmark_lab(b, &setup);
            least[i] = k ? fmin(least[i], runs[i]->seconds) : runs[i]->seconds;
        }
    for (size_t i = 0; i < COUNT(cases); i++) {
        const LabRun *run = runs[i];
        note_values(b, &cases[i], "u");
        const char **cell = cells + COLUMNS * i;
        cell[0] = labels[i];
        cell[1] = document_format(b->document, "%.2f", least[i] / least[0]);
        cell[2] = document_format(b->document, "%ld", run->statistics.steps);
        cell[3] = document_format(b->document, "%ld", run->statistics.events);
        cell[4] = printed[i];
    }
    document_text(b->document, DOCUMENT_BOTH,
                  "The current limit of 10^{6} A is never reached: R_{1} allows 15 mA.");
    plot_current(b, DOCUMENT_PAGE, "F3.current", "F3: current of the source with three diodes",
                 cases, labels, 3, "i", "i", "A");
    document_table(b->document, DOCUMENT_BOTH,
                   &(DocumentTable){.id = "F3.times",
                                    .caption = "F3: computing times, the least of nine runs each, "
                                               "taken in turns; printed ones are the "
                                               "forerunner's",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = COUNT(cases)});
}

// ---------------------------------------------------------------------------
// F4
// ---------------------------------------------------------------------------

void c21_f4(Benchmark *b)
{
    static const Case cases[] = {
        {"F4.single", "Forerunner.Hybrid", {{"isRepeated", 0.0}}, 1},
        {"F4.repeated", "Forerunner.Hybrid", {{"isRepeated", 1.0}}, 1},
    };
    static const char *const labels[] = {"one pulse", "every µs"};
    for (size_t i = 0; i < COUNT(cases); i++)
        note_values(b, &cases[i], "u");
    document_text(b->document, DOCUMENT_BOTH,
                  "Without R_{min} the diode fixes the voltage at 0.7 V while it conducts: the "
                  "equations for its current and for the voltage change places, which is a change "
                  "of structure. The resistor short-circuits both.");
    plot_current(b, DOCUMENT_PAGE, "F4.voltage", "F4: voltage of the diode", cases, labels,
                 COUNT(cases), "u", "u_{D}", "V");
}
