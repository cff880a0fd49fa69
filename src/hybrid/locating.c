// SPDX-License-Identifier: MIT
//
// From the crossings that were detected in a step to the event: its time and its state.
//
// The zero is first sought on the dense output. There the state has the order of the
// interpolant only, so the bracket is finished on re-stepped states: closing steps of the
// solver's own method from the beginning of the step. The event is the right end of
// that bracket: the event function really has its new sign, up to rounding.

#include "base/real.h"
#include "events/henon.h"
#include "events/locate.h"
#include "hybrid/run.h"
#include <float.h>
#include <math.h>
#include <string.h>

// Closing steps for one event; two or three suffice where the dense output is accurate.
enum { MOST_CLOSINGS = 40 };

// Halvings of the bracket that may make it suit Hénon's method.
enum { MOST_HENON_HALVINGS = 8 };

// Steps in h after the closing step; they converge like Newton's method.
enum { MOST_HENON_CORRECTIONS = 5 };

static int state_inside(SaltusRun *run, double t, double *x, double *z)
{
    return run->solver->kind->interpolate(run->solver, t, x, z);
}

int locating_sample(void *user, double t, double *h)
{
    SaltusRun *run = user;
    Instance *active = run->active;
    // A joint evaluation finds the algebraic variables by itself.
    double *z = active->mode->evaluate ? NULL : active->z_sample;
    int code = state_inside(run, t, active->x_sample, z);
    if (code != 0)
        return code;
    return problem_events(active->problem, t, active->x_sample, active->z_sample, h);
}

typedef struct Search {
    SaltusRun *run;
    int event;
} Search;

// One event function on the dense output; for the locator.
static int search_function(void *user, double t, double *h, double *dh)
{
    Search *search = user;
    Instance *active = search->run->active;
    int code = locating_sample(search->run, t, active->h_sample);
    *h = active->h_sample[search->event];
    if (code != 0 || !dh)
        return code;
    code = problem_rhs(active->problem, t, active->x_sample, active->z_sample, active->dx);
    if (code == 0)
        code = problem_flow(active->problem, t, active->x_sample, active->z_sample, active->dx,
                            active->noise);
    *dh = active->noise[search->event];
    return code;
}

// Time, in the interpolant's eyes, of one crossing.
static int search_crossing(SaltusRun *run, const Crossing *crossing, double tolerance,
                           LocateBracket *bracket, LocateResult *result)
{
    const SaltusMethod *method = instance_method(run, run->active);
    Search search = {.run = run, .event = crossing->event};
    *bracket = (LocateBracket){.a = crossing->a,
                               .h_a = crossing->h_a,
                               .b = crossing->b,
                               .h_b = crossing->h_b,
                               .direction = crossing->direction};
    int code = locate_refine(method->locate, search_function, &search, bracket, tolerance,
                             method->locate_iterations, result);
    run->statistics.locator_iterations += result->iterations;
    return code;
}

// ---------------------------------------------------------------------------
// Closing steps
// ---------------------------------------------------------------------------

// The state at t: by a closing step, or from the dense output of multistep solvers.
static int close_at(SaltusRun *run, double t)
{
    Instance *active = run->active;
    Solver *solver = run->solver;
    int code = 0;
    if (t == solver->t_old || (t == solver->t && !solver->kind->closing_step)) {
        bool old = t == solver->t_old;
        memcpy(active->x, old ? solver->x_old : solver->x,
               sizeof(double) * (size_t)active->problem->nx);
        memcpy(active->z, old ? solver->z_old : solver->z,
               sizeof(double) * (size_t)active->problem->nz);
    } else if (solver->kind->closing_step) {
        code = solver->kind->closing_step(solver, t, active->x, active->z);
    } else {
        code = state_inside(run, t, active->x, active->z);
    }
    return code != 0 ? code : problem_events(active->problem, t, active->x, active->z, active->h);
}

// Finishes the bracket [a, b] of a crossing on re-stepped states, from the estimate t.
// Leaves the event's state and event functions in the active instance.
static int finish(SaltusRun *run, const Crossing *crossing, double tolerance, double *t,
                  double *bracket)
{
    const double *h = &run->active->h[crossing->event];
    int direction = crossing->direction;
    double low = crossing->a, high = crossing->b, at = *t;
    double resolution = real_larger(tolerance, locate_resolution(at));
    double slope = (crossing->h_b - crossing->h_a) / (crossing->b - crossing->a);
    double h_before = 0.0, t_before = at;
    for (int i = 0; i < MOST_CLOSINGS; i++) {
        int code = close_at(run, at);
        if (code != 0)
            return code;
        if (i > 0 && (*h - h_before) * direction * (at - t_before) > 0.0)
            slope = (*h - h_before) / (at - t_before);
        bool flipped = *h * direction >= 0.0;
        if (flipped)
            high = at;
        else
            low = at;
        if (flipped && (fabs(*h) <= fabs(slope) * resolution || high - low <= resolution))
            break;
        h_before = *h, t_before = at;
        double next = at - *h / slope + 0.5 * resolution;
        if (!(next > low && next < high) || i > MOST_CLOSINGS / 2)
            next = high - low <= resolution ? high : low + 0.5 * (high - low);
        if (next == at)
            break;
        at = next;
    }
    *t = at;
    *bracket = real_smaller(high - low, resolution);
    return 0;
}

// ---------------------------------------------------------------------------
// Hénon's method
// ---------------------------------------------------------------------------

// Narrows the bracket on the dense output until the change of variable suits its left end.
static bool prepare_henon(SaltusRun *run, Henon *henon, LocateBracket *bracket)
{
    Instance *active = run->active;
    Search search = {.run = run, .event = henon->event};
    for (int i = 0; i <= MOST_HENON_HALVINGS; i++) {
        if (state_inside(run, bracket->a, active->x_sample, active->z_sample) != 0)
            return false;
        if (henon_suits(henon, bracket->a, active->x_sample, active->z_sample, bracket->h_a,
                        bracket->b - bracket->a))
            return true;
        LocateResult result;
        if (locate_refine(SALTUS_LOCATE_BISECTION, search_function, &search, bracket, 0.0, 1,
                          &result) != 0)
            return false;
        run->statistics.locator_iterations++;
    }
    return false;
}

// The state at the event, once the change of variable has given its time: a closing step in
// time, which has the solver's accuracy, then steps in h over the little that is left.
static bool correct_henon(SaltusRun *run, Henon *henon, double noise, double *t)
{
    Instance *active = run->active;
    double *h = &active->h[henon->event];
    if (*t <= run->t || *t > run->solver->t || close_at(run, *t) != 0)
        return false;
    for (int i = 0; i < MOST_HENON_CORRECTIONS && fabs(*h) > noise; i++) {
        if (henon_step(henon, t, active->x, active->z, *h) != 0 ||
            problem_events(active->problem, *t, active->x, active->z, active->h) != 0)
            return false;
    }
    return true;
}

// The event by Hénon's method; false: fall back.
static bool find_by_henon(SaltusRun *run, const Crossing *crossing, double *t)
{
    Instance *active = run->active;
    int most = instance_method(run, active)->locate_iterations;
    double largest = real_larger(fabs(crossing->h_a), fabs(crossing->h_b));
    double slope = (crossing->h_b - crossing->h_a) / (crossing->b - crossing->a);
    double noise = real_larger(2.0 * DBL_EPSILON * largest,
                               0.5 * fabs(slope) * locate_resolution(crossing->b));
    Henon henon = {.problem = active->problem,
                   .solver = run->solver->kind->id,
                   .event = crossing->event,
                   .direction = crossing->direction,
                   .most = most,
                   .work = active->work};
    LocateBracket bracket = {.a = crossing->a,
                             .h_a = crossing->h_a,
                             .b = crossing->b,
                             .h_b = crossing->h_b,
                             .direction = crossing->direction};
    bool located = prepare_henon(run, &henon, &bracket) && close_at(run, bracket.a) == 0;
    *t = bracket.a;
    double *h = &active->h[crossing->event];
    if (located && *h * crossing->direction < 0.0)
        located = henon_step(&henon, t, active->x, active->z, *h) == 0;
    if (located && most > 0)
        located = problem_events(active->problem, *t, active->x, active->z, active->h) == 0;
    else if (located)
        located = correct_henon(run, &henon, noise, t);
    run->statistics.locator_iterations += henon.iterations;
    located = located && *t > run->t && *t <= run->solver->t;
    run->statistics.fallbacks += !located;
    return located;
}

// ---------------------------------------------------------------------------
// The earliest event
// ---------------------------------------------------------------------------

// The crossing whose zero on the dense output comes first.
static int earliest(SaltusRun *run, double tolerance, int *first, double *t)
{
    const Detector *detector = &run->active->detector;
    *first = -1;
    for (int i = 0; i < detector->crossing_count; i++) {
        const Crossing *crossing = &detector->crossings[i];
        if (*first >= 0 && crossing->a >= *t)
            break; // they are in order of their left ends
        LocateBracket bracket;
        LocateResult result;
        int code = search_crossing(run, crossing, tolerance, &bracket, &result);
        if (code != 0)
            return code;
        if (*first < 0 || result.t < *t)
            *first = i, *t = result.t;
    }
    return 0;
}

// Event functions that have crossed at the event: the one it is, by decree, all others whose
// sign is new there, and those whose own crossing is there up to rounding.
static void collect_fired(SaltusRun *run, const Crossing *located, double t, double tolerance,
                          SaltusFired *fired, int *fired_count)
{
    const Instance *active = run->active;
    const Detector *detector = &active->detector;
    *fired_count = 0;
    fired[(*fired_count)++] =
        (SaltusFired){.event = located->event, .direction = located->direction};
    double near = 2.0 * real_larger(tolerance, locate_resolution(t));
    for (int i = 0; i < detector->crossing_count; i++) {
        const Crossing *other = &detector->crossings[i];
        if (other->event == located->event || other->a > t)
            continue;
        double h = active->h[other->event];
        double slope = (other->h_b - other->h_a) / (other->b - other->a);
        if (h * other->direction >= 0.0 || fabs(h) <= near * fabs(slope))
            fired[(*fired_count)++] =
                (SaltusFired){.event = other->event, .direction = other->direction};
    }
}

SaltusStatus locating_find(SaltusRun *run, double *t, double *bracket, SaltusFired *fired,
                           int *fired_count)
{
    const SaltusMethod *method = instance_method(run, run->active);
    const Detector *detector = &run->active->detector;
    double tolerance = method->event_tolerance;
    int first = 0, code = 0;
    bool located = false;
    *bracket = tolerance;
    *t = detector->crossings[0].b;
    if (method->locate != SALTUS_LOCATE_HENON || detector->crossing_count > 1)
        code = earliest(run, tolerance, &first, t);
    const Crossing *crossing = &detector->crossings[first];
    if (code == 0 && method->locate == SALTUS_LOCATE_HENON)
        located = find_by_henon(run, crossing, t);
    if (code == 0 && !located && method->locate == SALTUS_LOCATE_HENON)
        code = earliest(run, tolerance, &first, t);
    bool estimate = method->locate_iterations > 0;
    if (code == 0 && !located && (estimate || !run->solver->kind->closing_step))
        code = close_at(run, *t);
    else if (code == 0 && !located)
        code = finish(run, crossing, tolerance, t, bracket);
    if (code != 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "while locating an event");
    collect_fired(run, crossing, *t, tolerance, fired, fired_count);
    return SALTUS_OK;
}
