// SPDX-License-Identifier: MIT
//
// Names of modes for people: the innermost active states, then the conditions of if-equations.

#include "modes/model_parts.h"

static void append_separator(StringBuilder *out)
{
    if (builder_string(out).length)
        builder_append_text(out, ", ");
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
    append_separator(out);
    builder_append_text(out, state->name);
}

static void append_text(const Model *model, StringBuilder *out, const FlatExpression *condition)
{
    const String text = sources_text(model->diagnostics->sources, condition->span);
    if (condition->kind == FLAT_VARIABLE)
        builder_append_text(out, condition->variable->name);
    else
        builder_append(out, text.text, text.length);
}

static void append_condition(const Model *model, StringBuilder *out, const FlatIf *c,
                             const FlatExpression *condition)
{
    if (condition->kind != FLAT_VARIABLE && c->component->parent) {
        flat_component_name(out, c->component);
        builder_append_text(out, ": ");
    }
    append_text(model, out, condition);
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
        append_text(model, out, c->conditions[i]);
    }
    if (!is_simple)
        builder_append_text(out, ")");
}

// "taut", "D1.off, not D2.off", "taut, sliding on v > 0.0 and w > 0.0"
const char *mode_name(const Model *model, const uint32_t *choices, const ModelSurface *surfaces,
                      uint32_t surface_count)
{
    const FlatModel *flat = model->flat;
    StringBuilder out = builder_create(model->arena);
    for (uint32_t i = 0; i < model->choice_count; i++) {
        if (choices[i] == GATHER_ANY)
            continue;
        if (i >= flat->machine_count) {
            append_separator(&out);
            append_branch(model, &out, flat->conditionals[i - flat->machine_count], choices[i]);
        } else if (!flat->machines[i]->guard) {
            append_machine(model, &out, choices, i);
        }
    }
    for (uint32_t i = 0; i < surface_count; i++) {
        if (i == 0)
            append_separator(&out);
        builder_append_text(&out, i == 0 ? "sliding on " : " and ");
        builder_append_text(&out, model->hold_texts[surfaces[i].members[0]]);
    }
    return builder_string(&out).length ? builder_string(&out).text : "default";
}
