// SPDX-License-Identifier: MIT
//
// How it is found: everything that can act is an effect: it has triggers (relations and samples in
// its condition), discrete variables that it reads, discrete variables that it sets, and classes.
// From each trigger the effects are reached by a search along the discrete variables.

#include "modes/event_table.h"

#include "flatten/pack.h"
#include "flatten/print.h"
#include "modes/describe.h"

#include <ctype.h>
#include <saltus/saltus.h>
#include <string.h>

enum { MOST_ACTION = 200 };

typedef struct Numbers {
    uint32_t *items, count, room;
} Numbers;

typedef struct Effect {
    Numbers triggers, reads, sets; // triggers; variables
    unsigned classes;
    bool is_edge;  // only becoming true counts: a when clause, a transition
    bool is_plain; // an equation that is switched: SE-I where only time decides
    const char *action;
} Effect;

typedef struct Trigger {
    FlatExpression *expression;
    bool is_time;
    signed char edge; // of a condition in a when clause: +1 becomes true, -1 becomes false, 0 both
    bool is_used_elsewhere;
} Trigger;

typedef struct EventTable {
    Arena *arena;
    const FlatModel *flat;
    const Model *model; // NULL: none
    Trigger *triggers;  // the relations of the model, then the samples
    uint32_t trigger_count, trigger_room;
    Effect *effects;
    uint32_t effect_count, effect_room;
    Numbers *readers;                 // by variable: the effects that read it
    bool *is_used;                    // by variable: something else depends on it
    uint32_t *reached, reached_count; // effects of the trigger at hand
    uint32_t *seen;                   // by effect: 1 + the last trigger that reached it
} EventTable;

static void add_number(Arena *arena, Numbers *list, uint32_t number)
{
    if (list->count && list->items[list->count - 1] == number)
        return;
    ARENA_PUSH(arena, list->items, list->count, list->room, number);
}

static Effect *add_effect(EventTable *t)
{
    ARENA_ROOM(t->arena, t->effects, t->effect_count, t->effect_room);
    Effect *effect = &t->effects[t->effect_count++];
    *effect = (Effect){.classes = 0}; // one that was dropped may have stood here
    return effect;
}

// ---------------------------------------------------------------------------
// Triggers
// ---------------------------------------------------------------------------

static bool is_operation(const FlatExpression *e, Operation operation)
{
    return e->kind == FLAT_OPERATION && e->operation == (uint32_t)operation;
}

// Only time and what does not change during a run.
static bool is_of_time(const FlatExpression *e)
{
    if (e->kind == FLAT_VARIABLE)
        return e->variable->kind <= FLAT_PARAMETER;
    if (e->kind == FLAT_STATE_TIME || e->kind == FLAT_STATE_TICKS || e->kind == FLAT_ACTIVE)
        return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i] && !is_of_time(e->operands[i]))
            return false;
    return true;
}

static void add_trigger(EventTable *t, FlatExpression *e)
{
    ARENA_PUSH(
        t->arena, t->triggers, t->trigger_count, t->trigger_room,
        (Trigger){.expression = e, .is_time = is_operation(e, OPERATION_SAMPLE) || is_of_time(e)});
}

static uint32_t trigger_of(EventTable *t, FlatExpression *e)
{
    if (e->relation != FLAT_NO_RELATION && e->relation < t->flat->relations.count)
        return e->relation;
    for (uint32_t i = t->flat->relations.count; i < t->trigger_count; i++)
        if (t->triggers[i].expression == e)
            return i;
    add_trigger(t, e);
    return t->trigger_count - 1;
}

// What an expression depends on. sign: of the expression in a condition that must become true; 0:
// both ways count.
static void event_table_collect(EventTable *t, Effect *effect, FlatExpression *e, int sign)
{
    if (!e)
        return;
    if (e->kind == FLAT_VARIABLE) {
        if (e->variable->kind == FLAT_DISCRETE)
            add_number(t->arena, &effect->reads, e->variable->index);
        return;
    }
    const bool is_trigger =
        e->kind == FLAT_OPERATION && !e->is_silent &&
        (e->relation != FLAT_NO_RELATION || e->operation == (uint32_t)OPERATION_SAMPLE);
    if (is_trigger) {
        const uint32_t number = trigger_of(t, e);
        Trigger *trigger = &t->triggers[number];
        add_number(t->arena, &effect->triggers, number);
        if (trigger->edge && trigger->edge != sign)
            sign = 0;
        trigger->edge = (signed char)sign;
        trigger->is_used_elsewhere |= sign == 0;
    }
    // Left limits trigger nothing.
    if (is_operation(e, OPERATION_PRE) || is_operation(e, OPERATION_SAMPLE))
        return;
    const bool keeps = is_operation(e, OPERATION_AND) || is_operation(e, OPERATION_OR);
    const int inner = keeps ? sign : is_operation(e, OPERATION_NOT) ? -sign : 0;
    for (uint32_t i = 0; i < e->count; i++)
        event_table_collect(t, effect, e->operands[i], inner);
}

// ---------------------------------------------------------------------------
// Uses
// ---------------------------------------------------------------------------

// Marks what occurs in an expression, except one variable.
static void mark(EventTable *t, const FlatExpression *e, const FlatExpression *except)
{
    if (!e)
        return;
    if (e->kind == FLAT_VARIABLE &&
        !(except && except->kind == FLAT_VARIABLE && except->variable == e->variable))
        t->is_used[e->variable->index] = true;
    for (uint32_t i = 0; i < e->count; i++)
        mark(t, e->operands[i], except);
}

static void mark_statements(EventTable *t, uint32_t count, FlatStatement *const *statements)
{
    for (uint32_t i = 0; i < count; i++) {
        const FlatStatement *s = statements[i];
        if (s->kind == FLAT_ASSIGN || s->kind == FLAT_MULTIPLE || s->kind == FLAT_REINIT)
            mark(t, s->value, s->kind == FLAT_ASSIGN ? s->target : NULL);
        else if (s->kind == FLAT_ASSERT || s->kind == FLAT_TERMINATE)
            mark(t, s->check.condition, NULL);
        else if (s->kind == FLAT_FOR || s->kind == FLAT_WHILE) {
            mark(t, s->loop.range, NULL);
            mark_statements(t, s->loop.count, s->loop.body);
        } else if (s->kind == FLAT_CHOICE || s->kind == FLAT_WHEN)
            for (uint32_t b = 0; b < s->branches.count; b++) {
                mark(t, s->branches.items[b].condition, NULL);
                mark_statements(t, s->branches.items[b].count, s->branches.items[b].statements);
            }
    }
}

static FlatVariable *discrete_side(const FlatEquation *e)
{
    FlatExpression *const sides[] = {e->left, e->right};
    for (int i = 0; i < 2; i++)
        if (sides[i] && sides[i]->kind == FLAT_VARIABLE &&
            sides[i]->variable->kind == FLAT_DISCRETE)
            return sides[i]->variable;
    return NULL;
}

static void mark_all(EventTable *t)
{
    const FlatModel *m = t->flat;
    for (uint32_t i = 0; i < m->equation_count; i++) {
        const FlatVariable *defined = discrete_side(m->equations[i]);
        const FlatExpression *except = defined ? &defined->reference : NULL;
        mark(t, m->equations[i]->left, except);
        mark(t, m->equations[i]->right, except);
        if (m->equations[i]->tick)
            mark(t, &m->equations[i]->tick->reference, NULL);
    }
    for (uint32_t i = 0; i < m->when_count; i++)
        for (uint32_t b = 0; b < m->whens[i]->count; b++) {
            const FlatWhenBranch *branch = &m->whens[i]->branches[b];
            for (uint32_t k = 0; k < branch->condition_count; k++)
                mark(t, branch->conditions[k], NULL);
            mark_statements(t, branch->count, branch->statements);
        }
    for (uint32_t i = 0; i < m->conditional_count; i++)
        for (uint32_t b = 0; b < m->conditionals[i]->count; b++)
            mark(t, m->conditionals[i]->conditions[b], NULL);
    for (uint32_t i = 0; i < m->machine_count; i++)
        for (uint32_t k = 0; k < m->machines[i]->transition_count; k++)
            mark(t, m->machines[i]->transitions[k].condition, NULL);
    for (uint32_t i = 0; i < m->algorithm_count; i++)
        mark_statements(t, m->algorithms[i]->count, m->algorithms[i]->statements);
    for (uint32_t i = 0; i < m->assertion_count; i++)
        mark(t, m->assertions[i]->condition, NULL);
}

// A discrete variable is like a parameter, unless nothing depends on it: then it only records.
static unsigned discrete_class(const EventTable *t, const FlatVariable *v)
{
    return t->is_used[v->index] ? SALTUS_SE_P : SALTUS_SE_O;
}

// ---------------------------------------------------------------------------
// Effects
// ---------------------------------------------------------------------------

// Where a quoted name ends that begins here, behind its quote.
static const char *name_end(const char *from)
{
    const char *c = from + 1;
    while (*c && *c != '\'')
        c += *c == '\\' && c[1] ? 2 : 1;
    return *c ? c + 1 : c;
}

// Names of components without the quotes that make them identifiers: 'a.b' becomes a.b. Those that
// were quoted in the model stay so: 'a b', and c.'a b', which is '\'c.\\'a b\\'\'' here.
static const char *unquoted(Arena *arena, const StringBuilder *text)
{
    StringBuilder out = builder_create(arena);
    for (const char *c = builder_string(text).text; *c;) {
        const char *end = *c == '\'' ? name_end(c) : c + 1;
        bool is_plain = *c == '\'';
        for (const char *i = c + 1; i + 1 < end && is_plain; i++)
            is_plain =
                isalnum((unsigned char)*i) || strchr("_.[],", *i) || (*i == ' ' && i[-1] == ',');
        is_plain |= *c == '\'' && memchr(c, '\\', (size_t)(end - c));
        for (const char *i = c; i < end; i++)
            if (!(is_plain && ((*i == '\'' && (i == c || i + 1 == end)) || *i == '\\')))
                builder_append_character(&out, *i);
        c = end;
    }
    return builder_string(&out).text;
}

// One line, cut where it becomes long.
static const char *one_line(EventTable *t, const StringBuilder *text)
{
    const String s = builder_string(text);
    StringBuilder out = builder_create(t->arena);
    bool is_space = true;
    for (size_t i = 0; i < s.length && out.length < MOST_ACTION; i++) {
        const bool is_blank = s.text[i] == '\n' || s.text[i] == ' ';
        if (!is_blank || !is_space)
            builder_append_character(&out, is_blank ? ' ' : s.text[i]);
        is_space = is_blank;
    }
    while (out.length && (out.text[out.length - 1] == ' ' || out.text[out.length - 1] == ';'))
        out.text[--out.length] = '\0';
    if (out.length >= MOST_ACTION)
        builder_append_text(&out, " ...");
    return unquoted(t->arena, &out);
}

static void event_table_walk_statements(EventTable *t, Effect *effect, uint32_t count,
                                        FlatStatement *const *statements);

static void walk_branches(EventTable *t, Effect *effect, const FlatStatement *s)
{
    for (uint32_t i = 0; i < s->branches.count; i++) {
        const FlatBranch *b = &s->branches.items[i];
        if (b->condition)
            event_table_collect(t, effect, b->condition, s->kind == FLAT_WHEN ? 1 : 0);
        event_table_walk_statements(t, effect, b->count, b->statements);
    }
}

static void event_table_assign(EventTable *t, Effect *effect, const FlatExpression *target)
{
    if (!target)
        return;
    if (target->kind == FLAT_VARIABLE && target->variable->kind == FLAT_DISCRETE) {
        add_number(t->arena, &effect->sets, target->variable->index);
        effect->classes |= discrete_class(t, target->variable);
    } else if (target->kind == FLAT_VARIABLE) {
        effect->classes |= SALTUS_SE_F;
    }
    for (uint32_t i = 0; i < target->count; i++)
        event_table_assign(t, effect, target->operands[i]);
}

// What statements change. Values inside a when clause are computed when it acts: they trigger
// nothing.
static void event_table_walk_statements(EventTable *t, Effect *effect, uint32_t count,
                                        FlatStatement *const *statements)
{
    for (uint32_t i = 0; i < count; i++) {
        const FlatStatement *s = statements[i];
        switch (s->kind) {
        case FLAT_ASSIGN:
        case FLAT_MULTIPLE:
            event_table_assign(t, effect, s->target);
            for (uint32_t k = 0; k < s->target_count; k++)
                event_table_assign(t, effect, s->targets[k]);
            if (!effect->is_edge)
                event_table_collect(t, effect, s->value, 0);
            break;
        case FLAT_REINIT:
            effect->classes |= SALTUS_SE_X;
            break;
        case FLAT_CHOICE:
        case FLAT_WHEN:
            walk_branches(t, effect, s);
            break;
        case FLAT_FOR:
        case FLAT_WHILE:
            event_table_walk_statements(t, effect, s->loop.count, s->loop.body);
            break;
        default:
            break;
        }
    }
}

static void add_when(EventTable *t, const FlatWhenBranch *branch)
{
    Effect *effect = add_effect(t);
    StringBuilder text = builder_create(t->arena);
    effect->is_edge = true;
    for (uint32_t i = 0; i < branch->condition_count; i++)
        event_table_collect(t, effect, branch->conditions[i], 1);
    event_table_walk_statements(t, effect, branch->count, branch->statements);
    flat_print_statements(&text, branch->count, branch->statements, 0, true);
    effect->action = one_line(t, &text);
}

static void event_table_add_equation(EventTable *t, const FlatEquation *e)
{
    Effect *effect = add_effect(t);
    StringBuilder text = builder_create(t->arena);
    FlatVariable *defined = discrete_side(e);
    if (defined) {
        FlatExpression *value =
            e->left->kind == FLAT_VARIABLE && e->left->variable == defined ? e->right : e->left;
        add_number(t->arena, &effect->sets, defined->index);
        effect->classes = discrete_class(t, defined);
        if (e->tick) // only then: what else changes waits for it
            event_table_collect(t, effect, &e->tick->reference, 0);
        else
            event_table_collect(t, effect, value, 0);
        builder_append_format(&text, "%s = ", defined->name);
        flat_print_expression(&text, value);
    } else {
        effect->is_plain = true;
        effect->classes = SALTUS_SE_F;
        event_table_collect(t, effect, e->left, 0);
        event_table_collect(t, effect, e->right, 0);
        // A discrete variable in an equation is like a parameter; its own change is the event.
        effect->reads.count = 0;
        if (!effect->triggers.count || e->tick) {
            t->effect_count--;
            return;
        }
        if (e->left)
            flat_print_expression(&text, e->left);
        builder_append_text(&text, " = ");
        flat_print_expression(&text, e->right);
    }
    effect->action = one_line(t, &text);
}

static bool event_table_is_inside(const FlatGuard *guard, const FlatIf *conditional,
                                  uint32_t branch)
{
    for (; guard; guard = guard->outer)
        if (guard->conditional == conditional && guard->branch == branch)
            return true;
    return false;
}

static bool event_table_has_derivative(const FlatExpression *e)
{
    if (!e)
        return false;
    if (is_operation(e, OPERATION_DER))
        return true;
    for (uint32_t i = 0; i < e->count; i++)
        if (event_table_has_derivative(e->operands[i]))
            return true;
    return false;
}

// Branches that differentiate in a different number of equations change the set of states.
static unsigned conditional_classes(const EventTable *t, const FlatIf *c)
{
    if (t->model)
        return describe_conditional(t->model, c->index);
    uint32_t first = 0;
    for (uint32_t b = 0; b < c->count; b++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < t->flat->equation_count; i++) {
            const FlatEquation *e = t->flat->equations[i];
            count += event_table_is_inside(e->guard, c, b) &&
                     (event_table_has_derivative(e->left) || event_table_has_derivative(e->right));
        }
        if (b == 0)
            first = count;
        else if (count != first)
            return SALTUS_SE_S;
    }
    return SALTUS_SE_F;
}

static void event_table_add_conditional(EventTable *t, const FlatIf *c)
{
    if (c->is_initial)
        return;
    Effect *effect = add_effect(t);
    effect->classes = conditional_classes(t, c);
    effect->action = "other equations hold";
    for (uint32_t b = 0; b < c->count; b++)
        event_table_collect(t, effect, c->conditions[b], 0);
}

static uint32_t state_count(const FlatState *state)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->variable_count; i++)
        count += state->variables[i]->is_differentiated;
    return count;
}

static void event_table_add_transition(EventTable *t, const FlatTransition *transition)
{
    Effect *effect = add_effect(t);
    StringBuilder text = builder_create(t->arena);
    // States of their own: the set of states changes unless there are none.
    const bool has_states = state_count(transition->from) || state_count(transition->to);
    effect->is_edge = true;
    effect->classes = t->model     ? describe_transition(t->model, transition)
                      : has_states ? SALTUS_SE_S
                                   : SALTUS_SE_F;
    if (transition->from->method || transition->to->method) // a state's own solver or tolerances
        effect->classes |= SALTUS_SE_A;
    builder_append_format(&text, "%s -> %s", transition->from->name, transition->to->name);
    effect->action = builder_string(&text).text;
    event_table_collect(t, effect, transition->condition, 1);
}

static void event_table_add_assertion(EventTable *t, const FlatAssertion *a)
{
    if (a->is_initial)
        return;
    Effect *effect = add_effect(t);
    effect->action = a->is_termination ? "terminate" : "assert";
    event_table_collect(t, effect, a->condition, 0);
}

static void add_algorithm(EventTable *t, const FlatAlgorithm *a)
{
    Effect *effect = add_effect(t);
    StringBuilder text = builder_create(t->arena);
    event_table_walk_statements(t, effect, a->count, a->statements);
    flat_print_statements(&text, a->count, a->statements, 0, false);
    effect->action = one_line(t, &text);
}

static void find_effects(EventTable *t)
{
    const FlatModel *m = t->flat;
    for (uint32_t i = 0; i < m->relations.count; i++)
        add_trigger(t, m->relations.items[i].expression);
    for (uint32_t i = 0; i < m->when_count; i++)
        for (uint32_t b = 0; b < m->whens[i]->count; b++)
            add_when(t, &m->whens[i]->branches[b]);
    for (uint32_t i = 0; i < m->machine_count; i++)
        for (uint32_t k = 0; k < m->machines[i]->transition_count; k++)
            event_table_add_transition(t, &m->machines[i]->transitions[k]);
    for (uint32_t i = 0; i < m->conditional_count; i++)
        event_table_add_conditional(t, m->conditionals[i]);
    for (uint32_t i = 0; i < m->equation_count; i++)
        event_table_add_equation(t, m->equations[i]);
    for (uint32_t i = 0; i < m->algorithm_count; i++)
        add_algorithm(t, m->algorithms[i]);
    for (uint32_t i = 0; i < m->assertion_count; i++)
        event_table_add_assertion(t, m->assertions[i]);
}

// ---------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------

// a <= b has the event function a - b.
static const char *event_function(EventTable *t, const FlatExpression *e)
{
    StringBuilder out = builder_create(t->arena);
    if (is_operation(e, OPERATION_SAMPLE))
        return NULL;
    if (e->operation < OPERATION_LESS || e->operation > OPERATION_NOT_EQUAL) {
        // floor and its like change at whole numbers of what they round
        flat_print_expression(&out, e);
        return unquoted(t->arena, &out);
    }
    flat_print_expression(&out, e->operands[0]);
    const FlatExpression *right = e->operands[1];
    if (right->kind == FLAT_REAL && right->real == 0.0)
        return unquoted(t->arena, &out);
    const bool is_sum =
        right->kind == FLAT_OPERATION && right->count > 1 &&
        (right->operation == OPERATION_ADD || right->operation == OPERATION_SUBTRACT);
    const bool is_negative =
        is_operation(right, OPERATION_NEGATE) || (right->kind == FLAT_REAL && right->real < 0.0);
    builder_append_text(&out, is_sum || is_negative ? " - (" : " - ");
    flat_print_expression(&out, right);
    builder_append_text(&out, is_sum || is_negative ? ")" : "");
    return unquoted(t->arena, &out);
}

static EventDirection event_table_direction_of(const Trigger *trigger)
{
    const FlatExpression *e = trigger->expression;
    if (trigger->is_time)
        return EVENT_TIME;
    const bool is_less = e->operation == OPERATION_LESS || e->operation == OPERATION_LESS_EQUAL;
    const bool is_greater =
        e->operation == OPERATION_GREATER || e->operation == OPERATION_GREATER_EQUAL;
    if (trigger->is_used_elsewhere || trigger->edge == 0 || (!is_less && !is_greater))
        return EVENT_BOTH;
    return is_less == (trigger->edge > 0) ? EVENT_FALLING : EVENT_RISING;
}

static void event_table_reach(EventTable *t, uint32_t trigger, uint32_t effect)
{
    if (t->seen[effect] == trigger + 1)
        return;
    t->seen[effect] = trigger + 1;
    t->reached[t->reached_count++] = effect;
}

static void append_action(StringBuilder *out, const char *action)
{
    if (!action || !*action || (out->length && strstr(out->text, action)) ||
        out->length > 4 * MOST_ACTION)
        return;
    builder_append_text(out, out->length ? "; " : "");
    builder_append_text(out, action);
}

static EventRow make_row(EventTable *t, uint32_t number, const Numbers *direct)
{
    const Trigger *trigger = &t->triggers[number];
    StringBuilder action = builder_create(t->arena), condition = builder_create(t->arena);
    unsigned classes = 0;
    t->reached_count = 0;
    for (uint32_t i = 0; i < direct->count; i++)
        event_table_reach(t, number, direct->items[i]);
    for (uint32_t i = 0; i < t->reached_count; i++) {
        const Effect *effect = &t->effects[t->reached[i]];
        classes |= effect->is_plain && trigger->is_time ? SALTUS_SE_I : effect->classes;
        append_action(&action, effect->action);
        for (uint32_t k = 0; k < effect->sets.count; k++) {
            const Numbers *readers = &t->readers[effect->sets.items[k]];
            for (uint32_t r = 0; r < readers->count; r++)
                event_table_reach(t, number, readers->items[r]);
        }
    }
    flat_print_expression(&condition, trigger->expression);
    const char *logged =
        t->model && number < t->flat->relations.count ? describe_relation(t->model, number) : NULL;
    return (EventRow){.condition = logged ? logged : unquoted(t->arena, &condition),
                      .function = event_function(t, trigger->expression),
                      .action = builder_string(&action).text,
                      .direction = event_table_direction_of(trigger),
                      .classes = classes ? classes : SALTUS_SE_O,
                      .span = trigger->expression->span};
}

const EventRow *event_table_create(Arena *arena, const FlatModel *flat, const Model *model,
                                   uint32_t *count)
{
    *count = 0;
    EventTable t = {.arena = arena,
                    .flat = flat_unpack(arena, flat),
                    .model = model,
                    .is_used = ARENA_ARRAY(arena, flat->variable_count + 1, bool)};
    mark_all(&t);
    find_effects(&t);
    if (!t.effects)
        return NULL;
    Numbers *direct = ARENA_ARRAY(arena, t.trigger_count + 1, Numbers); // effects by trigger
    t.readers = ARENA_ARRAY(arena, flat->variable_count + 1, Numbers);
    for (uint32_t i = 0; i < t.effect_count; i++) {
        for (uint32_t k = 0; k < t.effects[i].triggers.count; k++)
            add_number(arena, &direct[t.effects[i].triggers.items[k]], i);
        for (uint32_t k = 0; k < t.effects[i].reads.count; k++)
            add_number(arena, &t.readers[t.effects[i].reads.items[k]], i);
    }
    t.reached = ARENA_ARRAY(arena, t.effect_count + 1, uint32_t);
    t.seen = ARENA_ARRAY(arena, t.effect_count + 1, uint32_t);
    EventRow *rows = ARENA_ARRAY(arena, t.trigger_count + 1, EventRow);
    for (uint32_t i = 0; i < t.trigger_count; i++)
        if (direct[i].count) // others stand in start values, initial equations, noEvent
            rows[(*count)++] = make_row(&t, i, &direct[i]);
    return rows;
}

const char *event_table_direction(EventDirection direction)
{
    static const char *const names[] = {"falling", "rising", "both", "time"};
    return names[direction];
}
