// SPDX-License-Identifier: MIT
//
// Scalar arithmetic at compile time: see arithmetic.h. Integers are checked for overflow.

#include "flatten/arithmetic.h"

#include "base/number.h"
#include "base/whole.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// A sum, a product and the like of any number of operands.
static bool is_of_many(Operation op)
{
    return op == OPERATION_ADD || op == OPERATION_MULTIPLY || op == OPERATION_MINIMUM ||
           op == OPERATION_MAXIMUM;
}

// ---------------------------------------------------------------------------
// Real
// ---------------------------------------------------------------------------

// homotopy(actual, simplified) and semiLinear(x, k_pos, k_neg) are no operators of the table.
static bool apply_special(Operation op, const Scalar *x, Scalar *y)
{
    if (op == OPERATION_HOMOTOPY)
        y->real = x[0].real;
    else if (op == OPERATION_SEMI_LINEAR)
        y->real = x[0].real >= 0.0 ? x[0].real * x[1].real : x[0].real * x[2].real;
    else
        return false;
    return true;
}

static bool apply_real(Operation op, uint32_t count, const Scalar *x, Scalar *y,
                       const char **reason)
{
    const Operator o = operation_operator(op);
    if (o == OPERATOR_COUNT)
        return apply_special(op, x, y);
    const bool is_unary = operator_info(o)->count == 1;
    if (operator_result(o) == 'B' ||
        (is_of_many(op) ? count < 1 : count != operator_info(o)->count))
        return false;
    double value = x[0].real;
    for (uint32_t i = is_unary ? 0 : 1; i < count; i++) {
        if (operator_info(o)->traits & OPERATOR_PARTIAL &&
            (*reason = operator_outside(o, value, x[i].real)))
            return false;
        value = operator_fold(o, value, x[i].real, 0.0);
    }
    if (operator_result(o) != 'I') {
        y->real = value;
        return true;
    }
    if (!(fabs(value) < 0x1p63)) {
        *reason = "the number is too large for an Integer";
        return false;
    }
    y->integer = (int64_t)value;
    return true;
}

// ---------------------------------------------------------------------------
// Integer
// ---------------------------------------------------------------------------

static bool apply_integer(Operation op, uint32_t count, const Scalar *x, Scalar *y,
                          const char **reason)
{
    *reason = NULL;
    if (op == OPERATION_TO_REAL) {
        y->real = (double)x[0].integer;
        return true;
    }
    if (op == OPERATION_ORDINAL || op == OPERATION_ENUMERATION) {
        y->integer = x[0].integer;
        return true;
    }
    const Operator o = operation_operator(op);
    const WholeOperator whole = o == OPERATOR_COUNT ? WHOLE_NONE : operator_info(o)->whole;
    if (whole == WHOLE_NONE || (!is_of_many(op) && count != whole_info(whole)->count))
        return false;
    int64_t result = x[0].integer;
    if (whole_info(whole)->count == 1 && !whole_apply(whole, x[0].integer, 0, &result))
        return false;
    for (uint32_t i = 1; i < count; i++) {
        const bool divides = whole == WHOLE_DIV || whole == WHOLE_MOD || whole == WHOLE_REM;
        *reason = divides ? "division by zero" : "the result is too large for an Integer";
        if (!whole_apply(whole, result, x[i].integer, &result))
            return false;
    }
    *reason = NULL;
    y->integer = result;
    return true;
}

// ---------------------------------------------------------------------------
// Relations, logic, text
// ---------------------------------------------------------------------------

// What is not Real is compared by its order, as a number and zero.
static bool apply_relation(Operation op, const FlatType *type, const Scalar *x, Scalar *y)
{
    if (op < OPERATION_LESS || op > OPERATION_NOT_EQUAL)
        return false;
    double a, b = 0.0;
    if (type->kind == FLAT_TYPE_REAL) {
        a = x[0].real;
        b = x[1].real;
    } else if (type->kind == FLAT_TYPE_STRING) {
        a = (double)strcmp(x[0].string, x[1].string);
    } else {
        a = (x[0].integer > x[1].integer) - (x[0].integer < x[1].integer);
    }
    y->integer = operator_apply(operation_operator(op), a, b, 0.0) != 0.0;
    return true;
}

static bool apply_logic(Operation op, uint32_t count, const Scalar *x, Scalar *y)
{
    if (op == OPERATION_NOT) {
        y->integer = !x[0].integer;
        return true;
    }
    const bool is_and = op == OPERATION_AND || op == OPERATION_MINIMUM;
    if (!is_and && op != OPERATION_OR && op != OPERATION_MAXIMUM)
        return false;
    y->integer = x[0].integer;
    for (uint32_t i = 1; i < count; i++)
        y->integer = is_and ? y->integer && x[i].integer : y->integer || x[i].integer;
    return true;
}

bool arithmetic_apply(Arena *arena, Operation op, const FlatType *type, uint32_t count,
                      const Scalar *x, Scalar *y, const char **reason)
{
    *reason = NULL;
    if (count == 2 && apply_relation(op, type, x, y))
        return true;
    switch (type->kind) {
    case FLAT_TYPE_REAL:
        return apply_real(op, count, x, y, reason);
    case FLAT_TYPE_INTEGER:
    case FLAT_TYPE_ENUMERATION:
        return apply_integer(op, count, x, y, reason);
    case FLAT_TYPE_BOOLEAN:
        return apply_logic(op, count, x, y);
    case FLAT_TYPE_STRING:
        if (op == OPERATION_ADD && count == 2) {
            if (strlen(x[0].string) + strlen(x[1].string) > LIMIT_TEXT) {
                *reason = "a String becomes too long";
                return false;
            }
            StringBuilder text = builder_create(arena);
            builder_append_text(&text, x[0].string);
            builder_append_text(&text, x[1].string);
            y->string = builder_string(&text).text;
            return true;
        }
        return false;
    default:
        return false;
    }
}

// ---------------------------------------------------------------------------
// String(...)
// ---------------------------------------------------------------------------

// A C format for one number: flags, width and precision of the user's, our length modifier.
static bool formatted(StringBuilder *out, const FlatType *type, Scalar value, const char *format)
{
    char full[64];
    const size_t length = strlen(format);
    if (length == 0 || length > 40)
        return false;
    const char kind = format[length - 1];
    const size_t digits = strspn(format, "-+ #0123456789.");
    if (digits + 1 != length)
        return false;
    if (strchr("eEfgG", kind) && type->kind == FLAT_TYPE_REAL) {
        snprintf(full, sizeof full, "%%%s", format);
    } else if (strchr("di", kind) && type->kind != FLAT_TYPE_REAL) {
        snprintf(full, sizeof full, "%%%.*s" PRId64, (int)digits, format);
    } else {
        return false;
    }
    char text[512];
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
    const int written = type->kind == FLAT_TYPE_REAL
                            ? snprintf(text, sizeof text, full, value.real)
                            : snprintf(text, sizeof text, full, value.integer);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
    if (written < 0 || (size_t)written >= sizeof text)
        return false;
    builder_append_text(out, text);
    return true;
}

static void general(StringBuilder *out, const FlatType *type, Scalar value, int64_t digits)
{
    switch (type->kind) {
    case FLAT_TYPE_REAL:
        builder_append_format(out, "%.*g",
                              (int)(digits < 1    ? 1
                                    : digits > 17 ? 17
                                                  : digits),
                              value.real);
        break;
    case FLAT_TYPE_BOOLEAN:
        builder_append_text(out, value.integer ? "true" : "false");
        break;
    case FLAT_TYPE_ENUMERATION:
        if (value.integer >= 1 && value.integer <= (int64_t)type->count)
            builder_append_text(out, type->literals[value.integer - 1]->text);
        break;
    case FLAT_TYPE_STRING:
        builder_append_text(out, value.string);
        break;
    default:
        builder_append_format(out, "%" PRId64, value.integer);
        break;
    }
}

const char *arithmetic_text(Arena *arena, const FlatType *type, Scalar value, int64_t digits,
                            int64_t minimum, bool left, const char *format)
{
    StringBuilder body = builder_create(arena);
    if (!format || !formatted(&body, type, value, format))
        general(&body, type, value, digits);
    const String text = builder_string(&body);
    const size_t characters = utf8_count(text.text, text.length);
    const size_t wanted = minimum > 0 && minimum < 1000 ? (size_t)minimum : 0;
    const size_t padding = wanted > characters ? wanted - characters : 0;
    StringBuilder out = builder_create(arena);
    if (!left)
        builder_append_repeated(&out, ' ', padding);
    builder_append(&out, text.text, text.length);
    if (left)
        builder_append_repeated(&out, ' ', padding);
    return builder_string(&out).text;
}

const char *arithmetic_shown(Arena *arena, const FlatExpression *string, double x)
{
    FlatExpression *const *operands = string->operands;
    Scalar value = {.integer = (int64_t)x};
    if (operands[0]->type->kind == FLAT_TYPE_REAL)
        value.real = x;
    return arithmetic_text(arena, operands[0]->type, value, operands[1]->integer,
                           operands[2]->integer, operands[3]->boolean,
                           *operands[4]->string ? operands[4]->string : NULL);
}
