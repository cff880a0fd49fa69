// SPDX-License-Identifier: MIT
//
// Users' functions to instructions: statements become loops and guarded blocks around the code of
// their expressions. Temporaries live inside a statement only; what lives longer is a local.

#include "code/body.h"
#include "equations/procedure.h"
#include "external/external.h"

#include <string.h>

uint32_t function_number(CodeModule *m, uint32_t function)
{
    for (uint32_t i = 0; i < m->function_count; i++)
        if (m->functions[i]->function == function)
            return i;
    const DagFunction *f = &m->dag->functions[function];
    CodeBody *body = ARENA_NEW(m->arena, CodeBody);
    body->name = f->name;
    body->function = function;
    body->too_deep = body_place(m, CODE_FAILED_DEPTH, f->name, NULL, (Span){0});
    body->too_long = body_place(m, CODE_FAILED_STEPS, f->name, NULL, (Span){0});
    body->input_scalars = f->input_count;
    body->result_scalars = f->output_count;
    BODY_GROW(m->arena, m->functions, m->function_count, m->function_room);
    m->functions[m->function_count] = body;
    return m->function_count++;
}

// ---------------------------------------------------------------------------
// Locals
// ---------------------------------------------------------------------------

static CodeArgument function_add_local(Expressing *b, uint32_t variable)
{
    const DagVariable *v = &b->module->dag->variables[variable];
    CodeBody *body = b->body;
    CodeArgument argument = {v->size > 0, 0};
    if (argument.is_array) {
        argument.number = body_array(b->module, body, variable);
    } else {
        argument.number =
            body_value(b->module, body, (CodeValue){.kind = CODE_LOCAL, .name = v->name});
    }
    memo_set(b->locals, variable, argument.number);
    return argument;
}

static CodeArgument *add_arguments(Expressing *b, const uint32_t *variables, uint32_t count)
{
    CodeArgument *arguments = ARENA_ARRAY(b->module->arena, count, CodeArgument);
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = function_add_local(b, variables[i]);
    return arguments;
}

static uint32_t function_hidden_local(Expressing *b, const char *name)
{
    return body_value(b->module, b->body, (CodeValue){.kind = CODE_LOCAL, .name = name});
}

// ---------------------------------------------------------------------------
// Instructions
// ---------------------------------------------------------------------------

static void function_append(Expressing *b, uint32_t op, uint32_t d, uint32_t a)
{
    body_append(b->module, b->body, (CodeInstruction){.op = op, .d = d, .a = a});
}

static uint32_t function_apply(Expressing *b, Operator op, uint32_t x, uint32_t y)
{
    return body_operation(b->module, b->body, op, x, y, CODE_NONE);
}

static bool express_one(Expressing *b, Node node, uint32_t *value)
{
    return express(b, &node, 1, value);
}

// local := value; in place, if the value was made by the last instruction.
static void assign_local(Expressing *b, uint32_t local, uint32_t value)
{
    CodeBody *body = b->body;
    CodeInstruction *last =
        body->instruction_count ? &body->instructions[body->instruction_count - 1] : NULL;
    if (last && body_writes(last) && last->op != CODE_COPY && last->d == value &&
        body->values[value].kind == CODE_TEMPORARY)
        last->d = local;
    else
        function_append(b, CODE_COPY, local, value);
}

static void function_assign(Expressing *b, const ProcedureStatement *s, Node target, uint32_t value,
                            uint32_t index)
{
    const DagNode *n = dag_get(b->module->dag, target);
    const uint32_t to = memo_get(b->locals, n->number);
    if (n->kind == DAG_ELEMENT) {
        const uint32_t place = body_place(b->module, CODE_FAILED_SUBSCRIPT, b->body->name,
                                          b->module->dag->variables[n->number].name, s->span);
        body_append(b->module, b->body, (CodeInstruction){CODE_WRITE, value, index, to, place});
    } else if (s->assign.count == 1) {
        assign_local(b, to, value);
    } else {
        function_append(b, CODE_COPY, to, value);
    }
}

// Values that are locals must be saved if another assignment of the statement may change them.
static void save_locals(Expressing *b, uint32_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (b->body->values[values[i]].kind != CODE_LOCAL)
            continue;
        const uint32_t saved = body_temporary(b->module, b->body);
        function_append(b, CODE_COPY, saved, values[i]);
        values[i] = saved;
    }
}

static bool function_build_assignment(Expressing *b, const ProcedureStatement *s)
{
    const Dag *dag = b->module->dag;
    const uint32_t count = s->assign.count;
    Node *nodes = ARENA_ARRAY(b->module->arena, 2 * count, Node);
    uint32_t *values = ARENA_ARRAY(b->module->arena, 2 * count, uint32_t);
    for (uint32_t i = 0; i < count; i++) {
        const DagNode *target = dag_get(dag, s->assign.targets[i]);
        nodes[i] = s->assign.values[i];
        nodes[count + i] = target->kind == DAG_ELEMENT ? target->operands[0] : dag->zero;
    }
    if (!express(b, nodes, 2 * count, values))
        return false;
    if (count > 1)
        save_locals(b, values, 2 * count);
    for (uint32_t i = 0; i < count; i++)
        function_assign(b, s, s->assign.targets[i], values[i], values[count + i]);
    return true;
}

static void append_repeat(Expressing *b, const ProcedureStatement *loop)
{
    const uint32_t place =
        body_place(b->module, CODE_FAILED_STEPS, b->body->name, NULL, loop->span);
    body_append(b->module, b->body, (CodeInstruction){.op = CODE_REPEAT, .b = place});
}

static bool build_block(Expressing *b, const Block *block);

static bool build_if(Expressing *b, const ProcedureStatement *s)
{
    uint32_t condition;
    if (!express_one(b, s->condition, &condition))
        return false;
    function_append(b, CODE_GUARD, CODE_NONE, condition);
    if (!build_block(b, &s->body))
        return false;
    function_append(b, CODE_ELSE, CODE_NONE, CODE_NONE);
    if (!build_block(b, &s->otherwise))
        return false;
    function_append(b, CODE_END, CODE_NONE, CODE_NONE);
    return true;
}

static bool function_build_while(Expressing *b, const ProcedureStatement *s)
{
    uint32_t condition;
    function_append(b, CODE_LOOP, CODE_NONE, CODE_NONE);
    if (!express_one(b, s->condition, &condition))
        return false;
    function_append(b, CODE_BREAK_UNLESS, CODE_NONE, condition);
    if (!build_block(b, &s->body))
        return false;
    append_repeat(b, s);
    return true;
}

// for k = 0, 1, ... while k <= last: iterator := from + k step
static bool function_build_for(Expressing *b, const ProcedureStatement *s)
{
    const Node nodes[] = {s->loop.from, s->loop.step, s->loop.to};
    uint32_t v[3];
    if (!express(b, nodes, 3, v))
        return false;
    const uint32_t from = function_hidden_local(b, "from"), step = function_hidden_local(b, "step");
    const uint32_t last = function_hidden_local(b, "last"), k = function_hidden_local(b, "k");
    function_append(b, CODE_COPY, from, v[0]);
    function_append(b, CODE_COPY, step, v[1]);
    const uint32_t quotient =
        function_apply(b, OPERATOR_DIVIDE, function_apply(b, OPERATOR_SUBTRACT, v[2], from), step);
    assign_local(b, last, function_apply(b, OPERATOR_FLOOR, quotient, CODE_NONE));
    function_append(b, CODE_COPY, k, body_constant(b->module, b->body, 0.0));
    function_append(b, CODE_LOOP, CODE_NONE, CODE_NONE);
    function_append(b, CODE_BREAK_UNLESS, CODE_NONE,
                    function_apply(b, OPERATOR_LESS_EQUAL, k, last));
    const uint32_t distance = function_apply(b, OPERATOR_MULTIPLY, k, step);
    assign_local(b, memo_get(b->locals, s->loop.iterator),
                 function_apply(b, OPERATOR_ADD, from, distance));
    if (!build_block(b, &s->loop.body))
        return false;
    assign_local(b, k, function_apply(b, OPERATOR_ADD, k, body_constant(b->module, b->body, 1.0)));
    append_repeat(b, s);
    return true;
}

// The numbers of a message are computed only where it fails.
static bool build_shown(Expressing *b, const ProcedureStatement *s, uint32_t *condition)
{
    function_append(b, CODE_GUARD, CODE_NONE, *condition);
    function_append(b, CODE_ELSE, CODE_NONE, CODE_NONE);
    for (uint32_t i = 0; i < s->shown_count; i++) {
        uint32_t value;
        if (!express_one(b, s->shown[i], &value))
            return false;
        body_append(b->module, b->body, (CodeInstruction){.op = CODE_SHOW, .a = value, .b = i});
    }
    *condition = body_constant(b->module, b->body, 0.0);
    return true;
}

static bool build_check(Expressing *b, const ProcedureStatement *s)
{
    uint32_t condition;
    if (!express_one(b, s->condition, &condition) ||
        (s->shown_count && !build_shown(b, s, &condition)))
        return false;
    const uint32_t place =
        body_place(b->module, CODE_FAILED_CHECK, b->body->name, s->message, s->span);
    b->module->places[place].shown_as = s->shown_as;
    b->module->places[place].shown_count = s->shown_count;
    body_append(b->module, b->body,
                (CodeInstruction){.op = CODE_CHECK, .a = condition, .b = place});
    if (s->shown_count)
        function_append(b, CODE_END, CODE_NONE, CODE_NONE);
    return true;
}

// The list: how many, then the local or array of each argument, or CODE_NONE for texts.
static bool function_build_external(Expressing *b, const ProcedureStatement *s)
{
    CodeModule *m = b->module;
    CodeBody *body = b->body;
    const uint32_t list = body->list_count, count = s->external.site->count;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t item = count;
        if (i > 0) {
            const uint32_t variable = s->external.variables[i - 1];
            item = variable == DAG_NONE ? CODE_NONE : memo_get(b->locals, variable);
            if (variable != DAG_NONE && m->dag->variables[variable].size)
                item |= CODE_ARRAY_ARGUMENT;
        }
        BODY_GROW(m->arena, body->lists, body->list_count, body->list_room);
        body->lists[body->list_count++] = item;
    }
    const uint32_t place =
        body_place(m, CODE_FAILED_EXTERNAL, body->name, s->external.site->info->name, s->span);
    m->places[place].site = s->external.site;
    BODY_GROW(m->arena, m->sites, m->site_count, m->site_room);
    m->sites[m->site_count] = s->external.site;
    body_append(m, body, (CodeInstruction){CODE_EXTERNAL, CODE_NONE, list, m->site_count++, place});
    return true;
}

static bool function_build_statement(Expressing *b, const ProcedureStatement *s)
{
    b->span = s->span;
    switch (s->kind) {
    case PROCEDURE_ASSIGN:
        return function_build_assignment(b, s);
    case PROCEDURE_IF:
        return build_if(b, s);
    case PROCEDURE_FOR:
        return function_build_for(b, s);
    case PROCEDURE_WHILE:
        return function_build_while(b, s);
    case PROCEDURE_BREAK:
        function_append(b, CODE_BREAK, CODE_NONE, CODE_NONE);
        return true;
    case PROCEDURE_RETURN:
        function_append(b, CODE_RETURN, CODE_NONE, CODE_NONE);
        return true;
    case PROCEDURE_CHECK:
        return build_check(b, s);
    case PROCEDURE_CALL: {
        uint32_t list;
        return express_one(b, s->condition, &list);
    }
    case PROCEDURE_EXTERNAL:
        return function_build_external(b, s);
    }
    return true;
}

static bool build_block(Expressing *b, const Block *block)
{
    for (uint32_t i = 0; i < block->count; i++)
        if (!function_build_statement(b, &block->items[i]))
            return false;
    return true;
}

const char *function_without_algorithm(const CodeModule *m, const char *name)
{
    StringBuilder text = builder_create(m->arena);
    builder_append_format(&text, "the function %s has no algorithm", name);
    return builder_string(&text).text;
}

static bool build_function(CodeModule *m, CodeBody *body, const char **reason)
{
    const Procedure *p = m->dag->functions[body->function].procedure;
    if (!p) {
        *reason = function_without_algorithm(m, body->name);
        return false;
    }
    Expressing b = {.module = m, .body = body, .locals = memo_take(m->dag)};
    body->input_count = p->input_count;
    body->result_count = p->output_count;
    body->inputs = add_arguments(&b, p->inputs, p->input_count);
    body->results = add_arguments(&b, p->outputs, p->output_count);
    add_arguments(&b, p->locals, p->local_count);
    const bool is_fine = build_block(&b, &p->body);
    function_append(&b, CODE_RETURN, CODE_NONE, CODE_NONE);
    *reason = b.reason;
    memo_give(b.locals);
    return is_fine;
}

bool function_build_all(CodeModule *m, const char **reason)
{
    // Building one may add those that it calls.
    for (uint32_t i = 0; i < m->function_count; i++)
        if (m->functions[i]->instruction_count == 0 && !build_function(m, m->functions[i], reason))
            return false;
    return true;
}
