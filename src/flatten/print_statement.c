// SPDX-License-Identifier: MIT
//
// Statements and functions of the flat model as Modelica text.

#include "external/external.h"
#include "flatten/print.h"

static void print_statement_indent_by(StringBuilder *out, unsigned indent)
{
    builder_append_repeated(out, ' ', 2 * (size_t)indent);
}

static void print_targets(StringBuilder *out, const FlatStatement *st, bool is_equation)
{
    if (!st->target_count)
        return;
    builder_append_character(out, '(');
    for (uint32_t i = 0; i < st->target_count; i++) {
        if (i)
            builder_append_text(out, ", ");
        if (st->targets[i])
            flat_print_expression(out, st->targets[i]);
    }
    builder_append_text(out, is_equation ? ") = " : ") := ");
}

static void print_check(StringBuilder *out, const FlatStatement *st)
{
    builder_append_text(out, st->kind == FLAT_ASSERT ? "assert(" : "terminate(");
    if (st->kind == FLAT_ASSERT) {
        flat_print_expression(out, st->check.condition);
        builder_append_text(out, ", ");
    }
    flat_print_expression(out, st->check.message);
    if (st->kind == FLAT_ASSERT && st->check.level == FLAT_LEVEL_WARNING)
        builder_append_text(out, ", AssertionLevel.warning");
    builder_append_text(out, ");\n");
}

static void print_statement_print_branches(StringBuilder *out, const FlatStatement *st,
                                           unsigned indent, bool is_equation)
{
    const bool is_when = st->kind == FLAT_WHEN;
    for (uint32_t i = 0; i < st->branches.count; i++) {
        const FlatBranch *branch = &st->branches.items[i];
        if (i)
            print_statement_indent_by(out, indent);
        if (branch->condition) {
            builder_append_text(out,
                                is_when ? (i ? "elsewhen " : "when ") : (i ? "elseif " : "if "));
            flat_print_expression(out, branch->condition);
            builder_append_text(out, " then\n");
        } else {
            builder_append_text(out, "else\n");
        }
        flat_print_statements(out, branch->count, branch->statements, indent + 1, is_equation);
    }
    print_statement_indent_by(out, indent);
    builder_append_text(out, is_when ? "end when;\n" : "end if;\n");
}

static void print_statement_print_loop(StringBuilder *out, const FlatStatement *st, unsigned indent)
{
    const bool is_for = st->kind == FLAT_FOR;
    builder_append_text(out, is_for ? "for " : "while ");
    if (is_for) {
        flat_print_name(out, st->loop.iterator->name->text);
        builder_append_text(out, " in ");
    }
    flat_print_expression(out, st->loop.range);
    builder_append_text(out, " loop\n");
    flat_print_statements(out, st->loop.count, st->loop.body, indent + 1, false);
    print_statement_indent_by(out, indent);
    builder_append_text(out, is_for ? "end for;\n" : "end while;\n");
}

static void flatten_print_statement_print_statement(StringBuilder *out, const FlatStatement *st,
                                                    unsigned indent, bool is_equation)
{
    print_statement_indent_by(out, indent);
    switch (st->kind) {
    case FLAT_ASSIGN:
        flat_print_expression(out, st->target);
        builder_append_text(out, is_equation ? " = " : " := ");
        flat_print_expression(out, st->value);
        builder_append_text(out, ";\n");
        break;
    case FLAT_MULTIPLE:
        print_targets(out, st, is_equation);
        flat_print_expression(out, st->value);
        builder_append_text(out, ";\n");
        break;
    case FLAT_REINIT:
        builder_append_text(out, "reinit(");
        flat_print_expression(out, st->target);
        builder_append_text(out, ", ");
        flat_print_expression(out, st->value);
        builder_append_text(out, ");\n");
        break;
    case FLAT_ASSERT:
    case FLAT_TERMINATE:
        print_check(out, st);
        break;
    case FLAT_CHOICE:
    case FLAT_WHEN:
        print_statement_print_branches(out, st, indent, is_equation);
        break;
    case FLAT_FOR:
    case FLAT_WHILE:
        print_statement_print_loop(out, st, indent);
        break;
    case FLAT_BREAK:
        builder_append_text(out, "break;\n");
        break;
    case FLAT_RETURN:
        builder_append_text(out, "return;\n");
        break;
    }
}

void flat_print_statements(StringBuilder *out, uint32_t count, FlatStatement *const *statements,
                           unsigned indent, bool is_equation)
{
    for (uint32_t i = 0; i < count; i++)
        flatten_print_statement_print_statement(out, statements[i], indent, is_equation);
}

// ---------------------------------------------------------------------------
// Functions
// ---------------------------------------------------------------------------

static void print_local(StringBuilder *out, const FlatLocal *local, unsigned indent)
{
    static const char *const prefixes[] = {"input ", "output ", "protected ", ""};
    print_statement_indent_by(out, indent);
    builder_append_text(out, prefixes[local->role]);
    flat_print_type(out, local->reference.type);
    builder_append_character(out, ' ');
    flat_print_name(out, local->name->text);
    for (uint32_t k = 0; k < local->reference.rank; k++) {
        builder_append_text(out, k ? ", " : "[");
        if (local->sizes && local->sizes[k])
            flat_print_expression(out, local->sizes[k]);
        else
            builder_append_character(out, ':');
    }
    if (local->reference.rank)
        builder_append_character(out, ']');
    if (local->value) {
        builder_append_text(out, " = ");
        flat_print_expression(out, local->value);
    }
    builder_append_text(out, ";\n");
}

static const char *separator(const char **before)
{
    const char *text = *before;
    *before = ", ";
    return text;
}

// Arguments after one that is left to its default value need names.
static void print_inverse(StringBuilder *out, const FlatFunction *fn, const FlatInverse *inverse)
{
    const FlatFunction *g = inverse->function;
    bool is_named = false;
    const char *before = "(";
    builder_append_format(out, "inverse(%s = ", fn->locals[inverse->input]->name->text);
    flat_print_name(out, g->name);
    for (uint32_t k = 0; k < g->input_count; k++) {
        const FlatLocal *argument = inverse->arguments[k];
        is_named = is_named || !argument;
        if (!argument)
            continue;
        builder_append_text(out, separator(&before));
        if (is_named)
            builder_append_format(out, "%s = ", g->locals[k]->name->text);
        builder_append_text(out, argument->name->text);
    }
    builder_append_text(out, "))");
}

static void print_annotation(StringBuilder *out, const FlatFunction *fn, unsigned indent)
{
    const char *before = "annotation(";
    if (!fn->is_inline && fn->smooth_order < 0 && !fn->derivative_count && !fn->inverse_count)
        return;
    print_statement_indent_by(out, indent);
    if (fn->is_inline)
        builder_append_format(out, "%sInline = true", separator(&before));
    if (fn->smooth_order >= 0)
        builder_append_format(out, "%ssmoothOrder = %d", separator(&before), fn->smooth_order);
    for (uint32_t i = 0; i < fn->derivative_count; i++) {
        const FlatDerivative *d = &fn->derivatives[i];
        builder_append_format(out, "%sderivative(order = %u", separator(&before),
                              (unsigned)d->order);
        for (uint32_t k = 0; k < fn->input_count && k < 64; k++) {
            if (d->zero_derivative >> k & 1)
                builder_append_format(out, ", zeroDerivative = %s", fn->locals[k]->name->text);
            if (d->no_derivative >> k & 1)
                builder_append_format(out, ", noDerivative = %s", fn->locals[k]->name->text);
        }
        builder_append_text(out, ") = ");
        flat_print_name(out, d->function->name);
    }
    for (uint32_t i = 0; i < fn->inverse_count; i++) {
        builder_append_text(out, separator(&before));
        print_inverse(out, fn, &fn->inverses[i]);
    }
    builder_append_text(out, ");\n");
}

static void print_statement_print_derivative(StringBuilder *out, const FlatFunction *fn)
{
    builder_append_text(out, " = der(");
    flat_print_name(out, fn->derivative_of->name);
    for (uint32_t i = 0; i < fn->by_count; i++) {
        builder_append_text(out, ", ");
        flat_print_name(out, fn->locals[fn->by[i]]->name->text);
    }
    builder_append_text(out, ");\n");
}

static void print_statement_print_external(StringBuilder *out, const FlatExternal *x)
{
    const uint32_t count = x->count - external_has_result(x->info->signature);
    builder_append_text(out, "external ");
    if (count < x->count) {
        flat_print_expression(out, x->arguments[count]);
        builder_append_text(out, " = ");
    }
    builder_append_format(out, "%s(", x->info->name);
    for (uint32_t i = 0; i < count; i++) {
        builder_append_text(out, i ? ", " : "");
        flat_print_expression(out, x->arguments[i]);
    }
    builder_append_text(out, ");\n");
}

void flat_print_function(StringBuilder *out, const FlatFunction *fn, unsigned indent)
{
    print_statement_indent_by(out, indent);
    builder_append_text(out, fn->is_impure ? "impure function " : "function ");
    flat_print_name(out, fn->name);
    if (fn->derivative_of) {
        print_statement_print_derivative(out, fn);
        return;
    }
    builder_append_character(out, '\n');
    for (uint32_t i = 0; i < fn->local_count; i++)
        if (fn->locals[i]->role != FLAT_ROLE_ITERATOR)
            print_local(out, fn->locals[i], indent + 1);
    print_statement_indent_by(out, indent);
    if (fn->external)
        print_statement_print_external(out, fn->external);
    else
        builder_append_text(out, "algorithm\n");
    flat_print_statements(out, fn->count, fn->statements, indent + 1, false);
    print_annotation(out, fn, indent + 1);
    print_statement_indent_by(out, indent);
    builder_append_text(out, "end ");
    flat_print_name(out, fn->name);
    builder_append_text(out, ";\n");
}
