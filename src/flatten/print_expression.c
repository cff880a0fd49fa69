// SPDX-License-Identifier: MIT
//
// Expressions of the flat model as Modelica text. What is printed means the same when it is read
// again: parentheses stand where the precedence of the context (section 3.2) is above that of the
// operator, names that are no identifiers have quotes, and numbers have the digits that give the
// same bits.

#include "flatten/print.h"

#include "base/number.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>

// Weaker than any operator, and stronger.
enum { LOOSE = 0, ADDITIVE = 5, MULTIPLICATIVE = 6, ATOMIC = 9 };

static const char *const keywords[] = {
    "algorithm",   "and",          "annotation", "block",       "break",
    "class",       "connect",      "connector",  "constant",    "constrainedby",
    "der",         "discrete",     "each",       "else",        "elseif",
    "elsewhen",    "encapsulated", "end",        "enumeration", "equation",
    "expandable",  "extends",      "external",   "false",       "final",
    "flow",        "for",          "function",   "if",          "import",
    "impure",      "in",           "initial",    "inner",       "input",
    "loop",        "model",        "not",        "operator",    "or",
    "outer",       "output",       "package",    "parameter",   "partial",
    "protected",   "public",       "pure",       "record",      "redeclare",
    "replaceable", "return",       "stream",     "then",        "true",
    "type",        "when",         "while",      "within"};

static bool print_expression_is_plain(const char *name)
{
    if (!isalpha((unsigned char)name[0]) && name[0] != '_')
        return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return false;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strcmp(name, keywords[i]) == 0)
            return false;
    return true;
}

// One quoted identifier, and not 'a'.'b'.
static bool is_quoted(const char *name)
{
    const size_t length = strlen(name);
    if (length < 3 || name[0] != '\'' || name[length - 1] != '\'')
        return false;
    for (size_t i = 1; i + 1 < length; i++) {
        if (name[i] == '\'')
            return false;
        i += name[i] == '\\';
    }
    return true;
}

void flat_print_name(StringBuilder *out, const char *name)
{
    if (is_quoted(name) || print_expression_is_plain(name)) {
        builder_append_text(out, name);
        return;
    }
    builder_append_character(out, '\'');
    for (const char *c = name; *c; c++) {
        if (*c == '\'' || *c == '\\')
            builder_append_character(out, '\\');
        builder_append_character(out, *c);
    }
    builder_append_character(out, '\'');
}

void flat_print_type(StringBuilder *out, const FlatType *type)
{
    flat_print_name(out, type->name);
}

static void print_expression_print_real(StringBuilder *out, double value)
{
    char text[NUMBER_LENGTH];
    if (isfinite(value)) {
        number_write(value, text);
        builder_append_text(out, text);
    } else {
        builder_append_text(out, isnan(value)  ? "(0.0/0.0)"
                                 : value > 0.0 ? "(1.0/0.0)"
                                               : "(-1.0/0.0)");
    }
}

// ---------------------------------------------------------------------------
// Precedence
// ---------------------------------------------------------------------------

static bool is_prefixed(const FlatExpression *e)
{
    return (e->kind == FLAT_REAL && (e->real < 0.0 || (e->real == 0.0 && signbit(e->real)))) ||
           (e->kind == FLAT_INTEGER && e->integer < 0);
}

static int precedence(const FlatExpression *e)
{
    if (is_prefixed(e))
        return ADDITIVE;
    if (e->kind == FLAT_IF)
        return LOOSE;
    if (e->kind != FLAT_OPERATION)
        return ATOMIC;
    if (e->operation == OPERATION_TO_REAL)
        return precedence(e->operands[0]);
    if (e->operation == OPERATION_RANGE)
        return LOOSE;
    const int rank = operation_precedence((Operation)e->operation);
    return rank ? rank : ATOMIC;
}

static void print_expression_print(StringBuilder *out, const FlatExpression *e, int least);

static void print_expression_print_list(StringBuilder *out, uint32_t count,
                                        FlatExpression *const *items)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            builder_append_text(out, ", ");
        if (items[i])
            print_expression_print(out, items[i], LOOSE);
    }
}

// ---------------------------------------------------------------------------
// Operations
// ---------------------------------------------------------------------------

static void print_expression_print_infix(StringBuilder *out, const FlatExpression *e)
{
    const Operation op = (Operation)e->operation;
    const int rank = operation_precedence(op);
    const char *text = operation_info(op)->text;
    const bool is_tight = rank >= MULTIPLICATIVE;
    if (e->count == 1) {
        builder_append_text(out, text);
        if (op == OPERATION_NOT)
            builder_append_character(out, ' ');
        print_expression_print(out, e->operands[0], rank + 1);
        return;
    }
    // ^ and comparisons do not associate; a sign can only stand before the first term.
    const bool is_strict = rank == 7 || rank == 4;
    for (uint32_t i = 0; i < e->count; i++) {
        if (i)
            builder_append_format(out, is_tight ? "%s" : " %s ", text);
        print_expression_print(out, e->operands[i], rank + (i > 0 || is_strict));
    }
}

static void print_string_call(StringBuilder *out, const FlatExpression *e)
{
    builder_append_text(out, "String(");
    print_expression_print(out, e->operands[0], LOOSE);
    const FlatExpression *format = e->operands[4];
    if (format->kind != FLAT_STRING || *format->string) {
        builder_append_text(out, ", format = ");
        print_expression_print(out, format, LOOSE);
    } else {
        static const char *const names[] = {"significantDigits", "minimumLength", "leftJustified"};
        const bool is_real = e->operands[0]->type->kind == FLAT_TYPE_REAL;
        for (uint32_t i = is_real ? 0 : 1; i < 3; i++) {
            builder_append_format(out, ", %s = ", names[i]);
            print_expression_print(out, e->operands[i + 1], LOOSE);
        }
    }
    builder_append_character(out, ')');
}

static void print_expression_print_operation(StringBuilder *out, const FlatExpression *e)
{
    const Operation op = (Operation)e->operation;
    switch (op) {
    case OPERATION_TO_REAL:
        print_expression_print(out, e->operands[0], LOOSE);
        return;
    case OPERATION_TIME:
        builder_append_text(out, "time");
        return;
    case OPERATION_STRING:
        print_string_call(out, e);
        return;
    case OPERATION_ENUMERATION:
        flat_print_type(out, e->type);
        break;
    case OPERATION_RANGE:
        print_expression_print(out, e->operands[0], ADDITIVE);
        if (e->operands[1]->kind != FLAT_INTEGER || e->operands[1]->integer != 1) {
            builder_append_character(out, ':');
            print_expression_print(out, e->operands[1], ADDITIVE);
        }
        builder_append_character(out, ':');
        print_expression_print(out, e->operands[2], ADDITIVE);
        return;
    case OPERATION_STACK:
        builder_append_character(out, '{');
        print_expression_print_list(out, e->count, e->operands);
        builder_append_character(out, '}');
        return;
    case OPERATION_SPATIAL_DISTRIBUTION:
    case OPERATION_SPATIAL_RIGHT: // its points and values are arrays
        builder_append_format(out, "%s(", operation_info(op)->text);
        print_expression_print_list(out, 4, e->operands);
        builder_append_text(out, ", {");
        print_expression_print_list(out, (e->count - 4) / 2, e->operands + 4);
        builder_append_text(out, "}, {");
        print_expression_print_list(out, (e->count - 4) / 2, e->operands + 4 + (e->count - 4) / 2);
        builder_append_text(out, "})");
        return;
    case OPERATION_MINIMUM:
    case OPERATION_MAXIMUM:
        builder_append_text(out, operation_info(op)->text);
        builder_append_text(out, e->count > 2 ? "({" : "(");
        print_expression_print_list(out, e->count, e->operands);
        builder_append_text(out, e->count > 2 ? "})" : ")");
        return;
    default:
        if (operation_precedence(op)) {
            print_expression_print_infix(out, e);
            return;
        }
        builder_append_text(out, operation_info(op)->text);
        break;
    }
    builder_append_character(out, '(');
    print_expression_print_list(out, e->count, e->operands);
    builder_append_character(out, ')');
}

// ---------------------------------------------------------------------------
// Arrays, calls
// ---------------------------------------------------------------------------

// {{a, b}, {c, d}}
static void print_array(StringBuilder *out, const FlatExpression *e, uint32_t dimension,
                        uint32_t *at)
{
    builder_append_character(out, '{');
    for (uint32_t i = 0; i < e->dims[dimension]; i++) {
        if (i)
            builder_append_text(out, ", ");
        if (dimension + 1u < e->rank)
            print_array(out, e, dimension + 1, at);
        else
            print_expression_print(out, e->operands[(*at)++], LOOSE);
    }
    builder_append_character(out, '}');
}

static void print_shape(StringBuilder *out, const FlatExpression *e)
{
    uint32_t at = 0;
    if (e->count) {
        print_array(out, e, 0, &at);
        return;
    }
    builder_append_text(out, e->type->kind == FLAT_TYPE_INTEGER ? "fill(0" : "fill(0.0");
    for (uint32_t k = 0; k < e->rank; k++)
        builder_append_format(out, ", %u", (unsigned)e->dims[k]);
    builder_append_character(out, ')');
}

static void print_expression_print_call(StringBuilder *out, const char *name,
                                        const FlatExpression *e)
{
    flat_print_name(out, name);
    builder_append_character(out, '(');
    print_expression_print_list(out, e->count, e->operands);
    builder_append_character(out, ')');
}

static void print_place(StringBuilder *out, uint32_t rank, const uint32_t *dims, uint64_t place)
{
    uint64_t places[UINT8_MAX];
    for (uint32_t k = rank; k-- > 0;) {
        places[k] = place % dims[k] + 1;
        place /= dims[k];
    }
    for (uint32_t k = 0; k < rank; k++)
        builder_append_format(out, "%s%" PRIu64, k ? ", " : "[", places[k]);
    builder_append_character(out, ']');
}

// The way to scalar number `element` of a value: .a[2].b
static void print_path(StringBuilder *out, const FlatType *type, uint32_t rank,
                       const uint32_t *dims, uint64_t element)
{
    const uint64_t size = flat_scalar_count(type, 0, NULL);
    if (rank && size != UINT64_MAX && size > 0) {
        print_place(out, rank, dims, element / size);
        element %= size;
    }
    for (uint32_t i = 0; type->kind == FLAT_TYPE_RECORD && i < type->count; i++) {
        const FlatField *field = &type->fields[i];
        const uint64_t count = flat_scalar_count(field->type, field->rank, field->dims);
        if (element < count) {
            builder_append_format(out, ".%s", field->name->text);
            print_path(out, field->type, field->rank, field->dims, element);
            return;
        }
        element -= count;
    }
}

static void print_result(StringBuilder *out, const FlatExpression *e)
{
    const FlatExpression *call = e->operands[0];
    builder_append_character(out, '(');
    print_expression_print(out, call, LOOSE);
    builder_append_character(out, ')');
    const FlatFunction *fn = call->function;
    const FlatExpression *output = &fn->locals[fn->input_count + e->result.output]->reference;
    bool is_known = true;
    for (uint32_t k = 0; k < output->rank; k++)
        is_known = is_known && output->dims[k] != FLAT_UNKNOWN_SIZE;
    if (is_known)
        print_path(out, output->type, output->rank, output->dims, e->result.element);
    else if (output->rank == 1) // the only size that need not be known for a place
        print_path(out, output->type, 1, &(const uint32_t){UINT32_MAX - 1}, e->result.element);
    else
        builder_append_format(out, "[%u]", (unsigned)e->result.element + 1);
}

static void print_select(StringBuilder *out, const FlatExpression *e)
{
    const FlatExpression *base = e->operands[0];
    const bool is_name = base->kind == FLAT_LOCAL || base->kind == FLAT_MEMBER;
    if (!is_name)
        builder_append_character(out, '(');
    print_expression_print(out, base, LOOSE);
    builder_append_text(out, is_name ? "[" : ")[");
    print_expression_print_list(out, e->count - 1, e->operands + 1);
    builder_append_character(out, ']');
}

static void print_expression_print_if(StringBuilder *out, const FlatExpression *e)
{
    uint32_t i = 0;
    for (; i + 1 < e->count; i += 2) {
        builder_append_text(out, i ? " elseif " : "if ");
        print_expression_print(out, e->operands[i], LOOSE);
        builder_append_text(out, " then ");
        print_expression_print(out, e->operands[i + 1], LOOSE);
    }
    builder_append_text(out, " else ");
    print_expression_print(out, e->operands[i], LOOSE);
}

static void print_expression_print_comprehension(StringBuilder *out, const FlatExpression *e)
{
    builder_append_character(out, '{');
    print_expression_print(out, e->operands[0], LOOSE);
    builder_append_text(out, " for ");
    builder_append_text(out, e->iterators[0]->name->text);
    builder_append_text(out, " in ");
    print_expression_print(out, e->operands[1], LOOSE);
    builder_append_character(out, '}');
}

// ---------------------------------------------------------------------------
// The dispatcher
// ---------------------------------------------------------------------------

static void print_literal(StringBuilder *out, const FlatExpression *e)
{
    switch ((FlatKind)e->kind) {
    case FLAT_REAL:
        print_expression_print_real(out, e->real);
        break;
    case FLAT_BOOLEAN:
        builder_append_text(out, e->boolean ? "true" : "false");
        break;
    case FLAT_STRING:
        builder_append_quoted(out, e->string, strlen(e->string));
        break;
    case FLAT_ENUMERATION:
        flat_print_type(out, e->type);
        builder_append_character(out, '.');
        if (e->integer >= 1 && e->integer <= (int64_t)e->type->count)
            builder_append_text(out, e->type->literals[e->integer - 1]->text);
        break;
    default:
        builder_append_format(out, "%" PRId64, e->integer);
        break;
    }
}

static void print_node(StringBuilder *out, const FlatExpression *e)
{
    switch ((FlatKind)e->kind) {
    case FLAT_REAL:
    case FLAT_INTEGER:
    case FLAT_BOOLEAN:
    case FLAT_STRING:
    case FLAT_ENUMERATION:
        print_literal(out, e);
        break;
    case FLAT_VARIABLE:
        flat_print_name(out, e->variable->name);
        break;
    case FLAT_OPERATION:
        print_expression_print_operation(out, e);
        break;
    case FLAT_IF:
        print_expression_print_if(out, e);
        break;
    case FLAT_CALL:
        print_expression_print_call(out, e->function->name, e);
        break;
    case FLAT_RESULT:
        print_result(out, e);
        break;
    case FLAT_SELECT:
        print_select(out, e);
        break;
    case FLAT_ARRAY:
        print_shape(out, e);
        break;
    case FLAT_RECORD:
        print_expression_print_call(out, e->type->name, e);
        break;
    case FLAT_ACTIVE:
        builder_append_text(out, "activeState(");
        flat_print_name(out, e->state->name);
        builder_append_character(out, ')');
        break;
    case FLAT_STATE_TIME:
        builder_append_text(out, "timeInState()");
        break;
    case FLAT_STATE_TICKS:
        builder_append_text(out, "ticksInState()");
        break;
    case FLAT_LOCAL:
        flat_print_name(out, e->local->name->text);
        break;
    case FLAT_MEMBER:
        print_expression_print(out, e->operands[0], ATOMIC);
        builder_append_format(out, ".%s", e->operands[0]->type->fields[e->field].name->text);
        break;
    case FLAT_COLON:
        builder_append_character(out, ':');
        break;
    case FLAT_COMPREHENSION:
        print_expression_print_comprehension(out, e);
        break;
    }
}

static void print_expression_print(StringBuilder *out, const FlatExpression *e, int least)
{
    const bool needs_parentheses = precedence(e) < least;
    if (needs_parentheses)
        builder_append_character(out, '(');
    print_node(out, e);
    if (needs_parentheses)
        builder_append_character(out, ')');
}

void flat_print_expression(StringBuilder *out, const FlatExpression *e)
{
    print_expression_print(out, e, LOOSE);
}
