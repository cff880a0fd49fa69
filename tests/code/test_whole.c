// SPDX-License-Identifier: MIT
//
// Operations on Integers: exact or failing, in the interpreter and in emitted C alike, against
// arithmetic in 128 bits. A place holds no more than 2^53, so large operands are put together from
// two variables, high 2^32 + low, and large results are taken apart again.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "code/interpret.h"
#include "code/native.h"
#include "equations/print.h"
#include "support/code.h"
#include "support/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef __int128 Wide;

static const Wide most = INT64_MAX;
#define UNIT (INT64_C(1) << 32)

// ---- what the result should be ------------------------------------------------------------------

typedef struct Expected {
    Wide value;
    bool is_fine;
} Expected;

static Wide floor_divide(Wide a, Wide b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// As the specification defines it, section 3.7.2.
static Expected expect(Operator op, Wide a, Wide b)
{
    Wide y = 0;
    const bool divides = op == OPERATOR_DIV || op == OPERATOR_MOD || op == OPERATOR_REM;
    if (divides && b == 0)
        return (Expected){0, false};
    switch (op) {
    case OPERATOR_ADD:
        y = a + b;
        break;
    case OPERATOR_SUBTRACT:
        y = a - b;
        break;
    case OPERATOR_MULTIPLY:
        y = a * b;
        break;
    case OPERATOR_NEGATE:
        y = -a;
        break;
    case OPERATOR_ABS:
        y = a < 0 ? -a : a;
        break;
    case OPERATOR_SIGN:
        y = (a > 0) - (a < 0);
        break;
    case OPERATOR_MINIMUM:
        y = a < b ? a : b;
        break;
    case OPERATOR_MAXIMUM:
        y = a > b ? a : b;
        break;
    case OPERATOR_DIV:
        y = a / b;
        break;
    case OPERATOR_MOD:
        y = a - floor_divide(a, b) * b;
        break;
    case OPERATOR_REM:
        y = a - a / b * b;
        break;
    default:
        fail_msg("operator %s", operator_info(op)->name);
    }
    return (Expected){y, y >= -most && y <= most};
}

static bool expect_relation(Operator op, Wide a, Wide b)
{
    return op == OPERATOR_LESS            ? a < b
           : op == OPERATOR_LESS_EQUAL    ? a <= b
           : op == OPERATOR_GREATER       ? a > b
           : op == OPERATOR_GREATER_EQUAL ? a >= b
           : op == OPERATOR_EQUAL         ? a == b
                                          : a != b;
}

static const Operator arithmetic[] = {OPERATOR_ADD,     OPERATOR_SUBTRACT, OPERATOR_MULTIPLY,
                                      OPERATOR_DIV,     OPERATOR_MOD,      OPERATOR_REM,
                                      OPERATOR_MINIMUM, OPERATOR_MAXIMUM,  OPERATOR_NEGATE,
                                      OPERATOR_ABS,     OPERATOR_SIGN};
static const Operator relations[] = {OPERATOR_LESS,    OPERATOR_LESS_EQUAL,
                                     OPERATOR_GREATER, OPERATOR_GREATER_EQUAL,
                                     OPERATOR_EQUAL,   OPERATOR_NOT_EQUAL};
enum {
    ARITHMETIC = sizeof arithmetic / sizeof *arithmetic,
    RELATIONS = sizeof relations / sizeof *relations,
};

// ---- running ------------------------------------------------------------------------------------

static uint32_t add_integer(Dag *dag, const char *name)
{
    return dag_add_variable(dag, name, DAG_PLAIN, DAG_INTEGER, DAG_DISCRETE);
}

// A whole number of 64 bits from two variables.
static Node joined(Dag *dag, uint32_t high, uint32_t low)
{
    return dag_add(dag, dag_multiply(dag, dag_reference(dag, high), dag_integer(dag, UNIT)),
                   dag_reference(dag, low));
}

static void split(int64_t value, double *high, double *low)
{
    *high = (double)(value / UNIT);
    *low = (double)(value % UNIT);
}

// Runs an entry both ways. 0 or 1; they agree about that, about the place and about the values.
static int run_both(const Harness *h, uint32_t entry, const double *x, double *y, uint32_t count)
{
    const double *const in[] = {x, NULL};
    double *out[] = {y};
    const int status = interpret(h->module, entry, in, out, harness_run(h));
    const uint32_t place = harness_run(h)->failure;
    const CodeFunction native = native_entry(h->native, entry);
    if (!native)
        return status;
    double by_c[8];
    assert_true(count <= 8);
    out[0] = by_c;
    assert_int_equal(native(in, out, harness_run(h)), status);
    if (status)
        assert_int_equal(harness_run(h)->failure, place);
    else
        assert_memory_equal(y, by_c, count * sizeof *y);
    return status;
}

// The two halves of a whole number as outputs.
static void halves(Dag *dag, Node value, CodeOutput outputs[2])
{
    outputs[0] = (CodeOutput){0, 0, dag_binary(dag, OPERATOR_DIV, value, dag_integer(dag, UNIT))};
    outputs[1] = (CodeOutput){0, 1, dag_binary(dag, OPERATOR_REM, value, dag_integer(dag, UNIT))};
}

static void check_halves(const double y[2], Wide expected, const char *what)
{
    const Wide value = (Wide)(int64_t)y[0] * UNIT + (int64_t)y[1];
    if (value != expected)
        fail_msg("%s: is %.0f * 2^32 + %.0f, not %.0f * 2^32 + %.0f", what, y[0], y[1],
                 (double)(expected / UNIT), (double)(expected % UNIT));
}

// ---- every operator on special values -----------------------------------------------------------

static const int64_t special[] = {0,
                                  1,
                                  -1,
                                  2,
                                  -2,
                                  3,
                                  7,
                                  -7,
                                  1000003,
                                  INT64_C(2147483647),
                                  INT64_C(-2147483648),
                                  INT64_C(3037000499), // its square is just below 2^63
                                  INT64_C(3037000500),
                                  INT64_C(-3037000500),
                                  INT64_C(4294967296),
                                  INT64_C(9007199254740991),
                                  INT64_C(9007199254740992),
                                  INT64_C(-9007199254740993),
                                  INT64_C(4611686018427387904),
                                  INT64_C(-4611686018427387904),
                                  INT64_C(4611686018427387905),
                                  INT64_MAX - 1,
                                  INT64_MAX,
                                  -INT64_MAX};
enum { SPECIAL = sizeof special / sizeof *special };

static void operators_are_exact_or_fail(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Dag *dag = dag_create(arena);
    const uint32_t ah = add_integer(dag, "ah"), al = add_integer(dag, "al");
    const uint32_t bh = add_integer(dag, "bh"), bl = add_integer(dag, "bl");
    const Node a = joined(dag, ah, al), b = joined(dag, bh, bl);
    Harness h = harness_begin(dag, 1);
    for (uint32_t k = 0; k < ARITHMETIC; k++) {
        const Node value = operator_info(arithmetic[k])->count == 2
                               ? dag_binary(dag, arithmetic[k], a, b)
                               : dag_unary(dag, arithmetic[k], a);
        CodeOutput outputs[2];
        halves(dag, value, outputs);
        harness_add(&h, operator_info(arithmetic[k])->name, outputs, 2, false);
    }
    for (uint32_t k = 0; k < RELATIONS; k++) {
        const CodeOutput output = {0, 0, dag_binary(dag, relations[k], a, b)};
        harness_add(&h, operator_info(relations[k])->name, &output, 1, false);
    }
    harness_finish(&h);
    for (uint32_t i = 0; i < SPECIAL * SPECIAL; i++) {
        const int64_t p = special[i / SPECIAL], q = special[i % SPECIAL];
        double x[5] = {0}, y[2] = {0};
        split(p, &x[ah], &x[al]);
        split(q, &x[bh], &x[bl]);
        for (uint32_t k = 0; k < ARITHMETIC; k++) {
            const Expected e = expect(arithmetic[k], p, q);
            const int status = run_both(&h, k, x, y, 2);
            if (status != !e.is_fine)
                fail_msg("%s of %lld and %lld: status %d", operator_info(arithmetic[k])->name,
                         (long long)p, (long long)q, status);
            if (e.is_fine)
                check_halves(y, e.value, operator_info(arithmetic[k])->name);
        }
        for (uint32_t k = 0; k < RELATIONS; k++) {
            assert_int_equal(run_both(&h, ARITHMETIC + k, x, y, 1), 0);
            assert_int_equal((int)y[0], expect_relation(relations[k], p, q));
        }
    }
    harness_end(&h);
    arena_destroy(arena);
}

// ---- random trees -------------------------------------------------------------------------------

enum { VARIABLES = 4, TREES = 60, DEPTH = 5 };

typedef struct Tree Tree;
struct Tree {
    Operator op; // OPERATOR_IF: the first two are compared; OPERATOR_COUNT: a leaf
    Operator relation;
    uint32_t variable; // 0: a number
    int64_t number;
    Tree *operands[4];
};

static Tree *random_tree(Arena *arena, GraphRandom *r, int depth)
{
    Tree *t = ARENA_NEW(arena, Tree);
    t->op = OPERATOR_COUNT;
    if (depth == 0 || graph_random(r, 8) == 0) {
        t->variable = graph_random(r, VARIABLES + 1);
        t->number = special[graph_random(r, SPECIAL)];
        if (graph_random(r, 2))
            t->number = (int64_t)graph_random(r, 21) - 10;
        return t;
    }
    const uint32_t choice = graph_random(r, ARITHMETIC + 2);
    t->op = choice < ARITHMETIC ? arithmetic[choice] : OPERATOR_IF;
    t->relation = relations[graph_random(r, RELATIONS)];
    const uint32_t count = t->op == OPERATOR_IF ? 4 : operator_info(t->op)->count;
    for (uint32_t k = 0; k < count; k++)
        t->operands[k] = random_tree(arena, r, depth - 1);
    return t;
}

static Node node_of(Dag *dag, const Tree *t)
{
    if (t->op == OPERATOR_COUNT)
        return t->variable ? dag_reference(dag, t->variable) : dag_integer(dag, t->number);
    const Node a = node_of(dag, t->operands[0]);
    if (operator_info(t->op)->count == 1)
        return dag_unary(dag, t->op, a);
    const Node b = node_of(dag, t->operands[1]);
    if (t->op == OPERATOR_IF)
        return dag_if(dag, dag_binary(dag, t->relation, a, b), node_of(dag, t->operands[2]),
                      node_of(dag, t->operands[3]));
    return dag_binary(dag, t->op, a, b);
}

static Expected value_of(const Tree *t, const double *x)
{
    if (t->op == OPERATOR_COUNT)
        return (Expected){t->variable ? (Wide)x[t->variable] : t->number, true};
    const Expected a = value_of(t->operands[0], x);
    if (operator_info(t->op)->count == 1 || !a.is_fine)
        return a.is_fine ? expect(t->op, a.value, 0) : a;
    const Expected b = value_of(t->operands[1], x);
    if (!b.is_fine)
        return b;
    if (t->op == OPERATOR_IF)
        return value_of(t->operands[expect_relation(t->relation, a.value, b.value) ? 2 : 3], x);
    return expect(t->op, a.value, b.value);
}

static double random_stored(GraphRandom *r)
{
    static const double sizes[] = {3.0, 1e3, 1e6, 4e9, 9007199254740991.0};
    const double size = sizes[graph_random(r, 5)];
    return trunc(graph_random_real(r, -size, size));
}

// What has failed is in the tree, and everything else is exact; with the rules of the graph and
// without them.
static void random_trees_agree(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        Arena *arena = arena_create(NULL);
        Dag *dag = dag_create(arena);
        GraphRandom r = {seed};
        for (uint32_t k = 1; k <= VARIABLES; k++)
            add_integer(dag, "v");
        dag->is_plain = seed % 2;
        Tree *trees[TREES];
        const char *texts[TREES];
        Harness h = harness_begin(dag, 1);
        for (uint32_t k = 0; k < TREES; k++) {
            trees[k] = random_tree(arena, &r, DEPTH);
            CodeOutput outputs[2];
            const Node node = node_of(dag, trees[k]);
            texts[k] = print_text(dag, node);
            halves(dag, node, outputs);
            char name[16];
            snprintf(name, sizeof name, "tree%u", k);
            harness_add(&h, name, outputs, 2, false);
        }
        harness_finish(&h);
        int fine = 0, failed = 0;
        for (int point = 0; point < 200; point++) {
            double x[VARIABLES + 1] = {0}, y[2] = {0};
            for (uint32_t k = 1; k <= VARIABLES; k++)
                x[k] = random_stored(&r);
            for (uint32_t k = 0; k < TREES; k++) {
                const Expected e = value_of(trees[k], x);
                if (run_both(&h, k, x, y, 2) != !e.is_fine)
                    fail_msg("seed %d: %s %s at %.0f, %.0f, %.0f, %.0f", (int)seed, texts[k],
                             e.is_fine ? "fails" : "does not fail", x[1], x[2], x[3], x[4]);
                if (e.is_fine)
                    check_halves(y, e.value, texts[k]);
                fine += e.is_fine;
                failed += !e.is_fine;
            }
        }
        assert_true(fine > 1000 && failed > 1000); // else the test says little
        harness_end(&h);
        arena_destroy(arena);
    }
}

// ---- borders ------------------------------------------------------------------------------------

// A place holds up to 2^53 - 1: the next is an error, not another number.
static void places_hold_what_they_can(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Dag *dag = dag_create(arena);
    const uint32_t i = add_integer(dag, "i");
    const Node next = dag_add(dag, dag_reference(dag, i), dag_integer(dag, 1));
    const CodeOutput stored = {0, 0, next};
    const CodeOutput rounded = {0, 0, dag_unary(dag, OPERATOR_TO_REAL, next)};
    Harness h = harness_begin(dag, 1);
    harness_add(&h, "stored", &stored, 1, false);
    harness_add(&h, "rounded", &rounded, 1, false);
    harness_finish(&h);
    double x[2] = {0.0, 9007199254740990.0}, y = 0.0;
    assert_int_equal(run_both(&h, 0, x, &y, 1), 0);
    assert_true(y == 9007199254740991.0);
    x[1] = 9007199254740991.0;
    assert_int_equal(run_both(&h, 0, x, &y, 1), 1);
    assert_string_equal(h.module->places[harness_run(&h)->failure].message,
                        "Integer overflow in i + 1: a variable cannot hold more than 2^53");
    assert_int_equal(run_both(&h, 1, x, &y, 1), 0);
    assert_true(y == 9007199254740992.0);
    // What is no Integer to begin with.
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 9007199254740992.0, -1e300};
    for (uint32_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        x[1] = wrong[k];
        assert_int_equal(run_both(&h, 1, x, &y, 1), 1);
    }
    harness_end(&h);
    arena_destroy(arena);
}

static void reals_become_integers(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Dag *dag = dag_create(arena);
    const Node a = dag_reference(dag, dag_add_variable(dag, "a", DAG_PLAIN, DAG_REAL, 3));
    CodeOutput outputs[2];
    halves(dag, dag_unary(dag, OPERATOR_INTEGER, a), outputs);
    Harness h = harness_begin(dag, 1);
    harness_add(&h, "integer", outputs, 2, false);
    harness_finish(&h);
    static const double fine[] = {0.0,
                                  -0.0,
                                  0.5,
                                  -0.5,
                                  2.999999,
                                  -3.0,
                                  1e15,
                                  -1e15,
                                  1e18,
                                  -1e18,
                                  0x1p53,
                                  0x1p62,
                                  -7.5,
                                  1e-310,
                                  4.9e-324,
                                  -1e-310,
                                  0x1.fffffffffffffp62,
                                  -0x1.fffffffffffffp62};
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 0x1p63, -0x1p63, 1e300};
    double x[2] = {0}, y[2] = {0};
    for (uint32_t k = 0; k < sizeof fine / sizeof *fine; k++) {
        x[1] = fine[k];
        assert_int_equal(run_both(&h, 0, x, y, 2), 0);
        check_halves(y, (Wide)floor(fine[k]), "integer");
    }
    for (uint32_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        x[1] = wrong[k];
        assert_int_equal(run_both(&h, 0, x, y, 2), 1);
    }
    harness_end(&h);
    arena_destroy(arena);
}

// Constants that are no doubles, and the operators on numbers that the graph folds.
static void large_constants_are_exact(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Dag *dag = dag_create(arena);
    Harness h = harness_begin(dag, 1);
    for (uint32_t k = 0; k < SPECIAL; k++) {
        CodeOutput outputs[2];
        halves(dag, dag_integer(dag, special[k]), outputs);
        char name[16];
        snprintf(name, sizeof name, "number%u", k);
        harness_add(&h, name, outputs, 2, false);
    }
    harness_finish(&h);
    const double x[1] = {0};
    double y[2] = {0};
    for (uint32_t k = 0; k < SPECIAL; k++) {
        assert_int_equal(run_both(&h, k, x, y, 2), 0);
        check_halves(y, special[k], "constant");
    }
    for (uint32_t i = 0; i < SPECIAL * SPECIAL; i++) {
        const int64_t p = special[i / SPECIAL], q = special[i % SPECIAL];
        for (uint32_t k = 0; k < ARITHMETIC; k++) {
            const Expected e = expect(arithmetic[k], p, q);
            const Node value =
                operator_info(arithmetic[k])->count == 2
                    ? dag_binary(dag, arithmetic[k], dag_integer(dag, p), dag_integer(dag, q))
                    : dag_unary(dag, arithmetic[k], dag_integer(dag, p));
            if (!dag_is_number(dag, value))
                continue;
            assert_true(e.is_fine);
            assert_true((Wide)dag_get(dag, value)->value == e.value);
            assert_true(fabs(dag_get(dag, value)->value) < 0x1p53);
        }
    }
    harness_end(&h);
    arena_destroy(arena);
}

// What may fail is executed only on the side that is taken.
static void failures_stay_on_their_side(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Dag *dag = dag_create(arena);
    const Node i = dag_reference(dag, add_integer(dag, "i"));
    const Node rest = dag_binary(dag, OPERATOR_MOD, dag_integer(dag, 100), i);
    const Node is_zero = dag_binary(dag, OPERATOR_EQUAL, i, dag_integer(dag, 0));
    const CodeOutput output = {0, 0, dag_if(dag, is_zero, dag_integer(dag, -1), rest)};
    Harness h = harness_begin(dag, 1);
    harness_add(&h, "guarded", &output, 1, false);
    const CodeOutput bare = {0, 0, rest};
    harness_add(&h, "bare", &bare, 1, false);
    harness_finish(&h);
    double x[2] = {0.0, 0.0}, y = 0.0;
    assert_int_equal(run_both(&h, 0, x, &y, 1), 0);
    assert_true(y == -1.0);
    assert_int_equal(run_both(&h, 1, x, &y, 1), 1);
    assert_string_equal(h.module->places[harness_run(&h)->failure].message,
                        "division by zero in mod(100, i)");
    x[1] = -7.0;
    assert_int_equal(run_both(&h, 0, x, &y, 1), 0);
    assert_true(y == -5.0);
    harness_end(&h);
    arena_destroy(arena);
}

// Where an entry is a guess, what would fail is 0, and everything else is exact.
static void guesses_do_not_fail(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Dag *dag = dag_create(arena);
    const Node i = dag_reference(dag, add_integer(dag, "i"));
    const Node hundred = dag_integer(dag, 100);
    const Node large = dag_multiply(dag, i, dag_multiply(dag, i, i));
    const CodeOutput outputs[] = {
        {0, 0, dag_add(dag, dag_binary(dag, OPERATOR_MOD, hundred, i), dag_integer(dag, 1))},
        {0, 1, dag_binary(dag, OPERATOR_MOD, large, dag_integer(dag, 1000))},
        {0, 2, dag_multiply(dag, i, i)},
        {0, 3, dag_binary(dag, OPERATOR_GREATER, large, hundred)},
        {0, 4, dag_binary(dag, OPERATOR_MOD, dag_add(dag, large, large), dag_integer(dag, 1000))}};
    Harness h = harness_begin(dag, 1);
    const CodeEntryDef def = {
        .name = "guess", .outputs = outputs, .output_count = 5, .is_guess = true};
    const char *reason;
    assert_int_equal(code_add_entry(h.module, &def, &reason), 0);
    harness_finish(&h);
    const struct {
        double i, y[5];
    } table[] = {
        {0.0, {1.0, 0.0, 0.0, 0.0, 0.0}},
        {7.0, {3.0, 343.0, 49.0, 1.0, 686.0}},
        {-7.0, {-4.0, 657.0, 49.0, 0.0, 314.0}},
        {1000001.0, {101.0, 1.0, 1000002000001.0, 1.0, 2.0}}, // its cube has 60 bits
        {2000001.0, {101.0, 1.0, 4000004000001.0, 1.0, 0.0}}, // twice its cube over 64
        {1e8, {101.0, 0.0, 0.0, 0.0, 0.0}},                   // its cube over 64, its square 54
        {NAN, {1.0, 0.0, 0.0, 0.0, 0.0}},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const double x[2] = {0.0, table[k].i};
        double y[5] = {0};
        assert_int_equal(run_both(&h, 0, x, y, 5), 0);
        assert_memory_equal(y, table[k].y, sizeof y);
    }
    harness_end(&h);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_are_exact_or_fail),
        cmocka_unit_test(random_trees_agree),
        cmocka_unit_test(places_hold_what_they_can),
        cmocka_unit_test(reals_become_integers),
        cmocka_unit_test(large_constants_are_exact),
        cmocka_unit_test(failures_stay_on_their_side),
        cmocka_unit_test(guesses_do_not_fail),
    };
    return cmocka_run_group_tests(tests, harness_make_cache, harness_remove_cache);
}
