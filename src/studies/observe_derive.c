// SPDX-License-Identifier: MIT
//
// Derivatives of results by a parameter, from those of what they are made of: final values and
// times of events. Others are not known here.

#include "studies/observe_parts.h"
#include "studies/ridders.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// What a result depends on, and how it moves with the parameter.
typedef struct ObserveMoves {
    const RunObserver *v;
    const Watch *tree;
    size_t slot_count, parameter_count, term_count;
    double *values, *rates, *moved; // of slots, parameters, terms
    ObserveResult *terms;
    size_t element;
} ObserveMoves;

static double *moves_parameters(const ObserveMoves *m, double *all)
{
    return all + m->slot_count;
}

static double *moves_terms(const ObserveMoves *m, double *all)
{
    return all + m->slot_count + m->parameter_count;
}

static bool moves_create(ObserveMoves *m)
{
    const size_t count = m->slot_count + m->parameter_count + m->term_count + 1;
    m->values = calloc(count, sizeof *m->values);
    m->rates = calloc(count, sizeof *m->rates);
    m->moved = calloc(count, sizeof *m->moved);
    m->terms = calloc(m->term_count + 1, sizeof *m->terms);
    return m->values && m->rates && m->moved && m->terms;
}

static void moves_free(ObserveMoves *m)
{
    free(m->values);
    free(m->rates);
    free(m->moved);
    free(m->terms);
}

// How the time of an event moves; NaN: there is none at t.
static double event_rate(const RunObserver *v, const ObserveRates *rates, double t)
{
    for (long i = 0; i < saltus_run_event_count(v->run) && i < rates->event_count; i++)
        if (saltus_run_event(v->run, i).t == t)
            return rates->events[i];
    return NAN;
}

static void moves_take_term(ObserveMoves *m, const ObserveRates *rates, uint32_t index)
{
    const ObserveResult *values = &m->v->term_values[index];
    const size_t k = values->count == 1 ? 0 : m->element;
    double *value = &moves_terms(m, m->values)[index], *rate = &moves_terms(m, m->rates)[index];
    const TermKind kind = m->v->o->terms[index].kind;
    *value = k < values->count ? values->values[k] : NAN;
    *rate = kind == TERM_COUNT ? 0.0 : kind == TERM_TIME_OF ? event_rate(m->v, rates, *value) : NAN;
}

// What occurs in the tree; the others stay at rest.
static void moves_take(ObserveMoves *m, const ObserveRates *rates, const Watch *w)
{
    if (!w)
        return;
    if (w->kind == WATCH_VARIABLE) {
        const int place = m->v->map->places[w->index];
        m->rates[w->index] =
            place >= 0 && place < rates->output_count ? rates->outputs[place] : NAN;
    } else if (w->kind == WATCH_PARAMETER) {
        moves_parameters(m, m->rates)[w->index] = rates->parameters[w->index];
    } else if (w->kind == WATCH_TERM) {
        moves_take_term(m, rates, w->index);
    } else if (w->kind == WATCH_SIGN || w->kind == WATCH_MODE) {
        m->rates[0] = NAN;
    }
    moves_take(m, rates, w->a);
    moves_take(m, rates, w->b);
    moves_take(m, rates, w->c);
}

static int moved_value(void *user, double from, double by, double *value, double *step)
{
    ObserveMoves *m = user;
    const size_t count = m->slot_count + m->parameter_count + m->term_count;
    *step = from + by;
    for (size_t i = 0; i < count; i++)
        m->moved[i] = m->values[i] + *step * m->rates[i];
    for (size_t i = 0; i < m->term_count; i++)
        m->terms[i] = (ObserveResult){.count = 1, .values = &moves_terms(m, m->moved)[i]};
    const WatchContext context = {.t = saltus_run_time(m->v->run),
                                  .slots = m->moved,
                                  .parameters = moves_parameters(m, m->moved),
                                  .signs = m->v->signs,
                                  .terms = m->terms};
    *value = watch_value(m->tree, &context);
    return isfinite(*value) ? 0 : 1;
}

// By differences along the way that everything moves.
static double moves_derive(ObserveMoves *m)
{
    const size_t count = m->slot_count + m->parameter_count + m->term_count;
    double fastest = 0.0, size = 0.0, derivative = NAN, error;
    for (size_t i = 0; i < count; i++) {
        if (isnan(m->rates[i]))
            return NAN;
        size = fmax(size, m->rates[i] != 0.0 ? fabs(m->values[i]) : 0.0);
        fastest = fmax(fastest, fabs(m->rates[i]));
    }
    if (fastest == 0.0)
        return 0.0;
    Ridders *ridders = ridders_create(1);
    const double step = 1e-2 * (size > 0.0 ? size : 1.0) / fastest;
    if (ridders && !ridders_derive(ridders, moved_value, m, 0.0, step, &derivative, &error))
        derivative = NAN;
    ridders_destroy(ridders);
    return derivative;
}

double observer_derivative(const RunObserver *v, size_t index, size_t element,
                           const ObserveRates *rates)
{
    ObserveMoves m = {.v = v,
                      .tree = v->o->items[index].tree,
                      .slot_count = v->o->slot_count + 1,
                      .parameter_count = v->o->names.parameter_count + 1,
                      .term_count = v->o->term_count,
                      .element = element};
    double derivative = NAN;
    if (moves_create(&m)) {
        memcpy(m.values, v->end, v->o->slot_count * sizeof *m.values);
        memcpy(moves_parameters(&m, m.values), v->parameters,
               v->o->names.parameter_count * sizeof *m.values);
        moves_take(&m, rates, m.tree);
        derivative = moves_derive(&m);
    }
    moves_free(&m);
    return derivative;
}
