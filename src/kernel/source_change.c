// SPDX-License-Identifier: MIT
//
// Several modes in one kernel: what machines and choices are, and how each mode is entered and
// left. The text that uses it is change.inc.
//
// All tables are constants of the text. Those that all modes share are written once (choices,
// states of machines, transitions); those of a mode in its own part of the text, under the names
// that change.inc has, with the mode's number for '@'. The restart is that of modes/impulse.h:
// parts of constraints on the jump v+ - v-, whose matrices are small enough to stand in full. What
// a kernel cannot enter (a sliding mode, a jump whose constraints depend on conditions) is said as
// a reason, and the model is run as usual.

#include "kernel/source_parts.h"
#include "modes/impulse_parts.h"

#include <stdio.h>

static const char jump_text[] = {
#include "kernel/jump_bytes.h"
};

// ---------------------------------------------------------------------------
// What can be held
// ---------------------------------------------------------------------------

// Rows and columns of a part, and entries of its matrix.
enum { JUMP_MOST_ROWS = 16, JUMP_MOST_ENTRIES = 64 };

static const char *jump_obstacle(const Impulse *impulse)
{
    static const char *const reason = "variables jump where a mode is entered";
    if (impulse->jump->part_count == 0)
        return NULL;
    if (impulse->is_conditional || impulse->guess_count ||
        source_program_obstacle(impulse->program))
        return reason;
    for (uint32_t p = 0; p < impulse->jump->part_count; p++) {
        const JumpPart *part = impulse->parts[p].jump;
        if (part->row_count > JUMP_MOST_ROWS || part->column_count > JUMP_MOST_ROWS ||
            part->entry_count > JUMP_MOST_ENTRIES ||
            (part->stage == 1 && part->row_count != part->column_count))
            return reason;
        for (uint32_t i = 0; i < part->row_count; i++)
            if (part->rows[i].kind == JUMP_FINITE)
                return reason;
    }
    return NULL;
}

const char *source_change_obstacle(const Source *s)
{
    const Mode *m = s->m;
    if (!m->jump.impulse || m->switches.slides)
        return "it slides, or its restart is not known";
    const char *reason = jump_obstacle(m->jump.impulse);
    if (reason)
        return reason;
    if (s->model->machines->machine_count &&
        (!m->entry || m->entry->joined.parts || m->entry->module->is_lean))
        return "what happens at the entry of a state is not known";
    return NULL;
}

// ---------------------------------------------------------------------------
// What all modes share
// ---------------------------------------------------------------------------

// The state of a machine that something belongs to, or -1.
static int source_state_of(const Model *m, const FlatGuard *guard)
{
    while (guard && !guard->state)
        guard = guard->outer;
    return guard ? (int)machine_state(m->machines, guard->state) : -1;
}

static const FlatVariable *source_flat_of(const Model *m, uint32_t variable)
{
    const uint32_t origin = m->origins[variable];
    return origin == DAG_NONE ? NULL : m->flat->variables[origin];
}

// 1: it takes its start value when its state is reset; 2: it is open then; 0: it stays.
static int source_reset_kind(const Model *m, uint32_t left)
{
    const FlatVariable *v = source_flat_of(m, m->left.items[left].variable);
    return !v ? 0 : v->attributes->start ? 1 : v->is_differentiated ? 2 : 0;
}

static int source_left_state(const Model *m, uint32_t left)
{
    const FlatVariable *v = source_flat_of(m, m->left.items[left].variable);
    return v ? source_state_of(m, v->guard) : -1;
}

void source_change_sizes(const Source *s)
{
    const MachineTables *t = s->model->machines;
    source_define(s->out, "NCHOICES", s->model->sizes.choices);
    source_define(s->out, "NIF", s->model->flat->conditional_count);
    source_define(s->out, "NMACHINES", t->machine_count);
    source_define(s->out, "NSTATES", t->state_count);
    source_define(s->out, "NTRANSITIONS", t->transition_count);
    source_define(s->out, "NMEMORY", machine_packed(t));
    source_define(s->out, "NDISCRETE", s->model->defined.count);
    builder_append_format(s->out, "#define MOST_ROWS %d\n#define MOST_ENTRIES %d\n", JUMP_MOST_ROWS,
                          JUMP_MOST_ENTRIES);
    source_define(s->out, "NLEFTS", s->model->left.count);
}

static void source_machine_tables(const Source *s)
{
    const Model *m = s->model;
    const MachineTables *t = m->machines;
    const Assembly *a = m->assembly;
    if (t->machine_count == 0)
        return;
#define PLACE(list) m->places[(list)[assemble_state(m->flat, t->states[i].flat)]].index
    SOURCE_TABLE(s, "state_machine", t->state_count, t->states[i].machine);
    SOURCE_TABLE(s, "active_place", t->state_count, PLACE(a->states.active));
    SOURCE_TABLE(s, "since_place", t->state_count, PLACE(a->states.since));
    SOURCE_TABLE(s, "ticks_place", t->state_count, PLACE(a->states.ticks));
    SOURCE_TABLE(s, "entering_place", t->state_count, PLACE(a->states.entering));
#undef PLACE
    SOURCE_TABLE(s, "first_state", t->machine_count, t->machines[i].first_state);
    SOURCE_TABLE(s, "state_is_final", t->state_count, t->states[i].is_final);
    SOURCE_TABLE(s, "machine_choice", t->machine_count, t->machines[i].flat->index);
    SOURCE_TABLE(s, "machine_parent", t->machine_count,
                 t->machines[i].parent == MACHINE_NONE ? -1 : (int)t->machines[i].parent);
    source_begin_table(s->out, "int", "first_transition");
    for (uint32_t i = 0; i < t->machine_count; i++)
        builder_append_format(s->out, "%u, ", t->machines[i].first_transition);
    builder_append_format(s->out, "%u, ", t->transition_count);
    source_end_table(s->out);
    SOURCE_TABLE(s, "transition_from", t->transition_count, t->transitions[i].from);
    SOURCE_TABLE(s, "transition_to", t->transition_count, t->transitions[i].to);
    SOURCE_TABLE(s, "transition_is_immediate", t->transition_count,
                 t->transitions[i].flat->is_immediate);
    SOURCE_TABLE(s, "transition_is_reset", t->transition_count, t->transitions[i].flat->is_reset);
    SOURCE_TABLE(s, "transition_is_synchronized", t->transition_count,
                 t->transitions[i].flat->is_synchronized);
    SOURCE_TABLE(s, "all_state", m->defined.count, source_state_of(m, m->defined.items[i].guard));
    SOURCE_TABLE(s, "lefts_place", m->left.count, m->left.items[i].place);
    SOURCE_TABLE(s, "lefts_state", m->left.count, source_left_state(m, i));
    SOURCE_TABLE(s, "lefts_reset", m->left.count, source_reset_kind(m, i));
}

void source_change_tables(const Source *s)
{
    const Model *m = s->model;
    const KernelDef *d = s->def;
    StringBuilder *out = s->out;
    SOURCE_TABLE(s, "mode_is_plain", s->mode_count, !s->modes[i]->like);
    source_begin_table(out, "int", "mode_choices");
    for (uint32_t k = 0; k < s->mode_count; k++)
        for (uint32_t i = 0; i < m->sizes.choices; i++)
            builder_append_format(out, "%d, ", (int)s->modes[k]->switches.choices[i]);
    source_end_table(out);
    SOURCE_TABLE(s, "all_place", m->defined.count, m->defined.items[i].place);
    SOURCE_TABLE(s, "all_left", m->defined.count,
                 m->defined.items[i].left == CODE_NONE ? -1 : (int)m->defined.items[i].left);
    source_machine_tables(s);
    source_begin_table(out, "int", "watched_change");
    for (uint32_t c = 0; c < d->condition_count; c++)
        for (uint32_t from = 0; from < s->mode_count; from++)
            for (uint32_t to = 0; to < s->mode_count; to++)
                builder_append_format(
                    out, "%d, ",
                    from != to &&
                        d->matches_change(d->user, c, s->modes[from]->name, s->modes[to]->name));
    source_end_table(out);
}

// The mode that a trajectory begins in, by start values: see modes/frozen.c.
void source_start_mode(const Source *s)
{
    const Model *m = s->model;
    StringBuilder *out = s->out;
    builder_append_format(out,
                          "\nFAR int start_mode(struct Point *q, struct Lane *lane)\n{\n"
                          "    double values[%u];\n    int choices[NCHOICES + 1];\n",
                          m->frozen_most + 1);
    if (m->initial_place != CODE_NONE)
        builder_append_format(out, "    q->m[%u] = 1.0;\n", m->initial_place);
    if (m->assembly->lambda != DAG_NONE)
        builder_append_format(out, "    q->m[%u] = 1.0;\n", m->places[m->assembly->lambda].index);
    builder_append_text(
        out, "#if NMEMORY > 0\n    machine_start(q, lane);\n"
             "    for (int n = 0; n < NMACHINES; n++)\n        choices[machine_choice[n]] = 0;\n"
             "#endif\n    (void)lane;\n"
             "    if (frozen_starts(q, values))\n        return ASIDE_START;\n"
             "    for (int i = 0; i < NDISCRETE; i++) {\n"
             "        q->m[all_place[i]] = values[i];\n"
             "        if (all_left[i] >= 0)\n            q->m[all_left[i]] = values[i];\n    }\n");
    for (uint32_t i = 0; i < m->left.count; i++)
        builder_append_format(out, "    q->m[%u] = values[%u];\n", m->left.items[i].place,
                              m->defined.count + i);
    builder_append_text(
        out, "    for (int k = 0; k < 3; k++) {\n"
             "        if (frozen_holds(q, values))\n            return ASIDE_START;\n"
             "        for (int h = 0; h < NE; h++)\n"
             "            q->held[h] = is_finite(values[h]) ? values[h] : 0.0;\n"
             "        if (frozen_discrete(q, values))\n            return ASIDE_START;\n"
             "        for (int i = 0; i < NDISCRETE; i++)\n"
             "            q->m[all_place[i]] = values[i];\n    }\n"
             "    if (NIF > 0 && frozen_branches(q, values))\n        return ASIDE_START;\n"
             "    for (int i = 0; i < NIF; i++)\n"
             "        choices[NMACHINES + i] = (int)values[i];\n"
             "    q->mode = mode_find(choices);\n"
             "    if (q->mode >= 0)\n        return ASIDE_NONE;\n"
             "    q->mode = 0;\n    return ASIDE_MODE;\n}\n");
}

// ---------------------------------------------------------------------------
// What each mode has
// ---------------------------------------------------------------------------

// What a condition was in another mode: as PAST_VALUE, PAST_MUTED, PAST_NONE of change.inc.
static int source_past(const Mode *before, const ModelHold *hold)
{
    if (!before->conditions.is_live[hold->number])
        return 2;
    return before->conditions.is_muted[hold->number] && !hold->is_muted;
}

void source_mode_sizes(const Source *s, bool is_defined)
{
    const Mode *m = s->m;
    const bool has_modes = s->mode_count > 1;
    const struct {
        const char *name;
        uint32_t count;
    } sizes[] = {{"N", m->states.count},
                 {"NH", m->conditions.event_count},
                 {"NK", m->conditions.hold_count},
                 {"ND", m->memory.discrete_count},
                 {"NL", m->memory.left_count},
                 {"NA", m->actions.gathered.count},
                 {"NTH", m->conditions.time_count},
                 {"NZ", m->flow->guesses.count},
                 {"NB", has_modes ? m->switches.branch_count : 0},
                 {"NTR", has_modes ? m->switches.transition_count : 0},
                 {"NI", has_modes ? m->jump.impulse->count + m->jump.impulse->guess_count : 0},
                 {"NFIRST", has_modes ? m->jump.impulse->count : 0},
                 {"NJUMPS", has_modes ? m->jump.impulse->jump->part_count : 0},
                 {"NPIVOTS", has_modes && m->jump.pivot_count && m->jump.impulse->jump->part_count},
                 {"MODE", s->number},
                 {"MODEL_MODE", m->number}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (is_defined)
            source_define(s->out, sizes[i].name, sizes[i].count);
        else
            builder_append_format(s->out, "#undef %s\n", sizes[i].name);
}

static void source_mode_tables(const Source *s)
{
    const Model *model = s->model;
    const Mode *m = s->m;
    const uint32_t machines = model->flat->machine_count;
    SOURCE_TABLE(s, "own_choice", model->sizes.choices, m->switches.choices[i]);
    SOURCE_TABLE(s, "branch_choice", m->switches.branch_count, machines + m->switches.branches[i]);
    SOURCE_TABLE(s, "transition_number", m->switches.transition_count, m->switches.transitions[i]);
    SOURCE_TABLE(s, "hold_is_live", model->sizes.held, m->conditions.is_live[i]);
    SOURCE_TABLE(s, "hold_is_decisive", m->conditions.hold_count,
                 m->conditions.is_decisive[m->conditions.holds[i].number]);
    SOURCE_TABLE(s, "state_left", m->states.count, m->states.lefts[i]);
    SOURCE_TABLE(s, "guess_left", m->flow->guesses.count, m->states.guess_lefts[i]);
    SOURCE_TABLE(s, "restart_left", m->jump.impulse->count + m->jump.impulse->guess_count,
                 m->jump.lefts[i]);
    SOURCE_TABLE(s, "restart_state", m->states.count, m->jump.states[i]);
    SOURCE_TABLE(s, "action_left", m->actions.gathered.count, m->actions.lefts[i]);
    SOURCE_TABLE(s, "action_is_reinit", m->actions.gathered.count,
                 m->actions.gathered.items[i].kind == ACTION_REINIT);
    SOURCE_TABLE(s, "discrete_state", m->memory.discrete_count,
                 source_state_of(model, m->memory.discrete[i].guard));
    source_begin_table(s->out, "int", "hold_past");
    for (uint32_t k = 0; k < s->mode_count; k++) {
        for (uint32_t i = 0; i < m->conditions.hold_count; i++)
            builder_append_format(s->out, "%d, ",
                                  source_past(s->modes[k], &m->conditions.holds[i]));
        builder_append_text(s->out, "0, ");
    }
    source_end_table(s->out);
}

// ---------------------------------------------------------------------------
// The restart
// ---------------------------------------------------------------------------

// The text of a part, with its number for each '@'.
static void source_jump_part(const Source *s, uint32_t number)
{
    const Program *p = s->m->jump.impulse->program;
    const ImpulsePart *part = &s->m->jump.impulse->parts[number];
    const JumpPart *jump = part->jump;
    StringBuilder *out = s->out;
    char name[64];
#define TABLE_OF(text, count, expression)                                                          \
    do {                                                                                           \
        snprintf(name, sizeof name, text "%u", number);                                            \
        SOURCE_TABLE(s, name, count, expression);                                                  \
    } while (0)
    const uint32_t sizes[] = {jump->row_count, jump->column_count, part->constraint_count,
                              part->slope_count, jump->entry_count};
    TABLE_OF("jump_count", 5, sizes[i]);
    TABLE_OF("jump_place", jump->column_count, part->places[i]);
    TABLE_OF("jump_row", jump->entry_count, jump->entries[i].row);
    TABLE_OF("jump_column", jump->entry_count, jump->entries[i].column);
    TABLE_OF("jump_is_needed", jump->entry_count, jump->rows[jump->entries[i].row].is_needed);
#undef TABLE_OF
    snprintf(name, sizeof name, "jump_residuals%u", number);
    source_call(s, p, part->residuals, "i_", name);
    snprintf(name, sizeof name, "jump_slopes%u", number);
    source_call(s, p, part->slopes, "i_", name);
    snprintf(name, sizeof name, "jump_balances%u", number);
    source_call(s, p, part->balances, "i_", name);
    for (size_t i = 0; i < sizeof jump_text; i++)
        if (jump_text[i] == '@')
            builder_append_format(out, "%u", number);
        else
            builder_append(out, jump_text + i, 1);
}

// What event functions have of the impulses.
static void source_jump_events(const Source *s)
{
    const Impulse *impulse = s->m->jump.impulse;
    StringBuilder *out = s->out;
    const Jump *jump = impulse->jump;
    builder_append_text(out, "    if (jump_events(&r, terms))\n        return ASIDE_JUMP;\n");
    for (uint32_t k = 0; k < jump->event_count; k++)
        for (uint32_t t = jump->event_start[k]; t < jump->event_start[k + 1]; t++) {
            const JumpTerm *term = &jump->terms[t];
            const uint32_t column = impulse->parts[term->part].first_column + term->column;
            if (term->coefficient == NODE_NONE)
                builder_append_format(
                    out, "    if (jumps[%u] != 0.0)\n        return ASIDE_JUMP;\n", column);
            else
                builder_append_format(out, "    impulses[%u] += terms[%u] * jumps[%u];\n", k, t,
                                      column);
        }
}

// Parts of stage 1 (is_first), or positions: a line of each with its number.
static void source_jump_each(const Source *s, bool is_first, const char *format)
{
    const Impulse *impulse = s->m->jump.impulse;
    for (uint32_t k = 0; k < impulse->jump->part_count; k++) {
        const ImpulsePart *part = &impulse->parts[k];
        if ((part->jump->stage == 1) != is_first)
            continue;
        for (const char *c = format; *c; c++)
            if (*c == '@')
                builder_append_format(s->out, "%u", k);
            else if (*c == '$')
                builder_append_format(s->out, "%u", part->first_coefficient);
            else if (*c == '#')
                builder_append_format(s->out, "%u", part->first_column);
            else
                builder_append(s->out, c, 1);
    }
}

// point_jump: the vector v of the restart from left limits to right limits.
static void source_jump(const Source *s)
{
    const Impulse *impulse = s->m->jump.impulse;
    StringBuilder *out = s->out;
    if (impulse->jump->part_count == 0)
        return;
    source_begin_table(out, "double", "restart_nominal");
    for (uint32_t i = 0; i < impulse->count; i++) {
        source_number(out, impulse->nominals[i]);
        builder_append_text(out, ", ");
    }
    source_end_table(out);
    source_solver(s, impulse->program, "i_", "jump_algebraic");
    source_call(s, impulse->program, impulse->event_entry, "i_", "jump_events");
    for (uint32_t k = 0; k < impulse->jump->part_count; k++)
        source_jump_part(s, k);
    builder_append_format(
        out,
        "\nFAR int point_jump(struct Point *q, struct Lane *lane, double *v, double *impulses)\n{\n"
        "    double left[NI + 1], residuals[MOST_ROWS], slopes[MOST_ENTRIES];\n"
        "    double balances[%u], now[%u], jumps[%u], terms[%u];\n"
        "    int rests[NJUMPS], moves = 0, is_small = 1;\n    Point r = *q;\n"
        "    for (int i = 0; i < NI; i++) {\n"
        "        left[i] = r.x[i] = v[i];\n"
        "        if (!is_finite(v[i]) || (restart_left[i] >= 0 && lane->fixed[restart_left[i]]))\n"
        "            return ASIDE_JUMP;\n    }\n"
        "    (void)residuals, (void)slopes, (void)now, (void)balances, (void)rests;\n"
        "    for (int i = 0; i < %u; i++)\n        jumps[i] = 0.0;\n",
        impulse->coefficient_count + 1, impulse->coefficient_count + 1, impulse->column_count + 1,
        impulse->term_count + 1, impulse->column_count);
    source_jump_each(s, false, "    if (jump_project@(&r, left))\n        return ASIDE_JUMP;\n");
    source_jump_each(
        s, true,
        "    rests[@] = jump_holds@(&r, residuals, slopes, 1e-11);\n"
        "    if (rests[@] < 0)\n        return ASIDE_JUMP;\n    moves |= !rests[@];\n");
    builder_append_text(out, "    if (moves && jump_algebraic(&r))\n        return ASIDE_JUMP;\n");
    source_jump_each(s, true,
                     "    if (moves && jump_balances@(&r, balances + $))\n"
                     "        return ASIDE_JUMP;\n");
    source_jump_each(s, true,
                     "    if (!rests[@] && jump_solve@(&r, left, balances + $, jumps + #))\n"
                     "        return ASIDE_JUMP;\n");
    builder_append_text(out, "    if (moves && jump_algebraic(&r))\n        return ASIDE_JUMP;\n");
    source_jump_each(s, true,
                     "    if (!rests[@] && (jump_balances@(&r, now + $) ||\n"
                     "        jump_is_doubtful@(&r, balances + $, now + $, jumps + #)))\n"
                     "        return ASIDE_JUMP;\n");
    builder_append_text(out, "    for (int i = 0; i < NFIRST; i++) {\n        v[i] = r.x[i];\n"
                             "        is_small &= fabs(v[i] - left[i]) <=\n"
                             "            ACCURACY * (fabs(v[i]) + restart_nominal[i]);\n    }\n"
                             "    if (is_small || !moves)\n        return ASIDE_NONE;\n");
    source_jump_events(s);
    builder_append_text(out, "    return ASIDE_NONE;\n}\n");
}

// ---------------------------------------------------------------------------
// Other states of the same mode
// ---------------------------------------------------------------------------

static bool source_is_variant(const Source *s, const Mode *other)
{
    for (uint32_t i = 0; i < s->model->sizes.choices; i++)
        if (other->switches.choices[i] != s->m->switches.choices[i])
            return false;
    return other->jump.impulse && other->jump.impulse->count == s->m->jump.impulse->count;
}

static bool source_has_state(const Mode *m, uint32_t place)
{
    for (uint32_t i = 0; i < m->states.count; i++)
        if (m->jump.states[i] == place)
            return true;
    return false;
}

// Of a part, by mode: the columns that are no states there, as many as constraints; -1: it is none
// of the same choices, or has more of them.
static void source_dummies(const Source *s, uint32_t number)
{
    const ImpulsePart *part = &s->m->jump.impulse->parts[number];
    char name[64];
    snprintf(name, sizeof name, "jump_dummy%u", number);
    source_begin_table(s->out, "int", name);
    for (uint32_t k = 0; k < s->mode_count; k++) {
        uint32_t found[JUMP_MOST_ROWS + 1], count = 0;
        for (uint32_t c = 0; c < part->jump->column_count && source_is_variant(s, s->modes[k]); c++)
            if (part->places[c] != CODE_NONE && !source_has_state(s->modes[k], part->places[c]))
                found[count++] = c;
        for (uint32_t i = 0; i < part->constraint_count; i++)
            builder_append_format(s->out, "%d, ",
                                  count == part->constraint_count ? (int)found[i] : -1);
    }
    source_end_table(s->out);
}

// The vector of the restart from the values of the mode, and what guesses are in it.
static void source_variants(const Source *s)
{
    const Mode *m = s->m;
    const Impulse *impulse = m->jump.impulse;
    StringBuilder *out = s->out;
    if (!m->jump.pivot_count || !impulse->jump->part_count)
        return;
    SOURCE_TABLE(s, "is_variant", s->mode_count, source_is_variant(s, s->modes[i]));
    source_begin_table(out, "int", "guess_place");
    for (uint32_t i = 0; i < m->flow->guesses.count; i++) {
        uint32_t k = 0;
        while (k < impulse->count && impulse->variables[k] != m->flow->guesses.variables[i])
            k++;
        builder_append_format(out, "%d, ", k < impulse->count ? (int)k : -1);
    }
    source_end_table(out);
    builder_append_text(out, "\nFN void point_vector(const struct Point *q, double *v)\n{\n");
    for (uint32_t i = 0; i < impulse->count; i++) {
        const uint32_t state = program_state(m->flow, impulse->variables[i]);
        const uint32_t place = program_place(m->flow, impulse->variables[i]);
        if (state != CODE_NONE)
            builder_append_format(out, "    v[%u] = q->x[%u];\n", i, state);
        else if (place != CODE_NONE)
            builder_append_format(out, "    v[%u] = q->w[%u];\n", i, place);
        else
            builder_append_format(out, "    v[%u] = NOT_A_NUMBER;\n", i);
    }
    builder_append_text(out, "}\n");
    for (uint32_t k = 0; k < impulse->jump->part_count; k++)
        source_dummies(s, k);
    builder_append_text(out, "\n// How good the states of a mode are, 0 to 1.\n"
                             "FN double state_quality(struct Point *r, int mode)\n{\n"
                             "    double quality = 1.0;\n");
    for (uint32_t k = 0; k < impulse->jump->part_count; k++)
        if (impulse->parts[k].constraint_count)
            builder_append_format(out,
                                  "    quality = smaller(quality, jump_quality%u(r, jump_dummy%u"
                                  " + mode * %u));\n",
                                  k, k, impulse->parts[k].constraint_count);
    builder_append_text(out, "    return quality;\n}\n");
}

void source_mode_parts(const Source *s)
{
    const Program *p = s->m->flow, *entry = s->m->entry;
    source_mode_tables(s);
    source_call(s, p, p->entries[MODEL_CHOICES], "m_", "at_choices");
    source_call(s, p, p->entries[MODEL_TRANSITIONS], "m_", "at_transitions");
    source_jump(s);
    source_variants(s);
    if (s->model->machines->machine_count == 0)
        return;
    source_call(s, entry, entry->entries[ENTRY_DISCRETE], "e_", "entry_discrete");
    source_call(s, entry, entry->entries[ENTRY_ACTIONS], "e_", "entry_actions");
}
