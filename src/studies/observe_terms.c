// SPDX-License-Identifier: MIT
//
// Terms: what an observer keeps of the ranges that it sees, and the results at the end.
//
// A term is a function that looks at the whole run, of an expression, in a window: an extremum, an
// integral, how often or how long something holds, a value at a time or at the changes of a
// condition. It gets ranges in their order of time, with the changes of its condition in them; what
// it keeps does not grow with the run, but for `every`, whose values are the result. Of the last n
// changes it keeps a ring.

#include "base/message.h"
#include "studies/observe_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_KEPT = 1000000 };

static bool selects(const Term *term)
{
    return term->kind == TERM_AT || term->kind == TERM_BEFORE || term->kind == TERM_AFTER ||
           term->kind == TERM_TIME_OF;
}

// Values that are kept from the beginning; those of `every` come one by one.
static size_t kept_count(const Term *term)
{
    if (!selects(term))
        return 1;
    if (term->every)
        return 0;
    return (size_t)(term->first > 0 ? term->last - term->first + 1 : -term->first);
}

static bool observe_terms_make_room(TermState *s, size_t count)
{
    if (count <= s->room)
        return true;
    const size_t room = count > 2 * s->room ? count : 2 * s->room;
    double *values = realloc(s->values, room * sizeof *values);
    if (!values)
        return false;
    s->values = values;
    s->room = room;
    return true;
}

void terms_reset(RunObserver *v)
{
    for (uint32_t i = 0; i < v->o->term_count; i++) {
        TermState *s = &v->terms[i];
        const size_t count = kept_count(&v->o->terms[i]);
        if (!observe_terms_make_room(s, count ? count : 1)) {
            v->has_failed = true;
            return;
        }
        s->count = 0;
        s->sum = 0.0;
        s->best = s->when = s->lost = NAN;
        s->has_begun = false;
        s->pending = -1;
        for (size_t k = 0; k < s->room; k++)
            s->values[k] = NAN;
        v->term_values[i] = (ObserveResult){.count = count, .values = s->values};
    }
}

// ---------------------------------------------------------------------------
// Occurrences
// ---------------------------------------------------------------------------

// Where the value of occurrence `number` (from 1) belongs; -1: it is not wanted.
static long observe_terms_place_of(const Term *term, long number)
{
    if (term->every)
        return number - 1;
    if (term->first < 0)
        return (number - 1) % -term->first;
    return number >= term->first && number <= term->last ? number - term->first : -1;
}

static double moment(const RunObserver *v, const Term *term, double t, const double *slots)
{
    const WatchContext context = observer_context(v, t, slots);
    return watch_value(term->moment, &context);
}

// The value at a change, of the side that the term wants.
static double observe_terms_value_at(RunObserver *v, const Term *term, TermState *s,
                                     const Change *change, long place)
{
    const bool at_beginning = !v->piece || change->t <= v->piece->from;
    const double t = change->t, *slots = v->start;
    if (change->side == SIDE_EVENT)
        slots = term->kind != TERM_AFTER && v->has_left ? v->left : v->start;
    else if (change->side == SIDE_JUMP)
        slots = term->kind == TERM_BEFORE && at_beginning && v->has_left ? v->left : v->start;
    else if (change->side == SIDE_END)
        slots = v->end;
    else if (observer_slots(v, t, v->nodes))
        slots = v->nodes;
    else
        v->has_failed = true;
    if (term->kind == TERM_AFTER && change->side == SIDE_END && v->piece && t == v->piece->to)
        s->pending = place;
    return moment(v, term, t, slots);
}

static void observe_terms_add_occurrence(RunObserver *v, const Term *term, TermState *s,
                                         const Change *change)
{
    const long place = observe_terms_place_of(term, ++s->count);
    if (!selects(term) || place < 0)
        return;
    if (place >= MOST_KEPT || !observe_terms_make_room(s, (size_t)place + 1)) {
        v->has_failed = true;
        return;
    }
    s->values[place] =
        term->kind == TERM_TIME_OF ? change->t : observe_terms_value_at(v, term, s, change, place);
}

void terms_settle(RunObserver *v, double t, const double *slots)
{
    for (uint32_t i = 0; i < v->o->term_count; i++) {
        TermState *s = &v->terms[i];
        if (s->pending >= 0)
            s->values[s->pending] = moment(v, &v->o->terms[i], t, slots);
        s->pending = -1;
    }
}

// ---------------------------------------------------------------------------
// Ranges
// ---------------------------------------------------------------------------

static double place_in(Interval r, double t)
{
    return r.high > r.low ? fmax(-1.0, fmin(1.0, (2.0 * t - r.low - r.high) / (r.high - r.low)))
                          : -1.0;
}

static double time_in(Interval r, double s)
{
    return 0.5 * (r.low + r.high) + 0.5 * (r.high - r.low) * s;
}

static void try_extremum(const Term *term, TermState *s, double t, double value)
{
    const bool is_maximum = term->kind == TERM_MAXIMUM || term->kind == TERM_TIME_OF_MAXIMUM;
    if (isnan(s->best) || (is_maximum ? value > s->best : value < s->best)) {
        s->best = value;
        s->when = t;
    }
}

static void add_extremum(const Term *term, TermState *s, ProbeState *p, Interval r, Interval window)
{
    const bool is_maximum = term->kind == TERM_MAXIMUM || term->kind == TERM_TIME_OF_MAXIMUM;
    if (!isnan(s->best) && (is_maximum ? p->highest <= s->best : p->lowest >= s->best))
        return; // nothing better in this range
    const double lower = place_in(r, window.low), upper = place_in(r, window.high);
    try_extremum(term, s, window.low,
                 window.low <= r.low ? p->start : chebyshev_value(&p->f, lower));
    for (int i = 0; i < probe_extrema(p); i++)
        if (p->extrema[i] > lower && p->extrema[i] < upper)
            try_extremum(term, s, time_in(r, p->extrema[i]), chebyshev_value(&p->f, p->extrema[i]));
    try_extremum(term, s, window.high,
                 window.high >= r.high ? p->end : chebyshev_value(&p->f, upper));
}

// How long the condition holds in the window.
static double duration(const RunObserver *v, uint32_t condition, Interval window)
{
    const Change *changes = v->changes[condition].items;
    const size_t count = v->changes[condition].count;
    bool holds = count ? !changes[0].value : v->conditions.values[condition];
    double sum = 0.0, since = window.low;
    for (size_t i = 0; i <= count; i++) {
        const double t =
            i < count ? fmax(window.low, fmin(window.high, changes[i].t)) : window.high;
        sum += holds ? t - since : 0.0;
        since = t;
        holds = i < count ? changes[i].value : holds;
    }
    return sum;
}

static void add_at_time(RunObserver *v, const Term *term, TermState *s, Interval r)
{
    const WatchContext context = observer_context(v, NAN, v->start);
    const double t = watch_value(term->when, &context);
    if (!(t >= r.low && t <= r.high))
        return;
    const double *slots = t == r.low ? v->start : v->end;
    if (t > r.low && t < r.high) {
        v->has_failed |= !observer_slots(v, t, v->nodes);
        slots = v->nodes;
    }
    s->values[0] = moment(v, term, t, slots);
}

static void add_range(RunObserver *v, const Term *term, TermState *s, Interval r)
{
    const WatchContext context = observer_context(v, NAN, v->start);
    const double from = term->from ? watch_value(term->from, &context) : -INFINITY;
    const double to = term->to ? watch_value(term->to, &context) : INFINITY;
    if (isnan(from) || from > r.high)
        return; // it has not begun
    const Interval window = {fmax(r.low, from), fmin(r.high, isnan(to) ? INFINITY : to)};
    s->has_begun = true;
    if (selects(term) || term->kind == TERM_COUNT) {
        const Change *changes = v->changes[term->condition].items;
        for (size_t i = 0; i < v->changes[term->condition].count; i++)
            if (changes[i].value && changes[i].t > from && !(changes[i].t > to))
                observe_terms_add_occurrence(v, term, s, &changes[i]);
        return;
    }
    ProbeState *p = &v->probes[term->probe];
    if (window.low > window.high)
        return;
    // (Of the range beside a window the end belongs to it.)
    const bool is_duration = term->kind == TERM_DURATION;
    const double undecided = v->changes[term->condition].is_undecided ? r.low : NAN;
    const double lost = is_duration ? undecided : p->lost;
    if (isnan(s->lost) && (window.low < window.high || r.low == r.high) && lost <= window.high)
        s->lost = fmax(lost, window.low);
    if (!is_duration && !p->is_there)
        return;
    if (is_duration)
        s->sum += duration(v, term->condition, window);
    else if (term->kind == TERM_INTEGRAL)
        s->sum += 0.5 * (r.high - r.low) *
                  chebyshev_integral(&p->f, place_in(r, window.low), place_in(r, window.high));
    else
        add_extremum(term, s, p, r, window);
}

void terms_add(RunObserver *v, Interval r)
{
    for (uint32_t i = 0; i < v->o->term_count; i++) {
        if (v->o->terms[i].kind == TERM_AT_TIME)
            add_at_time(v, &v->o->terms[i], &v->terms[i], r);
        else
            add_range(v, &v->o->terms[i], &v->terms[i], r);
        v->term_values[i].values = v->terms[i].values; // it may have moved
    }
}

// ---------------------------------------------------------------------------
// Results
// ---------------------------------------------------------------------------

// The ring of the last values, in their order: those from `first` to `last` before the end.
static bool observe_terms_unroll(const Term *term, TermState *s)
{
    const long size = -term->first, count = term->last - term->first + 1;
    double *ordered = malloc((size_t)count * sizeof *ordered);
    if (!ordered)
        return false;
    for (long i = 0; i < count; i++) {
        const long number = s->count + 1 + term->first + i; // of the occurrence, from 1
        ordered[i] = number >= 1 ? s->values[(number - 1) % size] : NAN;
    }
    memcpy(s->values, ordered, (size_t)count * sizeof *ordered);
    free(ordered);
    return true;
}

static bool finish_term(RunObserver *v, uint32_t i)
{
    const Term *term = &v->o->terms[i];
    TermState *s = &v->terms[i];
    ObserveResult *values = &v->term_values[i];
    switch (term->kind) {
    case TERM_MAXIMUM:
    case TERM_MINIMUM:
        s->values[0] = isnan(s->lost) ? s->best : NAN;
        return true;
    case TERM_TIME_OF_MAXIMUM:
    case TERM_TIME_OF_MINIMUM:
        s->values[0] = isnan(s->lost) ? s->when : NAN;
        return true;
    case TERM_INTEGRAL:
    case TERM_DURATION:
        s->values[0] = s->has_begun && isnan(s->lost) ? s->sum : NAN;
        return true;
    case TERM_COUNT:
        s->values[0] = (double)s->count;
        return true;
    case TERM_AT_TIME:
        return true;
    default:
        break;
    }
    if (term->every)
        values->count = (size_t)s->count;
    else if (term->first < 0) {
        values->count = (size_t)(term->last - term->first + 1);
        return observe_terms_unroll(term, s);
    }
    return true;
}

static void explain_term(const RunObserver *v, uint32_t index, size_t element, char **reason)
{
    const Term *term = &v->o->terms[index];
    const TermState *s = &v->terms[index];
    if (!isnan(s->lost)) {
        message_set(reason, "'%s' has no value: what it looks at is not finite at t = %.6g",
                    term->text, s->lost);
    } else if (!s->has_begun && term->kind != TERM_AT_TIME) {
        message_set(reason, "'%s' never began: its `from` did not happen", term->text);
    } else if (selects(term) && (term->every || element < v->term_values[index].count)) {
        const long wanted = term->first + (long)element;
        const char *what = v->o->conditions[term->condition].text;
        if (wanted <= 0 ? s->count >= -wanted : s->count >= wanted)
            message_set(reason, "'%s' is no number there", term->text);
        else if (s->count == 0)
            message_set(reason, "'%s' never happened", what);
        else
            message_set(reason, "'%s' happened %ld time%s only", what, s->count,
                        s->count > 1 ? "s" : "");
    } else {
        message_set(reason, "'%s' has no value in this run", term->text);
    }
}

static void observe_terms_explain(RunObserver *v, size_t item, size_t element)
{
    const uint32_t term = watch_missing(v->o->items[item].tree, v->term_values, element);
    if (term != UINT32_MAX)
        explain_term(v, term, element, &v->reasons[item]);
    else
        message_set(&v->reasons[item], "'%s' is not a number", v->o->items[item].name);
}

static bool finish_results(RunObserver *v, double end)
{
    const Observations *o = v->o;
    size_t total = 0;
    for (size_t i = 0; i < o->item_count; i++) {
        v->results.starts[i] = total;
        total += watch_count(o->items[i].tree, v->term_values);
    }
    v->results.starts[o->item_count] = total;
    if (total > v->results.room) {
        double *results = realloc(v->results.values, total * sizeof *results);
        if (!results)
            return false;
        v->results.values = results;
        v->results.room = total;
    }
    WatchContext context = observer_context(v, end, v->end);
    for (size_t i = 0; i < o->item_count; i++) {
        free(v->reasons[i]);
        v->reasons[i] = NULL;
        for (size_t k = v->results.starts[i]; k < v->results.starts[i + 1]; k++) {
            context.element = k - v->results.starts[i];
            v->results.values[k] = watch_value(o->items[i].tree, &context);
            if (isnan(v->results.values[k]) && !v->reasons[i])
                observe_terms_explain(v, i, context.element);
            else if (isinf(v->results.values[k]) && !v->reasons[i])
                message_set(&v->reasons[i], "'%s' is infinite", o->items[i].name);
        }
    }
    return true;
}

bool terms_finish(RunObserver *v, double end)
{
    bool is_fine = true;
    for (uint32_t i = 0; i < v->o->term_count; i++)
        is_fine &= finish_term(v, i);
    return is_fine && finish_results(v, end);
}

ObserveResult observer_result(const RunObserver *v, size_t index)
{
    const size_t start = v->results.starts[index];
    return (ObserveResult){.count = v->results.starts[index + 1] - start,
                           .values = v->results.values + start,
                           .reason = v->reasons[index] ? v->reasons[index] : ""};
}
