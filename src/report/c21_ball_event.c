// SPDX-License-Identifier: MIT
//
// C21, bouncing ball with event contact: tasks B1 to B4.
//
// Without drag, t_1 = sqrt(2 x0/g), t_m = t_1 (2 (1 - mu^m)/(1 - mu) - 1). With drag beta v |v|,
// v_t = sqrt(g/beta), a = sqrt(g beta): a rise from speed u takes atan(u/v_t)/a and reaches
// ln(1 + u^2/v_t^2)/(2 beta); a fall from height H ends with v_t sqrt(1 - exp(-2 beta H)) after
// atanh(v/v_t)/a.

#include "numerics/root.h"
#include "report/c21.h"

#include <math.h>
#include <string.h>

enum { BOUNCES = 100 };

typedef struct Ball {
    double g, beta, mu, x0, v0;
} Ball;

static LabSetup event_contact(Benchmark *b, double beta)
{
    SaltusSetting *value = ARENA_ARRAY(b->arena, 1, SaltusSetting);
    *value = (SaltusSetting){"beta", beta};
    return (LabSetup){.file = "Ball.mo",
                      .model = "Ball.EventContact",
                      .values = value,
                      .value_count = 1,
                      .stop_time = 30.0};
}

static Ball ball_of(Benchmark *b, const LabSetup *setup)
{
    return (Ball){lab_parameter(b->lab, setup, "g"), lab_parameter(b->lab, setup, "beta"),
                  lab_parameter(b->lab, setup, "mu"), lab_parameter(b->lab, setup, "x0"),
                  lab_parameter(b->lab, setup, "v0")};
}

// ---------------------------------------------------------------------------
// Closed forms
// ---------------------------------------------------------------------------

// From height x with speed v upwards (or downwards, if negative): the time until the ground, and
// the speed there.
static double flight(const Ball *ball, double x, double v, double *impact)
{
    const double g = ball->g, beta = ball->beta;
    if (beta == 0.0) {
        *impact = sqrt(v * v + 2.0 * g * x);
        return (v + *impact) / g;
    }
    const double vt = sqrt(g / beta), a = sqrt(g * beta);
    double time = 0.0, height = x, speed = 0.0;
    if (v > 0.0) {
        time = atan(v / vt) / a;
        height += log1p(v * v / (vt * vt)) / (2.0 * beta);
    } else {
        speed = -v; // v^2 = vt^2 - (vt^2 - v0^2) exp(-2 beta s): as if fallen from higher up
        height += -log1p(-speed * speed / (vt * vt)) / (2.0 * beta);
        time = -atanh(speed / vt) / a;
    }
    *impact = vt * sqrt(-expm1(-2.0 * beta * height));
    return time + atanh(*impact / vt) / a;
}

// The first `count` bounce times, and the limit that they tend to.
static double bounce_times(const Ball *ball, double *times, int count)
{
    double impact, t = flight(ball, ball->x0, ball->v0, &impact);
    for (int m = 1; m <= 3000; m++) {
        if (m <= count)
            times[m - 1] = t;
        const double more = flight(ball, 0.0, ball->mu * impact, &impact);
        if (m >= count && more <= 1e-18 * t)
            break;
        t += more;
    }
    return t;
}

static double limit_time(const Ball *ball)
{
    return bounce_times(ball, NULL, 0);
}

// ---------------------------------------------------------------------------
// B1
// ---------------------------------------------------------------------------

void c21_b1(Benchmark *b)
{
    Document *d = b->document;
    document_text(d, DOCUMENT_BOTH,
                  "Free fall with air resistance is one partial model; the contact adds two when "
                  "clauses. Event B reverses the velocity with `reinit` (SE-X) and counts; event M "
                  "notes the height of each flight. The linear model is the same with β = 0. No "
                  "part of the model says how events are found: the relations `x <= 0` and "
                  "`v <= 0` are the event functions.");
    benchmark_listing(b, DOCUMENT_PAGE, "Ball.mo", "Flight", "Free fall");
    benchmark_listing(b, DOCUMENT_BOTH, "Ball.mo", "EventContact", "Event contact");
    LabSetup setup = event_contact(b, 0.002);
    setup.stop_time = 5.0;
    LabRun *run = benchmark_lab(b, &setup);
    benchmark_events(b, DOCUMENT_PAGE, run, 6, "B1.events",
                     "The first events of the ball with event contact, from the event log");
}

// ---------------------------------------------------------------------------
// B2
// ---------------------------------------------------------------------------

static void plot_until_limit(Benchmark *b, const LabRun *linear, const LabRun *drag)
{
    const PlotCurve heights[] = {benchmark_curve(b, linear, "x", "β = 0"),
                                 benchmark_curve(b, drag, "x", "β = 0.002 1/m")};
    const PlotCurve velocities[] = {benchmark_curve(b, linear, "v", NULL),
                                    benchmark_curve(b, drag, "v", NULL)};
    const PlotPanel panels[] = {benchmark_panel("x", "m", heights, 2),
                                benchmark_panel("v", "m/s", velocities, 2)};
    document_figure(b->document, DOCUMENT_BOTH, "B2.height",
                    "B2: height and velocity until the last bounce, without and with air "
                    "resistance",
                    &(PlotFigure){.panels = panels, .panel_count = 2, .height = 75.0});
}

// What became of the run with each strategy.
static void compare_strategies(Benchmark *b)
{
    static const struct {
        const char *model, *what;
        unsigned wanted; // class that its last event must have; 0: none
    } strategies[] = {
        {"Ball.EventContact", "none in the model: the guard of the tool", 0},
        {"Ball.StopByParameter", "restitution and weight become 0", SALTUS_SE_P},
        {"Ball.StopByFunction", "a state machine: nothing moves", SALTUS_SE_F},
        {"Ball.StopByAlgorithm", "the same with another solver and tolerance", SALTUS_SE_A},
    };
    static const char *const columns[] = {"model",   "strategy", "last event",
                                          "bounces", "end in s", "how it ended"};
    enum { ROWS = COUNT(strategies) + 1, COLUMNS = COUNT(columns) };
    const char *cells[ROWS * COLUMNS];
    for (size_t i = 0; i < ROWS; i++) {
        const bool is_free = i == COUNT(strategies);
        const size_t s = is_free ? 0 : i;
        LabRun *run =
            benchmark_lab(b, &(LabSetup){.file = "Ball.mo",
                                         .model = strategies[s].model,
                                         .stop_time = 30.0,
                                         .is_silent = true,
                                         .zeno = is_free ? SALTUS_ZENO_CONTINUE : SALTUS_ZENO_STOP,
                                         .max_events = is_free ? 20000 : 0});
        const char **cell = cells + COLUMNS * i;
        cell[0] = strategies[s].model;
        cell[1] = is_free ? "none at all: the guard is switched off" : strategies[s].what;
        char classes[SALTUS_CLASSES_TEXT_SIZE] = "";
        const unsigned found = run->event_count ? run->events[run->event_count - 1].classes : 0;
        cell[2] = document_format(b->document, "%s", saltus_classes_text(found, classes));
        if (strategies[s].wanted)
            findings_check(&b->findings, found & strategies[s].wanted ? 1.0 : 0.0, "", 1.0, 0.0,
                           "the log has the class", "B2.strategy.%s.class",
                           strategies[s].model + strlen("Ball."));
        cell[3] = document_format(b->document, "%.0f", lab_last(run, "bounces"));
        cell[4] = document_format(b->document, "%.8g", run->end);
        cell[5] = *run->message ? "stopped where the bounces accumulate"
                                : document_format(b->document, "at the stop time, x = %.2g m",
                                                  lab_last(run, "x"));
    }
    document_table(b->document, DOCUMENT_BOTH,
                   &(DocumentTable){.id = "B2.strategies",
                                    .caption = "B2: strategies against the scattering of events, "
                                               "β = 0.002, and what happens without any",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = ROWS,
                                    .is_wide = true});
}

// The last bounces that can be told apart, and what follows them if nothing is done: the ball falls
// through the ground, because no step can resolve the bounce any more.
static void plot_scattering(Benchmark *b)
{
    LabRun *run = benchmark_lab(b, &(LabSetup){.file = "Ball.mo",
                                               .model = "Ball.EventContact",
                                               LAB_VALUES({"beta", 0.0}),
                                               .stop_time = 27.3,
                                               .interval = 1e-4,
                                               .zeno = SALTUS_ZENO_CONTINUE,
                                               .max_events = 20000});
    const PlotCurve curve = benchmark_curve(b, run, "x", NULL);
    const PlotPanel panels[] = {
        {.title = "the last bounces",
         .x = {.label = "time", .unit = "s", .is_limited = true, .from = 27.0, .to = 27.14},
         .y = {.label = "x", .unit = "m", .is_limited = true, .from = -2e-5, .to = 2e-4},
         .curves = &curve,
         .curve_count = 1},
        {.title = "and what follows",
         .x = {.label = "time", .unit = "s", .is_limited = true, .from = 27.1, .to = 27.3},
         .y = {.label = "x", .unit = "m", .is_limited = true, .from = -0.2, .to = 0.05},
         .curves = &curve,
         .curve_count = 1}};
    document_figure(
        b->document, DOCUMENT_BOTH, "B2.scattering",
        "B2: without any guard, β = 0: the bounces accumulate at 27.129 s, then the "
        "ball is lost through the ground",
        &(PlotFigure){.panels = panels, .panel_count = 2, .columns = 2, .height = 55.0});
}

// The accumulation point of the bounces: the last of them, and the geometric series of the rest.
static double simulated_limit(const LabRun *run, const Ball *ball)
{
    const LabEvent *events[2000];
    const size_t count = lab_changes(run, "bounces", NAN, events, COUNT(events));
    if (count < 3 || count > COUNT(events))
        return NAN;
    const double last = events[count - 1]->t, step = last - events[count - 2]->t;
    return last + step * ball->mu / (1.0 - ball->mu);
}

void c21_b2(Benchmark *b)
{
    const double beta =
        lab_parameter(b->lab, &(LabSetup){.file = "Ball.mo", .model = "Ball.EventContact"}, "beta");
    LabSetup without = event_contact(b, 0.0), with = event_contact(b, beta);
    without.interval = with.interval = 0.01;
    const Ball linear = ball_of(b, &without), drag = ball_of(b, &with);
    LabRun *run = benchmark_lab(b, &without), *dragged = benchmark_lab(b, &with);
    document_text(
        b->document, DOCUMENT_BOTH,
        "In finite time there are infinitely many bounces. The intervals between them "
        "shrink by the factor μ; where they reach the resolution of time, Saltus stops "
        "with a warning that names the condition and the accumulation point. The limit by "
        "simulation agrees with the closed form, also with air resistance ([#B2.height]). "
        "[#B2.strategies] has the strategies that the definition asks for; without any, "
        "the ball is lost ([#B2.scattering]).");
    plot_until_limit(b, run, dragged);
    // The run's tolerance is 1e-6 relative for the states; the ball without drag is integrated
    // exactly by any method of order 2, with drag the error of t is a few times 1e-6.
    const double linear_limit = limit_time(&linear);
    findings_check(&b->findings, simulated_limit(run, &linear), "s", linear_limit, 1e-10,
                   "closed form", "B2.t_inf.linear");
    LabSetup fine = with;
    fine.is_silent = true;
    fine.method = lab_method(SALTUS_SOLVER_DOP853, 1e-12, 0.0);
    findings_check(&b->findings, simulated_limit(benchmark_lab(b, &fine), &drag), "s",
                   limit_time(&drag), 1e-10, "closed form of each rise and fall", "B2.t_inf.drag");
    benchmark_listing(b, DOCUMENT_PAGE, "Ball.mo", "StopByParameter", "Strategy SE-P");
    benchmark_listing(b, DOCUMENT_PAGE, "Ball.mo", "StopByFunction", "Strategy SE-F");
    benchmark_listing(b, DOCUMENT_PAGE, "Ball.mo", "Aloft", "Its state `aloft`");
    benchmark_listing(b, DOCUMENT_PAGE, "Ball.mo", "Resting", "Its state `resting`");
    benchmark_listing(b, DOCUMENT_PAGE, "Ball.mo", "CoarselyResting",
                      "Strategy SE-A: the state in place of `resting`");
    compare_strategies(b);
    plot_scattering(b);
}

// ---------------------------------------------------------------------------
// B3
// ---------------------------------------------------------------------------

// t_m - t^_m of the first bounces; the largest by amount. Those that are missing are NAN.
static double bounce_errors(Benchmark *b, SaltusMethod method, const double *exact, double *errors,
                            LabRun **run)
{
    LabSetup setup = event_contact(b, 0.0);
    const LabEvent *events[BOUNCES];
    setup.is_silent = true;
    setup.method = method;
    *run = benchmark_lab(b, &setup);
    const size_t count = lab_changes(*run, "bounces", NAN, events, BOUNCES);
    double largest = 0.0;
    for (size_t i = 0; i < BOUNCES; i++) {
        errors[i] = i < count ? exact[i] - events[i]->t : NAN;
        if (!(fabs(errors[i]) <= largest))
            largest = fabs(errors[i]);
    }
    return largest;
}

// The errors of all bounces with a method; in `cells`, its row of the table.
static PlotCurve study_method(Benchmark *b, SaltusMethod method, const double *exact,
                              const char **cells)
{
    LabRun *run;
    double *numbers = ARENA_ARRAY(b->arena, BOUNCES, double);
    double *errors = ARENA_ARRAY(b->arena, BOUNCES, double);
    const double largest = bounce_errors(b, method, exact, errors, &run);
    for (int i = 0; i < BOUNCES; i++)
        numbers[i] = i + 1;
    cells[0] = run->solver;
    cells[1] = saltus_locate_name(method.locate);
    cells[2] = document_format(b->document, "%.2e", largest);
    cells[3] = document_format(b->document, "%ld", run->statistics.h_evaluations);
    cells[4] = document_format(b->document, "%ld", run->statistics.fallbacks);
    return (PlotCurve){.label = document_format(b->document, "%s, %s", cells[0], cells[1]),
                       .x = numbers,
                       .y = errors,
                       .count = BOUNCES};
}

void c21_b3(Benchmark *b)
{
    static const SaltusLocate locators[] = {
        SALTUS_LOCATE_BRENT,   SALTUS_LOCATE_BISECTION, SALTUS_LOCATE_SECANT,
        SALTUS_LOCATE_TANGENT, SALTUS_LOCATE_QUADRATIC, SALTUS_LOCATE_HENON,
    };
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
                                           SALTUS_SOLVER_CVODE};
    static const char *const columns[] = {"solver", "locator", "largest error in s",
                                          "event functions", "fallbacks"};
    enum { METHODS = COUNT(locators) + COUNT(solvers) };
    double *exact = ARENA_ARRAY(b->arena, BOUNCES, double);
    PlotCurve *curves = ARENA_ARRAY(b->arena, METHODS, PlotCurve);
    const char **cells = ARENA_ARRAY(b->arena, METHODS * COUNT(columns), const char *);
    LabSetup setup = event_contact(b, 0.0);
    const Ball linear = ball_of(b, &setup);
    bounce_times(&linear, exact, BOUNCES);
    for (size_t i = 0; i < METHODS; i++) {
        const bool is_locator = i < COUNT(locators);
        SaltusMethod method = is_locator ? saltus_default_method()
                                         : lab_method(solvers[i - COUNT(locators)], 1e-10, 0.0);
        if (is_locator)
            method.locate = locators[i];
        curves[i] = study_method(b, method, exact, cells + COUNT(columns) * i);
    }
    const double *errors = curves[0].y;
    double largest = 0.0;
    for (int i = 0; i < BOUNCES; i++) {
        // 1e-11 s is what the benchmark's rules of this report allow with default settings.
        findings_check(&b->findings, exact[i] - errors[i], "s", exact[i], 1e-11, "closed form (15)",
                       "B3.t_m[%d]", i + 1);
        if (!(fabs(errors[i]) <= largest))
            largest = fabs(errors[i]);
    }
    findings_check(&b->findings, largest, "s", 0.0, 1e-11, "exact", "B3.error_max");
    const PlotPanel panels[] = {{.title = "one-step solver, all locators",
                                 .x = {.label = "bounce", .unit = NULL},
                                 .y = {.label = "t_{m} − computed", .unit = "s"},
                                 .curves = curves,
                                 .curve_count = COUNT(locators),
                                 .legend = PLOT_LEGEND_ABOVE},
                                {.title = "other solvers, default locator",
                                 .x = {.label = "bounce", .unit = NULL},
                                 .y = {.label = "t_{m} − computed", .unit = "s"},
                                 .curves = curves + COUNT(locators),
                                 .curve_count = COUNT(solvers),
                                 .legend = PLOT_LEGEND_ABOVE}};
    document_text(b->document, DOCUMENT_BOTH,
                  "With default settings all 100 bounces are within %.1e s of the closed form. An "
                  "explicit Runge-Kutta method integrates the parabola exactly, so that only "
                  "rounding is left; Hénon's method, which integrates with x as the independent "
                  "variable, lands on the ground in one step. Multistep methods restart with low "
                  "order at each bounce and keep the error of their tolerance.",
                  largest);
    document_figure(b->document, DOCUMENT_BOTH, "B3.error",
                    "B3: error of the first 100 bounce "
                    "times",
                    &(PlotFigure){.panels = panels, .panel_count = 2, .columns = 2});
    document_table(b->document, DOCUMENT_BOTH,
                   &(DocumentTable){.id = "B3.locators",
                                    .caption = "B3: solvers and locators",
                                    .columns = columns,
                                    .column_count = COUNT(columns),
                                    .cells = cells,
                                    .row_count = METHODS});
}

// ---------------------------------------------------------------------------
// B4
// ---------------------------------------------------------------------------

// Which run has the unknown initial velocity, and what is to become zero.
typedef struct Compensation {
    Benchmark *b;
    Ball ball;             // that starts with delta
    const double *targets; // bounce times of the other ball
    int first, count;      // of those that are compared; 0: the limit
    double limit;          // of the other ball
    bool by_simulation;
} Compensation;

// The bounce times of the ball started with delta, and their limit.
static double compensated(const Compensation *c, double delta, double *times, int count)
{
    Ball ball = c->ball;
    ball.v0 = delta;
    if (!c->by_simulation)
        return bounce_times(&ball, times, count);
    const LabEvent *events[2000];
    const SaltusSetting values[] = {{"beta", ball.beta}, {"v0", delta}};
    LabRun *run =
        lab_run(c->b->lab, &(LabSetup){.file = "Ball.mo",
                                       .model = "Ball.EventContact",
                                       .values = values,
                                       .value_count = COUNT(values),
                                       .stop_time = 60.0,
                                       .is_silent = true,
                                       .method = lab_method(SALTUS_SOLVER_DOP853, 1e-12, 0.0)});
    const size_t found = run ? lab_changes(run, "bounces", NAN, events, COUNT(events)) : 0;
    for (int i = 0; i < count; i++)
        times[i] = (size_t)i < found ? events[i]->t : NAN;
    const double limit = run ? simulated_limit(run, &ball) : NAN;
    lab_run_free(run);
    return limit;
}

static double miss_first(void *user, double delta)
{
    const Compensation *c = user;
    double first;
    compensated(c, delta, &first, 1);
    return first - c->targets[0];
}

static double miss_limit(void *user, double delta)
{
    const Compensation *c = user;
    return compensated(c, delta, NULL, 0) - c->limit;
}

static double c21_ball_event_sum_of_squares(const Compensation *c, double delta)
{
    double times[BOUNCES], sum = 0.0;
    compensated(c, delta, times, c->count);
    for (int i = 0; i < c->count; i++)
        sum += (times[i] - c->targets[i]) * (times[i] - c->targets[i]);
    return sum;
}

// The derivative of the sum of squares: by central differences, whose error of order h^2 and whose
// rounding 1e-15/h balance at h = 1e-5.
static double slope_of_squares(void *user, double delta)
{
    const double h = 1e-4;
    return c21_ball_event_sum_of_squares(user, delta + h) -
           c21_ball_event_sum_of_squares(user, delta - h);
}

static double slope_of_limit(void *user, double delta)
{
    const double h = 1e-4;
    const Compensation *c = user;
    return compensated(c, delta + h, NULL, 0) - compensated(c, delta - h, NULL, 0);
}

static void compensate_linear(Benchmark *b, Compensation c)
{
    Compensation exact = c;
    exact.by_simulation = false;
    findings_check(&b->findings, root_find(miss_first, &c, -1.0, 1.0, 1e-12), "m/s",
                   root_find(miss_first, &exact, -1.0, 1.0, 0.0), 1e-9, "closed form",
                   "B4.delta.first");
    // The limit has its minimum where the ball starts with a small velocity downwards.
    const double best = root_find(slope_of_limit, &exact, -10.0, 10.0, 1e-9);
    const double least = compensated(&exact, best, NULL, 0);
    const double found = root_find(slope_of_limit, &c, -10.0, 10.0, 1e-6);
    findings_check(&b->findings, compensated(&c, found, NULL, 0), "s", least, 1e-8, "closed form",
                   "B4.t_inf_min");
    // At a minimum the place is worse determined than the value: zeros of differences of limits
    // (each to 1e-10 s) over 2e-4 m/s, with a curvature of about 0.02 s/(m/s)^2.
    findings_check(&b->findings, found, "m/s", best, 1e-4, "closed form", "B4.delta.t_inf_min");
    findings_check(&b->findings, compensated(&c, found, NULL, 0) - c.limit, "s", least - c.limit,
                   1e-8, "closed form", "B4.t_inf_miss");
    static const int counts[] = {10, 30};
    for (size_t i = 0; i < COUNT(counts); i++) {
        exact.count = c.count = counts[i];
        // Differences of sums of squares: the error of the zero is that of the bounce times
        // (1e-12 s) over the step (1e-4 m/s), times the sum's inverse curvature, about 1.
        findings_check(&b->findings, root_find(slope_of_squares, &c, -20.0, 20.0, 1e-9), "m/s",
                       root_find(slope_of_squares, &exact, -20.0, 20.0, 1e-11), 1e-6, "closed form",
                       "B4.delta.lsq%d", counts[i]);
    }
    document_text(b->document, DOCUMENT_BOTH,
                  "No initial velocity lets the linear model end when the model with air "
                  "resistance does: its limit time has a minimum of %.6f s at δ = %.4f m/s, still "
                  "%.4f s after %.6f s. (Any δ ≠ 0 adds energy.) It is also not true that all its "
                  "bounces are too late: without resistance the first one comes earlier, so that "
                  "δ must be positive, upwards, to compensate it.",
                  least, best, least - c.limit, c.limit);
}

static void plot_compensation(Benchmark *b, const Ball *linear, const double *drag_times)
{
    enum { SHOWN = 30, CHOICES = 4 };
    static const char *const keys[CHOICES] = {NULL, "B4.delta.first", "B4.delta.lsq10",
                                              "B4.delta.lsq30"};
    static const char *const labels[CHOICES] = {
        "δ = 0", "equal first bounce", "least squares, 10 bounces", "least squares, 30 bounces"};
    double *numbers = ARENA_ARRAY(b->arena, SHOWN, double);
    PlotCurve curves[CHOICES];
    for (int k = 0; k < CHOICES; k++) {
        double *late = ARENA_ARRAY(b->arena, SHOWN, double);
        Ball ball = *linear;
        for (size_t i = 0; keys[k] && i < b->findings.count; i++)
            if (strcmp(b->findings.items[i].key, keys[k]) == 0)
                ball.v0 = b->findings.items[i].value;
        bounce_times(&ball, late, SHOWN);
        for (int i = 0; i < SHOWN; i++) {
            numbers[i] = i + 1;
            late[i] -= drag_times[i];
        }
        curves[k] = (PlotCurve){
            .label = labels[k], .x = numbers, .y = late, .count = SHOWN, .style = PLOT_LINE_POINTS};
    }
    const PlotPanel panel = {.x = {.label = "bounce", .unit = NULL},
                             .y = {.label = "linear model late by", .unit = "s"},
                             .curves = curves,
                             .curve_count = CHOICES,
                             .legend = PLOT_LEGEND_ABOVE};
    document_figure(b->document, DOCUMENT_BOTH, "B4.late",
                    "B4: how late the linear model's bounces are, for several initial velocities",
                    &(PlotFigure){.panels = &panel, .panel_count = 1, .width = PLOT_COLUMN_WIDTH});
}

void c21_b4(Benchmark *b)
{
    const LabSetup standard = {.file = "Ball.mo", .model = "Ball.EventContact"};
    const Ball drag = ball_of(b, &standard);
    Ball linear = drag;
    linear.beta = 0.0;
    double *drag_times = ARENA_ARRAY(b->arena, BOUNCES, double);
    Compensation c = {.b = b,
                      .ball = linear,
                      .targets = drag_times,
                      .limit = bounce_times(&drag, drag_times, BOUNCES),
                      .by_simulation = true};
    compensate_linear(b, c);
    // The other way round the limit can be reached, from above and from below.
    Compensation reverse = {
        .b = b, .ball = drag, .limit = limit_time(&linear), .by_simulation = true};
    Compensation exact = reverse;
    exact.by_simulation = false;
    static const double brackets[2][2] = {{-40.0, 0.0}, {0.0, 40.0}};
    for (int i = 0; i < 2; i++)
        findings_check(&b->findings,
                       root_find(miss_limit, &reverse, brackets[i][0], brackets[i][1], 1e-11),
                       "m/s", root_find(miss_limit, &exact, brackets[i][0], brackets[i][1], 0.0),
                       1e-9, "closed form", "B4.delta.reverse[%d]", i + 1);
    plot_compensation(b, &linear, drag_times);
}

// ---------------------------------------------------------------------------
// B9, as far as closed forms go
// ---------------------------------------------------------------------------

void c21_mars_limit(Benchmark *b)
{
    static const SaltusSetting mars[] = {{"g", 3.69}, {"beta", 2.3e-4}};
    const LabSetup setup = {.file = "Ball.mo",
                            .model = "Ball.EventContact",
                            .values = mars,
                            .value_count = COUNT(mars),
                            .stop_time = 60.0,
                            .is_silent = true,
                            .method = lab_method(SALTUS_SOLVER_DOP853, 1e-12, 0.0)};
    const Ball ball = ball_of(b, &setup);
    findings_check(&b->findings, simulated_limit(benchmark_lab(b, &setup), &ball), "s",
                   limit_time(&ball), 1e-10, "closed form of each rise and fall", "B9.mars.t_inf");
}
