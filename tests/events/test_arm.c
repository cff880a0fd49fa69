// SPDX-License-Identifier: MIT
//
// Arming: the signs that event functions take just after a point where they are zero, to the
// first, second and third order, one-sided, constant; and the noise that tells zero from not.

#include "events/arm.h"
#include "support/hybrid.h"
#include "support/integrate.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// A point of a mode, armed
// ---------------------------------------------------------------------------

enum { MOST = 8 };

typedef struct Point {
    Integration it;
    double t, x_scale[2], dx[2], z[2], h[MOST], noise[MOST];
    Armed armed[MOST];
    double *work;
} Point;

// The mode's start values at time t; x_scale 0: as large as they are.
static void begin(Point *p, const SaltusModeDef *mode, double t)
{
    SaltusMethod method = method_of(SALTUS_SOLVER_DOPRI5, 1e-6, 1e-9, 0.0);
    *p = (Point){.t = t};
    assert_int_equal(integration_begin(&p->it, mode, &method, t), 0);
    p->work = calloc(arm_work_size(&p->it.mode), sizeof *p->work);
    for (int i = 0; i < mode->algebraic_count; i++)
        p->z[i] = p->it.solver->z[i];
    const double *x = p->it.solver->x;
    assert_int_equal(problem_rhs(p->it.problem, t, x, p->z, p->dx), 0);
    assert_int_equal(problem_events(p->it.problem, t, x, p->z, p->h), 0);
}

static ArmPoint point_of(const Point *p)
{
    return (ArmPoint){
        .t = p->t, .x = p->it.solver->x, .z = p->z, .dx = p->dx, .x_scale = p->x_scale, .h = p->h};
}

static int arm(Point *p)
{
    ArmPoint point = point_of(p);
    int code = arm_noise(p->it.problem, &point, p->noise, p->work);
    for (int i = 0; i < p->it.mode.event_count; i++)
        p->armed[i] = (Armed){.noise = p->noise[i]};
    return code != 0 ? code : arm_signs(p->it.problem, &point, p->armed, p->work);
}

static void end(Point *p)
{
    free(p->work);
    integration_end(&p->it);
}

static void assert_signs(const Point *p, const int *expected)
{
    for (int i = 0; i < p->it.mode.event_count; i++) {
        if (p->armed[i].sign != expected[i])
            fail_msg("function %d has sign %d, not %d", i, p->armed[i].sign, expected[i]);
    }
}

static const SaltusEventDef defs[MOST] = {{.name = "a"}, {.name = "b"}, {.name = "c"},
                                          {.name = "d"}, {.name = "e"}, {.name = "f"},
                                          {.name = "g"}, {.name = "h"}};

// ---------------------------------------------------------------------------
// Orders
// ---------------------------------------------------------------------------

static int clock_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0;
    return 0;
}

static int powers(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    double s = x[0] - 2.0;
    h[0] = s;
    h[1] = -s;
    h[2] = s * s;
    h[3] = -s * s;
    h[4] = s * s * s;
    h[5] = -s * s * s;
    h[6] = 0.0;
    h[7] = t - 7.0;
    return 0;
}

static void test_orders(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){2.0}, clock_rhs, 8, defs, powers);
    Point p;
    begin(&p, &mode, 7.0);
    assert_int_equal(arm(&p), 0);
    assert_signs(&p, (int[]){1, -1, 1, -1, 1, -1, 0, 1});
    end(&p);
    // Off by rounding to either side: the same.
    const double starts[] = {nextafter(2.0, 0.0), nextafter(2.0, 3.0)};
    for (int i = 0; i < 2; i++) {
        mode.start = &starts[i];
        begin(&p, &mode, 7.0);
        assert_int_equal(arm(&p), 0);
        assert_signs(&p, (int[]){1, -1, 1, -1, 1, -1, 0, 1});
        end(&p);
    }
    // Clearly beyond: what they are.
    mode.start = (double[]){1.9};
    begin(&p, &mode, 7.5);
    assert_int_equal(arm(&p), 0);
    assert_signs(&p, (int[]){-1, 1, 1, -1, -1, 1, 0, 1});
    end(&p);
}

// Fast and slow flows, large and small values.
static int scaled_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = *(const double *)c->data;
    return 0;
}

static int value(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)z;
    const double *rate = c->data;
    h[0] = x[0] - rate[1];
    h[1] = (x[0] - rate[1]) * (x[0] - rate[1]);
    return 0;
}

static void test_scales(void **state)
{
    (void)state;
    const double rates[][2] = {{1e-6, 1.0}, {1e6, 1.0}, {1.0, 1e6}, {-3.0, 0.0}, {1e9, 1e9}};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        const double start[] = {rates[i][1]};
        SaltusModeDef mode = hybrid_mode("scaled", 1, start, scaled_rhs, 2, defs, value);
        const double nominal[] = {fmax(1.0, fabs(rates[i][1]))};
        mode.nominal = nominal;
        mode.data = rates[i];
        Point p;
        begin(&p, &mode, 0.0);
        assert_int_equal(arm(&p), 0);
        int slope = rates[i][0] > 0.0 ? 1 : -1;
        assert_int_equal(p.armed[0].sign, slope);
        // The square needs 16 times its noise, (16 eps x)^2, which any flow soon gives.
        assert_int_equal(p.armed[1].sign, 1);
        end(&p);
    }
}

// On a circle x^2 + y^2 - 1 stays zero though it grows along the tangent; on a spiral it moves.
static int spiral_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    (void)t, (void)z;
    const double *growth = c->data;
    dx[0] = -x[1] + *growth * x[0];
    dx[1] = x[0] + *growth * x[1];
    return 0;
}

static int radius(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] * x[0] + x[1] * x[1] - 1.0;
    return 0;
}

static int still_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 0.0;
    return 0;
}

static double wave_frequency;

static int waves(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = sin(wave_frequency * t);
    h[1] = -h[0];
    return 0;
}

// Where the state rests nothing says how fast a source is.
static void test_waves(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("still", 1, (double[]){2.0}, still_rhs, 2, defs, waves);
    for (wave_frequency = 0.3; wave_frequency < 1e15; wave_frequency *= 1.7) {
        Point p;
        begin(&p, &mode, 0.0);
        assert_int_equal(arm(&p), 0);
        if (p.armed[0].sign != 1 || p.armed[1].sign != -1)
            fail_msg("sin(%g t) has the signs %d and %d", wave_frequency, p.armed[0].sign,
                     p.armed[1].sign);
        end(&p);
    }
}

static void test_circle_and_spirals(void **state)
{
    (void)state;
    const double growths[] = {0.0, 1e-3, -1e-3, 1.0, -1.0};
    const int signs[] = {0, 1, -1, 1, -1};
    for (int i = 0; i < 5; i++) {
        SaltusModeDef mode =
            hybrid_mode("spiral", 2, (double[]){0.6, 0.8}, spiral_rhs, 1, defs, radius);
        mode.data = &growths[i];
        Point p;
        begin(&p, &mode, 1.0);
        assert_int_equal(arm(&p), 0);
        assert_int_equal(p.armed[0].sign, signs[i]);
        end(&p);
    }
}

// A kink: zero from here on, or the other way round.
static int kinks(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] < 2.0 ? 2.0 - x[0] : 0.0; // becomes zero and stays so
    h[1] = x[0] < 2.0 ? 0.0 : x[0] - 2.0; // was zero and rises
    h[2] = fabs(x[0] - 2.0);
    h[3] = -fabs(x[0] - 2.0);
    return 0;
}

static void test_kinks(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){2.0}, clock_rhs, 4, defs, kinks);
    Point p;
    begin(&p, &mode, 0.0);
    assert_int_equal(arm(&p), 0);
    assert_signs(&p, (int[]){0, 1, 1, -1});
    end(&p);
}

// ---------------------------------------------------------------------------
// Noise
// ---------------------------------------------------------------------------

static int difference(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - x[1];
    h[1] = 1e6 * x[0] - 1e6;
    h[2] = x[0] - x[1]; // its noise is given
    h[3] = 1.0;
    return 0;
}

static int still(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = dx[1] = 0.0;
    return 0;
}

static void test_noise(void **state)
{
    (void)state;
    SaltusEventDef events[4] = {defs[0], defs[1], defs[2], defs[3]};
    events[2].noise = 0.125;
    SaltusModeDef mode =
        hybrid_mode("still", 2, (double[]){1.0, 1.0}, still, 4, events, difference);
    Point p;
    begin(&p, &mode, 0.0);
    assert_int_equal(arm(&p), 0);
    // A few units in the last place of the operands, in the worse of two combinations.
    assert_true(p.noise[0] >= 2.0 * DBL_EPSILON && p.noise[0] <= 100.0 * DBL_EPSILON);
    assert_true(p.noise[1] >= 1e6 * DBL_EPSILON && p.noise[1] <= 100e6 * DBL_EPSILON);
    assert_true(p.noise[2] == 0.125);
    assert_true(p.noise[3] == 0.0);
    assert_int_equal(p.armed[3].sign, 1);
    // States that have been larger are less certain.
    double before = p.noise[0];
    p.x_scale[0] = 1e6;
    assert_int_equal(arm(&p), 0);
    assert_true(p.noise[0] > 1e5 * before);
    end(&p);
}

// Defined on one side only: neither noise nor sign need the other.
static int roots(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = sqrt(x[0] - 2.0);
    h[1] = x[0] - 2.0;
    return 0;
}

static void test_edge(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){2.0}, clock_rhs, 2, defs, roots);
    Point p;
    begin(&p, &mode, 0.0);
    assert_int_equal(arm(&p), 0);
    assert_signs(&p, (int[]){1, 1});
    end(&p);
}

// ---------------------------------------------------------------------------
// Forms, muted functions, failures
// ---------------------------------------------------------------------------

static int algebraic_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                         double *dx)
{
    (void)c, (void)t, (void)x, (void)z;
    dx[0] = 1.0;
    return 0;
}

static int algebraic(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] - (x[0] - 2.0) * (x[0] - 2.0);
    return 0;
}

static int of_z(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)x;
    h[0] = z[0];
    h[1] = -z[0];
    return 0;
}

static void test_algebraic(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("dae", 1, (double[]){2.0, 0.0}, algebraic_rhs, 2, defs, of_z);
    mode.algebraic_count = 1;
    mode.algebraic = algebraic;
    Point p;
    begin(&p, &mode, 0.0);
    assert_int_equal(arm(&p), 0);
    assert_signs(&p, (int[]){1, -1});
    end(&p);
}

static int joint(const SaltusContext *c, double t, const double *x, const double *z_guess,
                 const SaltusValues *out)
{
    (void)c, (void)t, (void)z_guess;
    if (out->dx)
        out->dx[0] = 1.0;
    if (out->z)
        out->z[0] = x[0] - 2.0;
    if (out->h)
        out->h[0] = 2.0 - x[0];
    return 0;
}

static void test_joint(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("joint", 1, (double[]){2.0, 0.0}, NULL, 1, defs, NULL);
    mode.algebraic_count = 1;
    mode.evaluate = joint;
    Point p;
    begin(&p, &mode, 0.0);
    assert_int_equal(arm(&p), 0);
    assert_signs(&p, (int[]){-1});
    end(&p);
}

static int count_calls(const SaltusContext *c, double t, const double *x, const double *z,
                       double *h)
{
    (void)t, (void)z;
    int *left = c->user;
    h[0] = x[0] - 2.0;
    h[1] = h[0] * h[0] * h[0];
    return --*left == 0 ? -3 : 0;
}

// A failure that ends the run, at whichever evaluation, is handed on.
static void test_failures(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){2.0}, clock_rhs, 2, defs, count_calls);
    for (int n = 1;; n++) {
        int left = 0;
        Point p;
        SaltusMethod method = method_of(SALTUS_SOLVER_DOPRI5, 1e-6, 1e-9, 0.0);
        p = (Point){.t = 0.0};
        assert_int_equal(integration_begin(&p.it, &mode, &method, 0.0), 0);
        p.it.context.user = &left;
        p.work = calloc(arm_work_size(&p.it.mode), sizeof *p.work);
        p.dx[0] = 1.0;
        left = n;
        int code = arm(&p);
        bool failed = left <= 0;
        end(&p);
        if (!failed)
            break;
        assert_int_equal(code, -3);
        assert_true(n < 100);
    }
}

// A jump of a function of time at this very time, or just after, is no noise; what cancels in one
// of the patterns and not in the other is.
static int jumps(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = (t >= 7.0 ? 1.0 : 0.0) - 0.5;
    h[1] = (t > 7.0 ? 1.0 : 0.0) - 0.5;
    h[2] = x[0] - x[1];
    h[3] = x[0] + x[1] - 4.0;
    return 0;
}

static int rest_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = dx[1] = 0.0;
    return 0;
}

static void test_jumps(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("rest", 2, (double[]){2.0, 2.0}, rest_rhs, 4, defs, jumps);
    Point p;
    begin(&p, &mode, 7.0);
    assert_int_equal(arm(&p), 0);
    assert_signs(&p, (int[]){1, -1, 0, 0});
    assert_true(p.noise[0] == 0.0 && p.noise[1] == 0.0);
    // Two states of size 2, uncertain by 16 units, of which they are moved by 1 and by
    // 1 + 0.618 / 2: not the same, lest what is symmetric cancels.
    const double both = (1.0 + 1.309) * 16.0 * DBL_EPSILON * 2.0;
    // (The two moves are 16 and 20.9 of the spacing there, and rounded to whole ones.)
    assert_close(p.noise[2], both, both / 36.9);
    assert_close(p.noise[3], both, both / 36.9);
    end(&p);
}

// u - 0.7, where u changes by 1e-9 of the state: no rounding of the state shows, the function moves
// in quanta of 2^-53, and one of them is no sign. Values at the first probes go to and fro.
static int quanta(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    double s = x[0] - 2.0;
    double quantum = s > 1e-12 && s < 1e-10 ? -DBL_EPSILON / 2.0 : 0.0;
    volatile double u = 0.7 + 1e-9 * s;
    h[0] = u - 0.7 + quantum;
    return 0;
}

static void test_quanta(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){2.0}, clock_rhs, 1, defs, quanta);
    Point p;
    begin(&p, &mode, 0.0);
    assert_int_equal(arm(&p), 0);
    assert_true(p.noise[0] == 0.0);
    assert_signs(&p, (int[]){1});
    end(&p);
}

// A function is as good as zero up to 16 times its noise: what it shows there is not its sign. The
// noise of this one is 1e-12; a ripple of 8 times that dies out before the function shows itself.
static int ripple(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    double s = x[0] - 2.0;
    h[0] = s * s - (s > 1e-9 && s < 1e-6 ? 8e-12 : 0.0);
    return 0;
}

static void test_clearly(void **state)
{
    (void)state;
    const SaltusEventDef event = {.name = "ripple", .noise = 1e-12};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){2.0}, clock_rhs, 1, &event, ripple);
    Point p;
    begin(&p, &mode, 0.0);
    assert_int_equal(arm(&p), 0);
    assert_signs(&p, (int[]){1});
    end(&p);
}

// A function that is not monitored costs no look ahead and gets no sign.
static int single(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 2.0;
    return 0;
}

static void test_muted(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "muted", .is_muted = true};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){2.0}, clock_rhs, 1, &event, single);
    Point p;
    begin(&p, &mode, 0.0);
    long before = p.it.statistics.h_evaluations;
    assert_int_equal(arm(&p), 0);
    assert_int_equal(p.armed[0].sign, 0);
    assert_int_equal(p.it.statistics.h_evaluations - before, 2); // its noise
    end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders), cmocka_unit_test(test_scales),
        cmocka_unit_test(test_waves),  cmocka_unit_test(test_circle_and_spirals),
        cmocka_unit_test(test_kinks),  cmocka_unit_test(test_noise),
        cmocka_unit_test(test_edge),   cmocka_unit_test(test_algebraic),
        cmocka_unit_test(test_joint),  cmocka_unit_test(test_failures),
        cmocka_unit_test(test_muted),  cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_quanta), cmocka_unit_test(test_clearly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
