// SPDX-License-Identifier: MIT
//
// What is done at events of one trajectory, and its start: entries of the mode's program as
// functions of a Point, one number at a time. event.inc and trajectory.inc call them; what they do
// together is what instant/ does in an ordinary run, in the same order.
//
// Times must be the bits of the ordinary run, whose equations are compiled without fusing products
// and sums: entries that compute times and discrete variables are written so (EXACT). Where the
// start is more than one program can say (initial equations of blocks, conditions that a search
// must find), the answer is a reason, and the whole model is run as usual.

#include "code/emit.h"
#include "kernel/source_parts.h"

#include <stdio.h>

// ---------------------------------------------------------------------------
// What is done at events
// ---------------------------------------------------------------------------

// Whether the compiler could fuse a product and a sum in it.
static bool source_can_fuse(const CodeBody *body)
{
    bool can_fuse = false;
    for (uint32_t i = 0; i < body->instruction_count; i++) {
        const uint32_t op = body->instructions[i].op;
        can_fuse =
            can_fuse || op == OPERATOR_MULTIPLY ||
            (op >= OPERATOR_COUNT && op < CODE_FIRST_WHOLE && op != CODE_STORE && op != CODE_COPY);
    }
    return can_fuse;
}

void source_call(const Source *s, const Program *p, uint32_t entry, const char *prefix,
                 const char *name)
{
    StringBuilder *out = s->out;
    const bool is_mode = prefix[0] == 'm' || prefix[0] == 'b';
    const bool is_timed =
        is_mode && (entry == p->entries[MODEL_DISCRETE] || entry == p->entries[MODEL_TIMES] ||
                    entry == p->entries[MODEL_SAMPLES]);
    const bool is_exact = is_timed && source_can_fuse(p->module->entries[entry]);
    emit_entry_as(p->module, entry, is_exact ? "EXACT" : "FN", prefix, out);
    builder_append_format(out,
                          "\nNEAR int %s(struct Point *q, double *values)\n{\n"
                          "    const double *const in[] = {&q->t, q->x, q->p, q->m, q->held",
                          name);
    for (uint32_t k = 0; k < p->stage_count; k++)
        builder_append_format(out, ", q->w + %u", p->stages[k].first);
    builder_append_text(out, "};\n    double *const out[] = {values, values, 0");
    for (uint32_t k = 0; k < p->stage_count; k++)
        builder_append_format(out, ", q->w + %u", p->stages[k].first);
    builder_append_format(out,
                          "};\n    double frame[%u];\n    Run run;\n    run.frame = frame;\n"
                          "    return %s%s(in, out, &run);\n}\n",
                          p->module->frame_size + 1, prefix, p->module->entries[entry]->name);
}

// A block by Newton's method, as source_block of source_step.c, with exchange of rows.
static void source_solve_block(const Source *s, const Program *p, uint32_t k, const char *name)
{
    const Stage *block = &p->stages[k];
    const uint32_t z = block->size;
    const bool is_linear = block->kind == STAGE_LINEAR;
    StringBuilder *out = s->out;
    builder_append_format(out, "    {\n        double a[%u], r[%u], *w = q->w + %u, most = 1.0;\n",
                          z * z, z, block->first);
    for (uint32_t i = 0; i < z; i++)
        if (is_linear && !p->is_start)
            builder_append_format(out, "        w[%u] = 0.0;\n", i);
        else
            builder_append_format(out, "        w[%u] = q->held[NE + %u];\n", i, block->guess + i);
    builder_append_format(out,
                          "        for (int k = 0; k < %d && most > 0.0; k++) {\n"
                          "            for (int i = 0; i < %u; i++)\n                a[i] = 0.0;\n"
                          "            if (%sexplicit%u(q, r) || %smatrix%u(q, a) ||\n"
                          "                linear_solve(%u, a, r))\n                return 1;\n"
                          "            most = 0.0;\n",
                          is_linear ? 1 : 25, z * z, name, k, name, k, z);
    for (uint32_t i = 0; i < z; i++)
        builder_append_format(
            out,
            "            w[%u] -= r[%u];\n"
            "            most = larger(most, fabs(r[%u]) - 1e-12 * (fabs(w[%u]) + %.17g));\n"
            "            if (!is_finite(w[%u]))\n                return 1;\n",
            i, i, i, i, p->nominals[block->first + i], i);
    builder_append_format(
        out, "        }\n        if (%d && most > 0.0)\n            return 1;\n    }\n",
        !is_linear);
}

void source_solver(const Source *s, const Program *p, const char *prefix, const char *name)
{
    char text[64];
    bool has_blocks = false;
    for (uint32_t k = 0; k < p->stage_count; k++) {
        if (p->stages[k].is_rate)
            continue;
        snprintf(text, sizeof text, "%sexplicit%u", name, k);
        source_call(s, p, p->stages[k].entry, prefix, text);
        snprintf(text, sizeof text, "%smatrix%u", name, k);
        if (p->stages[k].kind != STAGE_EXPLICIT)
            source_call(s, p, p->stages[k].jacobian, prefix, text);
        has_blocks |= p->stages[k].kind != STAGE_EXPLICIT;
    }
    builder_append_format(s->out, "\n%s int %s(struct Point *q)\n{\n    (void)q;\n",
                          has_blocks ? "FAR" : "FN", name);
    for (uint32_t k = 0; k < p->stage_count; k++)
        if (p->stages[k].is_rate)
            continue;
        else if (p->stages[k].kind == STAGE_EXPLICIT)
            builder_append_format(s->out, "    if (%sexplicit%u(q, 0))\n        return 1;\n", name,
                                  k);
        else
            source_solve_block(s, p, k, name);
    // Guesses are the last values.
    for (uint32_t i = 0; i < p->guesses.count; i++)
        builder_append_format(s->out, "    q->held[NE + %u] = q->w[%u];\n", i,
                              p->guesses.places[i]);
    builder_append_text(s->out, "    return 0;\n}\n");
}

// The outputs that are observed.
static void source_slots(const Source *s)
{
    const Mode *m = s->m;
    StringBuilder *out = s->out;
    source_call(s, m->flow, m->flow->entries[MODEL_OUTPUTS], "m_", "at_outputs");
    builder_append_format(out,
                          "\nFN int at_slots(struct Point *q, double *slots)\n{\n"
                          "    double values[%u];\n    if (at_outputs(q, values))\n"
                          "        return 1;\n",
                          m->flow->counts[MODEL_OUTPUTS] + 1);
    for (uint32_t i = 0; i < s->def->slot_count; i++)
        for (uint32_t k = 0; k < m->flow->counts[MODEL_OUTPUTS]; k++)
            if ((m->parts.outputs ? m->parts.outputs[k] : k) == s->def->slots[i])
                builder_append_format(out, "    slots[%u] = values[%u];\n", i, k);
    builder_append_text(out, "    (void)slots;\n    return 0;\n}\n");
}

void source_event_parts(const Source *s)
{
    static const struct {
        ModelEntry entry;
        const char *name;
    } parts[] = {{MODEL_EVENTS, "at_events"},   {MODEL_SIZES, "at_sizes"},
                 {MODEL_HOLDS, "at_holds"},     {MODEL_DISCRETE, "at_discrete"},
                 {MODEL_ACTIONS, "at_actions"}, {MODEL_LEFT, "at_left"},
                 {MODEL_TIMES, "at_times"},     {MODEL_SAMPLES, "at_samples"}};
    const Program *p = s->m->flow;
    source_solver(s, p, "m_", "at_solve");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        source_call(s, p, p->entries[parts[i].entry], "m_", parts[i].name);
    source_slots(s);
}

// ---------------------------------------------------------------------------
// The start
// ---------------------------------------------------------------------------

// Parameters: those of the axes, and what depends on them. What cannot be written, or NULL.
const char *source_parameters(const Source *s)
{
    const KernelDef *d = s->def;
    const Parameters *p = s->model->parameters;
    const CodeModule *module = p->program->module;
    StringBuilder *out = s->out;
    bool *is_axis = ARENA_ARRAY(out->arena, p->count + 1, bool);
    StringBuilder body = builder_create(out->arena);
    for (uint32_t i = 0; i < d->axis_count; i++)
        is_axis[d->axes[i]] = true;
    for (uint32_t k = 0; k < p->count; k++) {
        const uint32_t i = p->order[k];
        if (is_axis[i] || !s->is_moved[i])
            continue;
        if (module->function_count || module->site_count)
            return "its parameters are computed by functions";
        if (p->entries[i] == CODE_NONE) {
            builder_append_format(&body, "    q->p[%u] = ", i);
            source_number(&body, p->numbers[i]);
            builder_append_text(&body, ";\n");
            continue;
        }
        char name[64], prefix[64];
        snprintf(name, sizeof name, "parameter_%u", i);
        snprintf(prefix, sizeof prefix, "p%u_", i);
        source_call(s, p->program, p->program->entries[p->entries[i]], prefix, name);
        builder_append_format(&body, "    if (%s(q, &q->p[%u]))\n        return 1;\n", name, i);
    }
    source_begin_table(out, "double", "parameters");
    for (uint32_t i = 0; i < p->count; i++) {
        source_number(out, d->parameters[i]);
        builder_append_text(out, ", ");
    }
    source_end_table(out);
    builder_append_text(out, "\nFN int start_parameters(struct Point *q, const double *axes)\n{\n"
                             "    for (int i = 0; i < NP; i++)\n"
                             "        q->p[i] = parameters[i];\n");
    for (uint32_t i = 0; i < d->axis_count; i++)
        builder_append_format(out, "    q->p[%u] = axes[%u];\n", d->axes[i], i);
    builder_append(out, builder_string(&body).text, builder_string(&body).length);
    builder_append_text(out, "    return 0;\n}\n");
    return NULL;
}

// What initial equations say of discrete variables.
static void source_initial(const Source *s)
{
    const Mode *m = s->m;
    for (uint32_t i = 0; i < m->start.value_count; i++) {
        const ModelInitial *v = &m->start.values[i];
        builder_append_format(s->out,
                              "        changed |= q->m[%u] != values[%u];\n"
                              "        q->m[%u] = values[%u];\n",
                              v->left, i, v->left, i);
    }
}

static void source_initial_check(const Source *s)
{
    const Mode *m = s->m;
    builder_append_text(s->out, "    if (begin_initial(q, values))\n        return 1;\n");
    for (uint32_t i = 0; i < m->start.value_count; i++)
        if (!m->start.values[i].is_left_limit)
            builder_append_format(s->out, "    if (q->m[%u] != values[%u])\n        return 1;\n",
                                  m->start.values[i].place, i);
}

// Conditions literally, discrete variables, until nothing changes: see instant/start.c.
static void source_start_rounds(const Source *s)
{
    const Mode *m = s->m;
    StringBuilder *out = s->out;
    builder_append_text(out, "    int changed = 1;\n"
                             "    for (int round = 0; round < 10 && changed; round++) {\n"
                             "        changed = 0;\n"
                             "        if (begin_solve(q) || begin_holds(q, values))\n"
                             "            return 1;\n"
                             "        if (NTH > 0 && begin_times(q, times))\n"
                             "            return 1;\n"
                             "        changed |= time_conditions(q, times);\n"
                             "        for (int k = 0; k < NK; k++) {\n"
                             "            if (hold_kind[k] == HOLD_TIME)\n"
                             "                continue;\n"
                             "            changed |= q->held[hold_number[k]] != values[2 * k];\n"
                             "            q->held[hold_number[k]] = values[2 * k];\n"
                             "        }\n"
                             "        if (begin_initial(q, values))\n"
                             "            return 1;\n");
    source_initial(s);
    builder_append_text(out, "        if (begin_discrete(q, values))\n            return 1;\n");
    for (uint32_t i = 0; i < m->memory.discrete_count; i++)
        builder_append_format(out,
                              "        changed |= q->m[%u] != values[%u];\n"
                              "        q->m[%u] = values[%u];\n",
                              m->memory.discrete[i].place, i, m->memory.discrete[i].place, i);
    builder_append_text(out, "    }\n    if (changed)\n        return 1;\n");
}

void source_frozen(const Source *s)
{
    static const struct {
        FrozenEntry entry;
        const char *name;
    } parts[] = {{FROZEN_STARTS, "frozen_starts"},
                 {FROZEN_HOLDS, "frozen_holds"},
                 {FROZEN_BRANCHES, "frozen_branches"},
                 {FROZEN_DISCRETE, "frozen_discrete"}};
    const Program *p = s->model->frozen;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (s->mode_count > 1 || i < 2)
            source_call(s, p, p->entries[parts[i].entry], "z_", parts[i].name);
}

// Start values, of a model with one mode: else start_mode has set them.
static void source_start_memory(const Source *s)
{
    const Model *model = s->model;
    StringBuilder *out = s->out;
    if (s->mode_count > 1)
        return;
    if (model->initial_place != CODE_NONE)
        builder_append_format(out, "    q->m[%u] = 1.0;\n", model->initial_place);
    builder_append_text(out, "    if (frozen_starts(q, values))\n        return 1;\n");
    for (uint32_t i = 0; i < model->defined.count; i++) {
        builder_append_format(out, "    q->m[%u] = values[%u];\n", model->defined.items[i].place,
                              i);
        if (model->defined.items[i].left != CODE_NONE)
            builder_append_format(out, "    q->m[%u] = values[%u];\n", model->defined.items[i].left,
                                  i);
    }
    builder_append_text(out, "    for (int k = 0; k < 3; k++) {\n"
                             "        const int is_known = frozen_holds(q, values) == 0;\n"
                             "        for (int h = 0; h < NE && is_known; h++)\n"
                             "            q->held[h] = values[h] - values[h] == 0.0 ? values[h] "
                             ": 0.0;\n"
                             "    }\n");
}

// What is iterated for begins with start values.
static void source_start_guesses(const Source *s)
{
    const Mode *m = s->m;
    if (m->start.program->guesses.count == 0)
        return;
    builder_append_text(s->out, "    if (begin_guesses(q, values))\n        return 1;\n");
    for (uint32_t i = 0; i < m->start.program->guesses.count; i++)
        builder_append_format(s->out,
                              "    q->held[NE + %u] = is_finite(values[%u]) ? values[%u] : 0.0;\n",
                              i, m->start.guess_steps[i], m->start.guess_steps[i]);
}

// Conditions ask for the mode, and left limits are those of the start.
static void source_start_choices(const Source *s)
{
    const Mode *m = s->m;
    StringBuilder *out = s->out;
    if (s->mode_count == 1)
        return;
    if (m->switches.branch_count)
        builder_append_text(out, "    if (begin_choices(q, values))\n        return 1;\n"
                                 "    for (int i = 0; i < NB; i++)\n"
                                 "        if ((int)values[i] != own_choice[branch_choice[i]])\n"
                                 "            return 1;\n");
    builder_append_text(out, "    if (begin_left(q, values))\n        return 1;\n"
                             "    for (int i = 0; i < NL; i++)\n"
                             "        q->m[left_place[i]] = values[i];\n");
}

void source_start(const Source *s)
{
    if (s->def->is_whole || !s->m->start.program || source_start_obstacle(s->m)) {
        builder_append_text(s->out,
                            "\nFN int begin_samples(struct Point *q, double *values)\n{\n"
                            "    (void)q, (void)values;\n    return 1;\n}\n"
                            "\nFN int begin_times(struct Point *q, double *values)\n{\n"
                            "    (void)q, (void)values;\n    return 1;\n}\n"
                            "\nFN int start_values(struct Point *q)\n{\n"
                            "    (void)q;\n    return 1;\n}\n"
                            "FN int time_conditions(struct Point *q, const double *times);\n");
        return;
    }
    const Model *model = s->model;
    const Mode *m = s->m;
    const Program *p = m->start.program;
    StringBuilder *out = s->out;
    const uint32_t most =
        m->start.most_values > model->frozen_most ? m->start.most_values : model->frozen_most;
    source_solver(s, p, "b_", "begin_solve");
    source_call(s, p, p->entries[MODEL_HOLDS], "b_", "begin_holds");
    source_call(s, p, p->entries[MODEL_DISCRETE], "b_", "begin_discrete");
    source_call(s, p, p->entries[MODEL_TIMES], "b_", "begin_times");
    source_call(s, p, p->entries[MODEL_SAMPLES], "b_", "begin_samples");
    source_call(s, p, p->entries[MODEL_INITIAL], "b_", "begin_initial");
    source_call(s, p, p->entries[MODEL_ACTIONS], "b_", "begin_actions");
    if (p->guesses.count)
        source_call(s, p, p->entries[MODEL_GUESSES], "b_", "begin_guesses");
    if (s->mode_count > 1) {
        source_call(s, p, p->entries[MODEL_CHOICES], "b_", "begin_choices");
        source_call(s, p, p->entries[MODEL_LEFT], "b_", "begin_left");
    }
    builder_append_format(out,
                          "\nFN int time_conditions(struct Point *q, const double *times);\n"
                          "FAR int start_values(struct Point *q)\n{\n"
                          "    double values[%u], times[3 * NTH + 1];\n",
                          most + 2 * m->conditions.hold_count + 1);
    source_start_memory(s);
    source_start_guesses(s);
    source_start_rounds(s);
    source_initial_check(s);
    source_start_choices(s);
    builder_append_text(out, "    if (begin_actions(q, values))\n        return 1;\n"
                             "    for (int i = 0; i < NA; i++)\n"
                             "        if (action_state[i] < 0 && values[2 * i] != 0.0)\n"
                             "            return 1;\n");
    for (uint32_t i = 0; i < m->states.count; i++) {
        const uint32_t known = m->start.places[i];
        const uint32_t place =
            known != CODE_NONE ? known : program_place(p, m->states.variables[i]);
        if (place == CODE_NONE)
            builder_append_format(out, "    q->x[%u] = 0.0;\n", i);
        else
            builder_append_format(out, "    q->x[%u] = q->w[%u];\n", i, place);
    }
    for (uint32_t i = 0; i < m->flow->guesses.count; i++) {
        const uint32_t known = m->start.places[m->states.count + i];
        const uint32_t place =
            known != CODE_NONE ? known : program_place(p, m->flow->guesses.variables[i]);
        if (place != CODE_NONE)
            builder_append_format(out, "    q->held[NE + %u] = q->w[%u];\n", i, place);
    }
    if (model->initial_place != CODE_NONE)
        builder_append_format(out, "    q->m[%u] = 0.0;\n", model->initial_place);
    builder_append_text(out, "    for (int i = 0; i < NS; i++)\n"
                             "        q->m[shift_left[i]] = q->m[shift_place[i]];\n"
                             "    return 0;\n}\n");
}
