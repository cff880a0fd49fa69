// SPDX-License-Identifier: MIT

#include "kernel/forward.h"

#include "base/number.h"
#include "code/body.h"
#include "modes/program.h"

#include <math.h>
#include <string.h>

// What a value is called now, and its derivatives; NULL: zero, or not made yet.
typedef struct ForwardName {
    const char *text;
    const char **tangents; // by direction
} ForwardName;

typedef struct ForwardText {
    const CodeModule *m;
    const CodeBody *body;
    const ForwardDef *def;
    Arena *arena;
    StringBuilder *out;
    ForwardName *names; // by value, then by output
    uint32_t name_count;
    uint32_t next; // number of the next name
} ForwardText;

static const char one_text[] = "1.0";

// ---------------------------------------------------------------------------
// Terms
// ---------------------------------------------------------------------------

// Texts of expressions; NULL is zero.
static const char *forward_text(ForwardText *f, const char *format, const char *a, const char *b,
                                const char *c)
{
    StringBuilder text = builder_create(f->arena);
    builder_append_format(&text, format, a, b, c);
    return builder_string(&text).text;
}

static bool forward_is_one(const char *text)
{
    return strcmp(text, one_text) == 0;
}

static const char *forward_value(ForwardText *f, const char *a);

static const char *forward_times(ForwardText *f, const char *a, const char *b)
{
    if (!a || !b)
        return NULL;
    return forward_is_one(a) ? b : forward_is_one(b) ? a : forward_text(f, "(%s * %s)", a, b, "");
}

static const char *forward_over(ForwardText *f, const char *a, const char *b)
{
    return a ? forward_text(f, "(%s / %s)", a, b ? b : "0.0", "") : NULL;
}

static const char *forward_plus(ForwardText *f, const char *a, const char *b)
{
    if (!a || !b)
        return a ? a : b;
    return forward_text(f, "(%s + %s)", forward_value(f, a), b, "");
}

static const char *forward_negative(ForwardText *f, const char *a)
{
    return a ? forward_text(f, "(-%s)", forward_value(f, a), "", "") : NULL;
}

// A value, also where a number is none: of a vector type.
static const char *forward_value(ForwardText *f, const char *a)
{
    return !a || forward_is_one(a) ? forward_text(f, "%sN(%s)", f->def->call, a ? a : "0.0", "")
                                   : a;
}

static const char *forward_of(ForwardText *f, const char *op, const char *a, const char *b)
{
    const char *name = forward_text(f, "%s%s", f->def->call, op, "");
    return forward_text(f, b ? "%s(%s, %s)" : "%s(%s)", name, forward_value(f, a), b);
}

static const char *forward_choose(ForwardText *f, const char *condition, const char *a,
                                  const char *b)
{
    if (!a && !b)
        return NULL;
    StringBuilder text = builder_create(f->arena);
    builder_append_format(&text, "%sIF(%s, %s, %s)", f->def->call, condition, forward_value(f, a),
                          forward_value(f, b));
    return builder_string(&text).text;
}

static const char *forward_number(ForwardText *f, double number)
{
    char digits[NUMBER_LENGTH];
    if (isnan(number))
        return forward_text(f, "%sN(NOT_A_NUMBER)", f->def->call, "", "");
    if (isinf(number))
        return forward_text(f, number > 0.0 ? "%sN(INFINITE)" : "%sN(-INFINITE)", f->def->call, "",
                            "");
    return forward_text(f, "%sN(%s)", f->def->call,
                        arena_copy_text(f->arena, digits, number_write(number, digits)), "");
}

// The columns "by a" and "by b" of base/operator_table.h as texts.
#define ZERO NULL
#define ONE one_text
#define TWO "2.0"
#define NUMBER(value) forward_number(f, value)
#define PLUS(p, q) forward_plus(f, p, q)
#define MINUS(p, q) forward_plus(f, p, forward_negative(f, q))
#define TIMES(p, q) forward_times(f, p, q)
#define OVER(p, q) forward_over(f, p, q)
#define NEGATIVE(p) forward_negative(f, p)
#define SQUARE(p) forward_times(f, p, p)
#define OF(function, p) forward_of(f, #function, p, NULL)
#define BOTH(function, p, q) forward_of(f, #function, p, forward_value(f, q))
#define IF(condition, p, q) forward_choose(f, condition, p, q)

// w times the derivative of y = op(a, b) by its k-th operand.
static const char *forward_by(ForwardText *f, Operator op, uint32_t k, const char *a, const char *b,
                              const char *y, const char *w)
{
    (void)b, (void)y;
    switch (op) {
#define OPERATOR(name, text, signature, arguments, traits, meaning, outside, by_a, by_b, ...)      \
    case OPERATOR_##name:                                                                          \
        return k == 0 ? by_a : by_b;
#include "base/operator_table.h"
    case OPERATOR_COUNT:
        break;
    }
    return NULL;
}

// ---------------------------------------------------------------------------
// Instructions
// ---------------------------------------------------------------------------

const char *forward_obstacle(const CodeBody *body)
{
    for (uint32_t i = 0; i < body->instruction_count; i++) {
        const uint32_t op = body->instructions[i].op;
        if (op >= OPERATOR_PAST && op <= OPERATOR_PAST_FOURTH)
            return "it has delays";
        if (body_is_whole(op))
            return "its equations compute with Integers between events";
        if (!body_is_operator(op) && op != CODE_COPY && op != CODE_STORE && op != CODE_GUARD &&
            op != CODE_ELSE && op != CODE_END)
            return "its equations call a function that is not inlined";
    }
    for (uint32_t v = 0; v < body->value_count; v++)
        if (body->values[v].is_whole)
            return "its equations compute with Integers between events";
    return NULL;
}

// A name for an expression.
static const char *forward_keep(ForwardText *f, const char *expression)
{
    StringBuilder name = builder_create(f->arena);
    builder_append_format(&name, "r%u", f->next++);
    const char *text = builder_string(&name).text;
    builder_append_format(f->out, "    const %s %s = %s;\n", f->def->type, text, expression);
    return text;
}

static const char **forward_new_tangents(ForwardText *f)
{
    return ARENA_ARRAY(f->arena, f->def->direction_count + 1, const char *);
}

// An input, or (a fixed parameter) its value.
static ForwardName forward_input(ForwardText *f, uint32_t vector, uint32_t index)
{
    ForwardName name = {.tangents = forward_new_tangents(f)};
    if (vector == PROGRAM_PARAMETERS && !f->def->is_moved[index]) {
        name.text = forward_number(f, f->def->parameters[index]);
        return name;
    }
    StringBuilder text = builder_create(f->arena);
    builder_append_format(&text, "%s[%u]", f->m->layout.input_names[vector], index);
    name.text = builder_string(&text).text;
    for (uint32_t i = 0; i < f->def->seed_count; i++)
        if (f->def->seeds[i].vector == vector && f->def->seeds[i].index == index)
            name.tangents[f->def->seeds[i].direction] = f->def->seeds[i].text;
    return name;
}

static void forward_begin_value(ForwardText *f, uint32_t value)
{
    const CodeValue *v = &f->body->values[value];
    if (v->kind == CODE_INPUT)
        f->names[value] = forward_input(f, v->vector, v->index);
    else
        f->names[value] =
            (ForwardName){v->kind == CODE_CONSTANT ? forward_number(f, v->number) : NULL,
                          forward_new_tangents(f)};
}

// The C text of op(a, b, c).
static const char *forward_apply(ForwardText *f, Operator op, const char *a, const char *b,
                                 const char *c)
{
    switch (op) {
    case OPERATOR_ADD:
        return forward_text(f, "%s + %s", a, b, "");
    case OPERATOR_SUBTRACT:
        return forward_text(f, "%s - %s", a, b, "");
    case OPERATOR_MULTIPLY:
        return forward_text(f, "%s * %s", a, b, "");
    case OPERATOR_DIVIDE:
        return forward_text(f, "%s / %s", a, b, "");
    case OPERATOR_NEGATE:
        return forward_text(f, "-%s", a, "", "");
    case OPERATOR_IF:
        return forward_choose(f, a, b, c);
    default:
        return forward_of(f, operator_info(op)->name, a, b);
    }
}

// b, c: NULL where op has no such operand.
static ForwardName forward_operation(ForwardText *f, Operator op, const ForwardName *a,
                                     const ForwardName *b, const ForwardName *c)
{
    const char **tangents = forward_new_tangents(f);
    const char *y =
        forward_keep(f, forward_apply(f, op, a->text, b ? b->text : NULL, c ? c->text : NULL));
    for (uint32_t d = 0; d < f->def->direction_count; d++) {
        const char *sum = NULL;
        if (op == OPERATOR_IF && b && c) {
            sum = forward_choose(f, a->text, b->tangents[d], c->tangents[d]);
        } else {
            if (a->tangents[d])
                sum = forward_by(f, op, 0, a->text, b ? b->text : NULL, y, a->tangents[d]);
            if (b && b->tangents[d])
                sum =
                    forward_plus(f, sum, forward_by(f, op, 1, a->text, b->text, y, b->tangents[d]));
        }
        tangents[d] = sum && !forward_is_one(sum) ? forward_keep(f, sum) : sum;
    }
    return (ForwardName){y, tangents};
}

static void forward_operate(ForwardText *f, const CodeInstruction *in)
{
    const uint32_t count = operator_info((Operator)in->op)->count;
    f->names[in->d] =
        forward_operation(f, (Operator)in->op, &f->names[in->a],
                          count > 1 ? &f->names[in->b] : NULL, count > 2 ? &f->names[in->c] : NULL);
}

static void forward_block(ForwardText *f, uint32_t begin, uint32_t end);

static ForwardName *forward_copy_names(ForwardText *f)
{
    ForwardName *copy = ARENA_ARRAY(f->arena, f->name_count, ForwardName);
    memcpy(copy, f->names, f->name_count * sizeof *copy);
    return copy;
}

// What both branches make, by the condition. What only one of them makes is its own affair.
static void forward_merge(ForwardText *f, const char *condition, const ForwardName *before,
                          const ForwardName *yes, const ForwardName *no)
{
    for (uint32_t v = 0; v < f->name_count; v++) {
        f->names[v] = before[v];
        if (yes[v].text == before[v].text || no[v].text == before[v].text)
            continue;
        const char **tangents = forward_new_tangents(f);
        for (uint32_t d = 0; d < f->def->direction_count; d++) {
            const char *t = forward_choose(f, condition, yes[v].tangents[d], no[v].tangents[d]);
            tangents[d] = t ? forward_keep(f, t) : NULL;
        }
        const char *text = forward_choose(f, condition, yes[v].text, no[v].text);
        f->names[v] = (ForwardName){forward_keep(f, text), tangents};
    }
}

// The block from GUARD at i on; the instruction behind its END.
static uint32_t forward_guard(ForwardText *f, uint32_t i)
{
    uint32_t depth = 0, otherwise = i, end = i;
    for (;; end++) {
        const uint32_t op = f->body->instructions[end].op;
        depth += op == CODE_GUARD;
        if (op == CODE_ELSE && depth == 1)
            otherwise = end;
        depth -= op == CODE_END;
        if (depth == 0)
            break;
    }
    const char *condition = f->names[f->body->instructions[i].a].text;
    ForwardName *before = forward_copy_names(f);
    forward_block(f, i + 1, otherwise > i ? otherwise : end);
    ForwardName *yes = forward_copy_names(f);
    memcpy(f->names, before, f->name_count * sizeof *before);
    if (otherwise > i)
        forward_block(f, otherwise + 1, end);
    ForwardName *no = forward_copy_names(f);
    forward_merge(f, condition, before, yes, no);
    return end + 1;
}

static void forward_block(ForwardText *f, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end;) {
        const CodeInstruction *in = &f->body->instructions[i];
        if (in->op == CODE_GUARD) {
            i = forward_guard(f, i);
            continue;
        }
        if (in->op == CODE_STORE)
            f->names[f->body->value_count + in->d] = f->names[in->a];
        else if (in->op == CODE_COPY)
            f->names[in->d] = f->names[in->a];
        else if (body_is_operator(in->op))
            forward_operate(f, in);
        i++;
    }
}

// ---------------------------------------------------------------------------
// Expressions of outputs
// ---------------------------------------------------------------------------

// What an output of the model is called; one that is not there is not a number.
static ForwardName forward_output(ForwardText *f, uint32_t number)
{
    const uint32_t place = f->def->output_places[number];
    for (uint32_t o = 0; o < f->body->output_count; o++)
        if (f->body->outputs[o].index == place && f->names[f->body->value_count + o].text) {
            ForwardName name = f->names[f->body->value_count + o];
            name.tangents = name.tangents ? name.tangents : forward_new_tangents(f);
            return name;
        }
    return (ForwardName){forward_number(f, NAN), forward_new_tangents(f)};
}

static ForwardName forward_node(ForwardText *f, const ForwardName *before, const KernelNode *node)
{
    switch (node->kind) {
    case KERNEL_NODE_NUMBER:
        break;
    case KERNEL_NODE_TIME:
        return forward_input(f, PROGRAM_TIME, 0);
    case KERNEL_NODE_PARAMETER:
        return forward_input(f, PROGRAM_PARAMETERS, node->index);
    case KERNEL_NODE_OUTPUT:
        return forward_output(f, node->index);
    case KERNEL_NODE_OPERATION: {
        const uint32_t count = operator_info(node->op)->count;
        return forward_operation(f, node->op, &before[node->operands[0]],
                                 count > 1 ? &before[node->operands[1]] : NULL,
                                 count > 2 ? &before[node->operands[2]] : NULL);
    }
    }
    return (ForwardName){forward_number(f, node->number), forward_new_tangents(f)};
}

// ---------------------------------------------------------------------------
// The function
// ---------------------------------------------------------------------------

static void forward_store(ForwardText *f, const ForwardName *name, uint32_t place, uint32_t outputs,
                          bool *is_there)
{
    builder_append_format(f->out, "    y[%u] = %s;\n", place, name->text);
    for (uint32_t d = 0; d < f->def->direction_count; d++) {
        const char *t = name->tangents ? name->tangents[d] : NULL;
        if (is_there)
            is_there[d * outputs + place] = t != NULL;
        if (t)
            builder_append_format(f->out, "    dy[%u] = %s;\n", d * outputs + place,
                                  forward_value(f, t));
    }
}

static void forward_nodes(ForwardText *f)
{
    ForwardName *names = ARENA_ARRAY(f->arena, f->def->node_count + 1, ForwardName);
    for (uint32_t i = 0; i < f->def->node_count; i++)
        names[i] = forward_node(f, names, &f->def->nodes[i]);
    for (uint32_t i = 0; i < f->def->result_count; i++)
        forward_store(f, &names[f->def->results[i]], i, f->def->result_count, NULL);
}

void forward_emit(const CodeModule *module, const CodeBody *body, const ForwardDef *def,
                  bool *is_there, StringBuilder *out)
{
    ForwardText f = {.m = module, .body = body, .def = def, .arena = out->arena, .out = out};
    const uint32_t outputs = body->output_count;
    f.name_count = body->value_count + outputs;
    f.names = ARENA_ARRAY(f.arena, f.name_count + 1, ForwardName);
    for (uint32_t v = 0; v < body->value_count; v++)
        forward_begin_value(&f, v);
    builder_append_format(out, "\nFN void %s(%s)\n{\n%s", def->name, def->arguments,
                          def->preface ? def->preface : "");
    forward_block(&f, 0, body->instruction_count);
    if (def->results)
        forward_nodes(&f);
    for (uint32_t o = 0; o < outputs && !def->results; o++)
        forward_store(&f, &f.names[body->value_count + o], body->outputs[o].index, outputs,
                      is_there);
    builder_append_text(out, "}\n");
}
