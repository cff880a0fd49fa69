// SPDX-License-Identifier: MIT

#include "slice/slice.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A residual of a constraint on positions that is projected away.
static const double position_tolerance = 1e-9;

// States are chosen anew where their pivots are this much smaller than the best ones.
static const double poor_selection = 0.5;

// The mode before the start action has found the real one.
enum { NO_MODE = 0 };

// A mode that was entered, with all that its definition points to.
typedef struct ModeData {
    Structure structure;
    char name[128];
    char names[2 * VARIABLES][32];
    const char *state_names[2 * VARIABLES], *algebraic_names[VARIABLES];
    SaltusEventDef events[2 * FLAGS];
    struct ModeData *next;
} ModeData;

struct Slice {
    const Model *model;
    SaltusSystem *system;
    ModeData *modes;
    unsigned structural; // flags that guard equations
};

// ---------------------------------------------------------------------------
// Modes and their numbers
// ---------------------------------------------------------------------------

// The bits of a mode's number: structural flags, then what each stage is solved for.
static int mode_number(const Slice *slice, unsigned flags, const Structure *s)
{
    unsigned number = 0;
    for (int k = s->depth; k > 0; k--)
        number = number << s->count | s->solved[k];
    return (int)(number << FLAGS | (flags & slice->structural)) + 1;
}

static bool analyse(const Slice *slice, unsigned flags, Structure *s, char why[REASON])
{
    const Model *m = slice->model;
    return structure_analyse(s, m->variables, m->variable_count, m->equations, m->equation_count,
                             flags, why);
}

static bool decode(const Slice *slice, int mode, Structure *s, unsigned *flags, char why[REASON])
{
    unsigned number = (unsigned)mode - 1u, all = (1u << slice->model->variable_count) - 1u;
    *flags = number & ((1u << FLAGS) - 1u);
    if (!analyse(slice, *flags, s, why))
        return false;
    unsigned solved[ORDERS] = {all};
    number >>= FLAGS;
    for (int k = 1; k <= s->depth; k++, number >>= s->count)
        solved[k] = number & all;
    structure_take(s, solved);
    return true;
}

// ---------------------------------------------------------------------------
// Evaluation
// ---------------------------------------------------------------------------

static Point point_at(double t, const double *p, unsigned flags)
{
    return (Point){.t = t, .p = p, .flags = flags};
}

static void unpack(const Structure *s, const double *x, const double *z, Point *point)
{
    for (int i = 0; i < s->state_count; i++)
        point->v[s->states[i][0]][s->states[i][1]] = x[i];
    for (int i = 0; i < s->algebraic_count; i++)
        point->v[s->algebraics[i]][0] = z[i];
}

// States (shift 0) or their derivatives (shift 1), and algebraic variables.
static void pack(const Structure *s, const Point *point, int shift, double *x, double *z)
{
    for (int i = 0; x && i < s->state_count; i++)
        x[i] = point->v[s->states[i][0]][s->states[i][1] + shift];
    for (int i = 0; z && i < s->algebraic_count; i++)
        z[i] = point->v[s->algebraics[i]][0];
}

// The relation that decides about a flag, NULL if only time does.
static const Expr *relation_of(const Flag *flag, bool set)
{
    return set || !flag->begin ? flag->stay : flag->begin;
}

// The event function of that relation.
static int event_of(const Flag *flag, int f, bool set)
{
    return 2 * f + !(set || !flag->begin);
}

static int evaluate(const SaltusContext *c, double t, const double *x, const double *z_guess,
                    const SaltusValues *out)
{
    const Slice *slice = c->user;
    const Model *m = slice->model;
    const Structure *s = &((const ModeData *)c->data)->structure;
    Point point = point_at(t, c->p, ((const SliceMemory *)c->memory)->flags);
    unpack(s, x, z_guess, &point);
    if (structure_solve(s, &point, out->dh ? 1 : 0) != 0)
        return 1;
    pack(s, &point, 1, out->dx, out->z);
    for (int k = 0; k < 2 * m->flag_count; k++) {
        const Flag *flag = &m->flags[k / 2];
        bool set = point.flags >> k / 2 & 1u, muted = k != event_of(flag, k / 2, set);
        const Expr *h = muted ? NULL : relation_of(flag, set);
        if (out->h)
            out->h[k] = h ? expression_value(h, &point, 0) : NAN;
        if (out->dh)
            out->dh[k] = h ? expression_value(h, &point, 1) : NAN;
    }
    for (int j = 0; out->y && j < m->variable_count; j++)
        out->y[j] = point.v[j][0];
    return 0;
}

// All values at an event, from what the engine holds of the active mode.
static int point_now(const SaltusEvent *event, const ModeData *mode, Point *point)
{
    *point = point_at(event->t, event->p, ((const SliceMemory *)event->memory)->flags);
    unpack(&mode->structure, event->x, event->z, point);
    int code = structure_solve(&mode->structure, point, 0);
    unpack(&mode->structure, event->x, event->z, point); // these are the engine's, bit for bit
    return code;
}

static const ModeData *data_of(const Slice *slice, int mode)
{
    return saltus_system_mode(slice->system, mode)->data;
}

// ---------------------------------------------------------------------------
// The search for consistent flags
// ---------------------------------------------------------------------------

typedef struct Search {
    const Slice *slice;
    const Structure *active; // NULL at the start
    unsigned active_flags;
    unsigned free; // flags that relations decide about
    unsigned tried;
    int rejected;
    Point left; // every candidate begins here
    Structure structure;
    Restart restart;
    char why[REASON];
} Search;

// The size of h in its impulse, if it has one; else of its finite value, with its noise.
static double relation_value(const Search *search, const Expr *h, double *noise)
{
    const Point *right = &search->restart.right;
    double impulse = 0.0;
    *noise = 0.0;
    for (int j = 0; j < search->structure.count; j++) {
        impulse +=
            expression_partial(h, right, j, search->structure.d[j]) * search->restart.impulse[j];
        *noise += fabs(expression_partial(h, right, j, 0) * right->v[j][0]);
    }
    *noise *= 64.0 * DBL_EPSILON;
    if (fabs(impulse) > position_tolerance)
        return impulse;
    return expression_value(h, right, 0);
}

// Judges a candidate: restart from the left limits; then its relations must agree with its
// flags. Those that do not are in `wrong`. False: it cannot be entered.
static bool judge(Search *search, unsigned flags, unsigned *wrong)
{
    const Slice *slice = search->slice;
    const Model *m = slice->model;
    Structure *s = &search->structure;
    *wrong = 0;
    search->left.flags = flags;
    if (search->active && ((flags ^ search->active_flags) & slice->structural) == 0)
        *s = *search->active; // keeps its states
    else if (!analyse(slice, flags, s, search->why))
        return false;
    if (!structure_restart(s, &search->left, position_tolerance, &search->restart, search->why))
        return false;
    for (int f = 0; f < m->flag_count; f++) {
        bool set = flags >> f & 1u;
        const Expr *h = relation_of(&m->flags[f], set);
        double noise, value = h ? relation_value(search, h, &noise) : 0.0;
        if (h && (set ? value < -noise : value > noise)) {
            *wrong |= 1u << f;
            snprintf(search->why, REASON, "%s%s needs %s%s", set ? "" : "not ", m->flags[f].name,
                     set ? "" : "not ",
                     set || !m->flags[f].begin ? m->flags[f].stay_text : m->flags[f].begin_text);
        }
    }
    return true;
}

static bool consistent(Search *search, unsigned flags, unsigned *wrong)
{
    search->tried |= 1u << flags;
    bool good = judge(search, flags, wrong) && *wrong == 0;
    search->rejected += !good;
    return good;
}

static int distance(unsigned a, unsigned b)
{
    int count = 0;
    for (unsigned bits = a ^ b; bits; bits &= bits - 1)
        count++;
    return count;
}

// From `flags` on: first by turning over what is wrong, then all combinations, the nearest
// first. Nothing is committed here. At most 2^FLAGS candidates.
static bool search_flags(Search *search, unsigned *flags)
{
    unsigned wanted = *flags, wrong;
    while (!(search->tried >> *flags & 1u)) {
        if (consistent(search, *flags, &wrong))
            return true;
        *flags ^= wrong & search->free;
    }
    for (int far = 0; far <= FLAGS; far++) {
        for (*flags = 0; *flags < 1u << FLAGS; ++*flags) {
            bool mine = ((*flags ^ wanted) & ~search->free) == 0;
            if (mine && distance(*flags, wanted) == far && !(search->tried >> *flags & 1u) &&
                consistent(search, *flags, &wrong))
                return true;
        }
    }
    return false;
}

static Search search_begin(const Slice *slice)
{
    Search search = {.slice = slice};
    for (int f = 0; f < slice->model->flag_count; f++)
        search.free |= slice->model->flags[f].stay ? 1u << f : 0u;
    return search;
}

static void fail_search(SaltusEvent *event, const Search *search)
{
    char message[REASON + 100], *end = message;
    const Model *m = search->slice->model;
    end += snprintf(end, 80, "no combination of");
    for (int f = 0; f < m->flag_count; f++)
        end += search->free >> f & 1u ? snprintf(end, 16, " %.14s", m->flags[f].name) : 0;
    snprintf(end, REASON, " is consistent: %.150s", search->why);
    saltus_fail(event, message);
}

// ---------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------

// Makes the accepted candidate real.
static unsigned commit(SaltusEvent *event, const Search *search, unsigned flags, bool moved)
{
    SliceMemory *memory = event->memory;
    const Structure *s = &search->structure;
    const Restart *restart = &search->restart;
    int mode = mode_number(search->slice, flags, s);
    memory->rejected += search->rejected;
    memory->ticks++;
    memory->flags = flags;
    memory->right = restart->right;
    if (mode != event->mode) {
        saltus_switch_mode(event, mode);
        return SALTUS_AGAIN; // to see the signs of its relations
    }
    if (moved || restart->jumps)
        pack(s, &restart->right, 0, event->x, event->z);
    return SALTUS_RHS_CHANGED; // what this turns over is told
}

static void enter(SaltusEvent *event)
{
    const Slice *slice = event->user;
    const SliceMemory *memory = event->memory;
    pack(&data_of(slice, event->mode)->structure, &memory->right, 0, event->x, event->z);
}

static void schedule_times(SaltusEvent *event, const Model *m)
{
    for (int f = 0; f < m->flag_count; f++) {
        for (int i = 0; i < m->flags[f].time_count; i++)
            saltus_schedule(event, f * 100 + i, m->flags[f].times[i]);
    }
}

static void start(SaltusEvent *event)
{
    const Slice *slice = event->user;
    const Model *m = slice->model;
    unsigned flags = 0;
    Search search = search_begin(slice);
    search.left = point_at(event->t, event->p, 0);
    for (int f = 0; f < m->flag_count; f++)
        flags |= m->flags[f].set ? 1u << f : 0u;
    for (int j = 0; j < m->variable_count; j++)
        search.left.v[j][0] = m->variables[j].start;
    schedule_times(event, m);
    if (!search_flags(&search, &flags))
        fail_search(event, &search);
    else if (search.restart.jumps)
        saltus_fail(event, "the start values contradict the constraints");
    else
        commit(event, &search, flags, true);
}

// The flags that the event turns over. The engine's signs count, not the values: a relation that
// fired has its new sign by decree, one that is zero has the sign of the flow, or none yet.
static unsigned turned(const SaltusEvent *event, const Model *m, unsigned flags)
{
    unsigned turn = 0;
    for (int f = 0; f < m->flag_count && event->mode != NO_MODE; f++) {
        bool set = flags >> f & 1u;
        int sign = m->flags[f].stay ? event->sign[event_of(&m->flags[f], f, set)] : 0;
        turn |= sign == (set ? -1 : 1) ? 1u << f : 0u;
    }
    for (int i = 0; i < event->time_count; i++)
        turn ^= 1u << event->time_ids[i] / 100;
    return turn;
}

// Reinitialisations of the flags that turn on; values from `from`. At most one per variable.
static bool reinitialise(SaltusEvent *event, const Model *m, unsigned on, Point *point, bool *moved)
{
    Point from = *point;
    unsigned done = 0;
    for (int i = 0; i < m->reinit_count; i++) {
        const Reinit *r = &m->reinits[i];
        if (!(on >> r->flag & 1u))
            continue;
        if (done >> r->variable & 1u) {
            char message[REASON];
            snprintf(message, sizeof message, "%s is reinitialised twice at one event",
                     m->variables[r->variable].name);
            saltus_fail(event, message);
            return false;
        }
        done |= 1u << r->variable;
        point->v[r->variable][0] = expression_value(r->value, &from, 0);
    }
    *moved = done != 0;
    return true;
}

static unsigned update(SaltusEvent *event)
{
    const Slice *slice = event->user;
    const Model *m = slice->model;
    SliceMemory *memory = event->memory;
    memory->updates++;
    unsigned turn = turned(event, m, memory->flags), flags = memory->flags ^ turn;
    if (turn == 0)
        return SALTUS_NOTHING_CHANGED;
    const ModeData *mode = data_of(slice, event->mode);
    Search search = search_begin(slice);
    bool moved = false;
    search.active = &mode->structure;
    search.active_flags = memory->flags;
    if (point_now(event, mode, &search.left) != 0) {
        saltus_fail(event, "the left limits cannot be evaluated");
        return SALTUS_NOTHING_CHANGED;
    }
    if (!reinitialise(event, m, turn & flags, &search.left, &moved))
        return SALTUS_NOTHING_CHANGED;
    // The decree holds for the values that the event was located with.
    if (!moved)
        search.tried = 1u << memory->flags;
    if (!search_flags(&search, &flags)) {
        fail_search(event, &search);
        return SALTUS_NOTHING_CHANGED;
    }
    return commit(event, &search, flags, moved);
}

// Another selection of states where the present one gets poor.
static void accepted(SaltusEvent *event)
{
    const Slice *slice = event->user;
    SliceMemory *memory = event->memory;
    const ModeData *mode = data_of(slice, event->mode);
    Structure better = mode->structure;
    Point point;
    if (point_now(event, mode, &point) != 0 ||
        structure_quality(&mode->structure, &point) >= poor_selection ||
        !structure_select(&better, &point))
        return;
    memory->right = point;
    saltus_switch_mode(event, mode_number(slice, memory->flags, &better));
}

// ---------------------------------------------------------------------------
// Modes and systems
// ---------------------------------------------------------------------------

// Names "x", "der(x)"; the mode is called by its flags and states.
static void name_mode(const Slice *slice, unsigned flags, ModeData *data)
{
    const Structure *s = &data->structure;
    const Model *m = slice->model;
    size_t length = 0;
    for (int f = 0; f < m->flag_count; f++) {
        if (slice->structural >> f & 1u)
            length += (size_t)snprintf(data->name + length, 20, "%s%.12s ",
                                       flags >> f & 1u ? "" : "not ", m->flags[f].name);
    }
    for (int i = 0; i < s->state_count; i++) {
        const char *variable = m->variables[s->states[i][0]].name;
        snprintf(data->names[i], sizeof data->names[i], s->states[i][1] ? "der(%.16s)" : "%.16s",
                 variable);
        data->state_names[i] = data->names[i];
        if (length < sizeof data->name - 20)
            length +=
                (size_t)snprintf(data->name + length, 20, "%s%.16s", i ? "," : "", data->names[i]);
    }
    for (int i = 0; i < s->algebraic_count; i++)
        data->algebraic_names[i] = m->variables[s->algebraics[i]].name;
}

// A relation is monitored while its flag depends on it. The other one is often zero by a
// constraint of the mode.
static void define_events(const Model *m, unsigned flags, ModeData *data)
{
    for (int k = 0; k < 2 * m->flag_count; k++) {
        const Flag *flag = &m->flags[k / 2];
        bool stay = k % 2 == 0, set = flags >> k / 2 & 1u;
        data->events[k] = (SaltusEventDef){
            .name = flag->name,
            .condition = stay ? flag->stay_text : flag->begin_text,
            .direction = !flag->begin ? SALTUS_BOTH
                         : stay       ? SALTUS_FALLING
                                      : SALTUS_RISING,
            .muted = !flag->stay || k != event_of(flag, k / 2, set),
        };
    }
}

static int provide(void *user, int mode, SaltusModeDef *def, char message[256])
{
    Slice *slice = user;
    const Model *m = slice->model;
    unsigned flags;
    if (mode == NO_MODE) {
        def->name = "before the start";
        return 0;
    }
    ModeData *data = calloc(1, sizeof *data);
    if (!data || !decode(slice, mode, &data->structure, &flags, message)) {
        free(data);
        return 1;
    }
    data->next = slice->modes;
    slice->modes = data;
    name_mode(slice, flags, data);
    define_events(m, flags, data);
    def->name = data->name;
    def->data = data;
    def->state_count = data->structure.state_count;
    def->algebraic_count = data->structure.algebraic_count;
    def->state_names = data->state_names;
    def->algebraic_names = data->algebraic_names;
    def->evaluate = evaluate;
    def->evaluate_flow = true;
    def->event_count = 2 * m->flag_count;
    def->events = data->events;
    def->output_count = m->variable_count;
    def->enter = enter;
    return 0;
}

Slice *slice_create(const Model *model)
{
    Slice *slice = calloc(1, sizeof *slice);
    if (!slice)
        abort();
    slice->model = model;
    for (int i = 0; i < model->equation_count; i++)
        slice->structural |= model->equations[i].on | model->equations[i].off;
    SaltusSystemDef def = saltus_default_system();
    def.name = model->name;
    def.user = slice;
    def.provider = provide;
    def.initial_mode = NO_MODE;
    def.parameter_count = model->parameter_count;
    def.parameters = model->parameters;
    def.memory_size = sizeof(SliceMemory);
    def.start = start;
    def.event_update = update;
    def.accepted = accepted;
    SaltusError error;
    if (saltus_system_create(&def, &slice->system, &error) < 0)
        abort(); // a mistake in this file
    return slice;
}

void slice_destroy(Slice *slice)
{
    saltus_system_destroy(slice->system);
    for (ModeData *data = slice->modes, *next; data; data = next) {
        next = data->next;
        free(data);
    }
    free(slice);
}

const SaltusSystem *slice_system(const Slice *slice)
{
    return slice->system;
}

const Structure *slice_structure(const Slice *slice, int mode)
{
    return &data_of(slice, mode)->structure;
}

Simulation simulation_run(const Model *model, const SaltusMethod *method, double stop)
{
    Simulation s = {.slice = slice_create(model)};
    SaltusOptions options = saltus_default_options();
    options.method = *method;
    s.status = saltus_run_create(s.slice->system, &options, &s.run, &s.error);
    if (s.status == SALTUS_OK) {
        s.status = saltus_run_advance(s.run, stop);
        s.error = *saltus_run_error(s.run);
    }
    return s;
}

void simulation_end(Simulation *s)
{
    saltus_run_destroy(s->run);
    slice_destroy(s->slice);
}

SaltusMethod simulation_method(double tolerance)
{
    SaltusMethod method = saltus_default_method();
    method.relative_tolerance = method.absolute_tolerance = tolerance;
    return method;
}
