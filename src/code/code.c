// SPDX-License-Identifier: MIT
//
// Modules: their parts, entries, the text of the code.

#include "code/code.h"

#include "code/body.h"

#include <assert.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Writing into a body
// ---------------------------------------------------------------------------

uint32_t body_value(CodeModule *m, CodeBody *body, CodeValue value)
{
    BODY_GROW(m->arena, body->values, body->value_count, body->value_room);
    body->values[body->value_count] = value;
    return body->value_count++;
}

uint32_t body_array(CodeModule *m, CodeBody *body, uint32_t variable)
{
    const DagVariable *v = &m->dag->variables[variable];
    BODY_GROW(m->arena, body->arrays, body->array_count, body->array_room);
    body->arrays[body->array_count] = (CodeArray){variable, v->size, v->name, v->table};
    return body->array_count++;
}

uint32_t body_constant(CodeModule *m, CodeBody *body, double number)
{
    return body_value(m, body, (CodeValue){.kind = CODE_CONSTANT, .number = number});
}

uint32_t body_temporary(CodeModule *m, CodeBody *body)
{
    return body_value(m, body, (CodeValue){.kind = CODE_TEMPORARY});
}

void body_append(CodeModule *m, CodeBody *body, CodeInstruction instruction)
{
    BODY_GROW(m->arena, body->instructions, body->instruction_count, body->instruction_room);
    body->instructions[body->instruction_count++] = instruction;
}

uint32_t body_operation(CodeModule *m, CodeBody *body, uint32_t op, uint32_t a, uint32_t b,
                        uint32_t c)
{
    const uint32_t d = body_temporary(m, body);
    body_append(m, body, (CodeInstruction){op, d, a, b, c});
    return d;
}

enum { NEWEST_PLACES = 64 };

uint32_t body_place(CodeModule *m, CodeFailureKind kind, const char *function, const char *message,
                    Span span)
{
    // Operations on whole numbers are many, and have a text each. Of the others, one that is there
    // twice does no harm: only the newest are looked at.
    const uint32_t oldest = m->place_count > NEWEST_PLACES ? m->place_count - NEWEST_PLACES : 0;
    for (uint32_t i = m->place_count; kind != CODE_FAILED_WHOLE && i-- > oldest;)
        if (m->places[i].kind == kind && m->places[i].function == function &&
            m->places[i].message == message && m->places[i].span.begin == span.begin)
            return i;
    BODY_GROW(m->arena, m->places, m->place_count, m->place_room);
    m->places[m->place_count] =
        (CodeFailurePlace){.kind = kind, .function = function, .message = message, .span = span};
    return m->place_count++;
}

uint32_t body_operands(const CodeInstruction *i)
{
    if (body_is_operator(i->op))
        return operator_info((Operator)i->op)->count;
    if (body_is_whole(i->op))
        return body_whole(i)->count;
    switch (i->op) {
    case CODE_COPY:
    case CODE_STORE:
    case CODE_GUARD:
    case CODE_BREAK_UNLESS:
    case CODE_CHECK:
    case CODE_SHOW:
    case CODE_READ:
    case CODE_WRITE:
        return 1;
    default:
        return 0;
    }
}

bool body_writes(const CodeInstruction *i)
{
    return body_is_operator(i->op) || body_is_whole(i->op) || i->op == CODE_COPY ||
           i->op == CODE_READ;
}

uint32_t body_list_length(const CodeModule *m, const CodeBody *body, uint32_t list)
{
    const CodeBody *f = m->functions[body->lists[list]];
    return 1 + f->input_scalars + f->result_scalars;
}

// ---------------------------------------------------------------------------
// Modules
// ---------------------------------------------------------------------------

CodeModule *code_create(Dag *dag, const CodeLayout *layout)
{
    Arena *arena = layout->arena ? layout->arena : dag->arena;
    CodeModule *m = ARENA_NEW(arena, CodeModule);
    m->dag = dag;
    m->arena = arena;
    m->layout = *layout;
    return m;
}

static void append_stores(CodeModule *m, CodeBody *body, DagMemo *outputs, const uint32_t *next,
                          uint32_t value)
{
    if (!memo_has(outputs, value))
        return;
    for (uint32_t k = memo_get(outputs, value); k != CODE_NONE; k = next[k])
        body_append(m, body, (CodeInstruction){.op = CODE_STORE, .d = k, .a = value});
    memo_set(outputs, value, CODE_NONE);
}

static void append_with_results(CodeModule *m, CodeBody *body, const CodeInstruction *in,
                                DagMemo *made)
{
    body_append(m, body, *in);
    if (body_writes(in))
        memo_push(made, in->d);
    if (in->op == CODE_CALL)
        for (uint32_t k = 1; k < body_list_length(m, body, in->a); k++)
            if (body->lists[in->a + k] != CODE_NONE)
                memo_push(made, body->lists[in->a + k]);
}

// Stores follow what they store as soon as no guarded block is open.
static void insert_stores(CodeModule *m, CodeBody *body, const uint32_t *values)
{
    DagMemo *outputs = memo_take(m->dag); // value -> first output of it
    // output -> next output of the same value
    uint32_t *next = ARENA_ARRAY(arena_scratch(m->arena), body->output_count, uint32_t);
    for (uint32_t k = body->output_count; k-- > 0;) {
        next[k] = memo_has(outputs, values[k]) ? memo_get(outputs, values[k]) : CODE_NONE;
        memo_set(outputs, values[k], k);
    }
    CodeInstruction *old = body->instructions;
    const uint32_t count = body->instruction_count, room = body->instruction_room;
    body->instructions = NULL;
    body->instruction_count = body->instruction_room = 0;
    // Constants and inputs first: a copy at the end would have to wait for the stores before it if
    // their addresses look alike to the processor (equal modulo 4096).
    for (uint32_t k = 0; k < body->output_count; k++)
        if (body->values[values[k]].kind == CODE_CONSTANT ||
            body->values[values[k]].kind == CODE_INPUT)
            append_stores(m, body, outputs, next, values[k]);
    DagMemo *made = memo_take(m->dag);
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        append_with_results(m, body, &old[i], made);
        depth += old[i].op == CODE_GUARD;
        depth -= old[i].op == CODE_END;
        if (depth)
            continue;
        for (uint32_t k = 0; k < made->count; k++)
            append_stores(m, body, outputs, next, made->list[k]);
        made->count = 0;
    }
    memo_give(made);
    memo_give(outputs);
    arena_regrow(m->arena, old, room * sizeof *old, 0);
}

static bool build_entry(CodeModule *m, CodeBody *body, const CodeEntryDef *def, const char **reason)
{
    Expressing e = {.module = m,
                    .body = body,
                    .definitions = memo_take(m->dag),
                    .is_held = def->is_held && m->layout.held != CODE_NONE,
                    .is_guess = def->is_guess};
    for (uint32_t i = 0; i < def->definition_count; i++)
        memo_set(e.definitions, def->definitions[i].variable, def->definitions[i].value);
    Arena *scratch = arena_scratch(m->arena);
    const ArenaMark mark = arena_mark(scratch);
    Node *nodes = ARENA_ARRAY(scratch, def->output_count, Node);
    uint32_t *values = ARENA_ARRAY(scratch, def->output_count, uint32_t);
    for (uint32_t i = 0; i < def->output_count; i++)
        nodes[i] = def->outputs[i].value;
    const bool is_never_run = m->layout.is_never_run;
    const bool is_fine = is_never_run ? express_can(&e, nodes, def->output_count)
                                      : express(&e, nodes, def->output_count, values);
    *reason = e.reason;
    if (is_fine && !is_never_run)
        insert_stores(m, body, values);
    arena_release(scratch, mark);
    memo_give(e.definitions);
    return is_fine && function_build_all(m, reason);
}

uint32_t code_add_entry(CodeModule *m, const CodeEntryDef *def, const char **reason)
{
    CodeBody *body = ARENA_NEW(m->arena, CodeBody);
    body->name = arena_copy_text(m->arena, def->name, strlen(def->name));
    body->is_held = def->is_held;
    body->is_guess = def->is_guess;
    body->output_count = def->output_count;
    body->outputs = ARENA_ARRAY(m->arena, def->output_count, CodeOutput);
    if (def->output_count)
        memcpy(body->outputs, def->outputs, def->output_count * sizeof *def->outputs);
    if (!build_entry(m, body, def, reason))
        return CODE_NONE;
    BODY_GROW(m->arena, m->entries, m->entry_count, m->entry_room);
    m->entries[m->entry_count] = body;
    return m->entry_count++;
}

void code_finish(CodeModule *m)
{
    if (m->is_finished || m->layout.is_never_run)
        return;
    memo_give_back(m->dag); // of a large graph they are a tenth of all memory
    lower_module(m);
    m->is_finished = true;
}

void code_init_frame(const CodeModule *m, const double *const *inputs, double *frame)
{
    if (m->constant_count)
        memcpy(frame, m->constants, m->constant_count * sizeof *frame);
    for (uint32_t i = 0; i < m->slow_count; i++)
        frame[m->constant_count + i] = inputs[m->slow[i].vector][m->slow[i].index];
}
