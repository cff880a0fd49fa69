// SPDX-License-Identifier: MIT
//
// Strings. The graph has only numbers, so every text that occurs has one; equal texts have the same
// number. So Strings can be arguments, results and variables of functions, and
// be compared for equality, when a model runs; other operations need texts that are known before.
//
// Functions put texts together for messages: error("u = " + String(u) + " is too large"). What is
// not known before the run stands in such a text as it is written, as in those of assertions, and
// the text is vague: it cannot be compared. While it is not followed through a run which texts
// these are, a model with vague texts compares none.

#include "equations/convert_parts.h"

// Longer ones come from functions that call themselves with ever longer texts.
enum { LONGEST_TEXT = 10000 };

// The text that a number stands for; NULL: it is not known before the run.
static const char *convert_text_text_of(const Convert *c, Node node)
{
    const DagNode *n = dag_get(c->dag, node);
    return n->kind == DAG_NUMBER && n->type == DAG_TEXT ? c->dag->texts[(uint32_t)n->value] : NULL;
}

static bool is_vague(const Convert *c, Node node)
{
    return map_find(&c->vague, (void *)((uintptr_t)dag_get(c->dag, node)->value + 1)) != NULL;
}

const char *convert_text_of(const Convert *c, Node node)
{
    const char *text = convert_text_text_of(c, node);
    return text && !is_vague(c, node) ? text : NULL;
}

static Bundle compared_vaguely(Convert *c, Span span)
{
    return convert_fail(c, span,
                        "a String that is not known before the run cannot be used where Strings "
                        "are compared");
}

// The text of an expression that is known before the run; NULL, without a message: it is not.
static const char *known_text(const ConvertScope *s, const FlatExpression *e)
{
    if (e->kind == FLAT_STRING)
        return e->string;
    if (e->kind == FLAT_VARIABLE && e->variable->is_evaluated)
        return e->variable->value.string;
    if (e->kind == FLAT_VARIABLE && e->variable->kind <= FLAT_PARAMETER && e->variable->binding)
        return known_text(s, e->variable->binding);
    if (e->kind == FLAT_LOCAL && s->locals && e->type->kind == FLAT_TYPE_STRING) {
        const Local *local = map_find(s->locals, e->local);
        return local && local->is_constant && !local->rank
                   ? convert_text_text_of(s->c, local->items[0])
                   : NULL;
    }
    if (e->kind != FLAT_OPERATION || e->operation != OPERATION_ADD)
        return NULL;
    StringBuilder out = builder_create(s->c->arena);
    for (uint32_t i = 0; i < e->count; i++) {
        const char *part = known_text(s, e->operands[i]);
        if (!part)
            return NULL;
        builder_append_text(&out, part);
    }
    return builder_string(&out).text;
}

static Bundle unknown(Convert *c, Span span)
{
    return convert_fail(c, span, "a String that is not known before the run cannot be used");
}

static void append_message(const ConvertScope *s, const FlatExpression *e, StringBuilder *out);

// In a function: the text with what is not known as it is written.
static Bundle vague(const ConvertScope *s, const FlatExpression *e)
{
    Convert *c = s->c;
    if (!s->locals)
        return unknown(c, e->span);
    if (c->has_comparison)
        return compared_vaguely(c, e->span);
    StringBuilder out = builder_create(c->arena);
    append_message(s, e, &out);
    const Node text = dag_text(c->dag, builder_string(&out).text);
    map_set(c->arena, &c->vague, (void *)((uintptr_t)dag_get(c->dag, text)->value + 1), c);
    return bundle_scalar(c, e->type, text);
}

Bundle convert_string_variable(const ConvertScope *s, const FlatExpression *e)
{
    Convert *c = s->c;
    const char *text = known_text(s, e);
    if (text)
        return bundle_scalar(c, e->type, dag_text(c->dag, text));
    const uint32_t variable = convert_variable(c, e->variable);
    if (variable != DAG_NONE) // one that was reported
        return bundle_scalar(c, e->type, dag_reference(c->dag, variable));
    return convert_fail(c, e->span, "the String '%s' has no value before the run",
                        e->variable->name);
}

// a + b + ...
static Bundle joined(const ConvertScope *s, const FlatExpression *e)
{
    Convert *c = s->c;
    StringBuilder out = builder_create(c->arena);
    for (uint32_t i = 0; i < e->count; i++) {
        const Bundle part = convert_bundle(s, e->operands[i]);
        if (!bundle_is_fine(&part))
            return part;
        const char *text = part.rank ? NULL : convert_text_text_of(c, part.items[0]);
        if (!text || is_vague(c, part.items[0]))
            return s->locals ? vague(s, e) : unknown(c, e->operands[i]->span);
        builder_append_text(&out, text);
        if (builder_string(&out).length > LONGEST_TEXT)
            return convert_fail(c, e->span, "a String becomes longer than %d characters",
                                LONGEST_TEXT);
    }
    return bundle_scalar(c, e->type, dag_text(c->dag, builder_string(&out).text));
}

static Bundle compared(const ConvertScope *s, const FlatExpression *e)
{
    Convert *c = s->c;
    const Bundle a = convert_bundle(s, e->operands[0]);
    const Bundle b = bundle_is_fine(&a) ? convert_bundle(s, e->operands[1]) : a;
    if (!bundle_is_fine(&b))
        return b;
    const char *x = convert_text_text_of(c, a.items[0]), *y = convert_text_text_of(c, b.items[0]);
    if ((x && is_vague(c, a.items[0])) || (y && is_vague(c, b.items[0])))
        return compared_vaguely(c, e->span);
    const Operator op = operation_operator((Operation)e->operation);
    if (x && y) {
        const int order = strcmp(x, y);
        const bool holds = operator_apply(op, order, 0.0, 0.0) != 0.0;
        return bundle_scalar(c, e->type, dag_boolean(c->dag, holds));
    }
    if (op != OPERATOR_EQUAL && op != OPERATOR_NOT_EQUAL)
        return unknown(c, e->span);
    if (c->vague.count)
        return compared_vaguely(c, e->span);
    c->has_comparison = true;
    return bundle_scalar(c, e->type, dag_binary(c->dag, op, a.items[0], b.items[0]));
}

// String(e) of a Boolean or an enumeration: a choice between the texts of its values.
static Bundle chosen(const ConvertScope *s, const FlatExpression *e)
{
    Convert *c = s->c;
    const FlatType *type = e->operands[0]->type;
    const bool is_boolean = type->kind == FLAT_TYPE_BOOLEAN;
    const uint32_t count = is_boolean ? 2 : type->count;
    const Bundle value = convert_bundle(s, e->operands[0]);
    const FlatExpression *length = e->operands[2];
    if (!bundle_is_fine(&value))
        return value;
    if (length->kind != FLAT_INTEGER || length->integer != 0)
        return unknown(c, e->span);
    Node text = dag_text(c->dag, is_boolean ? "true" : type->literals[count - 1]->text);
    for (uint32_t i = count - 1; i-- > 0;) {
        const Node holds = is_boolean ? dag_unary(c->dag, OPERATOR_NOT, value.items[0])
                                      : dag_binary(c->dag, OPERATOR_EQUAL, value.items[0],
                                                   dag_integer(c->dag, i + 1));
        text = dag_if(c->dag, holds,
                      dag_text(c->dag, is_boolean ? "false" : type->literals[i]->text), text);
    }
    return bundle_scalar(c, e->type, text);
}

bool convert_is_string_operation(const FlatExpression *e)
{
    if (e->operation == OPERATION_PRE || e->operation == OPERATION_NO_EVENT)
        return false; // of numbers as of texts
    return e->type->kind == FLAT_TYPE_STRING ||
           (e->count == 2 && e->operands[0]->type->kind == FLAT_TYPE_STRING);
}

Bundle convert_string_operation(const ConvertScope *s, const FlatExpression *e)
{
    if (e->operation == OPERATION_ADD)
        return joined(s, e);
    if (e->type->kind == FLAT_TYPE_BOOLEAN &&
        operation_operator((Operation)e->operation) != OPERATOR_COUNT)
        return compared(s, e);
    const FlatTypeKind kind = e->operands[0]->type->kind;
    if (e->operation == OPERATION_STRING &&
        (kind == FLAT_TYPE_BOOLEAN || kind == FLAT_TYPE_ENUMERATION))
        return chosen(s, e);
    return vague(s, e);
}

static bool is_member_of_local(const FlatExpression *e)
{
    while (e->kind == FLAT_MEMBER && e->rank == 0)
        e = e->operands[0];
    return e->kind == FLAT_LOCAL || e->kind == FLAT_VARIABLE;
}

// Whether it can be computed whenever the model can: a message is no reason to refuse a model.
static bool is_shown_value(const FlatExpression *e)
{
    if (e->rank != 0)
        return false;
    if (e->kind == FLAT_OPERATION && e->operation != OPERATION_DER &&
        e->operation != OPERATION_PRE && e->operation != OPERATION_NO_EVENT &&
        e->operation != OPERATION_TIME &&
        operation_operator((Operation)e->operation) == OPERATOR_COUNT)
        return false;
    if (e->kind != FLAT_OPERATION && e->kind != FLAT_IF)
        return e->kind == FLAT_VARIABLE || e->kind == FLAT_LOCAL || e->kind <= FLAT_ENUMERATION ||
               e->kind == FLAT_ACTIVE || e->kind == FLAT_STATE_TIME || is_member_of_local(e);
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i]->type->kind == FLAT_TYPE_STRING || !is_shown_value(e->operands[i]))
            return false;
    return true;
}

bool convert_is_shown(const FlatExpression *e)
{
    return e->kind == FLAT_OPERATION && e->operation == OPERATION_STRING && e->count == 5 &&
           e->operands[1]->kind == FLAT_INTEGER && e->operands[2]->kind == FLAT_INTEGER &&
           e->operands[3]->kind == FLAT_BOOLEAN && e->operands[4]->kind == FLAT_STRING &&
           e->operands[0]->variability >= FLAT_PARAMETER && is_shown_value(e->operands[0]);
}

Node convert_shown(Dag *d, Node value)
{
    const DagType type = dag_get(d, value)->type;
    return type == DAG_BOOLEAN   ? dag_if(d, value, d->one, d->zero)
           : type == DAG_INTEGER ? dag_unary(d, OPERATOR_TO_REAL, value)
                                 : value;
}

static void append_message(const ConvertScope *s, const FlatExpression *e, StringBuilder *out)
{
    const char *known = known_text(s, e);
    if (known) {
        builder_append_text(out, known);
    } else if (e->kind == FLAT_OPERATION && e->operation == OPERATION_ADD) {
        for (uint32_t i = 0; i < e->count; i++)
            append_message(s, e->operands[i], out);
    } else {
        const String text = sources_text(s->c->diagnostics->sources, e->span);
        builder_append(out, text.text, text.length);
    }
}

const char *convert_message_in(const ConvertScope *s, const FlatExpression *message)
{
    StringBuilder out = builder_create(s->c->arena);
    if (message)
        append_message(s, message, &out);
    return builder_string(&out).text;
}

const char *convert_message(Convert *c, const FlatExpression *message)
{
    return convert_message_in(&(ConvertScope){.c = c}, message);
}

// Of what is not known before the run, numbers become holes.
static void append_shown(const ConvertScope *s, const FlatExpression *e, StringBuilder *out,
                         ProcedureStatement *check)
{
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_ADD && !known_text(s, e)) {
        for (uint32_t i = 0; i < e->count; i++)
            append_shown(s, e->operands[i], out, check);
        return;
    }
    const bool is_hole = convert_is_shown(e) && check->shown_count < PROCEDURE_MOST_SHOWN;
    const Bundle value = is_hole ? convert_bundle(s, e->operands[0]) : (Bundle){0};
    if (!is_hole || !bundle_is_fine(&value)) {
        append_message(s, e, out);
        return;
    }
    check->shown[check->shown_count] = convert_shown(s->c->dag, value.items[0]);
    check->shown_as[check->shown_count++] = e;
    builder_append(out, (const char[]){PROCEDURE_HOLE}, 1);
}

void convert_check_message(const ConvertScope *s, const FlatExpression *message,
                           ProcedureStatement *check)
{
    StringBuilder out = builder_create(s->c->arena);
    check->shown = ARENA_ARRAY(s->c->arena, PROCEDURE_MOST_SHOWN, Node);
    check->shown_as = ARENA_ARRAY(s->c->arena, PROCEDURE_MOST_SHOWN, const FlatExpression *);
    if (message)
        append_shown(s, message, &out, check);
    check->message = builder_string(&out).text;
}
