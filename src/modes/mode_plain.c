// SPDX-License-Identifier: MIT
//
// What events of a mode can be spared, by what its programs read.

#include "modes/model_parts.h"

// Entries that a plain event evaluates.
static const ModelEntry plain_entries[] = {MODEL_TIMES,   MODEL_DISCRETE,   MODEL_ACTIONS,
                                           MODEL_HOLDS,   MODEL_ASSERTIONS, MODEL_LEFT,
                                           MODEL_CHOICES, MODEL_EVENTS};
// Those that it evaluates when it cannot go back any more.
static const ModelEntry last_entries[] = {MODEL_TIMES, MODEL_ASSERTIONS, MODEL_LEFT};

static const unsigned by_events = 1u << PROGRAM_MEMORY | 1u << PROGRAM_HELD;

// Whether an entry has other values if discrete variables or conditions have.
static bool reads_events(const Program *flow, ModelEntry entry)
{
    unsigned reads = flow->reads[entry];
    if (reads & PROGRAM_READS_UNKNOWNS)
        reads |= flow->stages_read;
    return reads & by_events;
}

static bool has_sites(const Program *p)
{
    bool has = false;
    for (uint32_t k = 0; k < p->joined.count; k++)
        has |= has_sites(p->joined.parts[k].program);
    return p->joined.parts ? has : p->module->site_count > 0;
}

static bool are_relations(const Mode *m)
{
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        const bool is_relation = hold->op >= OPERATOR_LESS && hold->op <= OPERATOR_GREATER_EQUAL;
        if (hold->is_muted || hold->is_ideal || (hold->kind == HOLD_CROSSING && !is_relation))
            return false;
    }
    return true;
}

static bool mode_may_jump(const Mode *m)
{
    bool may = false;
    for (uint32_t k = 0; k < m->parts.count; k++)
        may |= m->parts.modes[k]->jump.may_happen;
    return may;
}

// Values of actions may be new when the states are: then they are computed once more.
static bool can_act(const Program *flow)
{
    const unsigned reads = flow->reads[MODEL_ACTIONS];
    bool can = !(reads & PROGRAM_MAY_FAIL) || !(reads & 1u << PROGRAM_STATES);
    for (size_t i = 0; i < sizeof last_entries / sizeof *last_entries; i++)
        can = can && !(flow->reads[last_entries[i]] & PROGRAM_MAY_FAIL);
    return can;
}

ModePlain mode_find_plain(const Mode *m)
{
    const Model *model = m->model;
    const Program *flow = m->flow;
    ModePlain plain = {
        .is_plain = model->delay_count == 0 && model->samples.count == 0 &&
                    model->machines->machine_count == 0 && m->switches.surface_count == 0 &&
                    !mode_may_jump(m) && are_relations(m) && !has_sites(flow) && can_act(flow),
        .needs_unknown = flow->guesses.count > 0 || flow->stages_read & PROGRAM_MAY_FAIL,
        .moves_unknown = flow->stages_read & by_events,
        .moves_events = reads_events(flow, MODEL_EVENTS),
        .moves_rates = !m->conditions.has_rates || reads_events(flow, MODEL_RATES)};
    for (size_t i = 0; i < sizeof plain_entries / sizeof *plain_entries; i++)
        plain.needs_unknown |= flow->reads[plain_entries[i]] & PROGRAM_READS_UNKNOWNS;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++)
        plain.has_literals |= m->conditions.holds[i].kind == HOLD_LITERAL;
    return plain;
}
