// SPDX-License-Identifier: MIT
//
// Printing expressions and references.
//
// Parentheses are printed where the grammar needs them and nowhere else: every place of the
// grammar takes expressions down to a level, and an expression below it is put in parentheses.

#include "modelica/printer.h"

#include "base/number.h"

// The rules of section A.2.7, from the weakest.
typedef enum Level {
    LEVEL_EXPRESSION, // if ... then ... else ...
    LEVEL_SIMPLE,     // a : b
    LEVEL_LOGICAL,    // a or b
    LEVEL_LOGICAL_TERM,
    LEVEL_LOGICAL_FACTOR,
    LEVEL_RELATION,
    LEVEL_ARITHMETIC, // a + b, -a
    LEVEL_TERM,       // a * b
    LEVEL_FACTOR,     // a ^ b
    LEVEL_PRIMARY,
} Level;

static void print_from_level(StringBuilder *out, const Expression *e, Level level);

static Level operator_level(SyntaxOperator op)
{
    static const uint8_t levels[] = {
#define X(name, text, precedence) LEVEL_SIMPLE + (precedence),
        SYNTAX_OPERATOR_LIST(X)
#undef X
    };
    return (Level)levels[op];
}

static Level level_of(const Expression *e)
{
    switch (e->kind) {
    case EXPRESSION_IF:
        return LEVEL_EXPRESSION;
    case EXPRESSION_RANGE:
        return LEVEL_SIMPLE;
    case EXPRESSION_UNARY:
        return e->unary.op == SYNTAX_NOT ? LEVEL_LOGICAL_FACTOR : LEVEL_ARITHMETIC;
    case EXPRESSION_BINARY:
        return operator_level(e->binary.op);
    // The text has no negative literals, but a tree made by a program may.
    case EXPRESSION_REAL:
        return e->real < 0 ? LEVEL_ARITHMETIC : LEVEL_PRIMARY;
    case EXPRESSION_INTEGER:
        return e->integer < 0 ? LEVEL_ARITHMETIC : LEVEL_PRIMARY;
    default:
        return LEVEL_PRIMARY;
    }
}

static void print_string(StringBuilder *out, String string)
{
    builder_append_character(out, '"');
    for (size_t i = 0; i < string.length; i++) {
        static const char from[] = "\"\\\a\b\f\r\t\v", to[] = "\"\\abfrtv";
        char c = string.text[i];
        const char *found = c ? strchr(from, c) : NULL;
        if (found)
            builder_append_character(out, '\\');
        builder_append_character(out, found ? to[found - from] : c);
    }
    builder_append_character(out, '"');
}

static void print_name(StringBuilder *out, const Name *name)
{
    if (name)
        builder_append(out, name->text, name->length);
}

static void print_list(StringBuilder *out, Expression *const *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            builder_append_text(out, ", ");
        if (items[i])
            print_from_level(out, items[i], LEVEL_EXPRESSION);
    }
}

static void print_subscripts(StringBuilder *out, Expression *const *subscripts, uint32_t count)
{
    if (count == 0)
        return;
    builder_append_character(out, '[');
    print_list(out, subscripts, count);
    builder_append_character(out, ']');
}

void printer_print_reference(StringBuilder *out, const Reference *reference)
{
    for (uint32_t i = 0; i < reference->count; i++) {
        const ReferencePart *part = &reference->parts[i];
        if (i > 0 || reference->is_global)
            builder_append_character(out, '.');
        print_name(out, part->name);
        print_subscripts(out, part->subscripts, part->subscript_count);
    }
}

static void print_iterators(StringBuilder *out, const NamedExpression *iterators, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            builder_append_text(out, ", ");
        print_name(out, iterators[i].name);
        if (iterators[i].value) {
            builder_append_text(out, " in ");
            print_from_level(out, iterators[i].value, LEVEL_EXPRESSION);
        }
    }
}

static void print_named(StringBuilder *out, const NamedExpression *named, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            builder_append_text(out, ", ");
        print_name(out, named[i].name);
        builder_append_text(out, " = ");
        print_from_level(out, named[i].value, LEVEL_EXPRESSION);
    }
}

static void print_call_of_syntax(StringBuilder *out, const Expression *e)
{
    printer_print_reference(out, e->call.function);
    builder_append_character(out, '(');
    print_list(out, e->call.arguments, e->call.count);
    if (e->call.count && e->call.named_count)
        builder_append_text(out, ", ");
    print_named(out, e->call.named, e->call.named_count);
    builder_append_character(out, ')');
}

static void print_comprehension(StringBuilder *out, const Expression *e)
{
    const Reference *function = e->comprehension.function;
    if (function)
        printer_print_reference(out, function);
    builder_append_character(out, function ? '(' : '{');
    print_from_level(out, e->comprehension.body, LEVEL_EXPRESSION);
    builder_append_text(out, " for ");
    print_iterators(out, e->comprehension.iterators, e->comprehension.iterator_count);
    builder_append_character(out, function ? ')' : '}');
}

static void print_partial(StringBuilder *out, const Expression *e)
{
    builder_append_text(out, "function ");
    printer_print_reference(out, e->partial.function);
    builder_append_character(out, '(');
    print_named(out, e->partial.named, e->partial.named_count);
    builder_append_character(out, ')');
}

static void print_unary(StringBuilder *out, const Expression *e)
{
    builder_append_text(out, syntax_operator_text(e->unary.op));
    bool is_not = e->unary.op == SYNTAX_NOT;
    if (is_not)
        builder_append_character(out, ' ');
    print_from_level(out, e->unary.operand, is_not ? LEVEL_RELATION : LEVEL_TERM);
}

static void print_binary(StringBuilder *out, const Expression *e)
{
    Level level = operator_level(e->binary.op);
    // Chains lean to the left; relations and powers have none.
    bool is_chain = level != LEVEL_RELATION && level != LEVEL_FACTOR;
    print_from_level(out, e->binary.left, is_chain ? level : level + 1);
    bool is_tight = level == LEVEL_FACTOR;
    builder_append_format(out, is_tight ? "%s" : " %s ", syntax_operator_text(e->binary.op));
    print_from_level(out, e->binary.right, level + 1);
}

static void print_if_of_syntax(StringBuilder *out, const Expression *e)
{
    for (uint32_t i = 0; i < e->conditional.count; i++) {
        builder_append_text(out, i == 0 ? "if " : " elseif ");
        print_from_level(out, e->conditional.branches[i].condition, LEVEL_EXPRESSION);
        builder_append_text(out, " then ");
        print_from_level(out, e->conditional.branches[i].value, LEVEL_EXPRESSION);
    }
    builder_append_text(out, " else ");
    print_from_level(out, e->conditional.otherwise, LEVEL_EXPRESSION);
}

static void print_range(StringBuilder *out, const Expression *e)
{
    print_from_level(out, e->range.start, LEVEL_LOGICAL);
    if (e->range.step) {
        builder_append_character(out, ':');
        print_from_level(out, e->range.step, LEVEL_LOGICAL);
    }
    builder_append_character(out, ':');
    print_from_level(out, e->range.stop, LEVEL_LOGICAL);
}

static void print_matrix(StringBuilder *out, const Expression *e)
{
    builder_append_character(out, '[');
    for (uint32_t i = 0; i < e->matrix.count; i++) {
        if (i > 0)
            builder_append_text(out, "; ");
        print_list(out, e->matrix.rows[i].items, e->matrix.rows[i].count);
    }
    builder_append_character(out, ']');
}

static void print_real(StringBuilder *out, double value)
{
    char text[NUMBER_LENGTH];
    builder_append(out, text, number_write(value, text));
}

static void print_enclosed(StringBuilder *out, char open, const Expression *e, char close)
{
    builder_append_character(out, open);
    print_list(out, e->array.items, e->array.count);
    builder_append_character(out, close);
}

static void print_postfix(StringBuilder *out, const Expression *e)
{
    builder_append_character(out, '(');
    bool is_member = e->kind == EXPRESSION_MEMBER;
    print_from_level(out, is_member ? e->member.base : e->subscripted.base, LEVEL_EXPRESSION);
    builder_append_character(out, ')');
    if (is_member) {
        builder_append_character(out, '.');
        print_name(out, e->member.name);
    } else {
        print_subscripts(out, e->subscripted.subscripts, e->subscripted.count);
    }
}

static void print_bare(StringBuilder *out, const Expression *e)
{
    switch (e->kind) {
    case EXPRESSION_ERROR:
        builder_append_text(out, "/* error */");
        break;
    case EXPRESSION_REAL:
        print_real(out, e->real);
        break;
    case EXPRESSION_INTEGER:
        builder_append_format(out, "%lld", (long long)e->integer);
        break;
    case EXPRESSION_BOOLEAN:
        builder_append_text(out, e->boolean ? "true" : "false");
        break;
    case EXPRESSION_STRING:
        print_string(out, e->string);
        break;
    case EXPRESSION_REFERENCE:
        printer_print_reference(out, e->reference);
        break;
    case EXPRESSION_CALL:
        print_call_of_syntax(out, e);
        break;
    case EXPRESSION_COMPREHENSION:
        print_comprehension(out, e);
        break;
    case EXPRESSION_PARTIAL:
        print_partial(out, e);
        break;
    case EXPRESSION_UNARY:
        print_unary(out, e);
        break;
    case EXPRESSION_BINARY:
        print_binary(out, e);
        break;
    case EXPRESSION_IF:
        print_if_of_syntax(out, e);
        break;
    case EXPRESSION_RANGE:
        print_range(out, e);
        break;
    case EXPRESSION_ARRAY:
        print_enclosed(out, '{', e, '}');
        break;
    case EXPRESSION_TUPLE:
        print_enclosed(out, '(', e, ')');
        break;
    case EXPRESSION_MATRIX:
        print_matrix(out, e);
        break;
    case EXPRESSION_SUBSCRIPTED:
    case EXPRESSION_MEMBER:
        print_postfix(out, e);
        break;
    case EXPRESSION_END:
        builder_append_text(out, "end");
        break;
    case EXPRESSION_COLON:
        builder_append_character(out, ':');
        break;
    }
}

static void print_from_level(StringBuilder *out, const Expression *e, Level level)
{
    bool needs_parentheses = level_of(e) < level;
    if (needs_parentheses)
        builder_append_character(out, '(');
    print_bare(out, e);
    if (needs_parentheses)
        builder_append_character(out, ')');
}

void printer_print_expression(StringBuilder *out, const Expression *expression)
{
    print_from_level(out, expression, LEVEL_EXPRESSION);
}
