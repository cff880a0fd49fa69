// SPDX-License-Identifier: MIT
//
// A kernel knows no expressions at events and keeps no past; what it can observe is less than what
// an observer can. Whatever it cannot is refused in words, and the sweep runs point by point: there
// is no observation that is approximately the same.
//
// The results of a trajectory, in this order: the final values of the slots; of each term its
// occurrences, count_occurrences of them; how often each condition was met. observe_kernel_plan and
// observe_kernel_read go over the terms in the same order, which is all that joins them.

#include "studies/observe_kernel.h"

#include "studies/observe_parts.h"

#include <math.h>
#include <string.h>

// More occurrences than this are not remembered in registers.
enum { MOST_OCCURRENCES = 64 };

// ---------------------------------------------------------------------------
// What can be observed
// ---------------------------------------------------------------------------

// Whether something of a kind occurs in an expression.
static bool watch_has(const Watch *w, WatchKind kind)
{
    return w && (w->kind == kind || watch_has(w->a, kind) || watch_has(w->b, kind) ||
                 watch_has(w->c, kind));
}

static bool is_limit(const Term *t)
{
    return t->kind == TERM_AT || t->kind == TERM_BEFORE || t->kind == TERM_AFTER;
}

static bool is_probed(const Term *t)
{
    return t->kind <= TERM_INTEGRAL || t->kind == TERM_AT_TIME;
}

static const char *term_obstacle(const Observations *o, const Term *t)
{
    if (is_probed(t)) {
        if ((t->from && t->from->kind != WATCH_NUMBER) || (t->to && t->to->kind != WATCH_NUMBER))
            return "it observes a part of the run between times that are not written as numbers";
        if (t->kind == TERM_AT_TIME && t->when->kind != WATCH_NUMBER)
            return "it observes values at times that are not written as numbers";
        return watch_has(t->moment, WATCH_SIGN) || watch_has(t->moment, WATCH_MODE)
                   ? "it observes modes along the run"
                   : NULL;
    }
    if (t->kind == TERM_DURATION)
        return "it observes durations";
    const ConditionKind kind = o->conditions[t->condition].kind;
    if (kind != CONDITION_EVENT && kind != CONDITION_TRANSITION)
        return "it observes conditions that are not written as event(\"...\")";
    if (t->from || t->to)
        return "it observes a part of the run";
    if (t->kind != TERM_COUNT &&
        (t->every || t->first < 1 || t->last - t->first >= MOST_OCCURRENCES))
        return "it observes occurrences from the last one on, or too many of them";
    if (is_limit(t) && t->moment->kind != WATCH_VARIABLE)
        return "it observes expressions at events";
    return NULL;
}

static const char *observe_kernel_obstacle(const Observations *o)
{
    const char *reason = NULL;
    for (uint32_t i = 0; i < o->item_count && !reason; i++)
        reason = watch_has(o->items[i].tree, WATCH_SIGN) ? "it observes signs at the end" : NULL;
    for (uint32_t i = 0; i < o->term_count && !reason; i++)
        reason = term_obstacle(o, &o->terms[i]);
    return reason;
}

bool observe_kernel_has_parameters(const Observations *o)
{
    for (uint32_t i = 0; i < o->item_count; i++)
        if (watch_has(o->items[i].tree, WATCH_PARAMETER))
            return true;
    return false;
}

// ---------------------------------------------------------------------------
// The plan
// ---------------------------------------------------------------------------

static bool observe_kernel_matches(const void *user, uint32_t condition, const SaltusEventDef *e)
{
    const Observations *o = user;
    const Condition *c = &o->conditions[condition];
    return c->kind == CONDITION_EVENT && ((e->name && watch_matches(c->from, e->name)) ||
                                          (e->condition && watch_matches(c->from, e->condition)));
}

static bool observe_kernel_matches_time(const void *user, uint32_t condition, int id)
{
    const Observations *o = user;
    const Condition *c = &o->conditions[condition];
    const ObserveNames *n = &o->names;
    return c->kind == CONDITION_EVENT &&
           watch_matches(c->from, n->time_event ? n->time_event(n->user, id) : "time");
}

static bool observe_kernel_matches_change(const void *user, uint32_t condition, const char *from,
                                          const char *to)
{
    const Observations *o = user;
    const Condition *c = &o->conditions[condition];
    return c->kind == CONDITION_TRANSITION && watch_matches(c->from, from) &&
           watch_matches(c->to, to);
}

static uint32_t count_occurrences(const Term *t)
{
    return t->kind == TERM_COUNT ? 0 : is_probed(t) ? 1 : (uint32_t)(t->last - t->first + 1);
}

static const char *plan_slots(const Observations *o, Arena *arena, KernelDef *def)
{
    uint32_t *slots = ARENA_ARRAY(arena, o->slot_count + 1, uint32_t);
    const char *const *names = model_output_names(def->model);
    for (uint32_t i = 0; i < o->slot_count; i++) {
        while (slots[i] < model_output_count(def->model) &&
               strcmp(names[slots[i]], o->slots[i]) != 0)
            slots[i]++;
        if (slots[i] == model_output_count(def->model))
            return "it observes what is no output";
    }
    def->slots = slots;
    def->slot_count = o->slot_count;
    return NULL;
}

// The expression as nodes, operands first: the last one is it.
static uint32_t plan_nodes(const Watch *w, KernelDef *def, KernelNode *nodes)
{
    KernelNode node = {.number = w->number, .index = w->index, .op = w->op};
    const Watch *const operands[] = {w->a, w->b, w->c};
    switch (w->kind) {
    case WATCH_TIME:
        node.kind = KERNEL_NODE_TIME;
        break;
    case WATCH_VARIABLE:
        node.kind = KERNEL_NODE_OUTPUT;
        node.index = def->slots[w->index];
        break;
    case WATCH_PARAMETER:
        node.kind = KERNEL_NODE_PARAMETER;
        break;
    case WATCH_OPERATION:
        node.kind = KERNEL_NODE_OPERATION;
        for (int i = 0; i < 3; i++)
            node.operands[i] = operands[i] ? plan_nodes(operands[i], def, nodes) : 0;
        break;
    default:
        node.kind = KERNEL_NODE_NUMBER;
    }
    nodes[def->node_count] = node;
    return def->node_count++;
}

static uint32_t count_nodes(const Watch *w)
{
    return w ? 1 + count_nodes(w->a) + count_nodes(w->b) + count_nodes(w->c) : 0;
}

static KernelTermKind plan_kind(TermKind kind)
{
    switch (kind) {
    case TERM_MAXIMUM:
        return KERNEL_MAXIMUM;
    case TERM_MINIMUM:
        return KERNEL_MINIMUM;
    case TERM_TIME_OF_MAXIMUM:
        return KERNEL_TIME_OF_MAXIMUM;
    case TERM_TIME_OF_MINIMUM:
        return KERNEL_TIME_OF_MINIMUM;
    case TERM_INTEGRAL:
        return KERNEL_INTEGRAL;
    case TERM_AT_TIME:
        return KERNEL_AT_TIME;
    case TERM_TIME_OF:
        return KERNEL_TIME;
    case TERM_AFTER:
        return KERNEL_RIGHT;
    default:
        return KERNEL_LEFT;
    }
}

const char *observe_kernel_plan(const Observations *o, Arena *arena, KernelDef *def)
{
    const char *reason = observe_kernel_obstacle(o);
    if (!reason)
        reason = plan_slots(o, arena, def);
    if (reason)
        return reason;
    uint32_t count = 0, nodes = 0;
    for (uint32_t i = 0; i < o->term_count; i++) {
        count += count_occurrences(&o->terms[i]);
        nodes += is_probed(&o->terms[i]) ? count_nodes(o->terms[i].moment) : 0;
    }
    KernelTerm *terms = ARENA_ARRAY(arena, count + 1, KernelTerm);
    KernelNode *probes = ARENA_ARRAY(arena, nodes + 1, KernelNode);
    def->nodes = probes;
    for (uint32_t i = 0, k = 0; i < o->term_count; i++) {
        const Term *t = &o->terms[i];
        if (is_probed(t)) {
            terms[k++] = (KernelTerm){.condition = UINT32_MAX,
                                      .kind = plan_kind(t->kind),
                                      .probe = plan_nodes(t->moment, def, probes),
                                      .time = t->kind == TERM_AT_TIME ? t->when->number : 0.0,
                                      .from = t->from ? t->from->number : -INFINITY,
                                      .to = t->to ? t->to->number : INFINITY};
            continue;
        }
        for (uint32_t n = 0; n < count_occurrences(t); n++)
            terms[k++] = (KernelTerm){.condition = t->condition,
                                      .occurrence = (uint32_t)t->first + n,
                                      .kind = plan_kind(t->kind),
                                      .slot = is_limit(t) ? t->moment->index : 0};
    }
    def->terms = terms;
    def->term_count = count;
    def->condition_count = o->condition_count;
    def->matches = observe_kernel_matches;
    def->matches_time = observe_kernel_matches_time;
    def->matches_change = observe_kernel_matches_change;
    def->user = o;
    for (uint32_t i = 0; i < o->item_count; i++)
        def->has_mode |= watch_has(o->items[i].tree, WATCH_MODE);
    return NULL;
}

// ---------------------------------------------------------------------------
// Results
// ---------------------------------------------------------------------------

bool observe_kernel_read(RunObserver *v, const KernelDef *def, const double *parameters,
                         const double *results, const char *mode)
{
    const Observations *o = v->o;
    const double *next = results + def->slot_count, *counts = next + def->term_count;
    observer_reset(v);
    v->end_mode = mode;
    memcpy(v->end, results, o->slot_count * sizeof *results);
    v->parameters = parameters;
    for (uint32_t i = 0; i < o->term_count; i++) {
        const uint32_t count = count_occurrences(&o->terms[i]);
        TermState *s = &v->terms[i];
        s->has_begun = !o->terms[i].from || o->terms[i].from->kind != WATCH_NUMBER ||
                       o->terms[i].from->number <= def->stop_time;
        s->count = is_probed(&o->terms[i]) ? 0 : (long)counts[o->terms[i].condition];
        if (is_probed(&o->terms[i])) // which of them it is, its kind says
            s->best = s->when = s->sum = next[0];
        if (count)
            memcpy(s->values, next, count * sizeof *next);
        next += count;
    }
    return terms_finish(v, def->stop_time);
}
