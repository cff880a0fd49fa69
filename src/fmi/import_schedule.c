// SPDX-License-Identifier: MIT
//
// Scheduled execution (FMI 3.0, section 5): the FMU has input clocks, and a partition of its model
// for each of them, which the importer activates when the clock ticks. One after the other, in one
// thread: at one time in the order of the clocks' priorities, and of their variables; nothing
// interrupts anything, so there is nothing to lock.

#include "base/message.h"
#include "base/number.h"
#include "fmi/import_parts.h"

#include <math.h>
#include <string.h>

// Activations at one time: beyond, it never ends.
enum { SCHEDULE_MOST_AT_ONCE = 100000 };

typedef struct ScheduleClock {
    const FmuVariable *variable;
    double next;            // infinite: it is not known
    double interval, begun; // of what is periodic
    double count;           // ticks
    const char *times;      // of what the user triggers: those that are left
} ScheduleClock;

struct ImportSchedule {
    ScheduleClock *clocks; // in the order of their priorities
    uint32_t count;
    double now;
    bool has_failed;
};

static bool clocks_is_periodic(const FmuVariable *v)
{
    return v->interval_kind <= FMU_INTERVAL_TUNABLE;
}

// The number at the beginning of a text, and the rest of it. False: there is none.
static bool clocks_read(const char **text, double *value)
{
    const char *begin = *text + strspn(*text, " \t\n\r");
    const bool is_negative = *begin == '-';
    begin += is_negative;
    const size_t length = strcspn(begin, " \t\n\r");
    *text = begin + length;
    if (length == 0 || !number_read(begin, length, value))
        return false;
    *value = is_negative ? -*value : *value;
    return true;
}

bool import_schedule_check(const FmuVariable *v, const char *text, char **message)
{
    double last = -INFINITY, time = 0.0;
    bool is_rising = true;
    if (v->causality != FMU_INPUT || v->interval_kind != FMU_INTERVAL_TRIGGERED)
        return message_set(message, "the clock %s ticks by itself: it has no times to be set",
                           v->name);
    while (is_rising && text[strspn(text, " \t\n\r")]) {
        is_rising = clocks_read(&text, &time) && time > last;
        last = time;
    }
    if (!is_rising)
        message_set(message, "the times at which the clock %s ticks are rising numbers", v->name);
    return is_rising;
}

// ---------------------------------------------------------------------------
// When clocks tick
// ---------------------------------------------------------------------------

// What the FMU says of the interval of a clock: 0 it is not known, 1 as before, 2 it is new.
static int clocks_ask(const ImportParts *p, ScheduleClock *clock)
{
    Fmi3IntervalQualifier qualifier = FMI3_INTERVAL_NOT_YET_KNOWN;
    double interval = NAN;
    if (!p->binary.fmi3.GetIntervalDecimal ||
        p->binary.fmi3.GetIntervalDecimal(p->instance, &clock->variable->reference, 1, &interval,
                                          &qualifier) > FMI3_WARNING) {
        p->schedule->has_failed = true;
        return 0;
    }
    if (qualifier == FMI3_INTERVAL_CHANGED && !(interval >= 0.0)) {
        p->schedule->has_failed = true;
        return 0;
    }
    if (qualifier == FMI3_INTERVAL_CHANGED)
        clock->interval = interval;
    return (int)qualifier;
}

static void clocks_begin(const ImportParts *p, ScheduleClock *clock)
{
    const FmuVariable *v = clock->variable;
    const double shift = v->shift > 0.0 ? v->shift : 0.0;
    clock->next = INFINITY;
    clock->interval = v->interval;
    clock->begun = p->schedule->now + shift;
    if (v->interval_kind == FMU_INTERVAL_TRIGGERED) {
        if (clock->times && !clocks_read(&clock->times, &clock->next))
            clock->next = INFINITY;
        return;
    }
    const bool is_known = v->interval_kind <= FMU_INTERVAL_FIXED;
    const int answer = is_known ? 1 : clocks_ask(p, clock);
    if (v->interval_kind == FMU_INTERVAL_COUNTDOWN && answer == 2)
        clock->next = p->schedule->now + clock->interval;
    else if (v->interval_kind != FMU_INTERVAL_COUNTDOWN && (is_known || answer > 0))
        clock->next = clock->begun;
    if (clocks_is_periodic(v) && !(clock->interval > 0.0))
        p->schedule->has_failed = true;
}

// After a tick.
static void clocks_go_on(const ImportParts *p, ScheduleClock *clock)
{
    const FmuVariable *v = clock->variable;
    clock->count++;
    if (clocks_is_periodic(v)) {
        clock->next = clock->begun + clock->count * clock->interval;
    } else if (v->interval_kind == FMU_INTERVAL_TRIGGERED) {
        if (!clock->times || !clocks_read(&clock->times, &clock->next))
            clock->next = INFINITY;
    } else if (v->interval_kind == FMU_INTERVAL_CHANGING) {
        clock->next = clocks_ask(p, clock) > 0 && clock->interval > 0.0
                          ? p->schedule->now + clock->interval
                          : INFINITY;
    }
}

void import_schedule_update(void *environment)
{
    const ImportParts *p = environment;
    struct ImportSchedule *s = p->schedule;
    for (uint32_t i = 0; s && i < s->count; i++) {
        ScheduleClock *clock = &s->clocks[i];
        if (clock->variable->interval_kind == FMU_INTERVAL_COUNTDOWN && clocks_ask(p, clock) == 2)
            clock->next = s->now + clock->interval;
    }
}

void import_schedule_lock(void) {}

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

static const char *clocks_times(const ImportDef *def, const char *name)
{
    for (size_t i = 0; i < def->setting_count; i++)
        if (strcmp(def->settings[i].name, name) == 0)
            return def->settings[i].value;
    return NULL;
}

// The input clocks, by their priorities. False: out of memory, or one is not defined.
static bool clocks_create(ImportedFmu *import, struct ImportSchedule *s)
{
    const FmuDescription *d = import->description;
    ImportParts *p = import->parts;
    *s = (struct ImportSchedule){.now = p->def.start_time};
    s->clocks = ARENA_ARRAY(p->arena, d->variable_count + 1u, ScheduleClock);
    for (uint32_t i = 0; s->clocks && i < d->variable_count; i++) {
        const FmuVariable *v = &d->variables[i];
        if (v->type != FMU_CLOCK || v->causality != FMU_INPUT || v->alias != FMU_NOTHING)
            continue;
        uint32_t k = s->count++;
        for (; k > 0 && s->clocks[k - 1].variable->priority > v->priority; k--)
            s->clocks[k] = s->clocks[k - 1];
        s->clocks[k] = (ScheduleClock){.variable = v, .times = clocks_times(&p->def, v->name)};
    }
    p->schedule = s;
    for (uint32_t i = 0; s->clocks && i < s->count; i++)
        clocks_begin(p, &s->clocks[i]);
    return s->clocks && !s->has_failed;
}

// Of all clocks that tick next, the one that goes first.
static ScheduleClock *clocks_next(const struct ImportSchedule *s)
{
    ScheduleClock *first = NULL;
    for (uint32_t i = 0; i < s->count; i++)
        if (!first || s->clocks[i].next < first->next)
            first = &s->clocks[i];
    return first && isfinite(first->next) ? first : NULL;
}

static SaltusStatus clocks_activate(ImportParts *p, double t, char **message)
{
    struct ImportSchedule *s = p->schedule;
    s->now = t;
    for (int n = 0; n < SCHEDULE_MOST_AT_ONCE; n++) {
        ScheduleClock *clock = clocks_next(s);
        if (!clock || clock->next > t)
            return SALTUS_OK;
        clock->next = INFINITY;
        const Fmi3Status status =
            p->binary.fmi3.ActivateModelPartition(p->instance, clock->variable->reference, t);
        if (status > FMI3_WARNING || s->has_failed) {
            message_set(message, "the partition of the clock %s failed at t = %g",
                        clock->variable->name, t);
            import_add_said(p, message);
            return SALTUS_ERROR_EVALUATION;
        }
        // A countdown that the partition itself has set anew goes on.
        if (clock->variable->interval_kind != FMU_INTERVAL_COUNTDOWN)
            clocks_go_on(p, clock);
    }
    message_set(message, "the clocks do not stop ticking at t = %g", t);
    return SALTUS_ERROR_EVALUATION;
}

SaltusStatus import_run_schedule(ImportedFmu *import, ImportRow *row, void *user, char **message)
{
    ImportParts *p = import->parts;
    const ImportDef *def = &p->def;
    struct ImportSchedule schedule;
    SaltusStatus status = SALTUS_OK;
    double t = def->start_time;
    if (!clocks_create(import, &schedule)) {
        message_set(message, "the interval of a clock of the FMU is not known");
        status = SALTUS_ERROR_EVALUATION;
    }
    for (long k = 1; status == SALTUS_OK;) {
        status = clocks_activate(p, t, message);
        if (status == SALTUS_OK && !import_get_values(import, p->values)) {
            message_set(message, "the FMU has no values");
            status = SALTUS_ERROR_EVALUATION;
        }
        if (status == SALTUS_OK && row(user, t, p->values) != 0)
            status = SALTUS_INTERRUPTED;
        if (status != SALTUS_OK || !(t < def->stop_time))
            break;
        const ScheduleClock *tick = clocks_next(&schedule);
        double point = def->start_time + (double)k * def->interval;
        if (point > def->stop_time || def->stop_time - point < 1e-9 * def->interval)
            point = def->stop_time;
        const double next = tick && tick->next < point ? tick->next : point;
        // A tick that is there up to rounding is at the point.
        t = point - next < 1e-9 * def->interval ? point : next;
        k += t == point;
    }
    p->schedule = NULL;
    return status;
}
