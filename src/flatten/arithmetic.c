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

// ---- Real
// ----------------------------------------------------------------------------------------

static bool real_function(Operation op, double x, double *y)
{
    switch (op) {
    case OPERATION_SIN:
        *y = sin(x);
        return true;
    case OPERATION_COS:
        *y = cos(x);
        return true;
    case OPERATION_TAN:
        *y = tan(x);
        return true;
    case OPERATION_ASIN:
        *y = asin(x);
        return true;
    case OPERATION_ACOS:
        *y = acos(x);
        return true;
    case OPERATION_ATAN:
        *y = atan(x);
        return true;
    case OPERATION_SINH:
        *y = sinh(x);
        return true;
    case OPERATION_COSH:
        *y = cosh(x);
        return true;
    case OPERATION_TANH:
        *y = tanh(x);
        return true;
    case OPERATION_EXP:
        *y = exp(x);
        return true;
    case OPERATION_LOG:
        *y = log(x);
        return true;
    case OPERATION_LOG10:
        *y = log10(x);
        return true;
    case OPERATION_SQRT:
        *y = sqrt(x);
        return true;
    case OPERATION_ABS:
        *y = fabs(x);
        return true;
    case OPERATION_CEIL:
        *y = ceil(x);
        return true;
    case OPERATION_FLOOR:
        *y = floor(x);
        return true;
    case OPERATION_NEGATE:
        *y = -x;
        return true;
    default:
        return false;
    }
}

static bool real_binary(Operation op, double a, double b, double *y)
{
    switch (op) {
    case OPERATION_SUBTRACT:
        *y = a - b;
        return true;
    case OPERATION_DIVIDE:
        *y = a / b;
        return true;
    case OPERATION_POWER:
        *y = pow(a, b);
        return true;
    case OPERATION_ATAN2:
        *y = atan2(a, b);
        return true;
    case OPERATION_DIV:
        *y = trunc(a / b);
        return true;
    case OPERATION_MOD:
        *y = a - floor(a / b) * b;
        return true;
    case OPERATION_REM:
        *y = a - trunc(a / b) * b;
        return true;
    case OPERATION_HOMOTOPY:
        *y = a;
        return true;
    default:
        return false;
    }
}

static bool real_many(Operation op, uint32_t count, const Scalar *x, double *y)
{
    if (!is_of_many(op))
        return false;
    *y = x[0].real;
    for (uint32_t i = 1; i < count; i++) {
        const double next = x[i].real;
        if (op == OPERATION_ADD)
            *y += next;
        else if (op == OPERATION_MULTIPLY)
            *y *= next;
        else if (op == OPERATION_MINIMUM)
            *y = next < *y ? next : *y;
        else
            *y = next > *y ? next : *y;
    }
    return true;
}

static bool is_undefined(Operation op, uint32_t count, const Scalar *x, const char **reason)
{
    *reason = NULL;
    if ((op == OPERATION_DIVIDE || op == OPERATION_DIV || op == OPERATION_MOD ||
         op == OPERATION_REM) &&
        count == 2 && x[1].real == 0.0)
        *reason = "division by zero";
    else if ((op == OPERATION_LOG || op == OPERATION_LOG10) && x[0].real <= 0.0)
        *reason = "the logarithm of a number that is not positive";
    else if (op == OPERATION_SQRT && x[0].real < 0.0)
        *reason = "the square root of a negative number";
    else if ((op == OPERATION_ASIN || op == OPERATION_ACOS) && fabs(x[0].real) > 1.0)
        *reason = "the argument is not between -1 and 1";
    else if (op == OPERATION_POWER && x[0].real < 0.0 && x[1].real != floor(x[1].real))
        *reason = "a power of a negative number with a fraction as exponent";
    return *reason != NULL;
}

static bool apply_real(Operation op, uint32_t count, const Scalar *x, Scalar *y,
                       const char **reason)
{
    if (is_undefined(op, count, x, reason))
        return false;
    if (op == OPERATION_SEMI_LINEAR) {
        y->real = x[0].real >= 0.0 ? x[0].real * x[1].real : x[0].real * x[2].real;
        return true;
    }
    if (op == OPERATION_SIGN) {
        y->integer = (x[0].real > 0.0) - (x[0].real < 0.0);
        return true;
    }
    if (op == OPERATION_INTEGER) {
        const double whole = floor(x[0].real);
        if (!(fabs(whole) < 0x1p63)) {
            *reason = "the number is too large for an Integer";
            return false;
        }
        y->integer = (int64_t)whole;
        return true;
    }
    double result;
    if (!(count == 1 && real_function(op, x[0].real, &result)) &&
        !(count == 2 && real_binary(op, x[0].real, x[1].real, &result)) &&
        !(count >= 1 && real_many(op, count, x, &result)))
        return false;
    y->real = result;
    return true;
}

// ---- Integer
// -------------------------------------------------------------------------------------

// The operator on whole numbers; WHOLE_COUNT: none.
static WholeOperator whole_operator(Operation op)
{
    switch (op) {
    case OPERATION_ADD:
        return WHOLE_ADD;
    case OPERATION_SUBTRACT:
        return WHOLE_SUBTRACT;
    case OPERATION_MULTIPLY:
        return WHOLE_MULTIPLY;
    case OPERATION_NEGATE:
        return WHOLE_NEGATE;
    case OPERATION_ABS:
        return WHOLE_ABS;
    case OPERATION_MINIMUM:
        return WHOLE_MIN;
    case OPERATION_MAXIMUM:
        return WHOLE_MAX;
    case OPERATION_DIV:
        return WHOLE_DIV;
    case OPERATION_MOD:
        return WHOLE_MOD;
    case OPERATION_REM:
        return WHOLE_REM;
    default:
        return WHOLE_COUNT;
    }
}

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
    const WholeOperator whole = whole_operator(op);
    if (whole == WHOLE_COUNT || (!is_of_many(op) && count != whole_info(whole)->count))
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

// ---- relations, logic, text
// ----------------------------------------------------------------------

static int compare_scalars(const FlatType *type, Scalar a, Scalar b)
{
    if (type->kind == FLAT_TYPE_REAL)
        return (a.real > b.real) - (a.real < b.real);
    if (type->kind == FLAT_TYPE_STRING)
        return strcmp(a.string, b.string);
    return (a.integer > b.integer) - (a.integer < b.integer);
}

static bool apply_relation(Operation op, const FlatType *type, const Scalar *x, Scalar *y)
{
    const int order = compare_scalars(type, x[0], x[1]);
    switch (op) {
    case OPERATION_LESS:
        y->integer = order < 0;
        return true;
    case OPERATION_LESS_EQUAL:
        y->integer = order <= 0;
        return true;
    case OPERATION_GREATER:
        y->integer = order > 0;
        return true;
    case OPERATION_GREATER_EQUAL:
        y->integer = order >= 0;
        return true;
    case OPERATION_EQUAL:
        y->integer = order == 0;
        return true;
    case OPERATION_NOT_EQUAL:
        y->integer = order != 0;
        return true;
    default:
        return false;
    }
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

// ---- String(...)
// ---------------------------------------------------------------------------------

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
