// SPDX-License-Identifier: MIT
//
// The solver exact with modes written in C: what the public interface says of linear modes.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <saltus/saltus.h>
#include <stdlib.h>
#include <string.h>

// x'' + x = cos(2 t): from rest x = (cos t - cos 2 t) / 3. Parameter: the stiffness, 1.
static int oscillator_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                          double *dx)
{
    (void)z;
    dx[0] = x[1];
    dx[1] = -c->p[0] * x[0] + cos(2.0 * t);
    return 0;
}

static int oscillator_coefficients(const SaltusContext *c, double t, double *coefficients,
                                   double *signals)
{
    coefficients[0] = c->p[0];
    signals[0] = sin(2.0 * t);
    signals[1] = cos(2.0 * t);
    return 0;
}

static int oscillator_matrix(const SaltusContext *c, const double *coefficients, double *m)
{
    (void)c;
    m[1] = -coefficients[0]; // x in v'
    m[4] = 1.0;              // v in x'
    m[13] = 1.0;             // the cosine in v'
    m[11] = -2.0;            // the sine in the derivative of the cosine
    m[14] = 2.0;             // and the other way round
    return 0;
}

static int no_matrix(const SaltusContext *c, const double *coefficients, double *m)
{
    (void)c, (void)coefficients, (void)m;
    return 1;
}

static int wild_matrix(const SaltusContext *c, const double *coefficients, double *m)
{
    m[3] = NAN;
    return oscillator_matrix(c, coefficients, m);
}

static SaltusLinear oscillator_linear(void)
{
    return (SaltusLinear){.signal_count = 2,
                          .coefficient_count = 1,
                          .coefficients = oscillator_coefficients,
                          .matrix = oscillator_matrix};
}

static SaltusSystem *make_system(const SaltusLinear *linear, SaltusAllocator allocator)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "oscillator";
    mode.state_count = 2;
    mode.start = (const double[]){0.0, 0.0};
    mode.rhs = oscillator_rhs;
    mode.hints.linear = linear;
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = &mode;
    def.parameter_count = 1;
    def.parameters = (const double[]){1.0};
    if (allocator.reallocate)
        def.allocator = allocator;
    SaltusSystem *system = NULL;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    return system;
}

// Somebody looks at the pieces of a run: without that, and without events, one step would do.
static int look(void *user, const SaltusPiece *piece)
{
    (void)user, (void)piece;
    return 0;
}

static SaltusRun *make_run(const SaltusSystem *system, SaltusSolver solver)
{
    SaltusOptions options = saltus_default_options();
    options.method.solver = solver;
    options.record = SALTUS_RECORD_NOTHING;
    options.piece = look;
    SaltusRun *run = NULL;
    assert_int_equal(saltus_run_create(system, &options, &run, NULL), SALTUS_OK);
    return run;
}

static double solution(double t)
{
    return (cos(t) - cos(2.0 * t)) / 3.0;
}

static void closed_form(void **state)
{
    (void)state;
    const SaltusLinear linear = oscillator_linear();
    SaltusSystem *system = make_system(&linear, (SaltusAllocator){0});
    SaltusRun *run = make_run(system, SALTUS_SOLVER_AUTO);
    for (int k = 1; k <= 40; k++) {
        assert_int_equal(saltus_run_advance(run, 5.0 * k), SALTUS_OK);
        // rounding: the phase has an error of 1e-16 t, and some more
        assert_true(fabs(saltus_run_states(run)[0] - solution(5.0 * k)) <= 1e-15 * (5.0 * k + 10));
    }
    assert_int_equal(saltus_run_solver(run), SALTUS_SOLVER_EXACT);
    assert_true(saltus_run_was_exact(run, 0));
    assert_false(saltus_run_was_exact(run, 1));
    assert_int_equal(saltus_run_statistics(run).exact_steps, saltus_run_statistics(run).steps);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

// After two time events that are 3 units of rounding apart, steps grow again, though the time goes
// a little less far in each of the first ones than it should.
static int fall_coefficients(const SaltusContext *c, double t, double *coefficients,
                             double *signals)
{
    (void)c, (void)t, (void)coefficients;
    signals[0] = 1.0;
    return 0;
}

static int fall_matrix(const SaltusContext *c, const double *coefficients, double *m)
{
    (void)c, (void)coefficients;
    m[2] = -1.0;
    return 0;
}

static int fall_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)x, (void)z;
    dx[0] = -1.0;
    return 0;
}

static void steps_grow_from_rounding(void **state)
{
    (void)state;
    const SaltusLinear linear = {
        .signal_count = 1, .coefficients = fall_coefficients, .matrix = fall_matrix};
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 1;
    mode.start = (const double[]){1.0};
    mode.rhs = fall_rhs;
    mode.hints.linear = &linear;
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = &mode;
    SaltusSystem *system = NULL;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    for (int k = 4; k <= 40; k++) { // below 4 the time would stay 0.8
        SaltusOptions options = saltus_default_options();
        options.method.solver = SALTUS_SOLVER_EXACT;
        options.method.step = 0.125 * k * 0x1p-52;
        options.start_time = 0.8;
        options.max_steps = 1000;
        SaltusRun *run = NULL;
        assert_int_equal(saltus_run_create(system, &options, &run, NULL), SALTUS_OK);
        assert_int_equal(saltus_run_advance(run, 1.8), SALTUS_OK);
        assert_true(fabs(saltus_run_states(run)[0]) <= 1e-14);
        saltus_run_destroy(run);
    }
    saltus_system_destroy(system);
}

// x = cos t, and x - c where c is so near to the largest x that both crossings of a period lie in
// 1/1000 of it, far between two samples of a step: none of them is lost.
static const double near_top = 1.0 - 1e-6;

static int top_coefficients(const SaltusContext *c, double t, double *coefficients, double *signals)
{
    (void)c, (void)t, (void)coefficients, (void)signals;
    return 0;
}

static int top_matrix(const SaltusContext *c, const double *coefficients, double *m)
{
    (void)c, (void)coefficients;
    m[1] = -1.0;
    m[2] = 1.0;
    return 0;
}

static int top_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -x[0];
    return 0;
}

static int top_events(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0] - near_top;
    return 0;
}

static void crossings_between_samples(void **state)
{
    (void)state;
    enum { PERIODS = 100 };
    const double pi = acos(-1.0), half = acos(near_top);
    const SaltusLinear linear = {.coefficients = top_coefficients, .matrix = top_matrix};
    const SaltusEventDef event = {.name = "top", .direction = SALTUS_BOTH};
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 2;
    mode.start = (const double[]){0.0, 1.0}; // a quarter of a period before the top
    mode.rhs = top_rhs;
    mode.hints.linear = &linear;
    mode.event_count = 1;
    mode.events = &event;
    mode.event_functions = top_events;
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = &mode;
    SaltusSystem *system = NULL;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    SaltusRun *run = make_run(system, SALTUS_SOLVER_EXACT);
    assert_int_equal(saltus_run_advance(run, 2.0 * pi * PERIODS), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(run), 2 * PERIODS);
    for (int i = 0; i < 2 * PERIODS; i++) {
        const double t = (0.5 + 2.0 * (i / 2)) * pi + (i % 2 ? half : -half);
        // The phase is off by some 1e-16 t; an error e of x moves a crossing by e / sin(half).
        assert_true(fabs(saltus_run_event(run, i).t - t) <= 1e-15 * (t + 10.0) / sin(half));
    }
    // A step is an eighth of a period at least: where there are no events, it is longer.
    assert_true(saltus_run_statistics(run).steps <= 16 * PERIODS);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

// Twice the same oscillator is four states, of which vectors take all at once: the same bits.
static int twice_matrix(const SaltusContext *c, const double *coefficients, double *m)
{
    (void)c, (void)coefficients;
    m[1] = m[11] = -1.0;
    m[4] = m[14] = 1.0;
    return 0;
}

static int twice_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    top_rhs(c, t, x, z, dx);
    return top_rhs(c, t, x + 2, z, dx + 2);
}

static void twice_the_same(void **state)
{
    (void)state;
    const SaltusLinear linears[] = {{.coefficients = top_coefficients, .matrix = top_matrix},
                                    {.coefficients = top_coefficients, .matrix = twice_matrix}};
    double x[2][4];
    for (int k = 0; k < 2; k++) {
        SaltusModeDef mode = saltus_default_mode();
        mode.state_count = 2 + 2 * k;
        mode.start = (const double[]){0.3, 1.0, 0.3, 1.0};
        mode.rhs = k ? twice_rhs : top_rhs;
        mode.hints.linear = &linears[k];
        SaltusSystemDef def = saltus_default_system();
        def.mode_count = 1;
        def.modes = &mode;
        SaltusSystem *system = NULL;
        assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
        SaltusRun *run = make_run(system, SALTUS_SOLVER_EXACT);
        assert_int_equal(saltus_run_advance(run, 12.7), SALTUS_OK);
        memcpy(x[k], saltus_run_states(run), (size_t)(2 + 2 * k) * sizeof(double));
        saltus_run_destroy(run);
        saltus_system_destroy(system);
    }
    assert_memory_equal(x[1], x[0], 2 * sizeof(double));
    assert_memory_equal(x[1] + 2, x[0], 2 * sizeof(double));
}

// A checkpoint goes on with the same bits.
static void copies(void **state)
{
    (void)state;
    const SaltusLinear linear = oscillator_linear();
    SaltusSystem *system = make_system(&linear, (SaltusAllocator){0});
    SaltusRun *run = make_run(system, SALTUS_SOLVER_EXACT), *copy = NULL;
    assert_int_equal(saltus_run_advance(run, 1.7), SALTUS_OK);
    assert_int_equal(saltus_run_copy(run, &copy, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_advance(run, 31.0), SALTUS_OK);
    assert_int_equal(saltus_run_advance(copy, 31.0), SALTUS_OK);
    for (int i = 0; i < 2; i++)
        assert_true(saltus_run_states(run)[i] == saltus_run_states(copy)[i]);
    saltus_run_destroy(copy);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

static void stiffen(SaltusEvent *event)
{
    event->p[0] = event->p[0] > 1.0 ? 1.0 : 1e4;
}

// The stiffness is changed every 0.4 s, up to a time.
static void alternate(SaltusRun *run, int from, int to)
{
    for (int k = from; k < to; k++) {
        assert_int_equal(saltus_run_advance(run, 0.4 * k), SALTUS_OK);
        assert_int_equal(saltus_run_apply(run, stiffen), SALTUS_OK);
    }
}

// Where matrices alternate, each of them knows how long the first step may be, and hardly one is
// tried in vain. (Else two are after each of the 13 changes to the stiff one.) A copy knows that as
// well.
static void first_steps(void **state)
{
    (void)state;
    enum { LEARNT = 4, COPIED = 10, END = 30 };
    const SaltusLinear linear = oscillator_linear();
    SaltusSystem *system = make_system(&linear, (SaltusAllocator){0});
    SaltusRun *run = make_run(system, SALTUS_SOLVER_EXACT), *copy = NULL;
    alternate(run, 1, LEARNT);
    const long before = saltus_run_statistics(run).rejected_steps;
    assert_true(before > 0);
    alternate(run, LEARNT, COPIED);
    assert_int_equal(saltus_run_copy(run, &copy, NULL), SALTUS_OK);
    alternate(run, COPIED, END);
    alternate(copy, COPIED, END);
    const SaltusStatistics s = saltus_run_statistics(run), same = saltus_run_statistics(copy);
    assert_in_range(s.rejected_steps, before, before + 2);
    assert_int_equal(s.rejected_steps, same.rejected_steps);
    assert_int_equal(s.steps, same.steps);
    for (int i = 0; i < 2; i++)
        assert_true(saltus_run_states(run)[i] == saltus_run_states(copy)[i]);
    saltus_run_destroy(copy);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

static void *counting_reallocate(void *user, void *block, size_t size)
{
    ++*(long *)user;
    if (size > 0)
        return realloc(block, size);
    free(block);
    return NULL;
}

// Steps allocate nothing, once the first one is made.
static void allocations(void **state)
{
    (void)state;
    long count = 0;
    const SaltusLinear linear = oscillator_linear();
    SaltusSystem *system =
        make_system(&linear, (SaltusAllocator){.reallocate = counting_reallocate, .user = &count});
    SaltusRun *run = make_run(system, SALTUS_SOLVER_EXACT);
    assert_int_equal(saltus_run_advance(run, 1.0), SALTUS_OK);
    const long before = count;
    assert_true(before > 0);
    assert_int_equal(saltus_run_advance(run, 1000.0), SALTUS_OK);
    assert_true(saltus_run_statistics(run).exact_steps > 1000);
    assert_int_equal(count, before);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

// Without a matrix, or with one that is no matrix, another solver does it.
static void fallback(void **state)
{
    (void)state;
    int (*const matrices[])(const SaltusContext *, const double *, double *) = {no_matrix,
                                                                                wild_matrix};
    for (int k = 0; k < 2; k++) {
        SaltusLinear linear = oscillator_linear();
        linear.matrix = matrices[k];
        SaltusSystem *system = make_system(&linear, (SaltusAllocator){0});
        SaltusRun *run = make_run(system, k ? SALTUS_SOLVER_EXACT : SALTUS_SOLVER_AUTO);
        assert_int_equal(saltus_run_advance(run, 10.0), SALTUS_OK);
        assert_int_equal(saltus_run_solver(run), SALTUS_SOLVER_DOPRI5);
        assert_false(saltus_run_was_exact(run, 0));
        assert_int_equal(saltus_run_statistics(run).exact_steps, 0);
        assert_true(fabs(saltus_run_states(run)[0] - solution(10.0)) <= 1e-4);
        saltus_run_destroy(run);
        saltus_system_destroy(system);
    }
}

// What is missing is refused when the system is made.
static void wrong_definition(void **state)
{
    (void)state;
    SaltusLinear linear = oscillator_linear();
    linear.matrix = NULL;
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "oscillator";
    mode.state_count = 2;
    mode.rhs = oscillator_rhs;
    mode.hints.linear = &linear;
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = &mode;
    SaltusSystem *system = NULL;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_ERROR_ARGUMENT);
    assert_null(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form),
        cmocka_unit_test(twice_the_same),
        cmocka_unit_test(copies),
        cmocka_unit_test(first_steps),
        cmocka_unit_test(steps_grow_from_rounding),
        cmocka_unit_test(crossings_between_samples),
        cmocka_unit_test(allocations),
        cmocka_unit_test(fallback),
        cmocka_unit_test(wrong_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
