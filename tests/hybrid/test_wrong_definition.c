// SPDX-License-Identifier: MIT
//
// Wrong definitions: each mistake in a system, a mode or the options of a run is refused with a
// status and a message that names the mode and what is wrong, and nothing is left behind.

#include "support/hybrid.h"
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// A mode with everything, and right
// ---------------------------------------------------------------------------

static int rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)x;
    dx[0] = z[0];
    return 0;
}

static int algebraic(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] + x[0];
    return 0;
}

static int plain_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = -x[0];
    return 0;
}

static int evaluate(const SaltusContext *c, double t, const double *x, const double *z_guess,
                    const SaltusValues *out)
{
    (void)c, (void)t, (void)z_guess;
    if (out->dx)
        out->dx[0] = -x[0];
    return 0;
}

static int residual(const SaltusContext *c, double t, const double *x, const double *z,
                    const double *dx, double *r)
{
    (void)c, (void)t;
    r[0] = dx[0] - z[0];
    r[1] = z[0] + x[0];
    return 0;
}

static int jacobian(const SaltusContext *c, double t, const double *x, const double *z, double *j)
{
    UNUSED_ARGUMENTS;
    j[0] = 0.0, j[1] = 1.0, j[2] = 1.0, j[3] = 1.0;
    return 0;
}

static int level(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 0.5;
    return 0;
}

static int output(const SaltusContext *c, double t, const double *x, const double *z, double *y)
{
    UNUSED_ARGUMENTS;
    y[0] = 2.0 * x[0];
    return 0;
}

static const SaltusEventDef half = {.name = "half", .condition = "x < 0.5"};
static const double start[2] = {1.0, -1.0};

static SaltusModeDef right_mode(void)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "decay";
    mode.state_count = 1;
    mode.algebraic_count = 1;
    mode.start = start;
    mode.rhs = rhs;
    mode.algebraic = algebraic;
    mode.event_count = 1;
    mode.events = &half;
    mode.event_functions = level;
    mode.output_count = 1;
    mode.outputs = output;
    return mode;
}

static SaltusSystemDef right_system(const SaltusModeDef *mode)
{
    SaltusSystemDef def = hybrid_system(1, mode);
    return def;
}

// The definition is refused like this.
static void assert_refused(const SaltusSystemDef *def, SaltusStatus expected, const char *says)
{
    SaltusSystem *system = (SaltusSystem *)&system; // must be overwritten
    SaltusError error;
    SaltusStatus status = saltus_system_create(def, &system, &error);
    if (status != expected)
        fail_msg("status %d instead of %d; should say \"%s\"", status, expected, says);
    assert_null(system);
    assert_int_equal(error.status, expected);
    assert_int_equal(error.event, -1);
    assert_contains(error.message, says);
    saltus_error_clear(&error);
    assert_int_equal(saltus_system_create(def, &system, NULL), expected); // nobody wants to know
}

static void assert_mode_refused(const SaltusModeDef *mode, const char *says)
{
    SaltusSystemDef def = right_system(mode);
    assert_refused(&def, SALTUS_ERROR_ARGUMENT, says);
    if (mode->name && mode->name[0]) {
        SaltusError error;
        SaltusSystem *system;
        saltus_system_create(&def, &system, &error);
        assert_contains(error.message, mode->name);
        saltus_error_clear(&error);
    }
}

// ---------------------------------------------------------------------------
// Modes
// ---------------------------------------------------------------------------

static void test_right_mode(void **state)
{
    (void)state;
    SaltusModeDef mode = right_mode();
    Hybrid hybrid = hybrid_begin_mode(&mode, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    hybrid_end(&hybrid);
}

static void test_counts(void **state)
{
    (void)state;
    SaltusModeDef mode = right_mode();
    mode.state_count = 0;
    assert_mode_refused(&mode, "state_count is 0");
    mode.state_count = -1;
    assert_mode_refused(&mode, "negative number of states");
    mode = right_mode();
    mode.algebraic_count = -1;
    assert_mode_refused(&mode, "negative number of states or algebraic unknowns");
    mode.algebraic_count = 0;
    assert_mode_refused(&mode, "algebraic_count is 0");
    mode = right_mode();
    mode.state_count = mode.algebraic_count = INT_MAX;
    assert_mode_refused(&mode, "too many");
    mode = right_mode();
    mode.event_count = -1;
    assert_mode_refused(&mode, "negative number of event functions");
    mode = right_mode();
    mode.output_count = -3;
    assert_mode_refused(&mode, "outputs");
}

static void test_missing_callbacks(void **state)
{
    (void)state;
    SaltusModeDef mode = right_mode();
    mode.rhs = NULL;
    mode.algebraic = NULL;
    assert_mode_refused(&mode, "neither rhs nor evaluate nor residual");
    mode = right_mode();
    mode.rhs = NULL;
    assert_mode_refused(&mode, "neither rhs nor evaluate nor residual");
    mode = right_mode();
    mode.algebraic = NULL;
    assert_mode_refused(&mode, "no algebraic equations");
    mode = right_mode();
    mode.event_functions = NULL;
    assert_mode_refused(&mode, "no event_functions");
    mode = right_mode();
    mode.events = NULL;
    assert_mode_refused(&mode, "event_count without events");
    mode = right_mode();
    mode.outputs = NULL;
    assert_mode_refused(&mode, "no outputs");
    mode = right_mode();
    mode.work.destroy = free;
    assert_mode_refused(&mode, "both work.create and work.destroy");
    mode = right_mode();
    mode.name = NULL;
    assert_mode_refused(&mode, "without a name");
    mode.name = "";
    assert_mode_refused(&mode, "without a name");
}

static void test_several_forms(void **state)
{
    (void)state;
    SaltusModeDef mode = right_mode();
    mode.evaluate = evaluate;
    assert_mode_refused(&mode, "not several");
    mode = right_mode();
    mode.residual = residual;
    assert_mode_refused(&mode, "not several");
    mode.rhs = NULL;
    mode.algebraic = NULL;
    mode.hints.jacobian = jacobian;
    assert_mode_refused(&mode, "implicit_jacobian");
    mode = right_mode();
    mode.rhs = NULL;
    mode.evaluate = evaluate;
    assert_mode_refused(&mode, "algebraic goes with rhs");
}

static void test_events(void **state)
{
    (void)state;
    SaltusModeDef mode = right_mode();
    SaltusEventDef event = half;
    mode.events = &event;
    event.direction = (SaltusDirection)2;
    assert_mode_refused(&mode, "event half");
    event = half;
    event.noise = -1.0;
    assert_mode_refused(&mode, "noise");
    event.noise = NAN;
    assert_mode_refused(&mode, "noise");
    event.noise = INFINITY;
    assert_mode_refused(&mode, "noise");
}

// Values are carried over by name: two variables of one name would be one.
static void test_names(void **state)
{
    (void)state;
    SaltusModeDef mode = right_mode();
    mode.algebraic_names = (const char *[]){"x0"}; // the state has this name by default
    assert_mode_refused(&mode, "two variables have the name x0");
    mode.state_names = (const char *[]){"height"};
    mode.algebraic_names = (const char *[]){"height"};
    assert_mode_refused(&mode, "two variables have the name height");
}

static void test_numbers_of_a_mode(void **state)
{
    (void)state;
    const double bad_nominal[] = {0.0, -1.0, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad_nominal / sizeof bad_nominal[0]; i++) {
        SaltusModeDef mode = right_mode();
        mode.nominal = (double[]){1.0, bad_nominal[i]};
        assert_mode_refused(&mode, "nominal value of z0");
    }
    const double bad_tolerance[] = {-1e-9, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad_tolerance / sizeof bad_tolerance[0]; i++) {
        SaltusModeDef mode = right_mode();
        mode.absolute_tolerance = (double[]){bad_tolerance[i], 1e-9};
        mode.state_names = (const char *[]){"height"};
        assert_mode_refused(&mode, "absolute tolerance of height");
    }
}

static void test_sparsity(void **state)
{
    (void)state;
    const SaltusSparsity bad[] = {
        {NULL, (int[]){0, 1}},
        {(int[]){0, 1, 2}, NULL},
        {(int[]){1, 1, 2}, (int[]){0, 1}},       // does not begin at 0
        {(int[]){0, 2, 1}, (int[]){0, 1}},       // not ascending
        {(int[]){0, 1, 2}, (int[]){0, 2}},       // no such row
        {(int[]){0, 1, 2}, (int[]){-1, 1}},      // nor this one
        {(int[]){0, 2, 3}, (int[]){1, 0, 1}},    // rows not ascending
        {(int[]){0, 2, 4}, (int[]){1, 1, 0, 1}}, // a row twice
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        SaltusModeDef mode = right_mode();
        mode.hints.sparsity = &bad[i];
        assert_mode_refused(&mode, "sparsity");
    }
}

static void test_method_of_a_mode(void **state)
{
    (void)state;
    SaltusModeDef mode = right_mode();
    SaltusMethod method = saltus_default_method();
    mode.method = &method;
    method.solver = (SaltusSolver)77;
    assert_mode_refused(&mode, "solver number 77");
    method = saltus_default_method();
    method.locate = (SaltusLocate)-1;
    assert_mode_refused(&mode, "locator number -1");
    method = saltus_default_method();
    method.relative_tolerance = 0.0;
    assert_mode_refused(&mode, "tolerance");
}

// ---------------------------------------------------------------------------
// Systems
// ---------------------------------------------------------------------------

static void test_systems(void **state)
{
    (void)state;
    SaltusModeDef mode = right_mode();
    assert_refused(NULL, SALTUS_ERROR_ARGUMENT, "no system definition");
    SaltusSystemDef def = right_system(&mode);
    assert_int_equal(saltus_system_create(&def, NULL, NULL), SALTUS_ERROR_ARGUMENT);
    def.modes = NULL;
    assert_refused(&def, SALTUS_ERROR_ARGUMENT, "mode_count without modes");
    def = right_system(&mode);
    def.mode_count = -1;
    assert_refused(&def, SALTUS_ERROR_ARGUMENT, "mode_count");
    def.mode_count = 0;
    assert_refused(&def, SALTUS_ERROR_ARGUMENT, "without modes");
    def = right_system(&mode);
    def.initial_mode = 1;
    assert_refused(&def, SALTUS_ERROR_MODE, "initial mode 1");
    def.initial_mode = -1;
    assert_refused(&def, SALTUS_ERROR_MODE, "initial mode -1");
    def = right_system(&mode);
    def.parameter_count = 2;
    assert_refused(&def, SALTUS_ERROR_ARGUMENT, "parameter_count");
    def.parameter_count = -2;
    assert_refused(&def, SALTUS_ERROR_ARGUMENT, "parameter_count");
    def = right_system(&mode);
    def.input_count = 1;
    assert_refused(&def, SALTUS_ERROR_ARGUMENT, "input_count");
    saltus_system_destroy(NULL);
}

// ---------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------

static void assert_run_refused(const SaltusSystem *system, const SaltusOptions *options,
                               SaltusStatus expected, const char *says)
{
    SaltusRun *run = (SaltusRun *)&run;
    SaltusError error;
    SaltusStatus status = saltus_run_create(system, options, &run, &error);
    if (status != expected)
        fail_msg("status %d instead of %d; should say \"%s\"", status, expected, says);
    assert_null(run);
    assert_int_equal(error.status, expected);
    assert_contains(error.message, says);
    saltus_error_clear(&error);
    assert_int_equal(saltus_run_create(system, options, &run, NULL), expected);
}

typedef void (*Spoil)(SaltusOptions *options, double value);

static void spoil_relative(SaltusOptions *o, double value)
{
    o->method.relative_tolerance = value;
}

static void spoil_absolute(SaltusOptions *o, double value)
{
    o->method.absolute_tolerance = value;
}

static void spoil_step(SaltusOptions *o, double value)
{
    o->method.step = value;
}

static void spoil_max_step(SaltusOptions *o, double value)
{
    o->method.max_step = value;
}

static void spoil_event_tolerance(SaltusOptions *o, double value)
{
    o->method.event_tolerance = value;
}

static void spoil_start_time(SaltusOptions *o, double value)
{
    o->start_time = value;
}

static void spoil_interval(SaltusOptions *o, double value)
{
    o->record = SALTUS_RECORD_INTERVALS;
    o->output_interval = value;
}

static void test_numbers_of_a_run(void **state)
{
    (void)state;
    const struct {
        Spoil spoil;
        const char *says;
        double values[4]; // up to the first 1
    } cases[] = {
        {spoil_relative, "relative tolerance", {0.0, -1e-6, NAN, INFINITY}},
        {spoil_absolute, "absolute tolerance", {-1e-9, NAN, INFINITY, 1.0}},
        {spoil_step, "step", {-0.1, NAN, INFINITY, 1.0}},
        {spoil_max_step, "max_step", {-0.1, NAN, 1.0}},
        {spoil_event_tolerance, "event_tolerance", {-1e-9, NAN, INFINITY, 1.0}},
        {spoil_start_time, "start time", {NAN, INFINITY, -INFINITY, 1.0}},
        {spoil_interval, "output_interval", {0.0, -1.0, NAN, INFINITY}},
    };
    SaltusModeDef mode = right_mode();
    SaltusSystemDef def = right_system(&mode);
    SaltusSystem *system;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int k = 0; k < 4 && cases[i].values[k] != 1.0; k++) {
            SaltusOptions options = saltus_default_options();
            cases[i].spoil(&options, cases[i].values[k]);
            assert_run_refused(system, &options, SALTUS_ERROR_ARGUMENT, cases[i].says);
        }
    }
    saltus_system_destroy(system);
}

static void test_choices_of_a_run(void **state)
{
    (void)state;
    SaltusModeDef mode = right_mode();
    SaltusSystemDef def = right_system(&mode);
    SaltusSystem *system;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    SaltusOptions options = saltus_default_options();
    options.method.solver = (SaltusSolver)11;
    assert_run_refused(system, &options, SALTUS_ERROR_ARGUMENT, "solver number 11");
    options.method.solver = (SaltusSolver)-1;
    assert_run_refused(system, &options, SALTUS_ERROR_ARGUMENT, "solver number -1");
    options = saltus_default_options();
    options.method.locate = (SaltusLocate)7;
    assert_run_refused(system, &options, SALTUS_ERROR_ARGUMENT, "locator number 7");
    options = saltus_default_options();
    options.method.locate_iterations = -1;
    assert_run_refused(system, &options, SALTUS_ERROR_ARGUMENT, "locate_iterations");
    options = saltus_default_options();
    options.max_steps = -1;
    assert_run_refused(system, &options, SALTUS_ERROR_ARGUMENT, "limit");
    options = saltus_default_options();
    options.max_events = -1;
    assert_run_refused(system, &options, SALTUS_ERROR_ARGUMENT, "limit");
    options = saltus_default_options();
    options.max_event_iterations = 0;
    assert_run_refused(system, &options, SALTUS_ERROR_ARGUMENT, "limit");
    options = saltus_default_options();
    options.backstep = (SaltusBackstep)3;
    assert_run_refused(system, &options, SALTUS_ERROR_ARGUMENT, "backstep");
    options = saltus_default_options();
    options.zeno = (SaltusZeno)-1;
    assert_run_refused(system, &options, SALTUS_ERROR_ARGUMENT, "zeno");
    options = saltus_default_options();
    options.record = 1u << 3;
    assert_run_refused(system, &options, SALTUS_ERROR_ARGUMENT, "record");
    options = saltus_default_options();
    assert_run_refused(NULL, &options, SALTUS_ERROR_ARGUMENT, "no system");
    assert_run_refused(system, NULL, SALTUS_ERROR_ARGUMENT, "no options");
    assert_int_equal(saltus_run_create(system, &options, NULL, NULL), SALTUS_ERROR_ARGUMENT);
    saltus_run_destroy(NULL);
    saltus_system_destroy(system);
}

// ---------------------------------------------------------------------------
// Solvers that do not suit
// ---------------------------------------------------------------------------

static void test_unsuitable_solvers(void **state)
{
    (void)state;
    SaltusModeDef implicit = right_mode();
    implicit.rhs = NULL;
    implicit.algebraic = NULL;
    implicit.residual = residual;
    SaltusModeDef explicit = right_mode();
    explicit.algebraic_count = 0;
    explicit.algebraic = NULL;
    explicit.rhs = plain_rhs;
    SaltusSystemDef def = right_system(&implicit);
    SaltusSystem *implicit_system, *explicit_system;
    assert_int_equal(saltus_system_create(&def, &implicit_system, NULL), SALTUS_OK);
    def = right_system(&explicit);
    assert_int_equal(saltus_system_create(&def, &explicit_system, NULL), SALTUS_OK);

    SaltusOptions options = saltus_default_options();
    options.method.step = 0.1;
    const SaltusSolver not_implicit[] = {
        SALTUS_SOLVER_EULER, SALTUS_SOLVER_RK4,   SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
        SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS};
    for (size_t i = 0; i < sizeof not_implicit / sizeof not_implicit[0]; i++) {
        options.method.solver = not_implicit[i];
        assert_run_refused(implicit_system, &options, SALTUS_ERROR_SOLVER, "needs ida");
        assert_run_refused(implicit_system, &options, SALTUS_ERROR_SOLVER, "mode decay");
        assert_run_refused(implicit_system, &options, SALTUS_ERROR_SOLVER,
                           saltus_solver_name(not_implicit[i]));
    }
    options = saltus_default_options();
    options.method.locate = SALTUS_LOCATE_SUNDIALS;
    options.method.solver = SALTUS_SOLVER_DOPRI5;
    assert_run_refused(explicit_system, &options, SALTUS_ERROR_SOLVER, "goes with cvode");
    options = saltus_default_options();
    options.backstep = SALTUS_NO_BACKSTEP;
    assert_run_refused(explicit_system, &options, SALTUS_ERROR_SOLVER, "need a fixed step");
    options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_HEUN;
    assert_run_refused(explicit_system, &options, SALTUS_ERROR_SOLVER, "set method.step");
    saltus_system_destroy(implicit_system);
    saltus_system_destroy(explicit_system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_mode),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_missing_callbacks),
        cmocka_unit_test(test_several_forms),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_numbers_of_a_mode),
        cmocka_unit_test(test_sparsity),
        cmocka_unit_test(test_method_of_a_mode),
        cmocka_unit_test(test_systems),
        cmocka_unit_test(test_numbers_of_a_run),
        cmocka_unit_test(test_choices_of_a_run),
        cmocka_unit_test(test_unsuitable_solvers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
