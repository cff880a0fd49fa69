// SPDX-License-Identifier: MIT
//
// C21, rotating pendulum with free flight phase: tasks P1 to P5.

#include "report/c21.h"

#include "base/real.h"
#include "numerics/root.h"

#include <math.h>
#include <string.h>

enum { MOST_EVENTS = 64 };

static LabSetup pendulum(const char *model, double stop)
{
    return (LabSetup){.file = "Pendulum.mo",
                      .model = model,
                      .stop_time = stop,
                      .method = lab_method(SALTUS_SOLVER_DOP853, 1e-12, 0.0)};
}

// The events F and S: the flag `falling` or `taut`, or the state of the machine, changes.
static size_t phase_changes(const LabRun *run, const LabEvent **events, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < run->event_count && count < most; i++) {
        const LabEvent *e = &run->events[i];
        bool is_change = strcmp(e->from, e->to) != 0;
        for (size_t k = 0; k < e->change_count; k++)
            is_change |= strcmp(e->changes[k].name, "falling") == 0 ||
                         strcmp(e->changes[k].name, "taut") == 0;
        if (is_change)
            events[count++] = e;
    }
    return count;
}

static double first_change(const LabRun *run, const char *name)
{
    const LabEvent *event;
    return lab_changes(run, name, 1.0, &event, 1) ? event->t : NAN;
}

// The published values are those of the definition's parameters.
static bool c21_pendulum_is_standard(Benchmark *b)
{
    const LabSetup setup = {.file = "Pendulum.mo", .model = "Pendulum.Basic"};
    return lab_parameter(b->lab, &setup, "m") == 1.5 && lab_parameter(b->lab, &setup, "k") == 0.9 &&
           lab_parameter(b->lab, &setup, "l") == 1.0 &&
           lab_parameter(b->lab, &setup, "g") == 9.81 &&
           lab_parameter(b->lab, &setup, "omega0") == 15.0 &&
           fabs(lab_parameter(b->lab, &setup, "phi0") - REAL_PI / 4.0) < 1e-15;
}

// ---------------------------------------------------------------------------
// P1
// ---------------------------------------------------------------------------

static C21Pendulum parameters_of(Benchmark *b)
{
    const LabSetup s = {.file = "Pendulum.mo", .model = "Pendulum.Basic"};
    return (C21Pendulum){lab_parameter(b->lab, &s, "m"),    lab_parameter(b->lab, &s, "k"),
                         lab_parameter(b->lab, &s, "l"),    lab_parameter(b->lab, &s, "g"),
                         lab_parameter(b->lab, &s, "phi0"), lab_parameter(b->lab, &s, "omega0")};
}

void c21_p1(Benchmark *b)
{
    static const char *const models[] = {"Pendulum.MaximalStateSpace", "Pendulum.Decomposed",
                                         "Pendulum.Cartesian"};
    static const char *const ids[] = {"P1.events.maximal", "P1.events.machine",
                                      "P1.events.cartesian"};
    document_text(
        b->document, DOCUMENT_BOTH,
        "There are four models of it here. *Hybrid decomposition*: a state machine whose state "
        "`swinging` has two "
        "differential states and `falling` four; the when clauses map the coordinates. *Maximal "
        "state space*: six states, frozen in turn. *Cartesian DAE*: one model with an if-equation "
        "whose branches are a constraint (index 3, two states) and λ = 0 (an ODE, four states); "
        "the change of index is found by the analysis of each mode when it is first entered, and "
        "the loss of the radial velocity when the rope becomes taut follows from the equations, "
        "which are integrated over the instant: no line of the model says it. *C interface*: two "
        "modes whose right-hand sides and events are functions in C.");
    benchmark_listing(b, DOCUMENT_PAGE, "Pendulum.mo", "Body", "What all models share");
    benchmark_listing(b, DOCUMENT_PAGE, "Pendulum.mo", "Swinging", "State `swinging`");
    benchmark_listing(b, DOCUMENT_PAGE, "Pendulum.mo", "Falling", "State `falling`");
    benchmark_listing(b, DOCUMENT_BOTH, "Pendulum.mo", "Decomposed", "Hybrid decomposition");
    benchmark_listing(b, DOCUMENT_PAGE, "Pendulum.mo", "MaximalStateSpace", "Maximal state space");
    benchmark_listing(b, DOCUMENT_BOTH, "Pendulum.mo", "Cartesian", "One Cartesian DAE");
    const C21Pendulum parameters = parameters_of(b);
    SaltusError error = {0};
    double engine[2] = {NAN, NAN};
    if (c21_pendulum_events(&parameters, 4.0, lab_method(SALTUS_SOLVER_DOP853, 1e-12, 0.0), engine,
                            2, &error) < 2)
        benchmark_fail(b, "P1, C interface: %s", error.message);
    saltus_error_clear(&error);
    for (size_t i = 0; i < COUNT(models); i++) {
        const LabEvent *events[2];
        LabSetup setup = pendulum(models[i], 4.0);
        setup.is_silent = true;
        LabRun *run = benchmark_lab(b, &setup);
        const size_t count = phase_changes(run, events, 2);
        if (i == 1)
            benchmark_chart(b, DOCUMENT_BOTH, run, "P1.chart",
                            "P1: the state machine `Pendulum.Decomposed`, as it ran for 4 s");
        benchmark_events(b, i == 1 ? DOCUMENT_BOTH : DOCUMENT_PAGE, run, 4, ids[i],
                         document_format(b->document, "P1: events of `%s`", models[i]));
        for (size_t k = 0; k < 2; k++)
            findings_check(&b->findings, k < count ? events[k]->t : NAN, "s", engine[k], 1e-9,
                           "C interface", "P1.%s.t[%zu]", models[i] + strlen("Pendulum."), k + 1);
    }
}

// ---------------------------------------------------------------------------
// P2
// ---------------------------------------------------------------------------

// Bands of the phases by the flag `falling`.
static const PlotBand *fall_bands(Benchmark *b, const LabRun *run, size_t *count)
{
    const LabEvent *events[MOST_EVENTS];
    const size_t n = phase_changes(run, events, MOST_EVENTS);
    PlotBand *bands = ARENA_ARRAY(b->arena, n / 2 + 1, PlotBand);
    *count = 0;
    for (size_t i = 0; i < n; i += 2)
        bands[(*count)++] =
            (PlotBand){events[i]->t, i + 1 < n ? events[i + 1]->t : run->end, "falling"};
    return bands;
}

// The path while swinging and while falling.
static void pendulum_paths(Benchmark *b, const LabRun *run, PlotCurve path[2])
{
    const double *x = benchmark_column(b, run, "x"), *y = benchmark_column(b, run, "y");
    size_t bands;
    const PlotBand *band = fall_bands(b, run, &bands);
    for (int phase = 0; phase < 2; phase++) {
        double *part = ARENA_ARRAY(b->arena, run->row_count, double);
        for (size_t i = 0; i < run->row_count; i++) {
            bool is_falling = false;
            for (size_t k = 0; k < bands; k++)
                is_falling |= run->time[i] >= band[k].from && run->time[i] <= band[k].to;
            part[i] = is_falling == (phase == 1) ? y[i] : NAN;
        }
        path[phase] = (PlotCurve){
            .label = phase ? "falling" : "swinging", .x = x, .y = part, .count = run->row_count};
    }
}

static void plot_pendulum(Benchmark *b, DocumentPlace place, const LabRun *run, const char *id,
                          const char *caption)
{
    size_t bands;
    const PlotBand *band = fall_bands(b, run, &bands);
    const PlotCurve x[] = {benchmark_curve(b, run, "x", "x"), benchmark_curve(b, run, "y", "y")};
    const PlotCurve phi[] = {benchmark_curve(b, run, "phi", NULL)};
    PlotCurve path[2];
    pendulum_paths(b, run, path);
    const PlotPanel panels[] = {{.x = {.label = "time", .unit = "s"},
                                 .y = {.label = "φ", .unit = "rad"},
                                 .curves = phi,
                                 .curve_count = 1,
                                 .bands = band,
                                 .band_count = bands,
                                 .is_time = true},
                                {.x = {.label = "time", .unit = "s"},
                                 .y = {.label = "position", .unit = "m"},
                                 .curves = x,
                                 .curve_count = 2,
                                 .bands = band,
                                 .band_count = bands,
                                 .is_time = true},
                                {.x = {.label = "x", .unit = "m"},
                                 .y = {.label = "y", .unit = "m"},
                                 .curves = path,
                                 .curve_count = 2,
                                 .is_equal = true,
                                 .legend = PLOT_LEGEND_ABOVE}};
    document_figure(
        b->document, place, id, caption,
        &(PlotFigure){.panels = panels, .panel_count = 3, .columns = 3, .height = 60.0});
}

// End time over damping and initial speed, and how often it fell.
static void study_parameters(Benchmark *b)
{
    enum { COLUMNS = 20, ROWS = 16 };
    double *k = ARENA_ARRAY(b->arena, ROWS, double),
           *omega = ARENA_ARRAY(b->arena, COLUMNS, double);
    double *ends = ARENA_ARRAY(b->arena, ROWS * COLUMNS, double);
    double *falls = ARENA_ARRAY(b->arena, ROWS * COLUMNS, double);
    for (int i = 0; i < ROWS; i++)
        k[i] = 0.5 + 0.1 * i;
    for (int j = 0; j < COLUMNS; j++)
        omega[j] = 1.0 + j;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            const LabEvent *events[MOST_EVENTS];
            const SaltusSetting values[] = {{"k", k[i]}, {"omega0", omega[j]}};
            LabSetup setup = pendulum("Pendulum.Basic", 20.0);
            setup.values = values;
            setup.value_count = COUNT(values);
            setup.is_silent = true;
            setup.method = lab_method(SALTUS_SOLVER_DOP853, 1e-8, 0.0);
            LabRun *run = lab_run(b->lab, &setup);
            if (!run || run->status < 0)
                benchmark_fail(b, "P2, k = %g, omega0 = %g: %s", k[i], omega[j],
                               run ? run->message : "out of memory");
            ends[i * COLUMNS + j] = run ? first_change(run, "turned") : NAN;
            falls[i * COLUMNS + j] =
                run ? (double)lab_changes(run, "falling", 1.0, events, MOST_EVENTS) : NAN;
            lab_run_free(run);
        }
    const PlotMap maps[] = {{.x = omega,
                             .y = k,
                             .z = ends,
                             .x_count = COLUMNS,
                             .y_count = ROWS,
                             .colour = {.label = "end", .unit = "s"}},
                            {.x = omega,
                             .y = k,
                             .z = falls,
                             .x_count = COLUMNS,
                             .y_count = ROWS,
                             .colour = {.label = "falls"}}};
    const PlotAxis horizontal = {.label = "initial φ'", .unit = "rad/s"},
                   vertical = {.label = "k", .unit = "kg/s"};
    const PlotPanel panels[] = {{.x = horizontal, .y = vertical, .map = &maps[0]},
                                {.x = horizontal, .y = vertical, .map = &maps[1]}};
    document_figure(b->document, DOCUMENT_PAGE, "P2.map",
                    "P2: end time (first turning point within π/10) and number of falls over "
                    "initial speed and damping",
                    &(PlotFigure){.panels = panels, .panel_count = 2, .columns = 2});
}

void c21_p2(Benchmark *b)
{
    LabSetup setup = pendulum("Pendulum.Basic", 10.0);
    setup.interval = 0.005;
    LabRun *run = benchmark_lab(b, &setup);
    setup.method = lab_method(SALTUS_SOLVER_RODAS, 1e-11, 0.0);
    setup.is_silent = true;
    LabRun *second = benchmark_lab(b, &setup);
    const LabEvent *events[2], *others[2];
    const bool has_fall =
        phase_changes(run, events, 2) == 2 && phase_changes(second, others, 2) == 2;
    const double turned = first_change(run, "turned"), ended = first_change(run, "ended");
    if (has_fall) {
        findings_check(&b->findings, events[0]->t, "s", others[0]->t, 1e-9, "rodas", "P2.t_fall");
        findings_check(&b->findings, events[1]->t, "s", others[1]->t, 1e-9, "rodas", "P2.t_taut");
        findings_check(&b->findings, lab_after(run, events[1], "omega"), "rad/s",
                       lab_after(second, others[1], "omega"), 1e-8, "rodas", "P2.omega_after");
    } else {
        benchmark_fail(b, "P2: the pendulum does not fall");
    }
    findings_check(&b->findings, turned, "s", first_change(second, "turned"), 1e-8, "rodas",
                   "P2.t_end.turning");
    findings_check(&b->findings, ended, "s", first_change(second, "ended"), 1e-8, "rodas",
                   "P2.t_end.forerunner");
    if (has_fall && c21_pendulum_is_standard(b)) {
        findings_check(&b->findings, events[0]->t, "s", 1.9219990, 5.1e-8, "published solution",
                       "P2.published.t_fall");
        findings_check(&b->findings, events[1]->t, "s", 2.6614989, 5.1e-8, "published solution",
                       "P2.published.t_taut");
        findings_check(&b->findings, turned, "s", 7.59627, 5.1e-6, "published solution",
                       "P2.published.t_end");
    }
    document_text(
        b->document, DOCUMENT_BOTH,
        "The pendulum rotates, falls once and then swings. Its first turning point within "
        "π/10 is at %.5f s. The forerunner reports 8.5 s by the criterion sin²φ + 10 φ'⁴ < "
        "sin²(π/10); this is first met at %.4f s, but for 0.07 s only, and with default tolerances "
        "its solver steps over that. Saltus also looks at event functions inside of each step and "
        "does not miss it.",
        turned, ended);
    plot_pendulum(b, DOCUMENT_BOTH, run, "P2.run",
                  "P2: the basic run; the phase of falling is shaded");
    benchmark_animation(b,
                        (BenchmarkAnimation){.id = "P2.animation",
                                             .file = "Pendulum.mo",
                                             .model = "Pendulum.Decomposed",
                                             .plot = "x,y",
                                             .stop_time = 8.0},
                        "P2: the pendulum, with the state chart of its phases");
    study_parameters(b);
}

// ---------------------------------------------------------------------------
// P3
// ---------------------------------------------------------------------------

static size_t phase_times(const LabRun *run, double *times, size_t most)
{
    const LabEvent *events[MOST_EVENTS];
    const size_t count = phase_changes(run, events, most < MOST_EVENTS ? most : MOST_EVENTS);
    for (size_t i = 0; i < count; i++)
        times[i] = events[i]->t;
    return count;
}

void c21_p3(Benchmark *b)
{
    document_text(b->document, DOCUMENT_BOTH,
                  "The function x² + y² − l² of event S has a "
                  "triple zero at the start of the fall; its sign just after is that of the third "
                  "derivative. Errors are those of the solver, the same for all locators.");
    c21_compare_methods(b, &(C21Study){.id = "P3.methods",
                                       .caption = "P3: the events F and S, 3 s",
                                       .setup = pendulum("Pendulum.MaximalStateSpace", 3.0),
                                       .events = phase_times,
                                       .compared = 2,
                                       .located = SALTUS_SOLVER_DOPRI5,
                                       .sensible = 1e-5});
}

// ---------------------------------------------------------------------------
// P4
// ---------------------------------------------------------------------------

typedef struct Kick {
    Benchmark *b;
    SaltusMethod method;
    double top; // angle that the fall is compared with
    // What is found.
    double time;
    double same;         // the state of the start recurs, one rotation later
    double same_bottom;  // the same speed at the bottom as at the first passage
    double upright;      // the fall starts at the top
    double second_top;   // at the second top
    double lower, upper; // of two rotations
} Kick;

static LabRun *run_kicked(const Kick *kick, double gamma, double stop)
{
    const SaltusSetting values[] = {{"gamma", gamma}};
    LabSetup setup = pendulum("Pendulum.Kicked", stop);
    setup.values = values;
    setup.value_count = COUNT(values);
    setup.is_silent = true;
    setup.method = kick->method;
    return lab_run(kick->b->lab, &setup);
}

// The angle at which the first fall after the kick begins; NAN: there is none.
static double fall_angle(const Kick *kick, double gamma)
{
    const LabEvent *kicked, *falls[MOST_EVENTS];
    LabRun *run = run_kicked(kick, gamma, 14.0);
    double angle = NAN;
    if (run && lab_changes(run, "kicked", 1.0, &kicked, 1)) {
        const size_t count = lab_changes(run, "falling", 1.0, falls, MOST_EVENTS);
        for (size_t i = 0; i < count && i < MOST_EVENTS && isnan(angle); i++)
            if (falls[i]->t > kicked->t)
                angle = lab_before(run, falls[i], "phi");
    }
    lab_run_free(run);
    return angle;
}

// How far behind the top the fall begins.
static double miss_top(void *user, double gamma)
{
    const Kick *kick = user;
    return fall_angle(kick, gamma) - kick->top;
}

// Negative: the fall begins before or just behind the top; positive: this top is passed.
static double passes(void *user, double gamma)
{
    const Kick *kick = user;
    const double angle = fall_angle(kick, gamma);
    return angle > kick->top + 0.5 * REAL_PI ? 1.0 : -1.0;
}

static Kick solve_kicks(Benchmark *b, SaltusMethod method)
{
    const LabEvent *kicked, *first, *fall;
    Kick k = {.b = b, .method = method, .time = NAN, .same = NAN, .same_bottom = NAN};
    LabRun *run = run_kicked(&k, 1.0, 9.0);
    if (run && lab_changes(run, "kicked", 1.0, &kicked, 1) &&
        lab_changes(run, "first", NAN, &first, 1) && lab_changes(run, "falling", 1.0, &fall, 1)) {
        k.time = kicked->t;
        k.same_bottom = lab_before(run, first, "omega") / lab_before(run, kicked, "omega");
        k.top =
            lab_before(run, fall, "phi") + 2.0 * REAL_PI; // not a top: the fall of the basic run
        k.same = root_find(miss_top, &k, -22.5, -21.5, 1e-9);
    }
    lab_run_free(run);
    k.top = 2.0 * REAL_PI;
    k.upright = root_find(miss_top, &k, -10.16, -9.8, 1e-9);
    // Two rotations from the bottom end between the second top and the third.
    k.top = 6.0 * REAL_PI;
    k.lower = root_find(passes, &k, -19.2, -18.2, 1e-10);
    k.top = 4.0 * REAL_PI;
    k.upper = root_find(passes, &k, -14.8, -14.0, 1e-10);
    k.second_top = root_find(miss_top, &k, -14.2, -14.0, 1e-9);
    return k;
}

// The three answers, from just before the kick on.
static void plot_kicks(Benchmark *b, const double gammas[3])
{
    static const char *const titles[] = {"(i) as before", "(ii) upright", "(iii) two rotations"};
    PlotPanel panels[6];
    for (size_t i = 0; i < 3; i++) {
        const SaltusSetting values[] = {{"gamma", gammas[i]}};
        LabSetup setup = pendulum("Pendulum.Kicked", 12.0);
        setup.values = values;
        setup.value_count = COUNT(values);
        setup.interval = 0.005;
        LabRun *run = benchmark_lab(b, &setup);
        PlotCurve *curve = ARENA_ARRAY(b->arena, 3, PlotCurve);
        size_t bands;
        curve[0] = benchmark_curve(b, run, "phi", NULL);
        pendulum_paths(b, run, curve + 1);
        for (size_t k = 0; k < 3; k++) { // what was before the kick is the basic run
            size_t first = 0;
            while (first < run->row_count && run->time[first] < 8.0)
                first++;
            curve[k].x += first;
            curve[k].y += first;
            curve[k].count -= first;
        }
        const PlotBand *band = fall_bands(b, run, &bands);
        panels[i] = (PlotPanel){
            .title = titles[i],
            .x = {.label = "time", .unit = "s", .is_limited = true, .from = 8.0, .to = 12.0},
            .y = {.label = "φ", .unit = "rad"},
            .curves = curve,
            .curve_count = 1,
            .bands = band,
            .band_count = bands};
        panels[3 + i] = (PlotPanel){.x = {.label = "x", .unit = "m"},
                                    .y = {.label = "y", .unit = "m"},
                                    .curves = curve + 1,
                                    .curve_count = 2,
                                    .is_equal = true,
                                    .legend = PLOT_LEGEND_NONE};
    }
    document_figure(b->document, DOCUMENT_BOTH, "P4.kicks",
                    "P4: the three kicked runs; falling is shaded, and orange in the paths",
                    &(PlotFigure){.panels = panels, .panel_count = 6, .columns = 3});
}

void c21_p4(Benchmark *b)
{
    if (!c21_pendulum_is_standard(b)) {
        document_text(b->document, DOCUMENT_PAGE,
                      "The brackets of the search are those of the definition's parameters: the "
                      "task is left out for others.");
        return;
    }
    const Kick found = solve_kicks(b, lab_method(SALTUS_SOLVER_DOP853, 1e-12, 0.0)),
               other = solve_kicks(b, lab_method(SALTUS_SOLVER_RODAS, 1e-11, 0.0));
    findings_check(&b->findings, found.time, "s", other.time, 1e-8, "rodas", "P4.t_kick");
    findings_check(&b->findings, found.same, "", other.same, 1e-6, "rodas", "P4.gamma.i");
    findings_check(&b->findings, found.same_bottom, "", other.same_bottom, 1e-6, "rodas",
                   "P4.gamma.i.bottom");
    findings_check(&b->findings, found.upright, "", other.upright, 1e-6, "rodas", "P4.gamma.ii");
    findings_check(&b->findings, found.lower, "", other.lower, 1e-6, "rodas", "P4.gamma.iii.lower");
    findings_check(&b->findings, found.upper, "", other.upper, 1e-6, "rodas", "P4.gamma.iii.upper");
    findings_check(&b->findings, found.time, "s", 8.1343, 5.1e-5, "published solution",
                   "P4.published.t_kick");
    findings_check(&b->findings, found.same, "", -21.991134, 1e-5, "published solution",
                   "P4.published.gamma.i");
    findings_check(&b->findings, found.upright, "", -10.150122, 1e-5, "published solution",
                   "P4.published.gamma.ii");
    findings_check(&b->findings, found.second_top, "", -14.198171, 1e-5, "published solution",
                   "P4.published.gamma.iii.second_top");
    document_text(
        b->document, DOCUMENT_BOTH,
        "The kick is at %.6f s, where φ = π is passed for the first time after the turning "
        "point. (i) The same movement as before: γ = %.6f lets the state of the start "
        "recur after the first rotation, and all that followed it; the same speed at the "
        "bottom as at the first passage would need %.6f. (ii) The printed φ = π is "
        "impossible, the rope force is positive there; the fall starts upright for γ = "
        "%.6f. (iii) Two rotations are made by all γ from %.6f to %.6f: at the ends the "
        "rope force touches zero just behind the third and second top, where it is "
        "smallest. The published −14.198171 and −18.468522 are the values whose fall "
        "starts exactly at a top. By symmetry positive γ give the mirror image.",
        found.time, found.same, found.same_bottom, found.upright, found.lower, found.upper);
    const double gammas[] = {found.same, found.upright, 0.5 * (found.lower + found.upper)};
    plot_kicks(b, gammas);
}

// ---------------------------------------------------------------------------
// P5
// ---------------------------------------------------------------------------

// Entering and leaving the region, falling, becoming taut, the forerunner's end.
static size_t region_events(const LabRun *run, const LabEvent **events, size_t most)
{
    static const char *const flags[] = {"inside", "falling", "ended"};
    size_t count = 0;
    for (size_t i = 0; i < run->event_count && count < most; i++) {
        bool is_one = false;
        for (size_t k = 0; k < run->events[i].change_count; k++)
            for (size_t f = 0; f < COUNT(flags); f++)
                is_one |= strcmp(run->events[i].changes[k].name, flags[f]) == 0;
        if (is_one)
            events[count++] = &run->events[i];
    }
    return count;
}

void c21_p5(Benchmark *b)
{
    static const double k2[] = {12.8, 12.9};
    static const char *const names[] = {"k12_8", "k12_9"};
    // The forerunner gives two digits.
    static const double published[] = {0.13, 0.21, 0.61, 1.41, 1.50, 1.85};
    for (size_t i = 0; i < COUNT(k2); i++) {
        const SaltusSetting values[] = {{"k2", k2[i]}};
        LabSetup setup = pendulum("Pendulum.DampingRegion", 3.0);
        setup.values = values;
        setup.value_count = COUNT(values);
        setup.interval = 0.002;
        LabRun *run = benchmark_lab(b, &setup);
        setup.method = lab_method(SALTUS_SOLVER_RODAS, 1e-11, 0.0);
        setup.is_silent = true;
        LabRun *second = benchmark_lab(b, &setup);
        const LabEvent *events[8], *others[8];
        size_t count, other;
        count = region_events(run, events, 8);
        other = region_events(second, others, 8);
        for (size_t k = 0; k < count; k++) {
            findings_check(&b->findings, events[k]->t, "s", k < other ? others[k]->t : NAN, 1e-8,
                           "rodas", "P5.%s.t[%zu]", names[i], k + 1);
            if (i == 0 && k < COUNT(published) && c21_pendulum_is_standard(b))
                findings_check(&b->findings, events[k]->t, "s", published[k], 5.1e-3,
                               "forerunner, two digits", "P5.published.t[%zu]", k + 1);
        }
        plot_pendulum(
            b, i ? DOCUMENT_PAGE : DOCUMENT_BOTH, run, i ? "P5.run.k12_9" : "P5.run.k12_8",
            document_format(b->document, "P5: damping region with k_{2} = %.1f kg/s", k2[i]));
    }
    document_text(b->document, DOCUMENT_BOTH,
                  "The second medium takes so much speed at the first passage that the pendulum "
                  "falls before its first full rotation, and comes to rest inside the region.");
}
