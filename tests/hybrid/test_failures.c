// SPDX-License-Identifier: MIT
//
// Equations that cannot be evaluated or solved: values that are not numbers from each callback,
// always or only beyond some state; Newton's method without a solution; singular Jacobians.
// Where a smaller step avoids the failure, the run goes on; else it ends with a status and a
// message that says which mode, what time, what, and the results so far are there.

#include "hybrid/run.h"
#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"height", "speed"};

// What goes wrong, how, from what time on.
typedef struct Fault {
    const char *where; // "f", "g", "h", "dh", "y"
    double value;      // NaN, infinity; or a number: the callback returns it
    double from;
} Fault;

// The value if it is time for it; else the code to return.
static int faulty(const SaltusContext *c, const char *where, double t, double *value)
{
    const Fault *fault = c->user;
    if (strcmp(fault->where, where) != 0 || t < fault->from)
        return 0;
    if (isfinite(fault->value))
        return (int)fault->value;
    *value = fault->value;
    return 0;
}

static int rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)z;
    dx[0] = x[1];
    dx[1] = -x[0];
    return faulty(c, "f", t, &dx[1]);
}

static int rhs_with_algebraic(const SaltusContext *c, double t, const double *x, const double *z,
                              double *dx)
{
    dx[0] = x[1];
    dx[1] = z[0];
    return faulty(c, "f", t, &dx[1]);
}

static int algebraic(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    g[0] = z[0] + x[0];
    return faulty(c, "g", t, &g[0]);
}

static int residual(const SaltusContext *c, double t, const double *x, const double *z,
                    const double *dx, double *r)
{
    (void)z;
    r[0] = dx[0] - x[1];
    r[1] = dx[1] + x[0];
    return faulty(c, "f", t, &r[1]);
}

static int evaluate(const SaltusContext *c, double t, const double *x, const double *z_guess,
                    const SaltusValues *out)
{
    (void)z_guess;
    int code = 0;
    if (out->dx) {
        code = rhs(c, t, x, NULL, out->dx);
    }
    if (out->h) {
        out->h[0] = x[0] - 5.0;
        code = code != 0 ? code : faulty(c, "h", t, &out->h[0]);
    }
    if (out->y) {
        out->y[0] = x[0];
        code = code != 0 ? code : faulty(c, "y", t, &out->y[0]);
    }
    return code;
}

static int never(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)z;
    h[0] = x[0] - 5.0;
    return faulty(c, "h", t, &h[0]);
}

static int height_flow(const SaltusContext *c, double t, const double *x, const double *z,
                       const double *dx, double *dh)
{
    (void)x, (void)z;
    dh[0] = dx[0];
    return faulty(c, "dh", t, &dh[0]);
}

static int output(const SaltusContext *c, double t, const double *x, const double *z, double *y)
{
    (void)z;
    y[0] = x[0];
    return faulty(c, "y", t, &y[0]);
}

static const double start[3] = {1.0, 0.0, -1.0};
static const SaltusEventDef never_event = {.name = "never", .condition = "height > 5"};

// An oscillator with one event function that never crosses and one output.
static SaltusModeDef oscillator(void)
{
    SaltusModeDef mode = hybrid_mode("swing", 2, start, rhs, 1, &never_event, never);
    mode.state_names = names;
    mode.output_count = 1;
    mode.outputs = output;
    return mode;
}

static SaltusSystemDef system_of(const SaltusModeDef *mode, void *user)
{
    SaltusSystemDef def = hybrid_system(1, mode);
    def.user = user;
    return def;
}

// The run ends before `limit` with this status and these words; all rows are good ones.
static void assert_run_fails(const SaltusSystemDef *def, const SaltusOptions *options,
                             SaltusStatus expected, double limit, const char *says)
{
    Hybrid hybrid = hybrid_begin(def, options);
    SaltusStatus status = saltus_run_advance(hybrid.run, 3.0);
    const SaltusError *error = saltus_run_error(hybrid.run);
    if (status != expected)
        fail_msg("%s: status %d instead of %d: %s", saltus_solver_name(options->method.solver),
                 status, expected, error->message);
    assert_int_equal(error->status, expected);
    assert_contains(error->message, "mode swing");
    assert_contains(error->message, "t = ");
    assert_contains(error->message, says);
    assert_true(saltus_run_time(hybrid.run) <= limit);
    assert_true(saltus_run_row_count(hybrid.run) > 1);
    for (long i = 0; i < saltus_run_row_count(hybrid.run); i++) {
        SaltusRow row = saltus_run_row(hybrid.run, i);
        assert_close(row.x[0], cos(row.t), 0.2); // euler's error at t = 1
        assert_true(row.y[0] == row.x[0]);
    }
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), expected);
    hybrid_end(&hybrid);
}

// The run cannot even begin.
static void assert_start_fails(const SaltusSystemDef *def, SaltusStatus expected, const char *says)
{
    SaltusSystem *system;
    SaltusRun *run;
    SaltusError error;
    SaltusOptions options = saltus_default_options();
    assert_int_equal(saltus_system_create(def, &system, NULL), SALTUS_OK);
    SaltusStatus status = saltus_run_create(system, &options, &run, &error);
    if (status != expected)
        fail_msg("status %d instead of %d: %s", status, expected, error.message);
    assert_null(run);
    assert_int_equal(error.status, expected);
    assert_contains(error.message, "mode swing");
    assert_contains(error.message, "t = 0");
    assert_contains(error.message, says);
    saltus_error_clear(&error);
    saltus_system_destroy(system);
}

static const SaltusSolver all_solvers[] = {
    SALTUS_SOLVER_EULER,  SALTUS_SOLVER_HEUN,   SALTUS_SOLVER_RK4,
    SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
    SALTUS_SOLVER_CVODE,  SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};
enum { SOLVERS = sizeof all_solvers / sizeof all_solvers[0] };

// ---------------------------------------------------------------------------
// Not a number, from a time on
// ---------------------------------------------------------------------------

static SaltusOptions options_of(SaltusSolver solver)
{
    SaltusOptions options = saltus_default_options();
    options.method.solver = solver;
    options.method.step = solver <= SALTUS_SOLVER_RK4 ? 0.0625 : 0.0;
    return options;
}

// A failure code, recoverable or not, or values that are not numbers.
static const double kinds_of_fault[] = {NAN, INFINITY, -INFINITY, 1.0, -1.0};
enum { FAULTS = sizeof kinds_of_fault / sizeof kinds_of_fault[0] };

static void test_rhs(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        for (int k = 0; k < FAULTS; k++) {
            Fault fault = {"f", kinds_of_fault[k], 1.0};
            SaltusModeDef mode = oscillator();
            SaltusSystemDef def = system_of(&mode, &fault);
            SaltusOptions options = options_of(all_solvers[s]);
            assert_run_fails(&def, &options, SALTUS_ERROR_EVALUATION, 1.0, "");
        }
    }
}

static int explain(const SaltusContext *c, int code, SaltusMessage *message)
{
    (void)c;
    saltus_say(message, "fault number %d", code);
    return 0;
}

// What the client says about the code that its callback returned ends the message.
static void test_explained(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        Fault fault = {"f", 7.0, 1.0};
        SaltusModeDef mode = oscillator();
        SaltusSystemDef def = system_of(&mode, &fault);
        def.explain = explain;
        SaltusOptions options = options_of(all_solvers[s]);
        assert_run_fails(&def, &options, SALTUS_ERROR_EVALUATION, 1.0, ": fault number 7");
    }
}

static void test_event_functions(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        for (int k = 0; k < FAULTS; k++) {
            Fault fault = {"h", kinds_of_fault[k], 1.0};
            SaltusModeDef mode = oscillator();
            SaltusSystemDef def = system_of(&mode, &fault);
            SaltusOptions options = options_of(all_solvers[s]);
            assert_run_fails(&def, &options, SALTUS_ERROR_EVALUATION, 1.0,
                             isfinite(kinds_of_fault[k]) ? "the event functions failed"
                                                         : "the event function of never");
            if (!(all_solvers[s] >= SALTUS_SOLVER_CVODE))
                continue;
            options.method.locate = SALTUS_LOCATE_SUNDIALS;
            assert_run_fails(&def, &options, SALTUS_ERROR_EVALUATION, 1.0, "event function");
        }
    }
}

static void test_joint_evaluation(void **state)
{
    (void)state;
    const char *const places[] = {"f", "h"};
    for (int p = 0; p < 2; p++) {
        for (int s = 0; s < SOLVERS; s++) {
            for (int k = 0; k < FAULTS; k++) {
                Fault fault = {places[p], kinds_of_fault[k], 1.0};
                SaltusModeDef mode = oscillator();
                mode.rhs = NULL;
                mode.event_functions = NULL;
                mode.outputs = NULL;
                mode.evaluate = evaluate;
                SaltusSystemDef def = system_of(&mode, &fault);
                SaltusOptions options = options_of(all_solvers[s]);
                assert_run_fails(&def, &options, SALTUS_ERROR_EVALUATION, 1.0, "");
            }
        }
    }
}

static void test_algebraic(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        for (int k = 0; k < FAULTS; k++) {
            Fault fault = {"g", kinds_of_fault[k], 1.0};
            SaltusModeDef mode = oscillator();
            mode.algebraic_count = 1;
            mode.rhs = rhs_with_algebraic;
            mode.algebraic = algebraic;
            SaltusSystemDef def = system_of(&mode, &fault);
            SaltusOptions options = options_of(all_solvers[s]);
            assert_run_fails(&def, &options, SALTUS_ERROR_EVALUATION, 1.0, "");
        }
    }
}

static void test_residual(void **state)
{
    (void)state;
    for (int k = 0; k < FAULTS; k++) {
        Fault fault = {"f", kinds_of_fault[k], 1.0};
        SaltusModeDef mode = oscillator();
        mode.rhs = NULL;
        mode.residual = residual;
        SaltusSystemDef def = system_of(&mode, &fault);
        SaltusOptions options = saltus_default_options();
        assert_run_fails(&def, &options, SALTUS_ERROR_EVALUATION, 1.0, "the residual");
    }
}

// The derivative along the flow is asked for only to locate. Hénon's method falls back.
static int crossing(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0];
    return 0;
}

static void test_event_flow(void **state)
{
    (void)state;
    for (int k = 0; k < FAULTS; k++) {
        Fault fault = {"dh", kinds_of_fault[k], 1.0};
        SaltusModeDef mode = oscillator();
        mode.event_functions = crossing;
        mode.event_flow = height_flow;
        SaltusSystemDef def = system_of(&mode, &fault);
        for (int locate = SALTUS_LOCATE_BRENT; locate <= SALTUS_LOCATE_HENON; locate++) {
            SaltusOptions options = saltus_default_options();
            options.method.locate = (SaltusLocate)locate;
            Hybrid hybrid = hybrid_begin(&def, &options);
            SaltusStatus status = saltus_run_advance(hybrid.run, 3.0);
            const SaltusError *error = saltus_run_error(hybrid.run);
            if (kinds_of_fault[k] == -1.0 && locate == SALTUS_LOCATE_TANGENT) {
                assert_int_equal(status, SALTUS_ERROR_EVALUATION);
                assert_contains(error->message, "derivative");
                assert_contains(error->message, "mode swing");
            } else { // there are ways without it
                assert_int_equal(status, SALTUS_OK);
                assert_int_equal(saltus_run_event_count(hybrid.run), 1);
                assert_close(saltus_run_event(hybrid.run, 0).t, acos(0.0), 1e-6);
            }
            hybrid_end(&hybrid);
        }
    }
}

// Outputs do not act on the run: what is not a number is recorded. A failure ends the run.
static void test_outputs(void **state)
{
    (void)state;
    for (int k = 0; k < FAULTS; k++) {
        for (int joint = 0; joint < 2; joint++) {
            Fault fault = {"y", kinds_of_fault[k], 1.0};
            SaltusModeDef mode = oscillator();
            if (joint) {
                mode.rhs = NULL;
                mode.event_functions = NULL;
                mode.outputs = NULL;
                mode.evaluate = evaluate;
            }
            SaltusSystemDef def = system_of(&mode, &fault);
            SaltusOptions options = saltus_default_options();
            options.method.max_step = 0.1;
            if (isfinite(kinds_of_fault[k])) {
                assert_run_fails(&def, &options, SALTUS_ERROR_EVALUATION, 1.2,
                                 joint ? "the evaluation of the mode failed while recording"
                                       : "the outputs failed while recording");
                continue;
            }
            Hybrid hybrid = hybrid_begin(&def, &options);
            assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_OK);
            SaltusRow last = saltus_run_row(hybrid.run, saltus_run_row_count(hybrid.run) - 1);
            assert_true(!isfinite(last.y[0]));
            hybrid_end(&hybrid);
        }
    }
}

static void test_at_the_start(void **state)
{
    (void)state;
    const char *const places[] = {"f", "g", "h"};
    const char *const says[] = {"right-hand side", "algebraic equations", "event function"};
    for (int p = 0; p < 3; p++) {
        for (int k = 0; k < FAULTS; k++) {
            Fault fault = {places[p], kinds_of_fault[k], -1.0};
            SaltusModeDef mode = oscillator();
            mode.algebraic_count = 1;
            mode.rhs = rhs_with_algebraic;
            mode.algebraic = algebraic;
            SaltusSystemDef def = system_of(&mode, &fault);
            assert_start_fails(&def, SALTUS_ERROR_EVALUATION, says[p]);
        }
    }
}

// The names of what is not finite.
static void test_names(void **state)
{
    (void)state;
    Fault fault = {"f", NAN, 1.0};
    SaltusModeDef mode = oscillator();
    SaltusSystemDef def = system_of(&mode, &fault);
    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_CVODE;
    assert_run_fails(&def, &options, SALTUS_ERROR_EVALUATION, 1.0,
                     "the right-hand side of speed is not finite");
    options.method.solver = SALTUS_SOLVER_DOPRI5;
    assert_run_fails(&def, &options, SALTUS_ERROR_EVALUATION, 1.0, "speed is not finite");
}

// ---------------------------------------------------------------------------
// Beyond some state only: smaller steps reach the event before
// ---------------------------------------------------------------------------

// x' = -1 where x > -margin; beyond it the root of a negative number.
typedef struct Edge {
    double margin;
    bool in_h;
} Edge;

static int edge_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    const Edge *edge = c->user;
    double root = edge->in_h ? 0.0 : sqrt(x[0] + edge->margin);
    dx[0] = -1.0 - 0.0 * root;
    return 0;
}

static int edge_function(const SaltusContext *c, double t, const double *x, const double *z,
                         double *h)
{
    (void)t, (void)z;
    const Edge *edge = c->user;
    h[0] = edge->in_h ? sqrt(x[0] + edge->margin) - sqrt(edge->margin) : x[0];
    return 0;
}

static void bounce_up(SaltusEvent *event)
{
    event->x[0] = 1.0;
}

static void test_beyond_the_event(void **state)
{
    (void)state;
    const Edge edges[] = {{0.1, false}, {1e-3, false}, {1e-6, false},
                          {0.1, true},  {1e-3, true},  {1e-6, true}};
    SaltusEventDef event = {.name = "edge", .direction = SALTUS_FALLING, .action = bounce_up};
    for (size_t e = 0; e < sizeof edges / sizeof edges[0]; e++) {
        Edge edge = edges[e];
        SaltusModeDef mode =
            hybrid_mode("fall", 1, (double[]){1.0}, edge_rhs, 1, &event, edge_function);
        SaltusSystemDef def = system_of(&mode, &edge);
        for (int s = 0; s < SOLVERS; s++) {
            for (int locate = SALTUS_LOCATE_BRENT; locate <= SALTUS_LOCATE_HENON; locate++) {
                SaltusOptions options = options_of(all_solvers[s]);
                options.method.locate = (SaltusLocate)locate;
                Hybrid hybrid = hybrid_begin(&def, &options);
                SaltusStatus status = saltus_run_advance(hybrid.run, 3.5);
                if (status != SALTUS_OK)
                    fail_msg("margin %g in %s, %s, %s: %s", edge.margin, edge.in_h ? "h" : "f",
                             saltus_solver_name(all_solvers[s]),
                             saltus_locate_name((SaltusLocate)locate),
                             saltus_run_error(hybrid.run)->message);
                assert_int_equal(saltus_run_event_count(hybrid.run), 3);
                for (int i = 0; i < 3; i++) // x is linear in t: only rounding remains
                    assert_close(saltus_run_event(hybrid.run, i).t, i + 1.0, 1e-12);
                hybrid_end(&hybrid);
            }
        }
    }
}

// Functions that are defined on one side of the start only.
static int root_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0 + 0.0 * sqrt(x[0]);
    return 0;
}

static int root_function(const SaltusContext *c, double t, const double *x, const double *z,
                         double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = sqrt(x[0]) - 0.5;
    h[1] = sqrt(x[0]); // zero at the start, not to be disturbed to the left
    return 0;
}

static void test_edge_at_the_start(void **state)
{
    (void)state;
    SaltusEventDef events[2] = {{.name = "half"}, {.name = "zero"}};
    SaltusModeDef mode =
        hybrid_mode("rise", 1, (double[]){0.0}, root_rhs, 2, events, root_function);
    const double starts[] = {0.0, 3.0};
    for (int k = 0; k < 2; k++) {
        SaltusOptions options = saltus_default_options();
        options.start_time = starts[k];
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, starts[k] + 1.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), 1);
        assert_close(saltus_run_event(hybrid.run, 0).t, starts[k] + 0.25, 1e-14);
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// Algebraic equations
// ---------------------------------------------------------------------------

static int no_solution(const SaltusContext *c, double t, const double *x, const double *z,
                       double *g)
{
    (void)c, (void)x, (void)t;
    g[0] = z[0] * z[0] + 1.0;
    return 0;
}

// A fold: the solution ends at t = 1.
static int fold(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)x;
    g[0] = z[0] * z[0] - (1.0 - t);
    return 0;
}

static int empty_equation(const SaltusContext *c, double t, const double *x, const double *z,
                          double *g)
{
    UNUSED_ARGUMENTS;
    g[0] = 0.0 * z[0];
    return 0;
}

static int plain_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 0.0 * z[0] + x[1];
    dx[1] = -x[0];
    return 0;
}

static void test_newton(void **state)
{
    (void)state;
    Fault none = {"", 0.0, 0.0};
    SaltusModeDef mode = oscillator();
    mode.algebraic_count = 1;
    mode.algebraic_names = (const char *[]){"force"};
    mode.rhs = plain_rhs;
    mode.algebraic = no_solution;
    SaltusSystemDef def = system_of(&mode, &none);
    assert_start_fails(&def, SALTUS_ERROR_NEWTON, "force");
    assert_start_fails(&def, SALTUS_ERROR_NEWTON, "could not be solved at the start");
    mode.algebraic = empty_equation;
    assert_start_fails(&def, SALTUS_ERROR_SINGULAR, "force");
    assert_start_fails(&def, SALTUS_ERROR_SINGULAR, "singular at the start");
}

static void test_fold(void **state)
{
    (void)state;
    Fault none = {"", 0.0, 0.0};
    for (int s = 0; s < SOLVERS; s++) {
        SaltusModeDef mode = oscillator();
        mode.algebraic_count = 1;
        mode.algebraic_names = (const char *[]){"force"};
        mode.start = (double[]){1.0, 0.0, 1.0};
        mode.rhs = plain_rhs;
        mode.algebraic = fold;
        SaltusSystemDef def = system_of(&mode, &none);
        SaltusOptions options = options_of(all_solvers[s]);
        Hybrid hybrid = hybrid_begin(&def, &options);
        SaltusStatus status = saltus_run_advance(hybrid.run, 3.0);
        // At the fold the Jacobian is singular and the solution ends: any of these may be seen.
        if (status != SALTUS_ERROR_NEWTON && status != SALTUS_ERROR_SINGULAR &&
            status != SALTUS_ERROR_STEP_SIZE)
            fail_msg("%s: %d %s", saltus_solver_name(all_solvers[s]), status,
                     saltus_run_error(hybrid.run)->message);
        assert_contains(saltus_run_error(hybrid.run)->message, "mode swing");
        assert_close(saltus_run_time(hybrid.run), 1.0, 0.07); // at most a fixed step before
        assert_true(saltus_run_time(hybrid.run) <= 1.0 + 1e-6);
        hybrid_end(&hybrid);
    }
}

// A residual in which nothing determines the second unknown.
static int singular_residual(const SaltusContext *c, double t, const double *x, const double *z,
                             const double *dx, double *r)
{
    UNUSED_ARGUMENTS;
    r[0] = dx[0] + x[0];
    r[1] = dx[0] + x[0];
    return 0;
}

static void test_singular_residual(void **state)
{
    (void)state;
    Fault none = {"", 0.0, 0.0};
    SaltusModeDef mode = oscillator();
    mode.rhs = NULL;
    mode.residual = singular_residual;
    SaltusSystemDef def = system_of(&mode, &none);
    assert_start_fails(&def, SALTUS_ERROR_SINGULAR, "singular");
}

// A solution that explodes: x = 1 / (1 - t).
static int explode(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[0] * x[0];
    return 0;
}

static void test_explosion(void **state)
{
    (void)state;
    const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
                                    SALTUS_SOLVER_CVODE, SALTUS_SOLVER_IDA};
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        SaltusModeDef mode = hybrid_mode("growth", 1, (double[]){1.0}, explode, 0, NULL, NULL);
        SaltusOptions options = saltus_default_options();
        options.method.solver = solvers[s];
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        SaltusStatus status = saltus_run_advance(hybrid.run, 3.0);
        assert_true(status == SALTUS_ERROR_STEP_SIZE || status == SALTUS_ERROR_EVALUATION ||
                    status == SALTUS_ERROR_NEWTON);
        assert_contains(saltus_run_error(hybrid.run)->message, "mode growth");
        assert_close(saltus_run_time(hybrid.run), 1.0, 1e-3); // the pole
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// What a failed event leaves behind
// ---------------------------------------------------------------------------

static int steady(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0;
    return 0;
}

static int up_to_1(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 1.0;
    return 0;
}

static void choose_and_fail(SaltusEvent *event)
{
    event->method->solver = SALTUS_SOLVER_RODAS;
    event->method->relative_tolerance = 1e-3;
    event->x[0] = 7.0;
    saltus_fail(event, "not today");
}

// An event that failed is undone: the states and the method are those before it.
static void test_undone(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "one", .action = choose_and_fail};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, steady, 1, &event, up_to_1);
    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_DOPRI5;
    Hybrid hybrid = hybrid_begin_mode(&mode, &options);
    hybrid_assert_ends(hybrid.run, 2.0, SALTUS_ERROR_ACTION, "not today");
    assert_int_equal(hybrid.run->method.solver, SALTUS_SOLVER_DOPRI5);
    assert_true(hybrid.run->method.relative_tolerance == options.method.relative_tolerance);
    assert_close(saltus_run_states(hybrid.run)[0], 1.0, 1e-15);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// Signs at the end of a step
// ---------------------------------------------------------------------------

static int still(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 0.0;
    return 0;
}

// Below zero at the very end of the step that reaches t = 1, and nowhere else.
static bool is_end;

static int below_at_end(const SaltusContext *c, double t, const double *x, const double *z,
                        double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = is_end ? -1.0 : 1.0;
    is_end = false;
    return 0;
}

static int note_end(const SaltusContext *c, double t, double *x, double *z)
{
    (void)c, (void)x, (void)z;
    is_end = t == 1.0;
    return 0;
}

// Neither the dense output nor a re-stepped state has what the end of the step has: no root can be
// located. It is not passed over; the event is at the end.
static void test_signs_agree(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "zero"};
    SaltusModeDef mode = hybrid_mode("still", 1, (double[]){1.0}, still, 1, &event, below_at_end);
    mode.project = note_end;
    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_RK4;
    options.method.step = 0.25;
    Hybrid hybrid = hybrid_begin_mode(&mode, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.fired[0].direction, -1);
    assert_true(entry.t == 1.0);
    assert_true(entry.bracket == 0.25);
    hybrid_end(&hybrid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rhs),
        cmocka_unit_test(test_explained),
        cmocka_unit_test(test_event_functions),
        cmocka_unit_test(test_joint_evaluation),
        cmocka_unit_test(test_algebraic),
        cmocka_unit_test(test_residual),
        cmocka_unit_test(test_event_flow),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_at_the_start),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_beyond_the_event),
        cmocka_unit_test(test_edge_at_the_start),
        cmocka_unit_test(test_newton),
        cmocka_unit_test(test_fold),
        cmocka_unit_test(test_singular_residual),
        cmocka_unit_test(test_explosion),
        cmocka_unit_test(test_undone),
        cmocka_unit_test(test_signs_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
