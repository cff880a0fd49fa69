// SPDX-License-Identifier: MIT
//
// An event by a change of variable (events/henon.h; Hénon 1982): the event function becomes the
// variable of integration, so that its zero is the end of a step and not the result of a search.
//
// The change of variable needs a function that is steep enough at the beginning of that step, so
// the bracket is halved on the dense output until it is. The state at the event is that of a
// closing step, as with the other locators; what remains is corrected by steps in h.

#include "base/real.h"
#include "events/henon.h"
#include "hybrid/locating_parts.h"
#include <math.h>

// Halvings of the bracket that may make it suit Hénon's method.
enum { MOST_HENON_HALVINGS = 8 };

// Steps in h after the closing step; they converge like Newton's method.
enum { MOST_HENON_CORRECTIONS = 8 };

// A step in h over this part of the time since the last event is as accurate as rounding, for
// any order from 4 on.
static const double little = 1e-3;

// Narrows the bracket on the dense output until the change of variable suits its left end.
static bool prepare_henon(SaltusRun *run, Henon *henon, Crossing *bracket)
{
    RunInstance *active = run->active;
    LocatingSearch search = {.run = run, .event = henon->event};
    for (int i = 0; i <= MOST_HENON_HALVINGS; i++) {
        if (run->solver->kind->interpolate(run->solver, bracket->a, active->sample.x,
                                           active->sample.z) != 0)
            return false;
        if (henon_suits(henon, bracket->a, active->sample.x, active->sample.z, bracket->h_a,
                        bracket->b - bracket->a))
            return true;
        Localisation result = {.most = 1};
        if (locate_refine(SALTUS_LOCATE_BISECTION, locating_look_at, &search, bracket, &result) !=
            0)
            return false;
        run->statistics.locator_iterations++;
    }
    return false;
}

// The state at the event, once the change of variable has given its time: a closing step in
// time, which has the solver's accuracy, then steps in h over the little that is left. Where it
// is not little, for the first estimate came from the dense output, the step in h corrects the
// time only, and the closing step is taken again.
static bool correct_henon(SaltusRun *run, Henon *henon, const Crossing *crossing, double *t)
{
    RunInstance *active = run->active;
    double *h = &active->h[henon->event];
    double rounding = active->armed[henon->event].noise;
    if (locating_noise(run, *t, active->noise) == 0)
        rounding = real_smaller(rounding, active->noise[henon->event]);
    rounding *= 0.125;
    bool closed = false;
    for (int i = 0; i < MOST_HENON_CORRECTIONS; i++) {
        if (!closed && (*t <= run->t || *t > run->solver->t || locating_close(run, *t) != 0))
            return false;
        double resolved = 0.5 * locating_least_slope(crossing, *t) * locate_resolution(*t);
        if (fabs(*h) <= real_larger(rounding, resolved))
            return true;
        double before = *t;
        if (henon_step(henon, t, active->x, active->z, *h) != 0)
            return false;
        closed = fabs(*t - before) <= little * (*t - run->t);
        if (closed && problem_events(active->problem, *t, active->x, active->z, active->h) != 0)
            return false;
    }
    return closed;
}

bool locating_by_henon(SaltusRun *run, const Crossing *crossing, double *t)
{
    RunInstance *active = run->active;
    int most = instance_method(run, active)->locate_iterations;
    Henon henon = {.problem = active->problem,
                   .solver = run->solver->kind->id,
                   .event = crossing->event,
                   .direction = crossing->direction,
                   .most = most,
                   .work = active->work};
    Crossing bracket = *crossing;
    bracket.c = bracket.a;
    bracket.h_c = bracket.h_a;
    bool located = prepare_henon(run, &henon, &bracket) && locating_close(run, bracket.a) == 0;
    *t = bracket.a;
    double *h = &active->h[crossing->event];
    if (located && *h * crossing->direction < 0.0)
        located = henon_step(&henon, t, active->x, active->z, *h) == 0;
    if (located && most > 0)
        located = problem_events(active->problem, *t, active->x, active->z, active->h) == 0;
    else if (located)
        located = correct_henon(run, &henon, crossing, t);
    run->statistics.locator_iterations += henon.iterations;
    located = located && *t > run->t && *t <= run->solver->t;
    run->statistics.fallbacks += !located;
    return located;
}
