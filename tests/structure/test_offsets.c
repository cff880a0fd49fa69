// SPDX-License-Identifier: MIT
//
// Index reduction. Two oracles: the highest value transversal by enumeration of all permutations,
// with the least offsets from Pryce's fixed point iteration; and Pantelides' recursive algorithm.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structure/offsets.h"
#include "support/signatures.h"

enum { MOST = 7, ABSENT = -1000 };

static int setup(void **state)
{
    *state = arena_create(NULL);
    return 0;
}

static int teardown(void **state)
{
    arena_destroy(*state);
    return 0;
}

// ---------------------------------------------------------------------------
// Known systems
// ---------------------------------------------------------------------------

typedef struct Known {
    const char *name;
    const char *equations[16];
    uint32_t index, freedom;
} Known;

static const Known known[] = {
    {"Cartesian pendulum, second order", {"x'' x*lam", "y'' y*lam", "x~ y~"}, 3, 2},
    {"Cartesian pendulum, first order", {"x' u", "y' v", "u' x*lam", "v' y*lam", "x~ y~"}, 3, 2},
    {"pendulum, velocity constraint", {"x'' x*lam", "y'' y*lam", "x*x' y*y'"}, 2, 3},
    {"Robertson with the conservation law", {"y1' y1 y2*y3", "y2' y1 y2~ y3", "y1 y2 y3"}, 1, 2},
    {"Robertson as an ODE", {"y1' y1 y2*y3", "y2' y1 y2~ y3", "y3' y2~"}, 0, 3},
    // a rigid body model: two bars, a slider; Simeon 1998
    {"slider crank, positions",
     {"p1'' p1~ p2~ l1 l2*p1", "p2'' p1~ l1*p2 l2", "p3'' l2", "p1~ p2~ p3", "p1~ p2~"},
     3,
     2},
    // Mazzia, Magherini: Test Set for IVP Solvers; all coordinates second order, two constraints
    {"car axis",
     {"xl'' xl~ yl~ l1*xl l2~", "yl'' xl~ yl~ l1*yl l2~", "xr'' xr~ yr~ l2~", "yr'' xr~ yr~ l2~",
      "xl~ @yb", "xl~ xr~ yl~ yr~"},
     3,
     4},
    // Five of the eight nodes: C (u1 - u2)' stands in pairs of equations, with both signs. So the
    // structure is wrong here, which test_conversion.c puts right.
    {"transistor amplifier, capacitors in pairs",
     {"u1' u2'=-1 u1", "u1'=-1 u2' u2 u3~", "u3' u3 u2~", "u4' u5'=-1 u4 u3~", "u4'=-1 u5' u5"},
     0,
     5},
    {"capacitor parallel to a voltage source", {"u' i=-1", "u @e"}, 2, 0},
    {"two capacitors parallel", {"u1' i1=-1", "u2' i2=-1", "u1 u2=-1", "i1 i2 ir", "ir u1"}, 2, 1},
    {"two inductors in series", {"i1' u1=-1", "i2' u2=-1", "i1 i2=-1", "u1 u2 ur", "ur i1"}, 2, 1},
    {"two inertias joined", {"w1' t1", "w2' t2", "w1 w2=-1", "t1 t2 w1"}, 2, 1},
    {"trajectory control of a double integrator", {"x' v=-1", "v' f=-1", "x @r"}, 3, 0},
    {"chain of four integrators, the end prescribed",
     {"a'=-1 b", "b'=-1 c", "c'=-1 d", "d'=-1 e", "a @r"},
     5,
     0},
    {"nothing differentiated", {"x y~", "y x~"}, 1, 0},
};

static void known_systems(void **state)
{
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        Offsets o;
        const Signature *s = signatures_make(*state, NULL, known[k].equations);
        if (!offsets_find(*state, s, NULL, &o))
            fail_msg("%s is structurally singular", known[k].name);
        if (o.index != known[k].index || o.freedom != known[k].freedom)
            fail_msg("%s: index %u, %u degrees of freedom", known[k].name, o.index, o.freedom);
    }
}

// Pryce 2001, example 1: c = (0, 0, 2), d = (2, 2, 0).
static void pendulum_has_the_published_offsets(void **state)
{
    Offsets o;
    const Signature *s = signatures_make(*state, NULL, known[0].equations);
    assert_true(offsets_find(*state, s, NULL, &o));
    const uint32_t c[] = {0, 0, 2};
    assert_memory_equal(o.c, c, sizeof c);
    assert_int_equal(o.d[signatures_variable(s, "x")], 2);
    assert_int_equal(o.d[signatures_variable(s, "y")], 2);
    assert_int_equal(o.d[signatures_variable(s, "lam")], 0);
}

static void lower_bounds_differentiate_more(void **state)
{
    // m' = w, m = rho(p): p becomes a candidate for a state
    const char *equations[] = {"m' w", "m p~", "w p", NULL};
    const Signature *s = signatures_make(*state, NULL, equations);
    uint32_t least[3] = {0};
    least[signatures_variable(s, "p")] = 1;
    Offsets o;
    assert_true(offsets_find(*state, s, least, &o));
    const uint32_t c[] = {0, 1, 0};
    assert_memory_equal(o.c, c, sizeof c);
    assert_int_equal(o.d[signatures_variable(s, "p")], 1);
    assert_int_equal(o.freedom, 1);
}

// ---------------------------------------------------------------------------
// Oracles
// ---------------------------------------------------------------------------

typedef struct Dense {
    int n;
    int sigma[MOST][MOST];
    int c[MOST], d[MOST];
    int best; // of all transversals, ABSENT: there is none
    int best_column[MOST];
} Dense;

static void try_permutations(Dense *a, int row, int sum, unsigned used, int column[MOST])
{
    if (row == a->n) {
        if (sum > a->best) {
            a->best = sum;
            for (int i = 0; i < a->n; i++)
                a->best_column[i] = column[i];
        }
        return;
    }
    for (int j = 0; j < a->n; j++) {
        if ((used >> j & 1u) || a->sigma[row][j] == ABSENT)
            continue;
        column[row] = j;
        try_permutations(a, row + 1, sum + a->sigma[row][j], used | 1u << j, column);
    }
}

// Pryce: c = 0; d_j = max_i (sigma_ij + c_i); c_i = d_j - sigma_ij on the transversal; repeat.
static void oracle_fixed_point(Dense *a)
{
    bool has_changed = true;
    for (int i = 0; i < a->n; i++)
        a->c[i] = 0;
    while (has_changed) {
        has_changed = false;
        for (int j = 0; j < a->n; j++) {
            a->d[j] = ABSENT;
            for (int i = 0; i < a->n; i++) {
                if (a->sigma[i][j] + a->c[i] > a->d[j])
                    a->d[j] = a->sigma[i][j] + a->c[i];
            }
        }
        for (int i = 0; i < a->n; i++) {
            int j = a->best_column[i], c = a->d[j] - a->sigma[i][j];
            has_changed = has_changed || c != a->c[i];
            a->c[i] = c;
        }
    }
}

// Pantelides: each equation searches a variable of its own among the highest derivatives; if
// there is none, all equations and variables it has come upon are differentiated.
static bool oracle_search(const Dense *a, int i, int *equation_of, bool *seen_i, bool *seen_j)
{
    seen_i[i] = true;
    for (int j = 0; j < a->n; j++) {
        if (seen_j[j] || a->sigma[i][j] == ABSENT || a->sigma[i][j] != a->d[j] - a->c[i])
            continue;
        seen_j[j] = true;
        if (equation_of[j] < 0 || oracle_search(a, equation_of[j], equation_of, seen_i, seen_j)) {
            equation_of[j] = i;
            return true;
        }
    }
    return false;
}

static void oracle_pantelides(Dense *a)
{
    int equation_of[MOST];
    for (int j = 0; j < a->n; j++) {
        equation_of[j] = -1;
        a->c[j] = 0;
        a->d[j] = ABSENT;
        for (int i = 0; i < a->n; i++)
            a->d[j] = a->sigma[i][j] > a->d[j] ? a->sigma[i][j] : a->d[j];
    }
    for (int i = 0; i < a->n; i++) {
        for (;;) {
            bool seen_i[MOST] = {false}, seen_j[MOST] = {false};
            if (oracle_search(a, i, equation_of, seen_i, seen_j))
                break;
            for (int k = 0; k < a->n; k++) {
                a->c[k] += seen_i[k];
                a->d[k] += seen_j[k];
            }
        }
    }
}

static const Signature *random_system(Arena *arena, Random *random, Dense *a)
{
    SignatureBuilder *b = signature_begin(arena);
    a->n = 1 + (int)random_below(random, MOST);
    uint32_t percent = 30 + random_below(random, 40), orders = 2 + random_below(random, 3);
    for (int j = 0; j < a->n; j++)
        signature_variable(b, &(SignatureVariable){.name = "v"});
    for (int i = 0; i < a->n; i++) {
        signature_equation(b, &(SignatureEquation){.text = "e"});
        for (int j = 0; j < a->n; j++) {
            bool is_there = random_below(random, 100) < percent;
            a->sigma[i][j] = is_there ? (int)random_below(random, orders) : ABSENT;
            if (is_there)
                signature_entry(b, (uint32_t)j, (uint32_t)a->sigma[i][j], SIGNATURE_NONLINEAR,
                                false);
        }
    }
    return signature_finish(b);
}

static void compare_offsets(const Dense *a, const Offsets *o)
{
    for (int k = 0; k < a->n; k++) {
        assert_int_equal(o->c[k], a->c[k]);
        assert_int_equal(o->d[k], a->d[k]);
    }
}

static void random_systems_agree_with_both_oracles(void **state)
{
    Random random = {5};
    int regular = 0, high = 0;
    for (int n = 0; n < 5000; n++) {
        ArenaMark mark = arena_mark(*state);
        Dense a;
        Offsets o;
        int column[MOST];
        const Signature *s = random_system(*state, &random, &a);
        a.best = ABSENT;
        try_permutations(&a, 0, 0, 0, column);
        bool is_regular = offsets_find(*state, s, NULL, &o);
        assert_int_equal(is_regular, a.best != ABSENT);
        if (is_regular) {
            assert_int_equal(o.freedom, a.best);
            oracle_fixed_point(&a);
            compare_offsets(&a, &o);
            oracle_pantelides(&a);
            compare_offsets(&a, &o);
            for (uint32_t i = 0; i < s->equation_count; i++) {
                uint32_t j = o.transversal.column_of[i];
                assert_int_equal(a.sigma[i][j], o.d[j] - o.c[i]);
            }
            regular++;
            high += o.index > 2;
        }
        arena_release(*state, mark);
    }
    // the sample has something to say
    assert_true(regular > 1000 && high > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(known_systems, setup, teardown),
        cmocka_unit_test_setup_teardown(pendulum_has_the_published_offsets, setup, teardown),
        cmocka_unit_test_setup_teardown(lower_bounds_differentiate_more, setup, teardown),
        cmocka_unit_test_setup_teardown(random_systems_agree_with_both_oracles, setup, teardown),
    };
    return cmocka_run_group_tests_name("structure/offsets", tests, NULL, NULL);
}
