// SPDX-License-Identifier: MIT
//
// Names of modes for people: the innermost active states, then the conditions of if-equations.
// Three and more that follow one another in an array are one: diode[1:74].on.

#include "modes/model_parts.h"

#include "flatten/print.h"

#include <ctype.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------
// Items: texts with a zero byte behind each
// ---------------------------------------------------------------------------

static void end_item(StringBuilder *out)
{
    builder_append_character(out, '\0');
}

// The innermost active states of a machine: m.a stands for m, too.
static void append_machine(const Model *model, StringBuilder *out, const uint32_t *choices,
                           uint32_t machine)
{
    const FlatModel *flat = model->flat;
    const FlatState *state = flat->machines[machine]->states[choices[machine]];
    bool has_inner = false;
    for (uint32_t i = 0; i < flat->machine_count; i++) {
        const FlatGuard *guard = flat->machines[i]->guard;
        if (!guard || guard->state != state || choices[i] == GATHER_ANY)
            continue;
        append_machine(model, out, choices, i);
        has_inner = true;
    }
    if (has_inner)
        return;
    builder_append_text(out, state->name);
    end_item(out);
}

// Whether it is one of several that a loop has made of one text. A loop makes what stands in it one
// after the other.
static bool is_of_loop(const Model *model, const FlatIf *c)
{
    enum { IN_ONE_LOOP = 8 };
    const FlatModel *flat = model->flat;
    const uint32_t first = c->index < IN_ONE_LOOP ? 0 : c->index - IN_ONE_LOOP;
    for (uint32_t i = first; i < flat->conditional_count && i <= c->index + IN_ONE_LOOP; i++) {
        const FlatIf *other = flat->conditionals[i];
        if (other != c && other->component == c->component &&
            other->conditions[0]->span.begin == c->conditions[0]->span.begin)
            return true;
    }
    return false;
}

// The flat expression, without the quotes that names with subscripts have in the flat text.
static void append_flat(StringBuilder *out, const FlatExpression *condition)
{
    StringBuilder text = builder_create(out->arena);
    flat_print_expression(&text, condition);
    for (const char *c = builder_string(&text).text; *c; c++)
        if (*c != '\'')
            builder_append_character(out, *c);
}

// Whether it is written nowhere: of min, max and the like.
static bool is_made(const FlatExpression *condition)
{
    return condition->kind == FLAT_OPERATION && condition->count == 2 &&
           condition->span.begin == condition->operands[0]->span.begin &&
           condition->span.end == condition->operands[0]->span.end;
}

// As it is written, unless that would be the same for others.
static void append_text(const Model *model, StringBuilder *out, const FlatIf *c,
                        const FlatExpression *condition)
{
    const String text = sources_text(model->diagnostics->sources, condition->span);
    if (condition->kind == FLAT_VARIABLE)
        builder_append_text(out, condition->variable->name);
    else if (is_made(condition) || is_of_loop(model, c))
        append_flat(out, condition);
    else
        builder_append(out, text.text, text.length);
}

static void append_condition(const Model *model, StringBuilder *out, const FlatIf *c,
                             const FlatExpression *condition)
{
    if (condition->kind != FLAT_VARIABLE && c->component->parent && !is_made(condition) &&
        !is_of_loop(model, c)) {
        flat_component_name(out, c->component);
        builder_append_text(out, ": ");
    }
    append_text(model, out, c, condition);
}

static void append_branch(const Model *model, StringBuilder *out, const FlatIf *c, uint32_t branch)
{
    if (branch < c->count && c->conditions[branch]) {
        append_condition(model, out, c, c->conditions[branch]);
        return;
    }
    // The last branch: none of the conditions holds.
    const bool is_only = c->count < 2 || !c->conditions[1];
    const bool is_simple = is_only && c->conditions[0]->kind == FLAT_VARIABLE;
    builder_append_text(out, is_simple ? "not " : "not (");
    append_condition(model, out, c, c->conditions[0]);
    for (uint32_t i = 1; i < c->count && c->conditions[i]; i++) {
        builder_append_text(out, " or ");
        append_text(model, out, c, c->conditions[i]);
    }
    if (!is_simple)
        builder_append_text(out, ")");
}

// ---------------------------------------------------------------------------
// Ranges
// ---------------------------------------------------------------------------

// Items that differ in one subscript.
typedef struct ModeNameRange {
    const char *item; // the first of them
    size_t begin;     // of the subscript in it; 0: there is none yet
    long first, last;
} ModeNameRange;

// Whether the item is the next one of the range; `previous` is its last so far.
static bool extend(ModeNameRange *r, const char *previous, const char *item)
{
    size_t at = 0;
    while (previous[at] && previous[at] == item[at])
        at++;
    while (at > 0 && isdigit((unsigned char)previous[at - 1]))
        at--;
    if (at == 0 || (previous[at - 1] != '[' && previous[at - 1] != ',') ||
        (r->begin && r->begin != at) || !isdigit((unsigned char)previous[at]) ||
        !isdigit((unsigned char)item[at]))
        return false;
    char *rest, *other;
    const long from = strtol(previous + at, &rest, 10), to = strtol(item + at, &other, 10);
    if (to != from + 1 || strcmp(rest, other) != 0)
        return false;
    r->first = r->begin ? r->first : from;
    r->last = to;
    r->begin = at;
    return true;
}

enum { FEWEST_IN_RANGE = 3 };

// The items from the first one of the range up to `end`.
static void write_range(const ModeNameRange *r, size_t count, const char *end, StringBuilder *out)
{
    if (count >= FEWEST_IN_RANGE) {
        const char *rest = r->item + r->begin;
        while (isdigit((unsigned char)*rest))
            rest++;
        builder_append_text(out, builder_string(out).length ? ", " : "");
        builder_append(out, r->item, r->begin);
        builder_append_format(out, "%ld:%ld%s", r->first, r->last, rest);
        return;
    }
    for (const char *item = r->item; item < end; item += strlen(item) + 1) {
        builder_append_text(out, builder_string(out).length ? ", " : "");
        builder_append_text(out, item);
    }
}

static void write_items(String items, StringBuilder *out)
{
    const char *end = items.text + items.length, *previous = NULL;
    ModeNameRange range = {0};
    size_t count = 0;
    for (const char *item = items.text; item < end; item += strlen(item) + 1) {
        if (count > 0 && !extend(&range, previous, item)) {
            write_range(&range, count, item, out);
            count = 0;
        }
        if (count++ == 0)
            range = (ModeNameRange){.item = item};
        previous = item;
    }
    if (count > 0)
        write_range(&range, count, end, out);
}

// "taut", "D1.off, not D2.off", "s[1:7] == 1", "taut, sliding on v > 0.0 and w > 0.0"
const char *mode_name(const Model *model, Arena *arena, const uint32_t *choices,
                      const GatheredSurface *surfaces, uint32_t surface_count)
{
    const FlatModel *flat = model->flat;
    StringBuilder items = builder_create(arena), out = builder_create(arena);
    for (uint32_t i = 0; i < model->sizes.choices; i++) {
        if (choices[i] == GATHER_ANY)
            continue;
        if (i >= flat->machine_count) {
            append_branch(model, &items, flat->conditionals[i - flat->machine_count], choices[i]);
            end_item(&items);
        } else if (!flat->machines[i]->guard) {
            append_machine(model, &items, choices, i);
        }
    }
    write_items(builder_string(&items), &out);
    for (uint32_t i = 0; i < surface_count; i++) {
        if (i == 0 && builder_string(&out).length)
            builder_append_text(&out, ", ");
        builder_append_text(&out, i == 0 ? "sliding on " : " and ");
        builder_append_text(&out, model->hold_texts[surfaces[i].members[0]]);
    }
    return builder_string(&out).length ? builder_string(&out).text : "default";
}
