// SPDX-License-Identifier: MIT
//
// An observer at work: each piece of the run is cut into ranges in which the probes are
// polynomials up to rounding; there their signs, and with them the conditions, change at zeros.
//
// A probe that comes to zero counts as having crossed; if it turns back, it crosses again when it
// leaves. So the ball that bounces does cross the floor, and a sum that a constraint keeps at zero
// does not chatter.

#include "hybrid/run.h"
#include "studies/observe_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// Evaluations for one piece; what is not resolved then is taken as it is.
enum { MOST_EVALUATIONS = 10000 };

// Rounding of a probe, in units of its largest number.
static const double noise_factor = 64.0 * DBL_EPSILON;
// Last coefficients of a polynomial that suffices, likewise.
static const double resolved_factor = 1024.0 * DBL_EPSILON;
// What a polynomial makes of that outside of its nodes, at the ends of the range.
static const double ends_factor = 64.0;

// ---------------------------------------------------------------------------
// Slots
// ---------------------------------------------------------------------------

static int observe_run_place_of(const SaltusModeDef *mode, const char *name)
{
    for (int i = 0; i < mode->output_count; i++)
        if (mode->output_names && strcmp(mode->output_names[i], name) == 0)
            return i;
    for (int i = 0; i < mode->state_count; i++)
        if (mode->state_names && strcmp(mode->state_names[i], name) == 0)
            return mode->output_count + i;
    for (int i = 0; i < mode->algebraic_count; i++)
        if (mode->algebraic_names && strcmp(mode->algebraic_names[i], name) == 0)
            return mode->output_count + mode->state_count + i;
    return -1;
}

static bool find_map(RunObserver *v, const SaltusSystem *system, int index)
{
    for (v->map = v->maps; v->map; v->map = v->map->next)
        if (v->map->mode == index)
            return true;
    const SaltusModeDef *mode = saltus_system_mode(system, index);
    ModeMap *map = mode ? calloc(1, sizeof *map) : NULL;
    if (map)
        map->places = calloc(v->o->slot_count + 1, sizeof *map->places);
    if (!map || !map->places) {
        free(map);
        return false;
    }
    map->mode = index;
    map->name = mode->name;
    for (uint32_t i = 0; i < v->o->slot_count; i++)
        map->places[i] = observe_run_place_of(mode, v->o->slots[i]);
    map->next = v->maps;
    v->maps = v->map = map;
    const size_t room =
        (size_t)mode->output_count + (size_t)mode->state_count + (size_t)mode->algebraic_count + 1;
    if (room > v->at.room) {
        double *values = realloc(v->at.values, room * sizeof *values);
        v->at.values = values ? values : v->at.values;
        double *ends = realloc(v->at.ends, room * sizeof *ends);
        v->at.ends = ends ? ends : v->at.ends;
        if (!values || !ends)
            return false;
        v->at.room = room;
    }
    return true;
}

static void observe_run_gather(const RunObserver *v, double *slots)
{
    for (uint32_t i = 0; i < v->o->slot_count; i++)
        slots[i] = v->map->places[i] >= 0 ? v->at.values[v->map->places[i]] : NAN;
}

bool observer_slots(RunObserver *v, double t, double *slots)
{
    const SaltusModeDef *mode = saltus_system_mode(saltus_run_system(v->run), v->map->mode);
    double *y = v->at.values, *x = y + mode->output_count, *z = x + mode->state_count;
    if (saltus_piece_values(v->piece, t, x, z, y) != 0)
        return false;
    observe_run_gather(v, slots);
    return true;
}

WatchContext observer_context(const RunObserver *v, double t, const double *slots)
{
    return (WatchContext){.t = t,
                          .slots = slots,
                          .parameters = v->parameters,
                          .signs = v->signs,
                          .mode = v->map ? v->map->name : v->end_mode,
                          .terms = v->term_values};
}

// ---------------------------------------------------------------------------
// Signs
// ---------------------------------------------------------------------------

static ObserveSide side_at(Interval r, double t)
{
    return t <= r.low ? SIDE_JUMP : t >= r.high ? SIDE_END : SIDE_INSIDE;
}

static void flip_probe(RunObserver *v, uint32_t probe, Interval r, double t, signed char sign)
{
    if (v->flips.count == v->flips.room) {
        const size_t room = 2 * v->flips.room + 16;
        Change *flips = realloc(v->flips.items, room * sizeof *flips);
        if (!flips) {
            v->has_failed = true;
            return;
        }
        v->flips.items = flips;
        v->flips.room = room;
    }
    v->flips.items[v->flips.count++] = (Change){t, side_at(r, t), sign, probe};
    v->probes[probe].sign = sign;
}

// The probe has `value` at t; it was looked at `before`, and if it has a zero between, it is at
// `root`.
static void see_value(RunObserver *v, uint32_t probe, Interval r, double value, double before,
                      double root, double t)
{
    ProbeState *p = &v->probes[probe];
    const signed char sign =
        (signed char)(fabs(value) <= p->noise ? 0 : (value > 0.0) - (value < 0.0));
    if (p->sign == 0)
        p->sign = p->first_sign = sign; // the first one that is known
    else if (sign == 0 && !p->is_zero)
        flip_probe(v, probe, r, t, (signed char)-p->sign);
    else if (sign == -p->sign)
        flip_probe(v, probe, r, p->is_zero ? before : root, sign);
    p->is_zero = sign == 0;
}

static double time_at(Interval r, double s)
{
    return s <= -1.0  ? r.low
           : s >= 1.0 ? r.high
                      : 0.5 * (r.low + r.high) + 0.5 * (r.high - r.low) * s;
}

// Between its extrema the polynomial is monotonic. Most ranges have no zero at all.
static void see_range(RunObserver *v, uint32_t probe, Interval r)
{
    ProbeState *p = &v->probes[probe];
    double s = -1.0, value = p->start;
    see_value(v, probe, r, value, r.low, r.low, r.low);
    const bool has_zero = p->lowest <= p->noise && p->highest >= -p->noise;
    const int extrema = has_zero ? probe_extrema(p) : 0;
    for (int i = 0; r.high > r.low && i <= extrema; i++) {
        const bool is_end = i == extrema;
        const double next = is_end ? 1.0 : p->extrema[i];
        const double next_value = is_end ? p->end : chebyshev_value(&p->f, next);
        const double root = value * next_value < 0.0 ? chebyshev_root(&p->f, s, next) : next;
        see_value(v, probe, r, next_value, time_at(r, s), time_at(r, root), time_at(r, next));
        s = next;
        value = next_value;
    }
}

static int compare_flips(const void *a, const void *b)
{
    const Change *f = a, *g = b;
    return f->t != g->t ? (f->t > g->t) - (f->t < g->t)
                        : (f->probe > g->probe) - (f->probe < g->probe);
}

// ---------------------------------------------------------------------------
// Conditions
// ---------------------------------------------------------------------------

static void add_change(RunObserver *v, uint32_t condition, double t, bool value, ObserveSide side)
{
    Change *items = v->changes[condition].items;
    const size_t count = v->changes[condition].count;
    if (count == v->changes[condition].room) {
        const size_t room = 2 * count + 8;
        Change *more = realloc(items, room * sizeof *more);
        if (!more) {
            v->has_failed = true;
            return;
        }
        v->changes[condition].items = items = more;
        v->changes[condition].room = room;
    }
    items[count] = (Change){.t = t, .side = side, .value = value};
    v->changes[condition].count = count + 1;
}

static void watch_boolean(RunObserver *v, uint32_t index, double t, ObserveSide side)
{
    const WatchContext context = observer_context(v, t, v->start);
    const bool value = watch_value(v->o->conditions[index].tree, &context) != 0.0;
    if (v->conditions.known[index] && value != v->conditions.values[index])
        add_change(v, index, t, value, side);
    v->conditions.values[index] = value;
    v->conditions.known[index] = true;
}

// Times that differ by rounding only.
static bool is_same_time(double a, double b)
{
    return fabs(a - b) <= 8.0 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

static void begin_signs(RunObserver *v, signed char of_lost)
{
    for (uint32_t k = 0; k < v->o->probe_count; k++)
        v->signs[k] = isnan(v->probes[k].lost) ? v->probes[k].first_sign : of_lost;
}

// Whether a condition is another one with other signs of the probes that are no numbers.
static bool is_change_undecided(RunObserver *v, const Condition *c, double t)
{
    const WatchContext context = observer_context(v, t, v->start);
    bool is_lost = false, may_hold = false, holds_always = true;
    for (uint32_t k = 0; k < v->o->probe_count; k++)
        is_lost |= !isnan(v->probes[k].lost);
    for (signed char sign = -1; sign <= 1 && is_lost && c->kind == CONDITION_BOOLEAN; sign++) {
        begin_signs(v, sign);
        const bool holds = watch_value(c->tree, &context) != 0.0;
        may_hold |= holds;
        holds_always &= holds;
    }
    return may_hold && !holds_always;
}

// Changes of a condition over the flips of the range; signs: as they were before. What is not
// decided stays as it was.
static void watch_condition(RunObserver *v, uint32_t index, Interval r)
{
    const Condition *c = &v->o->conditions[index];
    v->changes[index].is_undecided = is_change_undecided(v, c, r.low);
    begin_signs(v, 0);
    if (v->changes[index].is_undecided)
        return;
    if (c->kind == CONDITION_BOOLEAN && (!v->flips.count || v->flips.items[0].t > r.low))
        watch_boolean(v, index, r.low, SIDE_JUMP);
    for (size_t i = 0; i < v->flips.count; i++) {
        const Change *flip = &v->flips.items[i];
        v->signs[flip->probe] = flip->value;
        if (c->kind == CONDITION_CROSSING && flip->probe == c->probe &&
            (c->direction == 0 || c->direction == flip->value))
            add_change(v, index, flip->t, true, flip->side);
        const bool is_last = i + 1 == v->flips.count || !is_same_time(flip[1].t, flip->t) ||
                             flip[1].side != flip->side;
        if (c->kind == CONDITION_BOOLEAN && is_last)
            watch_boolean(v, index, flip->t, flip->side);
    }
}

static bool is_event(const RunObserver *v, const Condition *c, const SaltusLogEntry *e)
{
    const SaltusSystem *system = saltus_run_system(v->run);
    if (c->kind == CONDITION_TRANSITION) {
        const SaltusModeDef *from = saltus_system_mode(system, e->from);
        const SaltusModeDef *to = saltus_system_mode(system, e->to);
        return e->from != e->to && from && to && watch_matches(c->from, from->name) &&
               watch_matches(c->to, to->name);
    }
    for (int i = 0; i < e->fired_count; i++) {
        const SaltusModeDef *mode = saltus_system_mode(system, e->fired[i].mode);
        const SaltusEventDef *event = mode ? &mode->events[e->fired[i].event] : NULL;
        if (event && ((event->name && watch_matches(c->from, event->name)) ||
                      (event->condition && watch_matches(c->from, event->condition))))
            return true;
    }
    for (int i = 0; i < e->time_count; i++) {
        const ObserveNames *n = &v->o->names;
        const char *name = n->time_event ? n->time_event(n->user, e->time_ids[i]) : "time";
        if (watch_matches(c->from, name))
            return true;
    }
    return false;
}

// Events of the log since the last time.
static void watch_log(RunObserver *v)
{
    const long count = saltus_run_event_count(v->run);
    for (; v->log_next < count; v->log_next++) {
        const SaltusLogEntry entry = saltus_run_event(v->run, v->log_next);
        if (entry.occasion & SALTUS_AT_START)
            continue;
        for (uint32_t i = 0; i < v->o->condition_count; i++) {
            const Condition *c = &v->o->conditions[i];
            if ((c->kind == CONDITION_EVENT || c->kind == CONDITION_TRANSITION) &&
                is_event(v, c, &entry))
                add_change(v, i, entry.t, true, SIDE_EVENT);
        }
    }
}

// ---------------------------------------------------------------------------
// Ranges
// ---------------------------------------------------------------------------

static Measure measure_at(const RunObserver *v, uint32_t probe, double t, const double *slots)
{
    const WatchContext context = observer_context(v, t, slots);
    return watch_measure(v->o->probes[probe].watch, &context);
}

// Whether the mode at hand has all variables of an expression.
static bool is_in_mode(const RunObserver *v, const Watch *w)
{
    return !w || ((w->kind != WATCH_VARIABLE || v->map->places[w->index] >= 0) &&
                  is_in_mode(v, w->a) && is_in_mode(v, w->b) && is_in_mode(v, w->c));
}

// A value of a probe in a range that begins at a time.
static double observe_run_see(RunObserver *v, uint32_t probe, double begin, double value)
{
    ProbeState *p = &v->probes[probe];
    if (p->is_there && !isfinite(value)) {
        p->is_there = false;
        p->lost = is_in_mode(v, v->o->probes[probe].watch) ? begin : NAN;
    }
    return value;
}

static void bound_probe(ProbeState *p)
{
    const double rest = chebyshev_bound(&p->f) - fabs(p->f.c[0]);
    p->lowest = fmin(p->f.c[0] - rest, fmin(p->start, p->end));
    p->highest = fmax(p->f.c[0] + rest, fmax(p->start, p->end));
    p->extremum_count = -1;
}

int probe_extrema(ProbeState *p)
{
    if (p->extremum_count < 0)
        p->extremum_count = chebyshev_extrema(&p->f, p->extrema);
    return p->extremum_count;
}

// Whether the polynomial, which knows the nodes only, is what the probe is at an end of the range,
// too: a kink may be behind the last node.
static bool observe_run_meets(RunObserver *v, uint32_t probe, Interval r, double enough)
{
    const ProbeState *p = &v->probes[probe];
    const double at_start = chebyshev_value(&p->f, -1.0), at_end = chebyshev_value(&p->f, 1.0);
    if (fabs(at_end - p->end) > enough)
        return false;
    if (fabs(at_start - p->start) <= enough)
        return true;
    // (A piece may begin as the last one ended, off its own interpolant.)
    if (!observer_slots(v, r.low, v->scratch))
        return false;
    v->budget--;
    return fabs(at_start - measure_at(v, probe, r.low, v->scratch).value) <= enough;
}

// The probe's polynomial through its values at `count` nodes. False: it is not resolved.
static bool observe_run_fit(RunObserver *v, uint32_t probe, Interval r, int count)
{
    ProbeState *p = &v->probes[probe];
    double values[CHEBYSHEV_MANY], size = 0.0, lowest = INFINITY, highest = -INFINITY;
    const Measure start = measure_at(v, probe, r.low, v->start);
    const Measure end = measure_at(v, probe, r.high, v->end);
    p->is_there = true;
    p->lost = NAN;
    observe_run_see(v, probe, r.low, start.value);
    for (int i = 0; i < count; i++) {
        const double t = time_at(r, chebyshev_node(v->table, count, i));
        const int node = count == CHEBYSHEV_MANY ? i : 3 * i + 1;
        const Measure m = measure_at(v, probe, t, v->nodes + (size_t)node * v->o->slot_count);
        values[i] = observe_run_see(v, probe, r.low, m.value);
        if (!isfinite(m.value))
            continue;
        lowest = fmin(lowest, m.value);
        highest = fmax(highest, m.value);
        size = fmax(size, m.size);
    }
    observe_run_see(v, probe, r.low, end.value);
    if (!p->is_there) { // where it is a number in a part, the range is to be cut
        p->sign = 0;
        return isnan(p->lost) || !(lowest <= highest);
    }
    p->noise = noise_factor * fmax(size, fmax(start.size, end.size));
    p->start = start.value;
    p->end = end.value;
    chebyshev_fit(&p->f, v->table, count, values);
    // In a short range the resolution of time is felt: its part of the range, of what changes.
    const double resolution = DBL_EPSILON * fmax(fabs(r.low), fabs(r.high)) / (r.high - r.low);
    const double enough = resolved_factor * size + 16.0 * resolution * (highest - lowest);
    const double limit = fmax(p->noise, enough);
    const bool is_resolved =
        chebyshev_is_resolved(&p->f, limit) && observe_run_meets(v, probe, r, ends_factor * limit);
    chebyshev_meet(&p->f, p->start, p->end);
    bound_probe(p);
    return is_resolved;
}

static bool observe_run_sample(RunObserver *v, Interval r, int count)
{
    for (int i = 0; i < count; i++) {
        const int node = count == CHEBYSHEV_MANY ? i : 3 * i + 1;
        if (count == CHEBYSHEV_MANY && i % 3 == 1)
            continue; // one of the few
        const double t = time_at(r, chebyshev_node(v->table, count, i));
        if (!observer_slots(v, t, v->nodes + (size_t)node * v->o->slot_count))
            return false;
        v->budget--;
    }
    return true;
}

static bool fit_all(RunObserver *v, Interval r, int count)
{
    bool is_resolved = true;
    for (uint32_t i = 0; i < v->o->probe_count; i++)
        is_resolved &= observe_run_fit(v, i, r, count);
    return is_resolved;
}

static void forget_changes(RunObserver *v)
{
    for (uint32_t i = 0; i < v->o->condition_count; i++)
        v->changes[i].count = 0;
}

// The range with its polynomials (a < b), or the jump at one instant (a = b).
static void handle_range(RunObserver *v, Interval r)
{
    v->flips.count = 0;
    for (uint32_t i = 0; i < v->o->probe_count; i++) {
        v->probes[i].first_sign = v->probes[i].sign;
        if (v->probes[i].is_there)
            see_range(v, i, r);
    }
    if (v->flips.count)
        qsort(v->flips.items, v->flips.count, sizeof *v->flips.items, compare_flips);
    for (uint32_t i = 0; i < v->o->condition_count; i++)
        watch_condition(v, i, r);
    terms_add(v, r);
    forget_changes(v);
}

// What is still not resolved in so small a part of a piece has a kink or a jump there: more nodes
// do not help; and in the smallest part it does not matter.
static const double kink_part = 1e-2, smallest_part = 1e-12;

static bool cut_range(RunObserver *v, Interval r)
{
    if (v->o->probe_count > 0) {
        if (!observe_run_sample(v, r, CHEBYSHEV_FEW))
            return false;
        if (!fit_all(v, r, CHEBYSHEV_FEW)) {
            const double middle = 0.5 * (r.low + r.high), width = r.high - r.low;
            const double piece = v->piece->to - v->piece->from;
            const bool has_kink = width < kink_part * piece && v->budget > 0;
            if (!has_kink && !observe_run_sample(v, r, CHEBYSHEV_MANY))
                return false;
            if ((has_kink || !fit_all(v, r, CHEBYSHEV_MANY)) && v->budget > 0 && middle > r.low &&
                middle < r.high && width > smallest_part * piece) {
                double *end = malloc((v->o->slot_count + 1) * sizeof *end);
                if (!end)
                    return false;
                memcpy(end, v->end, v->o->slot_count * sizeof *end);
                bool is_fine =
                    observer_slots(v, middle, v->end) && cut_range(v, (Interval){r.low, middle});
                memcpy(v->end, end, v->o->slot_count * sizeof *end);
                free(end);
                return is_fine && cut_range(v, (Interval){middle, r.high});
            }
        }
    }
    handle_range(v, r);
    memcpy(v->start, v->end, v->o->slot_count * sizeof *v->start);
    return true;
}

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

// Where a step goes on after an event, with the states that the last piece ended with: what else
// there is may have changed.
static bool begin_within_step(RunObserver *v, const SaltusPiece *piece)
{
    const RunInstance *active = piece->run->active;
    const SaltusModeDef *mode = active->mode;
    double *y = v->at.values, *x = y + mode->output_count, *z = x + mode->state_count;
    const size_t solved = (size_t)mode->state_count + (size_t)mode->algebraic_count;
    memcpy(x, v->at.ends + mode->output_count, solved * sizeof *x);
    if (problem_outputs(active->problem, piece->from, x, z, y) != 0)
        return false;
    observe_run_gather(v, v->start);
    return true;
}

static bool begin_piece(RunObserver *v, const SaltusPiece *piece)
{
    v->run = piece->run;
    v->piece = piece;
    v->parameters = saltus_run_parameters(piece->run);
    // Where nothing happened, it begins as the last one ended. (The dense output of the rest of a
    // step has the order of the interpolant only.)
    const bool is_quiet = v->log_next == saltus_run_event_count(v->run);
    const bool goes_on = v->has_left && v->t_left == piece->from && (is_quiet || piece->continues);
    if (!find_map(v, saltus_run_system(v->run), piece->mode))
        return false;
    if (goes_on && is_quiet)
        memcpy(v->start, v->left, v->o->slot_count * sizeof *v->start);
    else if (!(goes_on ? begin_within_step(v, piece) : observer_slots(v, piece->from, v->start)))
        return false;
    if (!observer_slots(v, piece->to, v->end))
        return false;
    memcpy(v->at.ends, v->at.values, v->at.room * sizeof *v->at.ends);
    watch_log(v);
    terms_settle(v, piece->from, v->start);
    return true;
}

int observer_piece(void *observer, const SaltusPiece *piece)
{
    RunObserver *v = observer;
    if (v->o->term_count == 0)
        return 0;
    v->budget = MOST_EVALUATIONS;
    if (!begin_piece(v, piece) || !cut_range(v, (Interval){piece->from, piece->to}))
        v->has_failed = true;
    memcpy(v->left, v->end, v->o->slot_count * sizeof *v->left);
    v->t_left = piece->to;
    v->has_left = true;
    return v->has_failed;
}

static bool final_slots(RunObserver *v, const SaltusRun *run)
{
    if (!find_map(v, saltus_run_system(run), saltus_run_mode(run)))
        return false;
    const SaltusModeDef *mode = saltus_system_mode(saltus_run_system(run), v->map->mode);
    double *y = v->at.values, *x = y + mode->output_count, *z = x + mode->state_count;
    if (saltus_run_outputs(run, y) != 0)
        return false;
    memcpy(x, saltus_run_states(run), (size_t)mode->state_count * sizeof *x);
    if (mode->algebraic_count > 0)
        memcpy(z, saltus_run_algebraics(run), (size_t)mode->algebraic_count * sizeof *z);
    observe_run_gather(v, v->start);
    observe_run_gather(v, v->end);
    return true;
}

bool observer_finish(RunObserver *v, const SaltusRun *run)
{
    const double t = saltus_run_time(run);
    v->run = run;
    v->piece = NULL;
    v->parameters = saltus_run_parameters(run);
    if (v->has_failed || !final_slots(v, run))
        return false;
    watch_log(v);
    terms_settle(v, t, v->end);
    for (uint32_t i = 0; i < v->o->probe_count; i++) {
        ProbeState *p = &v->probes[i];
        const Measure m = measure_at(v, i, t, v->end);
        p->is_there = true;
        p->lost = NAN;
        p->start = p->end = observe_run_see(v, i, t, m.value);
        p->noise = fmax(p->noise, noise_factor * m.size);
        p->f = (Chebyshev){.count = 1, .c = {m.value}};
        bound_probe(p);
        p->extremum_count = 0;
    }
    handle_range(v, (Interval){t, t});
    return terms_finish(v, saltus_run_time(run)) && !v->has_failed;
}

// ---------------------------------------------------------------------------
// Observers
// ---------------------------------------------------------------------------

void observer_reset(RunObserver *v)
{
    const Observations *o = v->o;
    for (uint32_t i = 0; i < o->probe_count; i++)
        v->probes[i] = (ProbeState){.lost = NAN};
    for (uint32_t i = 0; i < o->condition_count; i++) {
        v->conditions.values[i] = v->conditions.known[i] = false;
        v->changes[i].count = 0;
    }
    while (v->maps) { // another run may be one of another system
        ModeMap *next = v->maps->next;
        free(v->maps->places);
        free(v->maps);
        v->maps = next;
    }
    v->map = NULL;
    v->log_next = 0;
    v->has_left = v->has_failed = false;
    terms_reset(v);
}

RunObserver *observer_create(const Observations *o)
{
    RunObserver *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    v->o = o;
    chebyshev_prepare(v->table);
    const size_t slots = o->slot_count + 1, probes = o->probe_count + 1;
    const size_t conditions = o->condition_count + 1, terms = o->term_count + 1;
    v->start = calloc(slots, sizeof *v->start);
    v->end = calloc(slots, sizeof *v->end);
    v->left = calloc(slots, sizeof *v->left);
    v->scratch = calloc(slots, sizeof *v->scratch);
    v->nodes = calloc(slots * CHEBYSHEV_MANY, sizeof *v->nodes);
    v->probes = calloc(probes, sizeof *v->probes);
    v->signs = calloc(probes, sizeof *v->signs);
    v->conditions.values = calloc(conditions, sizeof *v->conditions.values);
    v->conditions.known = calloc(conditions, sizeof *v->conditions.known);
    v->changes = calloc(conditions, sizeof *v->changes);
    v->terms = calloc(terms, sizeof *v->terms);
    v->term_values = calloc(terms, sizeof *v->term_values);
    v->results.starts = calloc(o->item_count + 1, sizeof *v->results.starts);
    v->reasons = calloc(o->item_count + 1, sizeof *v->reasons);
    if (!v->start || !v->end || !v->left || !v->scratch || !v->nodes || !v->probes || !v->signs ||
        !v->conditions.values || !v->conditions.known || !v->changes || !v->terms ||
        !v->term_values || !v->results.starts || !v->reasons) {
        observer_destroy(v);
        return NULL;
    }
    observer_reset(v);
    return v;
}

void observer_destroy(RunObserver *v)
{
    if (!v)
        return;
    for (uint32_t i = 0; v->changes && i < v->o->condition_count; i++)
        free(v->changes[i].items);
    for (uint32_t i = 0; v->terms && i < v->o->term_count; i++)
        free(v->terms[i].values);
    while (v->maps) {
        ModeMap *next = v->maps->next;
        free(v->maps->places);
        free(v->maps);
        v->maps = next;
    }
    for (size_t i = 0; v->reasons && i < v->o->item_count; i++)
        free(v->reasons[i]);
    void *blocks[] = {v->start,
                      v->end,
                      v->left,
                      v->nodes,
                      v->probes,
                      v->scratch,
                      v->signs,
                      v->changes,
                      v->terms,
                      v->flips.items,
                      v->conditions.values,
                      v->results.values,
                      v->reasons,
                      v->term_values,
                      v->at.values,
                      v->at.ends,
                      v->conditions.known,
                      v->results.starts};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
    free(v);
}
