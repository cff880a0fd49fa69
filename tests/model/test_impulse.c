// SPDX-License-Identifier: MIT
//
// The consistent restart: jumps by the impulse of the equations, against closed forms.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "modes/impulse.h"
#include "support/daes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// A system and its restart
// ---------------------------------------------------------------------------

enum { MOST = 64 };

typedef struct Case {
    DaesModel m;
    const Impulse *impulse;
    ImpulseScratch *scratch;
    double x[MOST], impulses[MOST];
    bool fixed[MOST];
    ImpulseCall call;
} Case;

static void finish_model(Case *c, const Node *events, uint32_t count)
{
    daes_analyse(&c->m);
    CodePlace *places = ARENA_ARRAY(c->m.arena, c->m.dag->variable_count, CodePlace);
    for (uint32_t v = 0; v < c->m.dag->variable_count; v++)
        places[v].vector = CODE_NONE;
    places[DAG_TIME_VARIABLE] = (CodePlace){PROGRAM_TIME, 0};
    c->impulse = impulse_create(&(ImpulseDef){.flow = c->m.solution,
                                              .places = places,
                                              .variable_count = c->m.dag->variable_count,
                                              .events = events,
                                              .event_count = count},
                                NULL);
    assert_non_null(c->impulse);
    assert_true(c->impulse->count + c->impulse->guess_count <= MOST);
    c->scratch = impulse_scratch(c->impulse);
    assert_non_null(c->scratch);
}

static void end_case(Case *c)
{
    impulse_scratch_free(c->scratch);
    free(c->call.message);
    daes_end(&c->m);
}

static double *value(Case *c, Node v)
{
    for (uint32_t k = 0; k < c->impulse->count; k++)
        if (dag_is_variable(c->m.dag, v, c->impulse->variables[k]))
            return &c->x[k];
    fail_msg("the variable is not below its highest derivative");
    return NULL;
}

static void fix(Case *c, Node v, double to)
{
    *value(c, v) = to;
    c->fixed[value(c, v) - c->x] = true;
}

static ImpulseStatus solve(Case *c)
{
    free(c->call.message);
    c->call = (ImpulseCall){
        .impulse = c->impulse, .s = c->scratch, .is_fixed = c->fixed, .tolerance = 1e-6, .x = c->x};
    return impulse_solve(&c->call, c->impulses);
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g", a, b);
}

static void assert_says(const Case *c, const char *text)
{
    assert_non_null(c->call.message);
    if (!strstr(c->call.message, text))
        fail_msg("\"%s\" does not say \"%s\"", c->call.message, text);
}

// Shorthands.
static Node number(Case *c, double v)
{
    return dag_real(c->m.dag, v);
}
static Node plus(Case *c, Node a, Node b)
{
    return dag_add(c->m.dag, a, b);
}
static Node minus(Case *c, Node a, Node b)
{
    return dag_subtract(c->m.dag, a, b);
}
static Node times(Case *c, Node a, Node b)
{
    return dag_multiply(c->m.dag, a, b);
}
static Node der(Case *c, Node a)
{
    return daes_der(&c->m, a);
}
static void equate(Case *c, Node left, Node right)
{
    daes_equate(&c->m, left, right);
}
static Node variable(Case *c, const char *name)
{
    return daes_variable(&c->m, name);
}

// ---------------------------------------------------------------------------
// The ideal clutch
// ---------------------------------------------------------------------------

typedef struct Clutch {
    Case c;
    Node w1, w2, tau, friction, power;
} Clutch;

static const double inertia_1 = 0.7, inertia_2 = 2.1;

// J1 w1' = 3 - friction - tau, J2 w2' = tau, w1 = w2; friction = w1^3 is finite, power is an
// impulse that nothing depends on.
static void make_clutch(Clutch *k)
{
    Case *c = &k->c;
    *k = (Clutch){.c = {.m = daes_begin()}};
    k->w1 = variable(c, "w1");
    k->w2 = variable(c, "w2");
    k->tau = variable(c, "tau");
    k->friction = variable(c, "friction");
    k->power = variable(c, "power");
    equate(c, times(c, number(c, inertia_1), der(c, k->w1)),
           minus(c, minus(c, number(c, 3.0), k->friction), k->tau));
    equate(c, times(c, number(c, inertia_2), der(c, k->w2)), k->tau);
    equate(c, k->w1, k->w2);
    equate(c, k->friction, dag_power(c->m.dag, k->w1, number(c, 3.0)));
    equate(c, k->power, times(c, k->tau, k->w1));
}

static void clutch_keeps_momentum(void **state)
{
    (void)state;
    Clutch k;
    Case *c = &k.c;
    make_clutch(&k);
    finish_model(c, &k.tau, 1);
    *value(c, k.w1) = 5.0;
    *value(c, k.w2) = -1.0;
    double momentum = inertia_1 * 5.0 - inertia_2 * 1.0;
    assert_int_equal(solve(c), IMPULSE_FINE);
    assert_true(c->call.has_moved);
    double w1 = *value(c, k.w1), w2 = *value(c, k.w2);
    assert_near(w1, w2, 1e-15);
    assert_near(inertia_1 * w1 + inertia_2 * w2, momentum, 1e-12);
    // the impulse of tau is what the second inertia has gained
    assert_near(c->impulses[0], inertia_2 * (w2 + 1.0), 1e-12);
    end_case(c);
}

// What holds already does not move, not by a bit.
static void nothing_moves_without_need(void **state)
{
    (void)state;
    Clutch k;
    Case *c = &k.c;
    make_clutch(&k);
    finish_model(c, &k.tau, 1);
    double w = 0.1 + 0.2;
    *value(c, k.w1) = w;
    *value(c, k.w2) = nextafter(w, 1.0);
    assert_int_equal(solve(c), IMPULSE_FINE);
    assert_false(c->call.has_moved);
    assert_true(*value(c, k.w1) == w && *value(c, k.w2) == nextafter(w, 1.0));
    assert_true(c->impulses[0] == 0.0);
    end_case(c);
}

// reinit of one speed: the other follows. Of both to different values: an error.
static void reinit_is_kept(void **state)
{
    (void)state;
    Clutch k;
    Case *c = &k.c;
    make_clutch(&k);
    finish_model(c, NULL, 0);
    *value(c, k.w2) = 1.0;
    fix(c, k.w1, 8.0);
    assert_int_equal(solve(c), IMPULSE_FINE);
    assert_true(*value(c, k.w1) == 8.0);
    assert_near(*value(c, k.w2), 8.0, 1e-15);
    fix(c, k.w2, 9.0);
    assert_int_equal(solve(c), IMPULSE_CONTRADICTION);
    assert_says(c, "reinit gives to w1, w2 contradicts the constraint w1 = w2");
    assert_true(*value(c, k.w1) == 8.0 && *value(c, k.w2) == 9.0);
    end_case(c);
}

// A planetary gear, w1 + w2 = 2 w3: reinit of w1 leaves two speeds and the impulse between them.
static void reinit_moves_dependents_by_impulse(void **state)
{
    (void)state;
    Case k = {.m = daes_begin()}, *c = &k;
    Node w[3], tau = variable(c, "tau");
    static const double inertia[] = {1.0, 2.0, 3.0}, ratio[] = {1.0, 1.0, -2.0};
    static const char *const names[] = {"w1", "w2", "w3"};
    for (int i = 0; i < 3; i++)
        w[i] = variable(c, names[i]);
    for (int i = 0; i < 3; i++)
        equate(c, times(c, number(c, inertia[i]), der(c, w[i])),
               times(c, number(c, ratio[i]), tau));
    equate(c, plus(c, w[0], w[1]), times(c, number(c, 2.0), w[2]));
    finish_model(c, NULL, 0);
    *value(c, w[1]) = 4.0;
    *value(c, w[2]) = 3.0;
    fix(c, w[0], 10.0);
    assert_int_equal(solve(c), IMPULSE_FINE);
    // w2 = 4 + s / 2, w3 = 3 - 2 s / 3, 10 + w2 = 2 w3
    double s = (2.0 * 3.0 - 10.0 - 4.0) / (0.5 + 4.0 / 3.0);
    assert_true(*value(c, w[0]) == 10.0);
    assert_near(*value(c, w[1]), 4.0 + 0.5 * s, 1e-13);
    assert_near(*value(c, w[2]), 3.0 - 2.0 / 3.0 * s, 1e-13);
    end_case(c);
}

// ---------------------------------------------------------------------------
// A rope becomes taut
// ---------------------------------------------------------------------------

typedef struct Rope {
    Case c;
    Node x, y, u, v, lambda;
} Rope;

// m x'' = -lambda x, m y'' = -lambda y - m g, x^2 + y^2 = 25; with u, v or without. The multiplier
// acts through an algebraic variable: rx = x.
static void make_rope(Rope *r, bool has_velocities)
{
    Case *c = &r->c;
    *r = (Rope){.c = {.m = daes_begin()}};
    r->x = variable(c, "x");
    r->y = variable(c, "y");
    r->lambda = variable(c, "lambda");
    Node rx = variable(c, "rx"), two = number(c, 2.0);
    if (has_velocities) {
        r->u = variable(c, "u");
        r->v = variable(c, "v");
        equate(c, der(c, r->x), r->u);
        equate(c, der(c, r->y), r->v);
    } else {
        r->u = der(c, r->x);
        r->v = der(c, r->y);
    }
    equate(c, rx, r->x);
    equate(c, der(c, r->u), dag_negate(c->m.dag, times(c, r->lambda, rx)));
    equate(c, der(c, r->v),
           minus(c, dag_negate(c->m.dag, times(c, r->lambda, r->y)), number(c, 9.81)));
    equate(c, plus(c, dag_power(c->m.dag, r->x, two), dag_power(c->m.dag, r->y, two)),
           number(c, 25.0));
    finish_model(c, &r->lambda, 1);
}

static void rope_loses_radial_velocity(void **state)
{
    (void)state;
    for (int has_velocities = 0; has_velocities < 2; has_velocities++) {
        Rope r;
        Case *c = &r.c;
        make_rope(&r, has_velocities);
        for (uint32_t k = 0; k < c->impulse->count; k++)
            c->x[k] = NAN; // x' and y' follow where u and v are known
        *value(c, r.x) = 3.0;
        *value(c, r.y) = -4.0;
        *value(c, r.u) = 2.0;
        *value(c, r.v) = -1.0;
        assert_int_equal(solve(c), IMPULSE_FINE);
        // radial: (2 * 3 + 1 * 4) / 5 = 2 is lost, tangential is kept
        assert_near(*value(c, r.u), 2.0 - 2.0 * 0.6, 1e-14);
        assert_near(*value(c, r.v), -1.0 + 2.0 * 0.8, 1e-14);
        assert_near(c->impulses[0], 2.0 / 5.0, 1e-14);
        assert_true(*value(c, r.x) == 3.0 && *value(c, r.y) == -4.0);
        end_case(c);
    }
}

// What the location of the event leaves over is projected away; more than that is an error.
static void positions_do_not_jump(void **state)
{
    (void)state;
    Rope r;
    Case *c = &r.c;
    make_rope(&r, true);
    *value(c, r.x) = 3.0 * (1.0 + 1e-9);
    *value(c, r.y) = -4.0 * (1.0 + 1e-9);
    *value(c, r.u) = *value(c, der(c, r.x)) = 8.0;
    *value(c, r.v) = *value(c, der(c, r.y)) = 6.0;
    assert_int_equal(solve(c), IMPULSE_FINE);
    assert_near(hypot(*value(c, r.x), *value(c, r.y)), 5.0, 1e-14);
    assert_near(*value(c, r.x), 3.0, 1e-8);
    assert_near(*value(c, r.u), 8.0, 1e-8);
    *value(c, r.x) = 2.9;
    assert_int_equal(solve(c), IMPULSE_POSITION);
    assert_says(c, "x would have to jump from 2.9 to ");
    assert_true(*value(c, r.x) == 2.9);
    end_case(c);
}

// x' = y' = NAN and neither u nor v: nothing determines how it goes on.
static void missing_values_are_reported(void **state)
{
    (void)state;
    Rope r;
    Case *c = &r.c;
    make_rope(&r, false);
    *value(c, r.x) = 3.0;
    *value(c, r.y) = -4.0;
    *value(c, r.u) = *value(c, r.v) = NAN;
    assert_int_equal(solve(c), IMPULSE_OPEN);
    assert_says(c, "der(x), der(y)");
    // one of them is enough, the constraint has the other
    *value(c, r.u) = 4.0;
    assert_int_equal(solve(c), IMPULSE_FINE);
    assert_near(*value(c, r.u) * 3.0, *value(c, r.v) * 4.0, 1e-13);
    end_case(c);
}

// ---------------------------------------------------------------------------
// Circuits
// ---------------------------------------------------------------------------

// Two capacitors in parallel, with a resistor beside them whose current stays finite.
static void capacitors_keep_charge(void **state)
{
    (void)state;
    Case k = {.m = daes_begin()}, *c = &k;
    Node u1 = variable(c, "u1"), u2 = variable(c, "u2"), i1 = variable(c, "i1"),
         i2 = variable(c, "i2"), ir = variable(c, "ir");
    equate(c, i1, times(c, number(c, 1e-6), der(c, u1)));
    equate(c, i2, times(c, number(c, 3e-6), der(c, u2)));
    equate(c, u1, u2);
    equate(c, plus(c, plus(c, i1, i2), ir), number(c, 0.0));
    equate(c, times(c, number(c, 1e3), ir), u1);
    finish_model(c, &i1, 1);
    *value(c, u1) = 12.0;
    *value(c, u2) = 4.0;
    assert_int_equal(solve(c), IMPULSE_FINE);
    assert_near(*value(c, u1), 6.0, 1e-13);
    assert_near(*value(c, u2), 6.0, 1e-13);
    assert_near(c->impulses[0], -6e-6, 1e-18);
    end_case(c);
}

// Two inductors in series: the flux is kept.
static void inductors_keep_flux(void **state)
{
    (void)state;
    Case k = {.m = daes_begin()}, *c = &k;
    Node i1 = variable(c, "i1"), i2 = variable(c, "i2"), u1 = variable(c, "u1"),
         u2 = variable(c, "u2");
    equate(c, u1, times(c, number(c, 0.5), der(c, i1)));
    equate(c, u2, times(c, number(c, 1.5), der(c, i2)));
    equate(c, i1, i2);
    equate(c, plus(c, u1, u2), number(c, 10.0));
    finish_model(c, NULL, 0);
    *value(c, i1) = 2.0;
    *value(c, i2) = -6.0;
    assert_int_equal(solve(c), IMPULSE_FINE);
    assert_near(*value(c, i1), (0.5 * 2.0 - 1.5 * 6.0) / 2.0, 1e-14);
    assert_near(*value(c, i2), -4.0, 1e-14);
    end_case(c);
}

typedef struct Rldc2 {
    Case c;
    Node i1, i2, v1, v2, x1, x2;
} Rldc2;

// RLDC2: two branches with diode and inductor beside two with resistor and capacitor.
static void make_rldc2(Rldc2 *r, bool on1, bool on2)
{
    Case *c = &r->c;
    *r = (Rldc2){.c = {.m = daes_begin()}};
    r->i1 = variable(c, "i1");
    r->i2 = variable(c, "i2");
    r->v1 = variable(c, "v1");
    r->v2 = variable(c, "v2");
    r->x1 = variable(c, "x1");
    r->x2 = variable(c, "x2");
    Node w1 = variable(c, "w1"), w2 = variable(c, "w2"), j_1 = variable(c, "j1"),
         j_2 = variable(c, "j2"), u1 = variable(c, "u1"), u2 = variable(c, "u2");
    equate(c, plus(c, plus(c, r->i1, r->i2), plus(c, j_1, j_2)), number(c, 0.0));
    equate(c, plus(c, r->x1, w1), plus(c, u1, r->v1));
    equate(c, plus(c, u1, r->v1), plus(c, u2, r->v2));
    equate(c, plus(c, u2, r->v2), plus(c, r->x2, w2));
    equate(c, w1, times(c, number(c, 2.0), der(c, r->i1)));
    equate(c, w2, times(c, number(c, 3.0), der(c, r->i2)));
    equate(c, j_1, times(c, number(c, 0.1), der(c, r->v1)));
    equate(c, j_2, times(c, number(c, 0.2), der(c, r->v2)));
    equate(c, u1, times(c, number(c, 5.0), j_1));
    equate(c, u2, times(c, number(c, 7.0), j_2));
    equate(c, on1 ? r->x1 : r->i1, number(c, 0.0));
    equate(c, on2 ? r->x2 : r->i2, number(c, 0.0));
    Node events[] = {r->x1, r->x2};
    finish_model(c, events, 2);
    *value(c, r->i1) = 4.0;
    *value(c, r->i2) = -1.0;
    *value(c, r->v1) = 9.0;
    *value(c, r->v2) = 11.0;
}

// A diode that blocks cuts off its inductor's current; the voltage that does it is an impulse. The
// capacitors, behind resistors, do not feel it, nor does the other inductor.
static void diodes_cut_off_currents(void **state)
{
    (void)state;
    for (int mode = 0; mode < 4; mode++) {
        bool on1 = mode & 1, on2 = mode & 2;
        Rldc2 r;
        make_rldc2(&r, on1, on2);
        Case *c = &r.c;
        assert_int_equal(solve(c), IMPULSE_FINE);
        assert_int_equal(c->call.has_moved, !on1 || !on2);
        assert_near(*value(c, r.i1), on1 ? 4.0 : 0.0, 1e-15);
        assert_near(*value(c, r.i2), on2 ? -1.0 : 0.0, 1e-15);
        assert_true(*value(c, r.v1) == 9.0 && *value(c, r.v2) == 11.0);
        assert_near(c->impulses[0], on1 ? 0.0 : 8.0, 1e-14);
        assert_near(c->impulses[1], on2 ? 0.0 : -3.0, 1e-14);
        end_case(c);
    }
}

// ---------------------------------------------------------------------------
// What is not determined, not unique, not continuous
// ---------------------------------------------------------------------------

// Two masses stick together after the impact; two rods that do the same share the impulse of 6 in a
// way that nothing says: equally, which is of least norm.
static void multipliers_need_not_be_unique(void **state)
{
    (void)state;
    Case k = {.m = daes_begin()}, *c = &k;
    Node v1 = variable(c, "v1"), v2 = variable(c, "v2"), f1 = variable(c, "f1"),
         f2 = variable(c, "f2"), time = dag_time(c->m.dag);
    // at time 0 the constraints are one, which the analysis cannot see
    Node factor = plus(c, number(c, 1.0), time);
    equate(c, times(c, number(c, 2.0), der(c, v1)), plus(c, f1, times(c, factor, f2)));
    equate(c, times(c, number(c, 6.0), der(c, v2)), minus(c, dag_negate(c->m.dag, f1), f2));
    equate(c, v1, v2);
    equate(c, times(c, factor, v1), v2);
    finish_model(c, &f1, 1);
    *value(c, v1) = 4.0;
    *value(c, v2) = 0.0;
    assert_int_equal(solve(c), IMPULSE_FINE);
    assert_near(*value(c, v1), 1.0, 1e-14);
    assert_near(*value(c, v2), 1.0, 1e-14);
    assert_near(c->impulses[0], -3.0, 1e-13);
    end_case(c);
}

// Which of two ways an impulse takes is not said: f acts on both masses together, and only the
// sum of their speeds is constrained.
static void open_jumps_are_named(void **state)
{
    (void)state;
    Case k = {.m = daes_begin()}, *c = &k;
    Node v1 = variable(c, "v1"), v2 = variable(c, "v2"), f = variable(c, "f"), g = variable(c, "g"),
         time = dag_time(c->m.dag);
    Node factor = plus(c, number(c, 1.0), dag_unary(c->m.dag, OPERATOR_SIN, time));
    equate(c, der(c, v1), plus(c, f, times(c, factor, g)));
    equate(c, der(c, v2), plus(c, f, times(c, time, g)));
    equate(c, plus(c, v1, v2), number(c, 0.0));
    equate(c, plus(c, times(c, factor, v1), v2), number(c, 0.0)); // at time 0 the same
    finish_model(c, NULL, 0);
    *value(c, v1) = 1.0;
    *value(c, v2) = 1.0;
    assert_int_equal(solve(c), IMPULSE_OPEN);
    assert_says(c, "do not determine what v1, v2 are");
    end_case(c);
}

// At time 0 the two constraints contradict each other.
static void contradictions_are_named(void **state)
{
    (void)state;
    Case k = {.m = daes_begin()}, *c = &k;
    Node v1 = variable(c, "v1"), v2 = variable(c, "v2"), f = variable(c, "f"), g = variable(c, "g"),
         time = dag_time(c->m.dag);
    Node factor = plus(c, number(c, 1.0), time);
    equate(c, der(c, v1), f);
    equate(c, der(c, v2), g);
    equate(c, plus(c, v1, v2), number(c, 0.0));
    equate(c, plus(c, times(c, factor, v1), v2), number(c, 3.0));
    finish_model(c, NULL, 0);
    assert_int_equal(solve(c), IMPULSE_CONTRADICTION);
    assert_says(c, "cannot be satisfied together with");
    end_case(c);
}

// J w' = -r tau where the ratio r follows the speed: r jumps with it.
static void jumping_coefficients_are_reported(void **state)
{
    (void)state;
    Case k = {.m = daes_begin()}, *c = &k;
    Node w1 = variable(c, "w1"), w2 = variable(c, "w2"), tau = variable(c, "tau"),
         r = variable(c, "r");
    equate(c, der(c, w1), dag_negate(c->m.dag, times(c, r, tau)));
    equate(c, der(c, w2), tau);
    equate(c, w1, w2);
    equate(c, r, plus(c, number(c, 1.0), times(c, w1, w1)));
    finish_model(c, NULL, 0);
    *value(c, w1) = 2.0;
    *value(c, w2) = 1.0;
    assert_int_equal(solve(c), IMPULSE_DISCONTINUOUS);
    assert_says(c, "just when its factor changes from 5 to ");
    assert_true(*value(c, w1) == 2.0);
    // no jump, no question
    *value(c, w2) = 2.0;
    assert_int_equal(solve(c), IMPULSE_FINE);
    end_case(c);
}

// v' = -f, v = 0, heat' = f v: what the heat of a stop from full speed is, the equations do not
// say. What the location of an event leaves of a speed is no such question.
static void what_is_small_is_no_question(void **state)
{
    (void)state;
    Case k = {.m = daes_begin()}, *c = &k;
    Node v = variable(c, "v"), f = variable(c, "f"), heat = variable(c, "heat");
    equate(c, der(c, v), dag_negate(c->m.dag, f));
    equate(c, der(c, heat), times(c, f, v));
    equate(c, v, number(c, 0.0));
    finish_model(c, NULL, 0);
    *value(c, v) = -1e-9;
    *value(c, heat) = 3.0;
    assert_int_equal(solve(c), IMPULSE_FINE);
    assert_true(fabs(*value(c, v)) <= 1e-24);
    assert_near(*value(c, heat), 3.0, 1e-15);
    *value(c, v) = 1.0;
    assert_int_equal(solve(c), IMPULSE_DISCONTINUOUS);
    assert_says(c, "changes from ");
    end_case(c);
}

// Three clutches in a ring: w1 = w2, w2 = w3, w3 = w1 + z q, where z happens to be zero. The motion
// is unique, 1 w1 + 2 w2 + 3 w3 is kept; the torques are not, and those of least norm are taken.
static void redundant_constraints(void **state)
{
    (void)state;
    Case k = {.m = daes_begin()}, *c = &k;
    Node w1 = variable(c, "w1"), w2 = variable(c, "w2"), w3 = variable(c, "w3"),
         q = variable(c, "q"), z = variable(c, "z"), t1 = variable(c, "t1"), t2 = variable(c, "t2"),
         t3 = variable(c, "t3");
    equate(c, der(c, w1), minus(c, t1, t3));
    equate(c, times(c, number(c, 2.0), der(c, w2)), minus(c, t2, t1));
    equate(c, times(c, number(c, 3.0), der(c, w3)), minus(c, t3, t2));
    equate(c, der(c, q), times(c, z, t3));
    equate(c, der(c, z), number(c, 1.0));
    equate(c, w1, w2);
    equate(c, w2, w3);
    equate(c, w3, plus(c, w1, times(c, z, q)));
    const Node torques[] = {t1, minus(c, t1, t3)};
    finish_model(c, torques, 2);
    *value(c, w1) = 1.0;
    *value(c, w2) = 2.0;
    *value(c, w3) = 6.0;
    *value(c, q) = 5.0;
    *value(c, z) = 0.0;
    assert_int_equal(solve(c), IMPULSE_FINE);
    assert_near(*value(c, w1), 23.0 / 6.0, 1e-14);
    assert_near(*value(c, w2), 23.0 / 6.0, 1e-14);
    assert_near(*value(c, w3), 23.0 / 6.0, 1e-14);
    assert_true(*value(c, q) == 5.0);
    assert_true(isfinite(c->impulses[0]));
    assert_near(c->impulses[1], 17.0 / 6.0, 1e-13); // t1 - t3 is unique
    end_case(c);
}

// tau appears squared: it cannot be impulsive, so w2 cannot follow w1.
static void nonlinear_multipliers_are_finite(void **state)
{
    (void)state;
    Case k = {.m = daes_begin()}, *c = &k;
    Node w1 = variable(c, "w1"), w2 = variable(c, "w2"), tau = variable(c, "tau");
    equate(c, der(c, w1), dag_negate(c->m.dag, tau));
    equate(c, der(c, w2), times(c, tau, tau));
    equate(c, w1, w2);
    finish_model(c, NULL, 0);
    *value(c, w1) = 2.0;
    *value(c, w2) = 1.0;
    assert_int_equal(solve(c), IMPULSE_DISCONTINUOUS);
    assert_says(c, "tau would have to be impulsive");
    end_case(c);
}

// q = C u (1 + u) with i = q': the constraint is not linear, the charge is kept.
static void nonlinear_capacitors_keep_charge(void **state)
{
    (void)state;
    Case k = {.m = daes_begin()}, *c = &k;
    Node u = variable(c, "u"), q1 = variable(c, "q1"), q2 = variable(c, "q2"),
         i1 = variable(c, "i1"), i2 = variable(c, "i2");
    equate(c, q1, times(c, u, plus(c, number(c, 1.0), u)));
    equate(c, q2, times(c, number(c, 2.0), u));
    equate(c, der(c, q1), i1);
    equate(c, der(c, q2), i2);
    equate(c, plus(c, i1, i2), number(c, 0.0));
    finish_model(c, NULL, 0);
    *value(c, q1) = 6.0;  // u = 2
    *value(c, q2) = 12.0; // u = 6
    *value(c, u) = NAN;
    assert_int_equal(solve(c), IMPULSE_FINE);
    double solution = (-3.0 + sqrt(9.0 + 4.0 * 18.0)) / 2.0; // u^2 + 3 u = 18
    assert_near(*value(c, u), solution, 1e-13);
    assert_near(*value(c, q1) + *value(c, q2), 18.0, 1e-12);
    end_case(c);
}

// A chain of n inertias that become one, in one part.
static void a_chain_becomes_one(void **state)
{
    (void)state;
    enum { N = 8 };
    Case k = {.m = daes_begin()}, *c = &k;
    Node w[N], tau[N];
    static const char *const names[] = {"w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8"};
    double momentum = 0.0, inertia = 0.0;
    for (int i = 0; i < N; i++)
        w[i] = variable(c, names[i]);
    for (int i = 0; i < N; i++)
        tau[i] = i ? variable(c, "tau") : number(c, 0.0);
    for (int i = 0; i < N; i++) {
        Node right = i + 1 < N ? tau[i + 1] : number(c, 0.0);
        equate(c, times(c, number(c, pow(10.0, i - 4)), der(c, w[i])), minus(c, right, tau[i]));
        if (i > 0)
            equate(c, w[i], w[i - 1]);
    }
    finish_model(c, NULL, 0);
    for (int i = 0; i < N; i++) {
        *value(c, w[i]) = i % 2 ? -1.0 : 1.0;
        momentum += pow(10.0, i - 4) * (i % 2 ? -1.0 : 1.0);
        inertia += pow(10.0, i - 4);
    }
    assert_int_equal(solve(c), IMPULSE_FINE);
    // the condition is that of the tridiagonal system of the multipliers, about N^2
    for (int i = 0; i < N; i++)
        assert_near(*value(c, w[i]), momentum / inertia, 1e-13);
    end_case(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clutch_keeps_momentum),
        cmocka_unit_test(nothing_moves_without_need),
        cmocka_unit_test(reinit_is_kept),
        cmocka_unit_test(reinit_moves_dependents_by_impulse),
        cmocka_unit_test(rope_loses_radial_velocity),
        cmocka_unit_test(positions_do_not_jump),
        cmocka_unit_test(missing_values_are_reported),
        cmocka_unit_test(capacitors_keep_charge),
        cmocka_unit_test(inductors_keep_flux),
        cmocka_unit_test(diodes_cut_off_currents),
        cmocka_unit_test(multipliers_need_not_be_unique),
        cmocka_unit_test(open_jumps_are_named),
        cmocka_unit_test(contradictions_are_named),
        cmocka_unit_test(jumping_coefficients_are_reported),
        cmocka_unit_test(what_is_small_is_no_question),
        cmocka_unit_test(redundant_constraints),
        cmocka_unit_test(nonlinear_multipliers_are_finite),
        cmocka_unit_test(nonlinear_capacitors_keep_charge),
        cmocka_unit_test(a_chain_becomes_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
