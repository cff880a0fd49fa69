// SPDX-License-Identifier: MIT
//
// Scalar arithmetic before the run: Integers against arithmetic in 128 bits; Real functions against
// the operators of the run, bit for bit.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equations/operator.h"
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

// ---- Real functions -----------------------------------------------------------------------------

// Every elementary function of the table is evaluated before the run as in it: a new one that is
// known in one place only is found here.
static void functions_are_those_of_the_run(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    int found = 0;
    for (uint32_t op = 0; op < OPERATION_COUNT; op++) {
        const OperationInfo *info = operation_info((Operation)op);
        const char *signature = info->signature;
        if (*signature != '!' || op == OPERATION_HOMOTOPY || op == OPERATION_SEMI_LINEAR)
            continue;
        uint32_t other = 0;
        while (other < OPERATOR_COUNT && strcmp(operator_info(other)->text, info->text) != 0)
            other++;
        if (other == OPERATOR_COUNT)
            fail_msg("%s is no operator of the run", info->text);
        const uint32_t count = operator_info(other)->count;
        for (double a = 0.125; a < 1.0; a += 0.125) {
            const Scalar x[] = {{.real = a}, {.real = 0.7 - a / 3.0}};
            Scalar y;
            const char *reason;
            if (!arithmetic_apply(arena, (Operation)op, &flat_type_real, count, x, &y, &reason))
                fail_msg("%s(%g) cannot be evaluated before the run", info->text, a);
            const double expected = operator_apply((Operator)other, x[0].real, x[1].real, 0.0);
            const bool is_integer = signature[strlen(signature) - 1] == 'I';
            const double value = is_integer ? (double)y.integer : y.real;
            if (memcmp(&value, &expected, sizeof value) != 0)
                fail_msg("%s(%g) is %.17g before the run, %.17g in it", info->text, a, value,
                         expected);
        }
        found++;
    }
    assert_true(found >= 21); // sin to integer
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_exact_or_fail),
        cmocka_unit_test(functions_are_those_of_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
