// SPDX-License-Identifier: MIT
//
// Messages of assertions and of terminate(). What of a text is not known before the run are
// numbers, "x became " + String(x); they are the values that variables have when the message is
// due. So each is an action of its own, of kind ACTION_SHOW, behind the one whose message it
// belongs to: its condition is the number, if that one is done, and its message the text that
// follows the number.

#include "flatten/arithmetic.h"
#include "modes/assemble_when.h"

// ---------------------------------------------------------------------------
// Before the run
// ---------------------------------------------------------------------------

static bool is_message_sum(const FlatExpression *e)
{
    return e->kind == FLAT_OPERATION && e->operation == OPERATION_ADD;
}

// It triggers no events: a message must not change the run.
static Node shown_number(Assembly *a, const FlatExpression *e)
{
    const bool was_silent = convert_is_silent(a->translation);
    convert_be_silent(a->translation, true);
    const Node value = translate(a->translation, e->operands[0]);
    convert_be_silent(a->translation, was_silent);
    return convert_shown(a->dag, value);
}

// Appends what is known to the last of the items, and an item for each number.
static void append_parts(Assembly *a, const FlatExpression *e, AssembledAction *items,
                         uint32_t depth)
{
    enum { DEEPEST = 20 };
    if (is_message_sum(e)) {
        for (uint32_t i = 0; i < e->count; i++)
            append_parts(a, e->operands[i], items, depth);
        return;
    }
    // A parameter whose text depends on others, which can be set.
    if (e->kind == FLAT_VARIABLE && e->type->kind == FLAT_TYPE_STRING && depth < DEEPEST &&
        !e->variable->is_evaluated && e->variable->kind <= FLAT_PARAMETER && e->variable->binding) {
        append_parts(a, e->variable->binding, items, depth + 1);
        return;
    }
    AssembledAction *last = &items[items->shown_count];
    if (convert_is_shown(e) && items->shown_count < SHOWN_MOST) {
        last[1] = (AssembledAction){.kind = ACTION_SHOW,
                                    .condition = shown_number(a, e),
                                    .message = "",
                                    .span = last->span,
                                    .guard = last->guard,
                                    .shown = e};
        items->shown_count++;
        return;
    }
    StringBuilder out = builder_create(a->dag->arena);
    builder_append_text(&out, last->message);
    builder_append_text(&out, convert_message(a->translation, e));
    last->message = builder_string(&out).text;
}

AssembledAction *assemble_message(Assembly *a, const AssembledAction *action,
                                  const FlatExpression *message)
{
    AssembledAction items[SHOWN_MOST + 1] = {*action};
    items[0].message = "";
    items[0].shown_count = 0;
    if (message)
        append_parts(a, message, items, 0);
    const uint32_t count = 1 + items[0].shown_count;
    AssembledAction *made = ARENA_ARRAY(a->dag->arena, count, AssembledAction);
    memcpy(made, items, count * sizeof *items);
    return made;
}

void assemble_message_add(Assembly *a, AssembledAction *message, AssembleAdd *add)
{
    add(a, message);
    for (uint32_t i = 1; i <= message->shown_count; i++) {
        message[i].condition =
            dag_if(a->dag, message->condition, message[i].condition, a->dag->zero);
        add(a, &message[i]);
    }
}

// ---------------------------------------------------------------------------
// In the run
// ---------------------------------------------------------------------------

static const char *put_together(Arena *arena, const AssembledAction *action, const double *values)
{
    StringBuilder out = builder_create(arena);
    builder_append_text(&out, action->message);
    for (uint32_t i = 0; i < action->shown_count; i++) {
        const AssembledAction *item = &action[i + 1];
        builder_append_text(&out, arithmetic_shown(arena, item->shown, values[i]));
        builder_append_text(&out, item->message);
    }
    return builder_string(&out).text;
}

const char *assemble_message_text(Arena *arena, const AssembledAction *action, const double *values)
{
    if (action->shown_count == 0 || !arena)
        return action->message;
    jmp_buf exhausted;
    jmp_buf *const before = arena_on_exhaustion(arena, &exhausted);
    const char *text = action->message;
    if (setjmp(exhausted) == 0)
        text = put_together(arena, action, values);
    arena_on_exhaustion(arena, before);
    return text;
}
