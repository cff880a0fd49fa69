// SPDX-License-Identifier: MIT
//
// Through an instant: its derivative in the direction in which a parameter moves the run. Copies of
// the run that stand on the event's surface nearby go through the same instant, with the same
// functions crossing zero; what they have afterwards is differentiated over four points. Nearby
// must be near enough for the same to happen: the same mode, the same conditions and discrete
// variables that are no numbers, and all numbers on one curve with those of the run.

#include "base/error.h"
#include "base/real.h"
#include "hybrid/exchange.h"
#include "modes/model_parts.h"
#include "studies/sensitivity_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

// What an instant leaves behind: states, memory, times of time events, parameters, one after the
// other.
typedef struct SensitivityOutcome {
    size_t states, places, times, count;
    double *sizes;       // that the values had so far, or that are typical
    double *derivative;  // of the parameter at hand
    double *here;        // of a copy that is not moved
    double *values[4];   // of the copies
    double *derivatives; // of all parameters
    double *time;        // of the event, by parameter
} SensitivityOutcome;

// The smallest steps are this many times smaller than the first, each 8 times smaller than the one
// before.
enum { OUTCOME_TRIALS = 7 };

static double span_of(const Sensitivity *z)
{
    return z->def.stop_time - z->def.options.start_time;
}

// A state that was zero, or nearly so by rounding, has the size of its nominal value, or a part.
static void outcome_set_sizes(const Sensitivity *z, const SensitivityOutcome *o)
{
    static const double least = 1e-4;
    const RunInstance *active = z->run->active;
    double *to = o->sizes;
    for (size_t i = 0; i < o->states; i++) {
        const double largest = instances_largest(z->run, (int)i);
        const double nominal = active->mode->nominal[i];
        *to++ = largest > 0.0 ? real_larger(largest, least * nominal) : nominal;
    }
    for (size_t i = 0; i < o->places; i++)
        *to++ = 1.0;
    for (size_t i = 0; i < o->times; i++)
        *to++ = span_of(z);
    for (uint32_t i = 0; i < z->counts.parameters; i++)
        *to++ = 0.0;
}

static bool outcome_create(Sensitivity *z, SensitivityOutcome *o, MemoryPool *pool)
{
    const SaltusRun *run = z->run;
    o->states = (size_t)run->active->mode->state_count;
    o->places = z->counts.memory;
    o->times = (size_t)run->schedule.count;
    o->count = o->states + o->places + o->times + z->counts.parameters;
    o->derivative = memory_pool_new(pool, o->count + 1, sizeof(double));
    o->derivatives = memory_pool_new(pool, o->count * z->def.count + 1, sizeof(double));
    o->time = memory_pool_new(pool, z->def.count + 1u, sizeof(double));
    o->here = memory_pool_new(pool, o->count + 1, sizeof(double));
    o->sizes = memory_pool_new(pool, o->count + 1, sizeof(double));
    bool is_fine = o->derivative && o->derivatives && o->time && o->here && o->sizes;
    for (int i = 0; i < 4; i++)
        is_fine &= (o->values[i] = memory_pool_new(pool, o->count + 1, sizeof(double))) != NULL;
    if (is_fine)
        outcome_set_sizes(z, o);
    return is_fine;
}

static bool scheduled_time(const SaltusRun *run, int id, double *time)
{
    for (int i = 0; i < run->schedule.count; i++)
        if (run->schedule.events[i].id == id) {
            *time = run->schedule.events[i].time;
            return true;
        }
    return false;
}

// What is no number is the same as in the run.
static bool outcome_agrees(const Sensitivity *z, const SaltusRun *copy)
{
    const Model *model = z->model;
    const ModelMemory here = model_memory(model, z->run->data.memory),
                      there = model_memory(model, copy->data.memory);
    if (copy->active->index != z->run->active->index ||
        copy->schedule.count != z->run->schedule.count ||
        memcmp(here.held, there.held, model->sizes.held * sizeof *here.held) != 0)
        return false;
    for (uint32_t i = 0; i < model->defined.count; i++) {
        const ModelDiscrete *d = &model->defined.items[i];
        if (!d->is_real && here.m[d->place] != there.m[d->place])
            return false;
    }
    return true;
}

static bool outcome_take(const Sensitivity *z, const SensitivityOutcome *o, const SaltusRun *copy,
                         double *to)
{
    if (!outcome_agrees(z, copy))
        return false;
    memcpy(to, copy->x, o->states * sizeof *to);
    to += o->states;
    memcpy(to, model_memory(z->model, copy->data.memory).m, o->places * sizeof *to);
    to += o->places;
    for (size_t i = 0; i < o->times; i++)
        if (!scheduled_time(copy, z->run->schedule.events[i].id, to++))
            return false;
    memcpy(to, copy->data.p, z->counts.parameters * sizeof *to);
    return true;
}

// The middle lies on the curve through the four points: a fourth difference that is not small
// means that something else happens there.
static bool is_on_curve(const double near[4], double here, double size)
{
    const double bend = fabs(near[3] + near[0] - 4 * (near[2] + near[1]) + 6 * here);
    return !(bend > 1e-2 * fabs(near[3] - near[0]) + 1e-9 * (size + fabs(here)));
}

// How far the derivatives are from being certain: up to 1 they are.
static double outcome_derive(const SensitivityOutcome *o, double step, double *to)
{
    double worst = 0.0;
    for (size_t i = 0; i < o->count; i++) {
        const double near[] = {o->values[0][i], o->values[1][i], o->values[2][i], o->values[3][i]};
        double error;
        to[i] = sensitivity_difference(near, step, &error);
        if (!isfinite(to[i]))
            to[i] = 0.0; // a variable that does not exist
        else if (!is_on_curve(near, o->here[i], o->sizes[i]))
            worst = INFINITY;
        else
            worst = fmax(worst,
                         sensitivity_doubt(to[i], error, 10 * (o->sizes[i] + fabs(near[0])), step));
    }
    return worst;
}

// Makes the outcome for parameter k at a distance; false: something else happens there.
typedef bool (*OutcomeMaker)(Sensitivity *z, uint32_t k, double distance, const void *user,
                             SaltusRun **copy);

static bool outcome_make(Sensitivity *z, const SensitivityOutcome *o, uint32_t k, double distance,
                         OutcomeMaker make, const void *user, double *to)
{
    SaltusRun *copy = NULL;
    const bool is_same = make(z, k, distance, user, &copy) && outcome_take(z, o, copy, to);
    saltus_run_destroy(copy);
    return is_same;
}

// The derivatives of the outcome by parameter k; false: there are none.
static bool outcome_find(Sensitivity *z, SensitivityOutcome *o, uint32_t k, double step,
                         OutcomeMaker make, const void *user)
{
    static const double steps[] = {-2, -1, 1, 2};
    static const double most_doubt = 300; // one per cent
    double best = INFINITY, *found = o->derivatives + k * o->count;
    if (!outcome_make(z, o, k, 0.0, make, user, o->here))
        return false;
    for (int trial = 0; trial < OUTCOME_TRIALS && best > 1.0; trial++, step /= 8) {
        bool is_same = true;
        for (int i = 0; i < 4 && is_same; i++)
            is_same = outcome_make(z, o, k, steps[i] * step, make, user, o->values[i]);
        if (!is_same)
            continue;
        const double worst = outcome_derive(o, step, o->derivative);
        if (worst < best)
            memcpy(found, o->derivative, o->count * sizeof *found);
        best = fmin(best, worst);
    }
    return best <= most_doubt;
}

// ---------------------------------------------------------------------------
// The bench
// ---------------------------------------------------------------------------

// A copy of the run as it is now, that tells nobody of itself.
static bool sensitivity_renew_bench(Sensitivity *z)
{
    SaltusError error = {0};
    saltus_run_destroy(z->bench);
    z->bench = NULL;
    if (saltus_run_copy(z->run, &z->bench, &error) != SALTUS_OK) {
        sensitivity_lose(z, z->run->t, "%s", error.message);
        saltus_error_clear(&error);
        return false;
    }
    SaltusOptions *o = &z->bench->options;
    o->row = NULL;
    o->piece = NULL;
    o->progress = NULL;
    o->logged = NULL;
    o->record = SALTUS_RECORD_NOTHING;
    o->zeno = SALTUS_ZENO_CONTINUE;
    if (!sensitivity_prepare(z)) {
        sensitivity_lose(z, z->run->t, "out of memory");
        return false;
    }
    memcpy(z->p, z->bench->data.p, z->counts.parameters * sizeof *z->p);
    memcpy(z->m, model_memory(z->model, z->bench->data.memory).m, z->counts.memory * sizeof *z->m);
    real_copy(z->piece.x_end, z->run->x, z->run->active->mode->state_count);
    real_copy(z->piece.z_end, z->run->z, z->run->active->mode->algebraic_count);
    z->main.t = z->cursor.t = z->run->t;
    return true;
}

// Goes on behind the instant with what was found.
static void sensitivity_go_on(Sensitivity *z, const SensitivityOutcome *o)
{
    const size_t n = o->states;
    double *scheduled = MEMORY_NEW(z->pool.allocator, o->times * z->def.count + 1, double);
    if (!scheduled) {
        sensitivity_lose(z, z->run->t, "out of memory");
        return;
    }
    memory_free(z->pool.allocator, z->times.scheduled);
    z->times.scheduled = scheduled;
    if (!sensitivity_renew_bench(z))
        return;
    sensitivity_place(z, z->run->t, z->piece.x_end, z->piece.z_end);
    double *after = z->point.dx; // x'
    Problem *problem = z->bench->active->problem;
    if (n > 0 && problem_rhs(problem, z->point.t, z->point.x, z->point.z, after) != 0)
        sensitivity_lose(z, z->point.t, "the equations cannot be evaluated after the event");
    for (uint32_t k = 0; k < z->def.count; k++) {
        const double *d = o->derivatives + k * o->count;
        for (size_t i = 0; i < n; i++)
            z->main.s[k * n + i] = d[i] - after[i] * o->time[k];
        memcpy(z->memory + (size_t)k * o->places, d + n, o->places * sizeof *d);
        for (size_t i = 0; i < o->times; i++)
            scheduled[i * z->def.count + k] = d[n + o->places + i];
        memcpy(z->direction + (size_t)k * z->counts.parameters, d + n + o->places + o->times,
               z->counts.parameters * sizeof *d);
    }
}

// ---------------------------------------------------------------------------
// The start
// ---------------------------------------------------------------------------

// A run that begins with another value of the parameter; user: the system.
static bool start_nearby(Sensitivity *z, uint32_t k, double distance, const void *user,
                         SaltusRun **copy)
{
    const uint32_t number = z->def.by[k];
    SaltusOptions options = z->def.options;
    options.row = NULL;
    options.piece = NULL;
    options.progress = NULL;
    options.logged = NULL;
    options.record = SALTUS_RECORD_NOTHING;
    options.parameters = z->p;
    uint32_t count = 0;
    for (uint32_t i = 0; i < z->outside.inputs.value_count; i++)
        z->given[count++] = z->outside.inputs.values[i];
    for (uint32_t i = 0; i < z->def.value_count; i++)
        z->given[count++] = z->def.values[i];
    z->given[count++] =
        (ParameterValue){number, z->def.p[number] + distance}; // the last one counts
    return loaded_parameters(z->def.loaded, z->given, count, z->p, NULL) == SALTUS_OK &&
           saltus_run_create(user, &options, copy, NULL) == SALTUS_OK;
}

void sensitivity_start(Sensitivity *z, const SaltusSystem *system)
{
    MemoryPool pool = {.allocator = z->pool.allocator};
    SensitivityOutcome o = {0};
    const bool is_made = outcome_create(z, &o, &pool);
    bool is_fine = is_made;
    if (!is_made)
        sensitivity_lose(z, z->run->t, "out of memory");
    for (uint32_t k = 0; k < z->def.count && is_fine; k++) {
        const double value = fabs(z->def.p[z->def.by[k]]);
        is_fine = outcome_find(z, &o, k, 1e-3 * (value > 0.0 ? value : 1e-3), start_nearby, system);
        if (!is_fine)
            sensitivity_lose(z, z->run->t, "the run begins otherwise nearby, with another %s",
                             z->model->parameters->names[z->def.by[k]]);
    }
    if (is_made)
        sensitivity_go_on(z, &o);
    memory_pool_free(&pool);
}

// ---------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------

// What is known of the event from the side of the run.
typedef struct SensitivityCause {
    SaltusFired *crossings; // functions that are zero there
    int count;
    int event;          // the first of them
    double rate;        // its derivative along the flow
    double steepness;   // see steepness_of
    const double *flow; // x' just before
    const double *time; // dt, by parameter
    double late;        // of time events: by this time all copies have reached theirs
} SensitivityCause;

// The time of the whole run: what is short is so beside it.
// The copy stands on the surface of the event: along the flow, by Newton's method. False: it does
// not get there; the surface is curved too much, as seen from here.
static bool cause_reach(Sensitivity *z, const SensitivityCause *c, SaltusRun *copy, double move,
                        double *t, double *x)
{
    enum { ITERATIONS = 4 };
    Problem *problem = copy->active->problem;
    const int n = problem->nx;
    double total = 0.0, by = 0.0;
    for (int i = 0; i < ITERATIONS && c->count > 0; i++) {
        real_copy(z->work.z_moved, z->point.z, problem->nz);
        real_copy(problem->z_guess, z->point.z, problem->nz);
        if (problem_rhs(problem, *t, x, z->work.z_moved, z->point.dx) != 0 ||
            problem_events(problem, *t, x, z->work.z_moved, z->work.values[4]) != 0)
            return false;
        by = -z->work.values[4][c->event] / c->rate;
        *t += by;
        for (int k = 0; k < n; k++)
            x[k] += c->flow[k] * by;
        total += fabs(by);
    }
    const double size = fabs(z->point.t), span = span_of(z);
    return c->count == 0 || (total <= 0.25 * fabs(move) + 1e-9 * size + 1e-12 * span &&
                             fabs(by) <= 1e-3 * total + 1e-14 * (span + size));
}

// A copy of the run before the instant, with what has moved but the states.
static bool copy_nearby(Sensitivity *z, const SensitivityDirection *d, uint32_t k, double distance,
                        SaltusRun **copy)
{
    const SaltusRun *bench = z->bench;
    if (saltus_run_copy(bench, copy, NULL) != SALTUS_OK)
        return false;
    double *m = model_memory(z->model, (*copy)->data.memory).m;
    for (uint32_t i = 0; i < z->counts.memory; i++)
        m[i] += distance * d->m[i];
    for (uint32_t i = 0; i < z->counts.parameters; i++)
        (*copy)->data.p[i] += distance * d->p[i];
    for (int i = 0; i < bench->schedule.count; i++) {
        const ScheduledEvent *e = &bench->schedule.events[i];
        const double move = z->times.scheduled[(size_t)i * z->def.count + k];
        if (!schedule_set(&(*copy)->schedule, e->id, e->time + distance * move))
            return false;
    }
    return true;
}

// The instant nearby; user: the cause.
static bool event_nearby(Sensitivity *z, uint32_t k, double distance, const void *user,
                         SaltusRun **copy)
{
    const SensitivityCause *c = user;
    const SensitivityDirection d = sensitivity_direction(z, &z->main, k);
    const int n = z->bench->active->mode->state_count;
    if (!copy_nearby(z, &d, k, distance, copy))
        return false;
    const double move = distance * c->time[k];
    double t = z->point.t + move + c->late;
    for (int i = 0; i < n; i++)
        z->work.x_moved[i] = z->point.x[i] + distance * d.x[i] + c->flow[i] * move;
    return cause_reach(z, c, *copy, move, &t, z->work.x_moved) &&
           exchange_fire(*copy, t, z->work.x_moved, z->point.z, c->crossings, c->count) >= 0;
}

// How fast a function changes at its zero, as part of how fast it came: about 1 where it crosses
// zero like a line, 0 where it grazes.
static double steepness_of(const Sensitivity *z, double rate, double middle)
{
    const double most = fabs(middle) > 0.0 ? fabs(rate) * z->piece.half / fabs(middle) : 0.0;
    return isfinite(most) ? most : 0.0;
}

// dt of one of the causes is that of all of them.
static bool cause_time(Sensitivity *z, double *time, bool *is_known, const double *moves)
{
    const double span = span_of(z);
    for (uint32_t k = 0; k < z->def.count; k++) {
        const double value = fabs(z->def.p[z->def.by[k]]);
        const double noise = 1e-9 * span / (value > 0.0 ? value : 1.0);
        if (*is_known && fabs(moves[k] - time[k]) > 1e-6 * (fabs(moves[k]) + fabs(time[k])) + noise)
            return false;
        if (!*is_known)
            time[k] = moves[k];
    }
    *is_known = true;
    return true;
}

static const char *cause_name(const Sensitivity *z, int event)
{
    return z->bench->active->mode->events[event].name;
}

static void sensitivity_lose_grazing(Sensitivity *z, int event)
{
    sensitivity_lose(z, z->point.t, "%s is grazing: it is zero together with its rate",
                     cause_name(z, event));
}

static bool has_crossing(const SensitivityCause *c, int event)
{
    for (int i = 0; i < c->count; i++)
        if (c->crossings[i].event == event)
            return true;
    return false;
}

// The crossings among the causes: functions that are zero at the end of the piece.
static bool find_crossings(Sensitivity *z, SensitivityCause *c, MemoryPool *pool, double *time,
                           bool *is_known)
{
    const size_t count = (size_t)z->bench->active->mode->event_count;
    double *const h = memory_pool_new(pool, count + 1, sizeof *h),
                  *const middle = memory_pool_new(pool, count + 1, sizeof *h),
                  *const rates = memory_pool_new(pool, count + 1, sizeof *h),
                  *const moves = memory_pool_new(pool, z->def.count + 1u, sizeof *h),
                  *const moved = memory_pool_new(pool, z->def.count * count + 1u, sizeof *h);
    c->crossings = memory_pool_new(pool, (size_t)z->event.fired_count + 1, sizeof *c->crossings);
    if (!h || !middle || !rates || !moves || !moved || !c->crossings)
        return false;
    Problem *problem = z->bench->active->problem;
    real_copy(problem->z_guess, z->point.z, problem->nz);
    if (z->event.fired_count == 0)
        return true;
    const SensitivityDirection along = {.time = 1.0, .x = c->flow};
    bool is_fine = problem_events(problem, z->point.t, z->point.x, z->point.z, h) == 0 &&
                   problem_events(problem, z->point.t - z->piece.half, z->piece.x_middle,
                                  z->point.z, middle) == 0 &&
                   sensitivity_derive(z, SENSITIVITY_EVENTS, &along, count, rates);
    for (uint32_t k = 0; k < z->def.count && is_fine; k++) {
        const SensitivityDirection d = sensitivity_direction(z, &z->main, k);
        is_fine = sensitivity_derive(z, SENSITIVITY_EVENTS, &d, count, moved + k * count);
    }
    if (!is_fine)
        sensitivity_lose(z, z->point.t, "event functions cannot be evaluated near the event");
    for (int i = 0; i < z->event.fired_count && is_fine; i++) {
        const SaltusFired f = z->event.fired[i];
        const double near = 1e-9 * fmax(span_of(z), fabs(z->point.t)) + 2 * z->piece.bracket;
        const double zero =
            near * fabs(rates[f.event]) + 1e-11 * z->work.sizes[SENSITIVITY_EVENTS][f.event];
        if (f.mode != z->event.from || fabs(h[f.event]) > zero || has_crossing(c, f.event))
            continue; // by what happened in the instant
        const double steepness = steepness_of(z, rates[f.event], middle[f.event]);
        if (steepness < 1e-6) {
            if (i > 0 || z->event.time_count > 0)
                continue; // likewise: it was zero all the time
            sensitivity_lose_grazing(z, f.event);
            return true;
        }
        for (uint32_t k = 0; k < z->def.count; k++)
            moves[k] = -moved[k * count + (size_t)f.event] / rates[f.event];
        if (!cause_time(z, time, is_known, moves)) {
            sensitivity_lose(z, z->point.t, "two events at once, %s and %s",
                             cause_name(z, c->event), cause_name(z, f.event));
            return true;
        }
        if (c->count == 0) {
            c->event = f.event;
            c->rate = rates[f.event];
            c->steepness = steepness;
        }
        c->crossings[c->count++] = f;
    }
    return true;
}

// The time events among them.
static void find_time_events(Sensitivity *z, double *time, bool *is_known)
{
    const Schedule *s = &z->bench->schedule;
    for (int i = 0; i < z->event.time_count; i++)
        for (int j = 0; j < s->count; j++)
            if (s->events[j].id == z->event.time_ids[i] &&
                !cause_time(z, time, is_known, z->times.scheduled + (size_t)j * z->def.count))
                sensitivity_lose(z, z->point.t, "two events at once, one of them at a given time");
}

// A condition on time turns at the time that its own terms say, which is known up to rounding, and
// nearby up to the accuracy of dt: copies that are early have it to come yet.
static double time_event_doubt(const Sensitivity *z, double move)
{
    return 16.0 * DBL_EPSILON * fabs(z->point.t) + 1e-9 * fabs(move);
}

static void sensitivity_note_time(Sensitivity *z, const double *time)
{
    const size_t count = z->def.count;
    if (z->times.count == z->times.room) {
        const uint32_t room = 2 * z->times.room + 16;
        double *grown =
            memory_resize(z->pool.allocator, z->times.items, room * count + 1, sizeof *grown);
        if (!grown)
            return;
        z->times.items = grown;
        z->times.room = room;
    }
    for (size_t k = 0; k < count; k++)
        z->times.items[z->times.count * count + k] = z->loss.is_there || !time ? NAN : time[k];
    z->times.count++;
}

static void jump_with(Sensitivity *z, MemoryPool *pool)
{
    const int n = z->bench->active->mode->state_count;
    SensitivityOutcome o = {0};
    SensitivityCause c = {.event = -1};
    double *flow = memory_pool_new(pool, (size_t)n + 1, sizeof *flow);
    bool is_known = false;
    if (!flow || !outcome_create(z, &o, pool)) {
        sensitivity_lose(z, z->event.t, "out of memory");
        return;
    }
    sensitivity_place(z, z->event.t, z->piece.x_end, z->piece.z_end);
    if (n > 0 &&
        problem_rhs(z->bench->active->problem, z->point.t, z->point.x, z->point.z, flow) != 0)
        sensitivity_lose(z, z->point.t, "the equations cannot be evaluated at the event");
    c.flow = flow;
    c.time = o.time;
    find_time_events(z, o.time, &is_known);
    if (!z->loss.is_there && !find_crossings(z, &c, pool, o.time, &is_known))
        sensitivity_lose(z, z->point.t, "out of memory");
    if (!z->loss.is_there && !is_known)
        sensitivity_lose(z, z->point.t, "an event that no function has a zero at, and no time");
    for (uint32_t k = 0; k < z->def.count && !z->loss.is_there; k++) {
        const SensitivityDirection d = sensitivity_direction(z, &z->main, k);
        double step = sensitivity_reach(z, z->point.x, &d);
        if (o.time[k] != 0.0 && z->piece.half > 0.0)
            step = fmin(step, 0.1 * z->piece.half / fabs(o.time[k]));
        c.late = c.count > 0 ? 0.0 : time_event_doubt(z, step * o.time[k]);
        if (outcome_find(z, &o, k, step, event_nearby, &c))
            continue;
        const double stay = z->point.t - z->last_event;
        if (c.count > 0 && c.steepness < 1e-2)
            sensitivity_lose_grazing(z, c.event);
        else if (stay < 1e-4 * (z->point.t - z->def.options.start_time) && z->times.count > 2)
            sensitivity_lose(z, z->point.t, "events accumulate");
        else
            sensitivity_lose(z, z->point.t,
                             "what happens there depends on %s in jumps: nearby it is "
                             "something else",
                             z->model->parameters->names[z->def.by[k]]);
    }
    sensitivity_note_time(z, o.time);
    if (!z->loss.is_there)
        sensitivity_go_on(z, &o);
}

// An event that changed nothing but conditions that nothing depends on is no matter, even if its
// time is not known.
static void sensitivity_pass(Sensitivity *z, MemoryPool *pool)
{
    const size_t count = (size_t)z->run->active->mode->state_count * z->def.count;
    if (!z->bench || !z->main.s || z->bench->active->index != z->run->active->index ||
        z->bench->schedule.count != z->run->schedule.count)
        return;
    const double *s = memory_pool_copy(pool, z->main.s, count + 1, sizeof *s);
    z->loss.is_there = !s || !sensitivity_renew_bench(z);
    if (!z->loss.is_there)
        memcpy(z->main.s, s, count * sizeof *s);
}

void sensitivity_jump(Sensitivity *z)
{
    MemoryPool pool = {.allocator = z->pool.allocator};
    if (z->event.occasion & SALTUS_AT_LIMIT)
        sensitivity_lose(z, z->event.t, "events accumulate");
    if (z->pending > 1)
        sensitivity_lose(z, z->event.t, "two events at one instant, one after the other");
    const bool is_request = z->event.occasion & SALTUS_AT_REQUEST, was_lost = z->loss.is_there;
    if (is_request && z->event.has_effect)
        sensitivity_lose(z, z->event.t, "a solution has ended, and another one is taken");
    if (!z->loss.is_there && !is_request)
        jump_with(z, &pool);
    else
        sensitivity_note_time(z, NULL);
    if (z->loss.is_there && !was_lost && !z->event.has_effect)
        sensitivity_pass(z, &pool);
    z->pending = 0;
    z->last_event = z->event.t;
    memory_pool_free(&pool);
}

// ---------------------------------------------------------------------------
// Inputs
// ---------------------------------------------------------------------------

// The same is set nearby, at the same time.
static bool assign_nearby(Sensitivity *z, uint32_t k, double distance, const void *user,
                          SaltusRun **copy)
{
    const SensitivityDirection d = sensitivity_direction(z, &z->main, k);
    (void)user;
    if (!copy_nearby(z, &d, k, distance, copy))
        return false;
    for (int i = 0; i < z->bench->active->mode->state_count; i++)
        z->work.x_moved[i] = z->point.x[i] + distance * d.x[i];
    return exchange_fire(*copy, z->point.t, z->work.x_moved, z->point.z, NULL, 0) >= 0 &&
           saltus_model_set(z->outside.inputs.model, *copy, z->outside.assigned,
                            z->outside.assigned_count, NULL) >= 0;
}

static void assign_with(Sensitivity *z, MemoryPool *pool)
{
    SensitivityOutcome o = {0};
    if (!outcome_create(z, &o, pool)) {
        sensitivity_lose(z, z->run->t, "out of memory");
        return;
    }
    sensitivity_place(z, z->run->t, z->piece.x_end, z->piece.z_end);
    for (uint32_t k = 0; k < z->def.count && !z->loss.is_there; k++) {
        const SensitivityDirection d = sensitivity_direction(z, &z->main, k);
        o.time[k] = 0.0;
        if (!outcome_find(z, &o, k, sensitivity_reach(z, z->point.x, &d), assign_nearby, NULL))
            sensitivity_lose(z, z->point.t,
                             "what happens where an input is set depends on %s in jumps: nearby it "
                             "is something else",
                             z->model->parameters->names[z->def.by[k]]);
    }
    if (z->pending > 0)
        sensitivity_note_time(z, o.time);
    if (!z->loss.is_there)
        sensitivity_go_on(z, &o);
}

void sensitivity_assign(Sensitivity *z)
{
    MemoryPool pool = {.allocator = z->pool.allocator};
    if (z->pending > 1)
        sensitivity_lose(z, z->run->t, "two events at one instant, one after the other");
    if (!z->loss.is_there)
        assign_with(z, &pool);
    else if (z->pending > 0)
        sensitivity_note_time(z, NULL);
    z->pending = 0;
    z->last_event = z->run->t;
    memory_pool_free(&pool);
}

// ---------------------------------------------------------------------------
// Other states of the same mode
// ---------------------------------------------------------------------------

void sensitivity_reselect(Sensitivity *z)
{
    const SaltusModeDef *to = z->run->active->mode;
    const size_t n = (size_t)to->state_count, outputs = z->counts.outputs;
    MemoryPool pool = {.allocator = z->pool.allocator};
    double *s = memory_pool_new(&pool, n * z->def.count + 1, sizeof *s);
    sensitivity_place(z, z->main.t, z->piece.x_end, z->piece.z_end);
    for (uint32_t k = 0; k < z->def.count && s && !z->loss.is_there; k++) {
        const SensitivityDirection d = sensitivity_direction(z, &z->main, k);
        if (!sensitivity_derive(z, SENSITIVITY_OUTPUTS, &d, outputs, z->work.outputs))
            sensitivity_lose(z, z->point.t, "the equations cannot be evaluated near the run");
        for (size_t i = 0; i < n && !z->loss.is_there; i++) {
            uint32_t at = 0;
            while (at < outputs && strcmp(z->model->outputs.names[at], to->state_names[i]) != 0)
                at++;
            if (at == outputs)
                sensitivity_lose(z, z->point.t, "the state %s is chosen, which is no variable",
                                 to->state_names[i]);
            else
                s[k * n + i] = z->work.outputs[at];
        }
    }
    if (!s)
        sensitivity_lose(z, z->point.t, "out of memory");
    else if (!z->loss.is_there && sensitivity_renew_bench(z))
        memcpy(z->main.s, s, n * z->def.count * sizeof *s);
    z->is_reselected = false;
    memory_pool_free(&pool);
}
