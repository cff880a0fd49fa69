// SPDX-License-Identifier: MIT
//
// State selection and the elimination it rests on. Oracles: determinants of all sets of columns,
// and the greedy algorithm of the linear matroid.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structure/selection.h"
#include "support/signatures.h"

#include <math.h>
#include <string.h>

enum { ROWS = 5, COLUMNS = 8 };

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
// Pivots
// ---------------------------------------------------------------------------

typedef struct Matrix {
    uint32_t rows, columns;
    double a[ROWS][COLUMNS];
    uint8_t rank[COLUMNS], taste[COLUMNS];
    uint32_t start[ROWS + 1], column[ROWS * COLUMNS];
    double value[ROWS * COLUMNS];
} Matrix;

// Small whole numbers, so that ranks of matrices are found exactly.
static PivotsMatrix random_matrix(Random *random, Matrix *m)
{
    uint32_t count = 0, percent = 30 + random_below(random, 60);
    memset(m, 0, sizeof *m);
    m->rows = 1 + random_below(random, ROWS);
    m->columns = m->rows + random_below(random, COLUMNS - m->rows + 1);
    for (uint32_t r = 0; r < m->rows; r++) {
        for (uint32_t c = 0; c < m->columns; c++) {
            int value = (int)random_below(random, 7) - 3;
            if (value == 0 || random_below(random, 100) >= percent)
                continue;
            m->a[r][c] = value;
            m->column[count] = c;
            m->value[count++] = value;
        }
        m->start[r + 1] = count;
    }
    return (PivotsMatrix){.row_count = m->rows,
                          .column_count = m->columns,
                          .start = m->start,
                          .columns = m->column,
                          .values = m->value,
                          .rank = m->rank,
                          .taste = m->taste,
                          .worth = 1e-6,
                          .equal = 0.5};
}

// By expansion along the first row, of the rows from `row` on and the columns of the set.
static double determinant(const Matrix *m, uint32_t row, uint32_t set)
{
    double sum = 0.0, sign = 1.0;
    if (row == m->rows)
        return 1.0;
    for (uint32_t c = 0; c < m->columns; c++) {
        if (!(set >> c & 1u))
            continue;
        if (m->a[row][c] != 0.0)
            sum += sign * m->a[row][c] * determinant(m, row + 1, set & ~(1u << c));
        sign = -sign;
    }
    return sum;
}

static uint32_t bits(uint32_t set)
{
    uint32_t count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

static void pivots_are_regular_and_large(void **state)
{
    Random random = {9};
    Pivots *pivots = pivots_create(*state);
    int regular = 0;
    for (int n = 0; n < 3000; n++) {
        Matrix m;
        PivotsMatrix a = random_matrix(&random, &m);
        uint32_t picked[ROWS], set = 0;
        double logarithm = pivots_pick(pivots, &a, picked), most = 0.0;
        for (uint32_t s = 0; s < 1u << m.columns; s++) {
            if (bits(s) == m.rows)
                most = fmax(most, fabs(determinant(&m, 0, s)));
        }
        assert_int_equal(logarithm == -INFINITY, most == 0.0);
        if (most == 0.0)
            continue;
        for (uint32_t r = 0; r < m.rows; r++)
            set |= 1u << picked[r];
        double found = fabs(determinant(&m, 0, set));
        // whole numbers below 2^20: the logarithm is right to rounding
        assert_true(fabs(exp2(logarithm) - found) < 1e-9 * found);
        // Each pivot is the largest of its row, so no exchange of one column for one gains more
        // than the growth of the elimination; 2^(rows - 1) bounds what is seen here.
        assert_true(found * exp2(m.rows - 1.0) >= most);
        regular++;
    }
    assert_true(regular > 1000);
}

// With ranks alone: the set that is first in the order of the ranks among all regular ones.
static void ranks_are_served_as_by_the_greedy_algorithm(void **state)
{
    Random random = {10};
    Pivots *pivots = pivots_create(*state);
    int regular = 0;
    for (int n = 0; n < 3000; n++) {
        Matrix m;
        PivotsMatrix a = random_matrix(&random, &m);
        uint32_t picked[ROWS], set = 0, best = 0;
        for (uint32_t c = 0; c < m.columns; c++)
            m.rank[c] = (uint8_t)random_below(&random, 3);
        double logarithm = pivots_pick(pivots, &a, picked);
        if (logarithm == -INFINITY)
            continue;
        uint32_t count[3] = {0}, most[3] = {0};
        for (uint32_t r = 0; r < m.rows; r++) {
            set |= 1u << picked[r];
            count[m.rank[picked[r]]]++;
        }
        for (uint32_t s = 0; s < 1u << m.columns; s++) {
            uint32_t has[3] = {0};
            if (bits(s) != m.rows || determinant(&m, 0, s) == 0.0)
                continue;
            for (uint32_t c = 0; c < m.columns; c++)
                has[m.rank[c]] += s >> c & 1u;
            if (best == 0 || has[0] > most[0] || (has[0] == most[0] && has[1] > most[1])) {
                memcpy(most, has, sizeof most);
                best = s;
            }
        }
        assert_true(determinant(&m, 0, set) != 0.0 && best != 0);
        assert_memory_equal(count, most, sizeof count);
        regular++;
    }
    assert_true(regular > 1000);
}

static void taste_decides_between_equals(void **state)
{
    const uint32_t start[] = {0, 3}, columns[] = {0, 1, 2};
    const double values[] = {1.0, 0.7, 0.2};
    const uint8_t rank[] = {1, 1, 1}, taste[] = {2, 1, 0};
    PivotsMatrix a = {1, 3, start, columns, values, NULL, rank, taste, 1e-3, 0.5, false};
    uint32_t picked;
    pivots_pick(pivots_create(*state), &a, &picked);
    assert_int_equal(picked, 1);
}

// Column 0 occurs in both rows: to choose column 1 first changes nothing in the other row.
static void sparsity_decides_between_equals(void **state)
{
    const uint32_t start[] = {0, 2, 5}, columns[] = {0, 1, 0, 2, 3};
    const double values[] = {1.0, 1.0, 1.0, 0.1, 0.1};
    const uint8_t rank[4] = {0}, taste[4] = {0};
    PivotsMatrix a = {2, 4, start, columns, values, NULL, rank, taste, 1e-3, 0.5, false};
    uint32_t picked[2];
    pivots_pick(pivots_create(*state), &a, picked);
    assert_int_equal(picked[0], 1);
    assert_int_equal(picked[1], 0);
}

// Row 1 has one entry that can be trusted, row 0 has several: row 1 gets it, though row 0 has the
// larger number there.
static void trusted_entries_go_where_they_are_needed(void **state)
{
    const uint32_t start[] = {0, 3, 5}, columns[] = {0, 1, 2, 2, 3};
    const double values[] = {1e-4, 1e-4, 1.0, 1.0, 1.5};
    const uint8_t doubts[] = {0, 0, 0, 0, 2}, rank[4] = {0}, taste[] = {1, 1, 0, 1};
    PivotsMatrix a = {2, 4, start, columns, values, doubts, rank, taste, 1e-9, 1e-9, true};
    uint32_t picked[2];
    pivots_pick(pivots_create(*state), &a, picked);
    assert_int_equal(picked[0], 0);
    assert_int_equal(picked[1], 2);
}

// ---------------------------------------------------------------------------
// The pendulum
// ---------------------------------------------------------------------------

typedef struct Pendulum {
    const Signature *s;
    Offsets o;
    const SelectionPlan *plan;
    Selector *selector;
    uint32_t x, y, u, v;
    double jacobian[16];
} Pendulum;

static void make_pendulum(Arena *arena, const char *const *declarations, Pendulum *p)
{
    const char *const equations[] = {"x' u=-1", "y' v=-1", "u' x*lam", "v' y*lam", "x~ y~", NULL};
    p->s = signatures_make(arena, declarations, equations);
    assert_true(offsets_find(arena, p->s, NULL, &p->o));
    p->plan = selection_plan(arena, p->s, &p->o);
    p->selector = selection_selector(arena, p->plan);
    p->x = signatures_variable(p->s, "x");
    p->y = signatures_variable(p->s, "y");
    p->u = signatures_variable(p->s, "u");
    p->v = signatures_variable(p->s, "v");
}

// The partial derivatives with the bob at this angle; the constraint is x^2 + y^2 = 1.
static const double *jacobian_at(Pendulum *p, double angle)
{
    const Signature *s = p->s;
    for (uint32_t i = 0; i < s->equation_count; i++) {
        for (uint32_t e = s->start[i]; e < s->start[i + 1]; e++) {
            uint32_t j = s->entries[e].variable;
            p->jacobian[e] = s->entries[e].kind == SIGNATURE_NUMBER ? s->entries[e].value
                             : i == 4 && j == p->x                  ? 2.0 * cos(angle)
                             : i == 4                               ? 2.0 * sin(angle)
                                                                    : 1.0;
        }
    }
    return p->jacobian;
}

static void pendulum_is_one_group_with_a_choice(void **state)
{
    Pendulum p;
    make_pendulum(*state, NULL, &p);
    assert_int_equal(p.plan->group_count, 1);
    assert_true(p.plan->groups[0].is_free);
    assert_false(p.plan->groups[0].is_constant);
    assert_int_equal(p.plan->groups[0].depth, 2);
}

// All the way round: the coordinate that changes is the state, its velocity too.
static void pendulum_selects_by_the_angle(void **state)
{
    Pendulum p;
    make_pendulum(*state, NULL, &p);
    for (int degrees = 0; degrees < 360; degrees += 5) {
        double angle = degrees * 0.017453292519943295;
        uint32_t states[5];
        if (degrees % 90 == 45)
            continue; // both are equally good
        assert_true(selection_make(p.selector, jacobian_at(&p, angle), states));
        bool by_x = fabs(sin(angle)) > fabs(cos(angle));
        assert_int_equal(states[p.x], by_x);
        assert_int_equal(states[p.u], by_x);
        assert_int_equal(states[p.y], !by_x);
        assert_int_equal(states[p.v], !by_x);
    }
}

// Whether nothing is gained by another selection that is `least` times as good.
static bool is_as_good(Pendulum *p, double angle, double least, const uint32_t states[5])
{
    uint32_t kept[5];
    memcpy(kept, states, sizeof kept);
    return !selection_improve(p->selector, jacobian_at(p, angle), least, kept);
}

// The determinant of a stage is y for the states x, u, and x for y, v; so the quality is the
// tangent up to 45 degrees. It is 1 just after each change: no chattering.
static void quality_is_the_ratio_of_pivots(void **state)
{
    const double rounding = 1e-13; // a few of them
    Pendulum p;
    make_pendulum(*state, NULL, &p);
    uint32_t states[5];
    selection_make(p.selector, jacobian_at(&p, 1.5), states);
    for (double angle = 1.5; angle > 0.0; angle -= 0.1) {
        const double expected = fmin(1.0, tan(angle));
        assert_true(is_as_good(&p, angle, expected - rounding, states));
        assert_false(is_as_good(&p, angle, expected + rounding, states));
    }
    assert_false(is_as_good(&p, 0.0, 1e-15, states));
    double changes = 0.0;
    for (double angle = 1.5; angle > -7.5; angle -= 0.01) {
        if (!selection_improve(p.selector, jacobian_at(&p, angle), 0.5, states))
            continue;
        assert_true(is_as_good(&p, angle, 1.0 - rounding, states));
        changes++;
    }
    assert_true(changes == 6.0); // one in each quadrant that is passed: 516 degrees
}

// A preference holds until the pivot of the other coordinate is a thousandth.
static void preferences_hold_within_reason(void **state)
{
    const char *const declarations[] = {"x prefer", "u prefer", NULL};
    Pendulum p;
    uint32_t states[5];
    make_pendulum(*state, declarations, &p);
    assert_true(selection_make(p.selector, jacobian_at(&p, 0.01), states));
    assert_true(states[p.x] && states[p.u]);
    assert_true(selection_make(p.selector, jacobian_at(&p, 0.0005), states));
    assert_true(states[p.y] && states[p.v]);
}

// Nominal values say what is large: y in units of a thousand x.
static void nominal_values_scale_pivots(void **state)
{
    const char *const declarations[] = {"x", "y nominal=0.001", NULL};
    Pendulum p;
    uint32_t states[5];
    make_pendulum(*state, declarations, &p);
    assert_true(selection_make(p.selector, jacobian_at(&p, 1.5), states));
    assert_true(states[p.y] == 1);
}

// At the centre there is no choice that is regular; a generic one is made, and said.
static void singular_points_are_reported(void **state)
{
    Pendulum p;
    uint32_t states[5], count = 0;
    make_pendulum(*state, NULL, &p);
    jacobian_at(&p, 0.0);
    for (uint32_t e = p.s->start[4]; e < p.s->start[5]; e++)
        p.jacobian[e] = 0.0;
    assert_false(selection_make(p.selector, p.jacobian, states));
    for (uint32_t j = 0; j < 5; j++)
        count += states[j];
    assert_int_equal(count, 2);
    assert_false(selection_improve(p.selector, p.jacobian, 1.0, states));
}

// ---------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------

// Capacitors between all neighbours of a ring and one to ground at every node: the branch voltages
// are u_k - u_k+1. A set of states that contains a whole loop of branches has a perfect matching,
// but the numbers say that it is singular.
static void numbers_count_where_they_are_known(void **state)
{
    enum { NODES = 400 };
    SignatureBuilder *b = signature_begin(*state);
    uint32_t u[NODES], w[NODES], i[NODES], ig[NODES];
    for (uint32_t k = 0; k < NODES; k++) {
        u[k] = signature_variable(b, &(SignatureVariable){.name = "u", .select = SIGNATURE_AVOID});
        w[k] = signature_variable(b, &(SignatureVariable){.name = "w"});
        i[k] = signature_variable(b, &(SignatureVariable){.name = "i"});
        ig[k] = signature_variable(b, &(SignatureVariable){.name = "ig"});
    }
    for (uint32_t k = 0; k < NODES; k++) {
        signature_equation(b, &(SignatureEquation){.text = "branch"});
        signature_number(b, w[k], 0, 1.0);
        signature_number(b, u[k], 0, -1.0);
        signature_number(b, u[(k + 1) % NODES], 0, 1.0);
        signature_equation(b, &(SignatureEquation){.text = "capacitor"});
        signature_entry(b, w[k], 1, SIGNATURE_PARAMETER, false);
        signature_number(b, i[k], 0, 1.0);
        signature_equation(b, &(SignatureEquation){.text = "to ground"});
        signature_entry(b, u[k], 1, SIGNATURE_PARAMETER, false);
        signature_number(b, ig[k], 0, 1.0);
        signature_equation(b, &(SignatureEquation){.text = "node"});
        signature_number(b, ig[k], 0, 1.0);
        signature_number(b, i[k], 0, 1.0);
        signature_number(b, i[(k + NODES - 1) % NODES], 0, -1.0);
    }
    const Signature *s = signature_finish(b);
    Offsets o;
    assert_true(offsets_find(*state, s, NULL, &o));
    assert_int_equal(o.index, 2);
    assert_int_equal(o.freedom, NODES);
    const SelectionPlan *plan = selection_plan(*state, s, &o);
    uint32_t *states = ARENA_ARRAY(*state, s->variable_count, uint32_t), node_voltages = 0;
    assert_true(selection_make(selection_selector(*state, plan), NULL, states));
    for (uint32_t k = 0; k < NODES; k++)
        node_voltages += states[u[k]];
    // all branches but one are independent: one node's voltage has to be a state, avoided or not
    assert_int_equal(node_voltages, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pivots_are_regular_and_large, setup, teardown),
        cmocka_unit_test_setup_teardown(ranks_are_served_as_by_the_greedy_algorithm, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(taste_decides_between_equals, setup, teardown),
        cmocka_unit_test_setup_teardown(sparsity_decides_between_equals, setup, teardown),
        cmocka_unit_test_setup_teardown(trusted_entries_go_where_they_are_needed, setup, teardown),
        cmocka_unit_test_setup_teardown(pendulum_is_one_group_with_a_choice, setup, teardown),
        cmocka_unit_test_setup_teardown(pendulum_selects_by_the_angle, setup, teardown),
        cmocka_unit_test_setup_teardown(quality_is_the_ratio_of_pivots, setup, teardown),
        cmocka_unit_test_setup_teardown(preferences_hold_within_reason, setup, teardown),
        cmocka_unit_test_setup_teardown(nominal_values_scale_pivots, setup, teardown),
        cmocka_unit_test_setup_teardown(singular_points_are_reported, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_count_where_they_are_known, setup, teardown),
    };
    return cmocka_run_group_tests_name("structure/selection", tests, NULL, NULL);
}
