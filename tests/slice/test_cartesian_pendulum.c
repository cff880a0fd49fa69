// SPDX-License-Identifier: MIT
//
// The rotating pendulum on a rope (ARGESIM C21) as one Cartesian DAE:
//     x' = vx, y' = vy, m vx' = -k vx - lambda x, m vy' = -m g - k vy - lambda y,
//     taut: x^2 + y^2 = l^2, else lambda = 0.
// Index 3 while taut, with x or y as the state; an ODE while the mass falls. The rope goes
// loose when lambda falls through zero, where x^2 + y^2 - l^2 has a triple zero; it gets taut
// when that rises through zero, and the radial velocity is lost by the impulse of lambda.

#include "slice/slice.h"
#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { X, Y, VX, VY, LAMBDA };
enum { M, K, L, G, E };
enum { TAUT };

static const double p[] = {[M] = 1.5, [K] = 0.9, [L] = 1.0, [G] = 9.81, [E] = 0.8};

// phi = pi/4 from the top, phi' = 15: x = l sin phi, y = l cos phi
static const Variable variables[] = {{"x", M_SQRT1_2},
                                     {"y", M_SQRT1_2},
                                     {"vx", 15.0 * M_SQRT1_2},
                                     {"vy", -15.0 * M_SQRT1_2},
                                     {"lambda", 0.0}};

#define SQUARE(e) MUL(e, e)
#define STRETCH SUB(ADD(SQUARE(VAR(X)), SQUARE(VAR(Y))), SQUARE(PAR(L)))

static const Equation equations[] = {
    {0, 0, SUB(DER(VAR(X)), VAR(VX)), "der(x) = vx"},
    {0, 0, SUB(DER(VAR(Y)), VAR(VY)), "der(y) = vy"},
    {0, 0, ADD(MUL(PAR(M), DER(VAR(VX))), ADD(MUL(PAR(K), VAR(VX)), MUL(VAR(LAMBDA), VAR(X)))),
     "m der(vx) = -k vx - lambda x"},
    {0, 0,
     ADD(MUL(PAR(M), ADD(DER(VAR(VY)), PAR(G))),
         ADD(MUL(PAR(K), VAR(VY)), MUL(VAR(LAMBDA), VAR(Y)))),
     "m der(vy) = -m g - k vy - lambda y"},
    {1u << TAUT, 0, STRETCH, "x^2 + y^2 = l^2"},
    {0, 1u << TAUT, VAR(LAMBDA), "lambda = 0"},
};

static const Flag flags[] = {[TAUT] = {.name = "taut",
                                       .stay = VAR(LAMBDA),
                                       .begin = STRETCH,
                                       .stay_text = "lambda > 0",
                                       .begin_text = "x^2 + y^2 > l^2",
                                       .set = true}};

#define PENDULUM                                                                                   \
    .name = "pendulum", .variables = variables, .variable_count = 5, .equations = equations,       \
    .equation_count = 6, .flags = flags, .flag_count = 1, .parameters = p, .parameter_count = 5

static const Model pendulum = {PENDULUM};

// ---------------------------------------------------------------------------
// The same in polar coordinates, by hand
// ---------------------------------------------------------------------------

static int swing(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[1];
    dx[1] = -p[K] / p[M] * x[1] + p[G] / p[L] * sin(x[0]);
    return 0;
}

static int force(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = -p[M] * p[G] * cos(x[0]) + p[M] * p[L] * x[1] * x[1];
    return 0;
}

static void let_fall(SaltusEvent *event)
{
    double phi = event->x[0], speed = p[L] * event->x[1];
    assert_int_equal(saltus_switch_mode(event, 1), SALTUS_OK);
    event->x[X] = p[L] * sin(phi), event->x[VX] = speed * cos(phi);
    event->x[Y] = p[L] * cos(phi), event->x[VY] = -speed * sin(phi);
}

static int fall(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[X] = x[VX], dx[VX] = -p[K] / p[M] * x[VX];
    dx[Y] = x[VY], dx[VY] = -p[G] - p[K] / p[M] * x[VY];
    return 0;
}

static int stretch(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[X] * x[X] + x[Y] * x[Y] - p[L] * p[L];
    return 0;
}

static void catch_it(SaltusEvent *event)
{
    double x = event->x[X], y = event->x[Y], vx = event->x[VX], vy = event->x[VY];
    assert_int_equal(saltus_switch_mode(event, 0), SALTUS_OK);
    event->x[0] = atan2(x, y);
    event->x[1] = (y * vx - x * vy) / (p[L] * p[L]);
}

static Hybrid polar(const SaltusMethod *method)
{
    static const char *const swing_names[] = {"phi", "omega"};
    SaltusEventDef loose = {.name = "F", .direction = SALTUS_FALLING, .action = let_fall};
    SaltusEventDef taut = {.name = "S", .direction = SALTUS_RISING, .action = catch_it};
    SaltusModeDef modes[] = {
        hybrid_mode("swing", 2, (double[]){M_PI_4, 15.0}, swing, 1, &loose, force),
        hybrid_mode("fall", 4, NULL, fall, 1, &taut, stretch)};
    modes[0].state_names = swing_names;
    SaltusSystemDef def = hybrid_system(2, modes);
    SaltusOptions options = saltus_default_options();
    options.method = *method;
    Hybrid hybrid = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 6.0), SALTUS_OK);
    return hybrid;
}

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

static void check_structure(const Simulation *s)
{
    SaltusLogEntry fall_entry = saltus_run_event(s->run, 0);
    const Structure *taut = slice_structure(s->slice, fall_entry.from);
    const Structure *loose = slice_structure(s->slice, fall_entry.to);
    const int twice[] = {1, 1, 0, 0, 2}, never[] = {0, 0, 0, 0, 0};
    assert_memory_equal(taut->c, twice, sizeof twice); // index 3
    assert_memory_equal(loose->c, never, sizeof never);
    assert_int_equal(taut->state_count, 2);
    assert_int_equal(loose->state_count, 4);
    // What the constraint makes zero is not monitored.
    const SaltusModeDef *def = saltus_system_mode(slice_system(s->slice), fall_entry.from);
    assert_true(def->events[2 * TAUT + 1].muted && !def->events[2 * TAUT].muted);
}

// Published: fall at 1.9219990, taut at 2.6614989. By every way to locate an event: Hénon's
// ends on h = 0, where only a decree says that the relation has turned.
static void test_published_times(void **state)
{
    (void)state;
    for (int locate = SALTUS_LOCATE_BRENT; locate <= SALTUS_LOCATE_HENON; locate++) {
        SaltusMethod method = simulation_method(1e-10);
        method.locate = (SaltusLocate)locate;
        Simulation s = simulation_run(&pendulum, &method, 6.0);
        assert_int_equal(s.status, SALTUS_OK);
        // Two, although the rope goes loose on a triple zero of the condition for taut.
        assert_int_equal(saltus_run_event_count(s.run), 2);
        assert_close(saltus_run_event(s.run, 0).t, 1.9219990, 6e-8);
        assert_close(saltus_run_event(s.run, 1).t, 2.6614989, 6e-8);
        assert_int_equal(saltus_run_event(s.run, 0).classes, SALTUS_SE_S);
        check_structure(&s);
        simulation_end(&s);
    }
}

// Both at 1e-12: errors of some hundred steps, and of the event times, stay below 1e-9.
static void test_agrees_with_polar(void **state)
{
    (void)state;
    SaltusMethod method = simulation_method(1e-12);
    Simulation s = simulation_run(&pendulum, &method, 6.0);
    Hybrid other = polar(&method);
    assert_int_equal(saltus_run_event_count(other.run), 2);
    for (int i = 0; i < 2; i++)
        assert_close(saltus_run_event(s.run, i).t, saltus_run_event(other.run, i).t, 1e-9);
    const double *y = saltus_run_row(s.run, saltus_run_row_count(s.run) - 1).y;
    const double *phi = saltus_run_states(other.run);
    assert_close(y[X], p[L] * sin(phi[0]), 1e-9);
    assert_close(y[Y], p[L] * cos(phi[0]), 1e-9);
    assert_close(y[VX], p[L] * phi[1] * cos(phi[0]), 1e-9);
    assert_close(y[VY], -p[L] * phi[1] * sin(phi[0]), 1e-9);
    hybrid_end(&other);
    simulation_end(&s);
}

static bool is_taut(const SaltusRow *row)
{
    return row->x_count == 2;
}

// The constraint and its derivative hold in every row: they are solved, not integrated.
static void test_constraints_and_impulse(void **state)
{
    (void)state;
    SaltusMethod method = simulation_method(1e-6);
    Simulation s = simulation_run(&pendulum, &method, 6.0);
    for (long i = 0; i < saltus_run_row_count(s.run); i++) {
        SaltusRow row = saltus_run_row(s.run, i);
        const double *y = row.y;
        double radial = y[X] * y[VX] + y[Y] * y[VY];
        if (is_taut(&row)) {
            assert_close(y[X] * y[X] + y[Y] * y[Y], p[L] * p[L], 1e-14);
            assert_close(radial, 0.0, 1e-13);
            assert_true(y[LAMBDA] > -1e-9);
        }
        if (row.kind != SALTUS_ROW_BEFORE_EVENT || is_taut(&row))
            continue;
        // It gets taut: the tangential velocity is kept, the radial one was not small.
        const double *after = saltus_run_row(s.run, i + 1).y;
        assert_close(after[Y] * after[VX] - after[X] * after[VY], y[Y] * y[VX] - y[X] * y[VY],
                     1e-13);
        assert_true(radial > 1.0);
    }
    simulation_end(&s);
}

static void test_state_selection(void **state)
{
    (void)state;
    SaltusMethod method = simulation_method(1e-9);
    Simulation s = simulation_run(&pendulum, &method, 6.0);
    SaltusStatistics statistics = saltus_run_statistics(s.run);
    assert_true(statistics.reselections >= 12); // four in each of three turns
    assert_int_equal(statistics.modes_entered, 4);
    // Neither ticks nor rows of the log. Iterations: one at the start; the rope goes loose, a
    // look at the new mode, arming of the condition that is zero there; it gets taut, a look.
    const SliceMemory *memory = saltus_run_memory(s.run);
    assert_int_equal(memory->ticks, 3);
    assert_int_equal(memory->updates, 6);
    assert_int_equal(saltus_run_event_count(s.run), 2);
    // The step size is kept. The pivot never gets small, nor are states changed for a little.
    double last = 0.0;
    for (long i = 2; i < saltus_run_row_count(s.run); i++) {
        SaltusRow a = saltus_run_row(s.run, i - 1), b = saltus_run_row(s.run, i);
        bool steps = a.kind == SALTUS_ROW_STEP && b.kind == SALTUS_ROW_STEP && b.t < 6.0;
        if (steps && is_taut(&a)) {
            int kept = slice_structure(s.slice, a.mode)->states[0][0], solved = X + Y - kept;
            double pivot = fabs(a.y[solved] / a.y[kept]);
            assert_true(a.mode == b.mode ? pivot >= 0.5 : pivot < 0.5 && pivot > 0.2);
            assert_true(a.mode == b.mode || last == 0.0 || b.t - a.t > 0.2 * last);
        }
        last = steps ? b.t - a.t : 0.0;
    }
    simulation_end(&s);
}

// Client memory, selection and signs go with a checkpoint: the copy ends with the same bits.
static void test_checkpoint(void **state)
{
    (void)state;
    SaltusMethod method = simulation_method(1e-8);
    Simulation s = simulation_run(&pendulum, &method, 2.3); // falling
    SaltusRun *copy = NULL;
    assert_int_equal(saltus_run_copy(s.run, &copy, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_advance(s.run, 4.0), SALTUS_OK);
    assert_int_equal(saltus_run_advance(copy, 4.0), SALTUS_OK);
    assert_int_equal(saltus_run_mode(copy), saltus_run_mode(s.run));
    assert_memory_equal(saltus_run_states(copy), saltus_run_states(s.run), 2 * sizeof(double));
    assert_int_equal(saltus_run_event_count(copy), 1);
    saltus_run_destroy(copy);
    simulation_end(&s);
}

// ---------------------------------------------------------------------------
// The elastic rope
// ---------------------------------------------------------------------------

// v := v - (1 + e) (x vx + y vy)/l^2 (x, y), with l = 1
#define LOST(e) MUL(ADD(NUM(1), PAR(E)), MUL(ADD(MUL(VAR(X), VAR(VX)), MUL(VAR(Y), VAR(VY))), e))

static const Reinit elastic_reinits[] = {{TAUT, VX, SUB(VAR(VX), LOST(VAR(X)))},
                                         {TAUT, VY, SUB(VAR(VY), LOST(VAR(Y)))},
                                         {TAUT, VX, NUM(0)}};
static const Model elastic = {PENDULUM, .reinits = elastic_reinits, .reinit_count = 2};
static const Model twice_reinitialised = {PENDULUM, .reinits = elastic_reinits, .reinit_count = 3};

// The reinitialisation acts first: the rope pulls the mass back, a taut rope would have to push.
// So the constrained mode is not entered. Both values are made from left limits.
static void test_elastic(void **state)
{
    (void)state;
    SaltusMethod method = simulation_method(1e-10);
    Simulation s = simulation_run(&elastic, &method, 2.7);
    assert_int_equal(s.status, SALTUS_OK);
    assert_int_equal(saltus_run_event_count(s.run), 2);
    SaltusLogEntry entry = saltus_run_event(s.run, 1);
    assert_int_equal(entry.from, entry.to);
    assert_true(entry.classes & SALTUS_SE_X);
    for (long i = 0; i < saltus_run_row_count(s.run); i++) {
        SaltusRow row = saltus_run_row(s.run, i);
        if (row.kind != SALTUS_ROW_BEFORE_EVENT || is_taut(&row))
            continue;
        const double *a = row.y, *b = saltus_run_row(s.run, i + 1).y;
        assert_close(b[X] * b[VX] + b[Y] * b[VY], -p[E] * (a[X] * a[VX] + a[Y] * a[VY]), 1e-12);
        assert_close(b[Y] * b[VX] - b[X] * b[VY], a[Y] * a[VX] - a[X] * a[VY], 1e-12);
    }
    simulation_end(&s);
}

static void test_two_reinits_of_a_variable(void **state)
{
    (void)state;
    SaltusMethod method = simulation_method(1e-8);
    Simulation s = simulation_run(&twice_reinitialised, &method, 2.7);
    assert_int_equal(s.status, SALTUS_ERROR_ACTION);
    assert_contains(s.error.message, "vx is reinitialised twice");
    assert_close(s.error.time, 2.6614989, 1e-6);
    simulation_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_times),
        cmocka_unit_test(test_agrees_with_polar),
        cmocka_unit_test(test_constraints_and_impulse),
        cmocka_unit_test(test_state_selection),
        cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_elastic),
        cmocka_unit_test(test_two_reinits_of_a_variable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
