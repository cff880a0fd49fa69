// SPDX-License-Identifier: MIT
//
// Scalar arithmetic before the run: Integers against arithmetic in 128 bits; operators on Reals
// against those of the run, bit for bit.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/operator.h"
#include "flatten/arithmetic.h"
#include "flatten/operation.h"
#include "support/graph.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 Wide;

static const Wide most = INT64_MAX;

// ---- random trees of Integers -------------------------------------------------------------------

static const Operation operations[] = {
    OPERATION_ADD, OPERATION_SUBTRACT, OPERATION_MULTIPLY, OPERATION_MINIMUM, OPERATION_MAXIMUM,
    OPERATION_DIV, OPERATION_MOD,      OPERATION_REM,      OPERATION_NEGATE,  OPERATION_ABS};
enum { OPERATIONS = sizeof operations / sizeof *operations, FIRST_UNARY = 8 };

// As section 3.7.2 of the specification defines it. False: there is no result.
static bool expect(Operation op, Wide a, Wide b, Wide *y)
{
    if ((op == OPERATION_DIV || op == OPERATION_MOD || op == OPERATION_REM) && b == 0)
        return false;
    switch (op) {
    case OPERATION_ADD:
        *y = a + b;
        break;
    case OPERATION_SUBTRACT:
        *y = a - b;
        break;
    case OPERATION_MULTIPLY:
        *y = a * b;
        break;
    case OPERATION_MINIMUM:
        *y = a < b ? a : b;
        break;
    case OPERATION_MAXIMUM:
        *y = a > b ? a : b;
        break;
    case OPERATION_DIV:
        *y = a / b;
        break;
    case OPERATION_MOD:
        *y = a - (a / b - (a % b != 0 && (a < 0) != (b < 0))) * b;
        break;
    case OPERATION_REM:
        *y = a - a / b * b;
        break;
    case OPERATION_NEGATE:
        *y = -a;
        break;
    default:
        *y = a < 0 ? -a : a;
        break;
    }
    return *y >= -most && *y <= most;
}

static int64_t random_integer(GraphRandom *r)
{
    const uint64_t bits = (uint64_t)graph_random(r, UINT32_C(1) << 31) << 32 |
                          (uint64_t)graph_random(r, UINT32_C(1) << 31) << 1;
    const int64_t value = (int64_t)(bits >> (1 + graph_random(r, 63)));
    return graph_random(r, 2) ? value : -value;
}

// Evaluates a random tree both ways; they agree about the value, or that there is none.
static bool evaluate_tree(Arena *arena, GraphRandom *r, int depth, int64_t *value)
{
    if (depth == 0 || graph_random(r, 8) == 0) {
        *value = random_integer(r);
        return true;
    }
    int64_t a, b = 0;
    const uint32_t choice = graph_random(r, OPERATIONS);
    const uint32_t count = choice < FIRST_UNARY ? 2 : 1;
    const bool is_fine = evaluate_tree(arena, r, depth - 1, &a);
    if ((count == 2 && !evaluate_tree(arena, r, depth - 1, &b)) || !is_fine)
        return false;
    const Scalar x[] = {{.integer = a}, {.integer = b}};
    Scalar y = {.integer = 0};
    Wide expected = 0;
    const char *reason;
    const bool has_value = expect(operations[choice], a, b, &expected);
    if (arithmetic_apply(arena, operations[choice], &flat_type_integer, count, x, &y, &reason) !=
            has_value ||
        (has_value && y.integer != expected) || (!has_value && !reason))
        fail_msg("%s of %lld and %lld", operation_info(operations[choice])->text, (long long)a,
                 (long long)b);
    *value = y.integer;
    return has_value;
}

static void integers_are_exact_or_fail(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    GraphRandom r = {1};
    int fine = 0, failed = 0;
    for (int i = 0; i < 50000; i++) {
        int64_t value;
        if (evaluate_tree(arena, &r, 5, &value))
            fine++;
        else
            failed++;
    }
    assert_true(fine > 5000 && failed > 5000); // else the test says little
    arena_destroy(arena);
}

// ---- operators on Reals -------------------------------------------------------------------------

// Every operator and function of the table is evaluated before the run as in it, bit for bit, or
// refused with the words of the table. (But for sines and cosines that are rounding, which are
// zero, see operator_fold.)
static void operators_are_those_of_the_run(void **state)
{
    (void)state;
    assert_true(operator_fold(OPERATOR_COS, 1.5707963267948966, 0.0, 0.0) == 0.0);
    assert_true(operator_fold(OPERATOR_SIN, -3.141592653589793, 0.0, 0.0) == 0.0);
    assert_true(operator_fold(OPERATOR_SIN, 1e-300, 0.0, 0.0) == 1e-300);
    static const double values[] = {0.0, -0.0, 0.125, 0.3, -0.7, 1.0, -1.0, 2.5, -3.25, 40.0, 1e-3};
    enum { COUNT = sizeof values / sizeof *values };
    Arena *arena = arena_create(NULL);
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++) {
        const OperatorInfo *info = operator_info((Operator)op);
        const char result = operator_result((Operator)op);
        if (info->signature[0] == 'B' || op == OPERATOR_TO_REAL)
            continue;
        for (uint32_t i = 0; i < COUNT * COUNT; i++) {
            const double a = values[i / COUNT], b = values[i % COUNT];
            const Scalar x[] = {{.real = a}, {.real = b}};
            Scalar y;
            const char *reason;
            const char *outside = operator_outside((Operator)op, a, b);
            const bool is_fine = arithmetic_apply(arena, (Operation)op, &flat_type_real,
                                                  info->count, x, &y, &reason);
            if (is_fine == (outside != NULL) || (!is_fine && reason != outside))
                fail_msg("%s(%g, %g): %s, %s", info->text, a, b, outside ? outside : "fine",
                         reason ? reason : "fine");
            if (!is_fine)
                continue;
            const double expected = operator_apply((Operator)op, a, b, 0.0);
            const double value = result == 'R' || result == 'N' ? y.real : (double)y.integer;
            // An Integer has no negative zero.
            if (memcmp(&value, &expected, sizeof value) != 0 &&
                !(result == 'I' && value == expected))
                fail_msg("%s(%g, %g) is %.17g before the run, %.17g in it", info->text, a, b, value,
                         expected);
        }
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_exact_or_fail),
        cmocka_unit_test(operators_are_those_of_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
