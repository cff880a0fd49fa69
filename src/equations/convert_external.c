// SPDX-License-Identifier: MIT
//
// Calls of external functions to statements of procedures: each is a site in the store of
// externals, with the sizes and texts that are known before the run, and the variables that have
// the rest.

#include "base/message.h"
#include "equations/convert_parts.h"
#include "external/external.h"

#include <stdlib.h>

// The texts of an argument that is known before the run; NULL after a message.
static const char **external_texts(ConvertScope *b, const FlatExpression *e, const Bundle *value)
{
    const char **texts = ARENA_ARRAY(b->c->arena, value->count + 1, const char *);
    for (uint32_t i = 0; i < value->count; i++) {
        texts[i] = convert_text_of(b->c, value->items[i]);
        if (texts[i])
            continue;
        convert_fail(b->c, e->span, "a String that is given to '%s' must be known before the run",
                     b->instance->function->name);
        return NULL;
    }
    return texts;
}

// The variable that has the value of an argument: the local that it is, or a new one.
static uint32_t external_variable(ConvertScope *b, const FlatExpression *e, const Bundle *value,
                                  Block *to)
{
    Dag *d = b->c->dag;
    const Local *own = e->kind == FLAT_LOCAL ? map_find(b->locals, e->local) : NULL;
    if (own && !own->is_constant)
        return own->variable;
    const Local *made = convert_local_hidden(b, "argument", value->type,
                                             value->rank ? value->count ? value->count : 1 : 0);
    for (uint32_t i = 0; i < value->count; i++)
        procedure_assign(d, to,
                         value->rank ? dag_element(d, made->variable, dag_integer(d, i))
                                     : dag_reference(d, made->variable),
                         value->items[i], e->span);
    return made->variable;
}

// Members of records are written to variables of their own, and go from there to the records.
static bool external_write_members(ConvertScope *b, const FlatExternal *x,
                                   const uint32_t *variables, Block *to)
{
    bool is_fine = true;
    for (uint32_t i = 0; i < x->count && is_fine; i++) {
        const FlatExpression *e = x->arguments[i];
        bool is_written;
        external_letter(x->info->signature, i, &is_written);
        if (!is_written || e->kind != FLAT_MEMBER)
            continue;
        Node value = dag_reference(b->c->dag, variables[i]);
        const Bundle bundle = {.type = e->type, .count = 1, .items = &value};
        is_fine = convert_build_assignment(b, e, &bundle, e->span, to);
    }
    return is_fine;
}

bool convert_build_external(ConvertScope *b, const FlatExternal *x, Block *to)
{
    Convert *c = b->c;
    ExternalArgument *arguments = ARENA_ARRAY(c->arena, x->count + 1, ExternalArgument);
    uint32_t *variables = ARENA_ARRAY(c->arena, x->count + 1, uint32_t);
    for (uint32_t i = 0; i < x->count; i++) {
        const FlatExpression *e = x->arguments[i];
        const Bundle value = convert_bundle(b, e);
        if (!bundle_is_fine(&value))
            return false;
        arguments[i] =
            (ExternalArgument){.rank = value.rank, .dims = value.dims, .count = value.count};
        if (e->type->kind == FLAT_TYPE_STRING) {
            variables[i] = DAG_NONE;
            arguments[i].texts = external_texts(b, e, &value);
            if (!arguments[i].texts)
                return false;
        } else {
            variables[i] = external_variable(b, e, &value, to);
        }
    }
    const ExternalSite site = {.info = x->info, .arguments = arguments, .count = x->count};
    ProcedureStatement *s =
        procedure_add(c->dag, to, PROCEDURE_EXTERNAL, b->instance->function->span);
    s->external.site = store_site(c->model->externals, &site);
    s->external.variables = variables;
    if (!s->external.site)
        arena_exhausted(c->arena);
    return s->external.site && external_write_members(b, x, variables, to);
}

// The format of a number in a text, as ExternalSite takes it; NULL: it has none.
static const char *said_format(const ConvertScope *b, const FlatExpression *e)
{
    if (e->kind != FLAT_OPERATION || e->operation != OPERATION_STRING)
        return NULL;
    const FlatTypeKind kind = e->operands[0]->type->kind;
    const FlatExpression *digits = e->operands[1], *width = e->operands[2], *left = e->operands[3];
    const bool is_plain = digits->kind == FLAT_INTEGER && width->kind == FLAT_INTEGER &&
                          left->kind == FLAT_BOOLEAN && e->operands[4]->kind == FLAT_STRING &&
                          !*e->operands[4]->string && width->integer >= 0 && width->integer < 100;
    if (!is_plain)
        return NULL;
    StringBuilder out = builder_create(b->c->arena);
    const char *sign = left->boolean ? "-" : "";
    const int size = (int)width->integer;
    if (kind == FLAT_TYPE_REAL)
        builder_append_format(&out, "r%%%s%d.%dg", sign, size,
                              digits->integer < 1    ? 1
                              : digits->integer > 17 ? 17
                                                     : (int)digits->integer);
    else if (kind == FLAT_TYPE_INTEGER || kind == FLAT_TYPE_BOOLEAN)
        builder_append_format(&out, kind == FLAT_TYPE_INTEGER ? "i%%%s%dlld" : "b%%%s%ds", sign,
                              size);
    else
        return NULL;
    return builder_string(&out).text;
}

// What a function makes of a String that is known, as the full name of a file; else the call as it
// is written. NULL after a message.
static const char *said_call(ConvertScope *b, const FlatExpression *e)
{
    Convert *c = b->c;
    const FlatExternal *x = e->function->external;
    if (x && strcmp(x->info->signature, "s>s") == 0) {
        const Bundle value = convert_bundle(b, e->operands[0]);
        if (!bundle_is_fine(&value))
            return NULL;
        const char *texts[] = {convert_text_of(c, value.items[0]), NULL};
        ExternalArgument arguments[] = {{.count = 1, .texts = &texts[0]},
                                        {.count = 1, .texts = &texts[1]}};
        ExternalCall call = {
            .store = c->model->externals, .arguments = arguments, .count = 2, .arena = c->arena};
        if (texts[0] && x->info->function(&call))
            return texts[1];
        free(call.message);
    }
    return convert_message_in(b, e);
}

// A part of a text that is no number; NULL after a message.
static const char *said_text(ConvertScope *b, const FlatExpression *e)
{
    if (e->kind == FLAT_CALL)
        return said_call(b, e);
    const Bundle value = convert_bundle(b, e);
    if (!bundle_is_fine(&value))
        return NULL;
    const char *text = convert_text_of(b->c, value.items[0]);
    return text ? text : convert_message_in(b, e);
}

// The parts of a text: those that are joined, each as text or number.
static bool said_parts(ConvertScope *b, const FlatExpression *e, List *texts, List *numbers)
{
    Convert *c = b->c;
    const char *format = said_format(b, e);
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_ADD) {
        for (uint32_t i = 0; i < e->count; i++)
            if (!said_parts(b, e->operands[i], texts, numbers))
                return false;
        return true;
    }
    Node *number = ARENA_NEW(c->arena, Node);
    *number = c->dag->zero;
    if (format) {
        const Bundle value = convert_bundle(b, e->operands[0]);
        if (!bundle_is_fine(&value))
            return false;
        *number = value.items[0];
    } else {
        const char *text = said_text(b, e);
        if (!text)
            return false;
        StringBuilder out = builder_create(c->arena);
        builder_append_text(&out, "=");
        builder_append_text(&out, text);
        format = builder_string(&out).text;
    }
    list_append(c->arena, texts, (void *)(uintptr_t)format);
    list_append(c->arena, numbers, number);
    return true;
}

// A String argument that may be put together in the run.
static bool said_argument(ConvertScope *b, const FlatExpression *e, ExternalArgument *argument,
                          uint32_t *variable, Block *to)
{
    Dag *d = b->c->dag;
    List texts = {0}, numbers = {0};
    if (!said_parts(b, e, &texts, &numbers))
        return false;
    const Local *made = convert_local_hidden(b, "argument", &flat_type_real, texts.count);
    for (uint32_t i = 0; i < texts.count; i++)
        procedure_assign(d, to, dag_element(d, made->variable, dag_integer(d, i)),
                         convert_converted(b->c, *(const Node *)numbers.items[i], &flat_type_real),
                         e->span);
    *argument =
        (ExternalArgument){.count = texts.count, .texts = (const char **)(void *)texts.items};
    *variable = made->variable;
    return true;
}

// print(string, file): made where it stands, so that the values in its first text are there.
bool convert_build_said(ConvertScope *b, const FlatStatement *st, Block *to)
{
    Convert *c = b->c;
    const FlatExpression *call = st->value;
    const FlatExternal *x = call->function->external;
    ExternalArgument *arguments = ARENA_ARRAY(c->arena, x->count + 1, ExternalArgument);
    uint32_t *variables = ARENA_ARRAY(c->arena, x->count + 1, uint32_t);
    for (uint32_t i = 0; i < x->count; i++) {
        const FlatExpression *e = x->arguments[i];
        if (e->kind == FLAT_LOCAL && e->local->role == FLAT_ROLE_INPUT)
            e = call->operands[e->local->index];
        variables[i] = DAG_NONE;
        if (i == 0) {
            if (!said_argument(b, e, &arguments[i], &variables[i], to))
                return false;
            continue;
        }
        const Bundle value = convert_bundle(b, e);
        if (!bundle_is_fine(&value))
            return false;
        arguments[i] =
            (ExternalArgument){.count = 1, .texts = ARENA_ARRAY(c->arena, 1, const char *)};
        arguments[i].texts[0] = convert_text_of(c, value.items[0]);
        if (!arguments[i].texts[0]) {
            convert_fail(c, e->span, "the name of a file must be known before the run");
            return false;
        }
    }
    const ExternalSite site = {.info = x->info, .arguments = arguments, .count = x->count};
    ProcedureStatement *s = procedure_add(c->dag, to, PROCEDURE_EXTERNAL, st->span);
    s->external.site = store_site(c->model->externals, &site);
    s->external.variables = variables;
    if (!s->external.site)
        arena_exhausted(c->arena);
    return s->external.site != NULL;
}
