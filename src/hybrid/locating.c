// SPDX-License-Identifier: MIT
//
// From the crossings that were detected in a step to the event: its time and its state.
//
// The zero is first sought on the dense output. There the state has the order of the
// interpolant only, so the bracket is finished on re-stepped states: closing steps of the
// solver's own method from the beginning of the step. The event is the right end of
// that bracket: the event function really has its new sign, up to rounding.

#include "base/real.h"
#include "events/arm.h"
#include "events/locate.h"
#include "hybrid/locating_parts.h"
#include <float.h>
#include <math.h>
#include <string.h>

// Closing steps for one event; two or three suffice where the dense output is accurate. Those after
// the first few bisect, from a step to the resolution of time in at most 52, or end in the noise;
// as many may be needed before, to find the new sign by looking twice as far again and again.
enum { MOST_CLOSINGS = 160, FEW_CLOSINGS = 8, STALE_CLOSINGS = 3, LOST_CLOSINGS = 4 };
// Of what the tolerances tell apart: what is not more, and has not become smaller in the last
// closings, is an error of the solution.
static const double part_of_error = 1e-3;
// What is not more than this part of the change over a cell of the step, and does not get smaller,
// is rounding.
static const double locating_negligible = 1e-6;
// Closing steps round so many times more than event functions, whose noise is known.
static const double rounding_of_closings = 8.0;

// Steps that are taken again, smaller, because their dense output has a crossing that re-stepped
// states have not. If that does not help, the crossing is only touching or noise.
enum { MOST_DISTRUST = 5 };

// Roots of one function closer than this many resolutions of time are the same one.
static const double same_root = 8.0;
static const double widening = 16.0;

// What a step of a solver rounds, in resolutions of time, and how many steps count: a ramp that
// ends at a time event is there up to this.
static const double rounding_of_step = 4.0, rounding_of_stages = 16.0;
enum { MOST_ROUNDED_STEPS = 100 };

// A failed evaluation, told apart from what locating_find may answer.
static int failure(int code)
{
    return code <= 0 ? code : SALTUS_ERROR_EVALUATION;
}

double locating_reach(const SaltusRun *run, double t)
{
    const long steps = run->statistics.steps;
    const double count = (double)(steps < MOST_ROUNDED_STEPS ? steps : MOST_ROUNDED_STEPS);
    return (1.0 + rounding_of_step * count) * locate_resolution(t);
}

static int state_inside(SaltusRun *run, double t, double *x, double *z)
{
    return run->solver->kind->interpolate(run->solver, t, x, z);
}

// The equations of a condition may be defined only where another one holds (y > 0 and sqrt(y) >
// 0.3): behind the zero of that one, which is an event of its own, this one keeps the sign that it
// had. `code`: of an evaluation that failed.
static int locating_behind(RunInstance *active, int code, double *h)
{
    const int count = active->mode->event_count;
    if (code < 0 || active->problem->failure.what != problem_event_function)
        return code;
    bool is_behind = false;
    for (int i = 0; i < count && !is_behind; i++)
        is_behind = !active->mode->events[i].is_muted && active->armed[i].sign != 0 &&
                    isfinite(h[i]) && active->armed[i].sign * h[i] <= 0.0;
    for (int i = 0; i < count && is_behind; i++)
        if (!isfinite(h[i]))
            h[i] = active->armed[i].sign; // which is all that matters of it
    active->has_undefined |= is_behind;
    return is_behind ? 0 : code;
}

static inline int locating_functions(RunInstance *active, double t, const double *x,
                                     const double *z, double *h)
{
    const int code = problem_events(active->problem, t, x, z, h);
    return PROBLEM_RARELY(code != 0) ? locating_behind(active, code, h) : 0;
}

int locating_events(RunInstance *active, double t, const double *x, const double *z, double *h)
{
    return locating_functions(active, t, x, z, h);
}

int locating_sample(void *user, int count, const double *times, double *h)
{
    SaltusRun *run = user;
    RunInstance *active = run->active;
    Solver *solver = run->solver;
    Problem *problem = active->problem;
    const SaltusModeDef *mode = active->mode;
    const int nx = problem->nx, events = mode->event_count;
    int code = 0;
    // A joint evaluation finds the algebraic variables by itself.
    double *x = active->sample.x, *z = mode->evaluate ? NULL : active->sample.z;
    if (solver->kind->sample && (!z || problem->nz == 0)) {
        code = solver->kind->sample(solver, count, times, x);
        if (code != 0)
            return code;
        for (const double *t = times; t < times + count; t++, x += nx, h += events) {
            code = problem_events_of(problem, mode, events, *t, x, z, h);
            if (PROBLEM_RARELY(code != 0) && (code = locating_behind(active, code, h)) != 0)
                return code;
        }
        return 0;
    }
    for (int j = 0; j < count && code == 0; j++) {
        code = solver->kind->interpolate(solver, times[j], x, z);
        if (code == 0)
            code = locating_functions(active, times[j], x, active->sample.z, h + j * events);
    }
    return code;
}

// Their derivatives along the flow.
static int locating_rates(void *user, int count, const double *times, double *dh)
{
    SaltusRun *run = user;
    RunInstance *active = run->active;
    Problem *problem = active->problem;
    Solver *solver = run->solver;
    double *x = active->sample.x, *z = active->sample.z;
    int code = problem->form == PROBLEM_IMPLICIT ? 1 : 0, events = active->mode->event_count;
    const int inner = count - 2; // those of a whole step, but for its ends
    const bool has_inner = inner > 0 && solver->kind->sample && problem->nz == 0 && code == 0 &&
                           solver->kind->sample(solver, inner, times + 1, x + problem->nx) == 0;
    for (int j = 0; j < count && code == 0; j++) {
        double *at = has_inner && j > 0 && j <= inner ? x + (ptrdiff_t)j * problem->nx : x;
        if (at == x)
            code = state_inside(run, times[j], x, z);
        if (code == 0 && !active->mode->has_flow)
            code = problem_rhs(problem, times[j], at, z, active->dx);
        if (code == 0)
            code = problem_flow(problem, times[j], at, z, active->dx, dh + j * events);
    }
    return code;
}

static long locating_evaluations(const SaltusRun *run)
{
    return run->statistics.f_evaluations + run->statistics.h_evaluations;
}

// Samples and rates that are asked for now and then; solvers are not compared by that.
static int locating_look(void *user, int count, const double *times, double *h)
{
    SaltusRun *run = user;
    const long before = locating_evaluations(run);
    const int code = locating_sample(run, count, times, h);
    run->active->contest.apart += locating_evaluations(run) - before;
    return code;
}

static int locating_look_rates(void *user, int count, const double *times, double *dh)
{
    SaltusRun *run = user;
    const long before = locating_evaluations(run);
    const int code = locating_rates(run, count, times, dh);
    run->active->contest.apart += locating_evaluations(run) - before;
    return code;
}

// The event functions so long after the step of the solver, along its tangent.
static int locating_beyond(void *user, double delta, double *h)
{
    SaltusRun *run = user;
    RunInstance *active = run->active;
    Problem *problem = active->problem;
    const Solver *solver = run->solver;
    if (problem->form == PROBLEM_IMPLICIT)
        return 1;
    int code = problem_rhs(problem, solver->t, solver->x, solver->z, active->dx);
    if (code == 0)
        code = problem_events_ahead(problem, solver->t, solver->x, solver->z, active->dx, delta, h);
    return code;
}

double locating_explicit_step(const SaltusRun *run)
{
    const Solver *solver = run->solver;
    const bool is_explicit =
        solver && solver->problem == run->active->problem &&
        (solver->kind->id == SALTUS_SOLVER_DOPRI5 || solver->kind->id == SALTUS_SOLVER_DOP853);
    return is_explicit ? solver->t - solver->t_old : 0.0;
}

// Their rounding noise inside the step.
int locating_noise(void *user, double t, double *noise)
{
    SaltusRun *run = user;
    RunInstance *active = run->active;
    Problem *problem = active->problem;
    const bool is_irregular =
        guards_are_irregular(active->guards, active->mode->event_count, run->t);
    ArmPoint point = {.t = t,
                      .x = active->sample.x,
                      .z = active->sample.z,
                      .dx = active->dx,
                      .x_scale = active->sample.x, // as large as they are
                      .h = active->sample.h,
                      .by_tolerance = is_irregular,
                      .step = is_irregular ? locating_explicit_step(run) : 0.0};
    int code = problem->form == PROBLEM_IMPLICIT ? 1 : 0;
    if (code == 0)
        code = state_inside(run, t, active->sample.x, active->sample.z);
    if (code == 0)
        code = problem_rhs(problem, t, active->sample.x, active->sample.z, active->dx);
    if (code == 0)
        code = problem_events(problem, t, active->sample.x, active->sample.z, active->sample.h);
    if (code == 0)
        code = arm_noise(problem, &point, noise, active->work);
    if (code == 0)
        guards_raise_noise(active->guards, active->mode->event_count, run->t, noise);
    return code;
}

void locating_lessen_noise(SaltusRun *run, int event, bool *is_measured)
{
    RunInstance *active = run->active;
    Armed *armed = &active->armed[event];
    if (!*is_measured && locating_noise(run, run->solver->t, active->noise) != 0)
        return;
    *is_measured = true;
    armed->noise = real_smaller(armed->noise, active->noise[event]);
    armed->rounding = real_smaller(armed->rounding, armed->noise);
}

// The change of one event function at a time of the step if states differ by part of what the
// tolerances tell apart; `turn`: how its sign goes on from one state to the next.
static double locating_change(SaltusRun *run, int event, double t, double part, int turn)
{
    RunInstance *active = run->active;
    Problem *problem = active->problem;
    if (locating_sample(run, 1, &t, active->sample.h) != 0)
        return 0.0;
    const double h = active->sample.h[event];
    for (int i = 0; i < problem->nx; i++, part *= turn)
        active->sample.x[i] +=
            part * (problem->absolute[i] + problem->relative * fabs(active->sample.x[i]));
    if (problem_events(problem, t, active->sample.x, active->sample.z, active->sample.h) != 0)
        return 0.0;
    return fabs(active->sample.h[event] - h);
}

static double locating_error(void *user, int event, double t)
{
    double most = 0.0;
    for (int turn = -1; turn <= 1; turn += 2) { // what cancels in one adds up in the other
        // The smaller one of both directions: a jump nearby, which is in one of them, is no error.
        const double up = locating_change(user, event, t, part_of_error, turn);
        const double down = locating_change(user, event, t, -part_of_error, turn);
        most = real_larger(most, real_smaller(up, down));
    }
    return most;
}

// Where a function passes zero, the locator leaves what it does in the resolution of time, and a
// thousandth of the step before it is small, too; both are little of what it does in the step. (The
// root of t leaves a hundredth of a step that is 10,000 resolutions long.)
bool locating_has_jumped(SaltusRun *run, SaltusFired crossing)
{
    static const double much = 0.05, least_step = 1e4, before = 1e-3;
    RunInstance *active = run->active;
    const Detector *detector = &active->detector;
    const double h = active->h[crossing.event] * crossing.direction;
    double largest = 0.0;
    for (int i = 0; i <= detector->cells && h > much * largest; i++)
        largest =
            real_larger(largest, fabs(detector->samples[i * detector->count + crossing.event]));
    if (h <= much * largest) // mostly
        return false;
    const SaltusMethod *method = instance_method(run, active);
    if (detector->cells == 0 || method->locate_iterations > 0)
        return false;
    const double begin = detector->times[0], step = detector->times[detector->cells] - begin;
    const double resolution = real_larger(method->event_tolerance, locate_resolution(run->t));
    const double t = real_larger(begin, run->t - before * step);
    if (step < least_step * resolution || locating_sample(run, 1, &t, active->sample.h) != 0)
        return false;
    return active->sample.h[crossing.event] * crossing.direction < -much * largest;
}

// How much one of them changes there if all states change by a small part of their tolerances,
// where crossings come without order, else 0.
static double locating_error_at_rest(void *user, int event, double t)
{
    const SaltusRun *run = user;
    const RunInstance *active = run->active;
    return guards_are_irregular(active->guards, active->mode->event_count, run->t)
               ? locating_error(user, event, t)
               : 0.0;
}

// Bounds of functions of time alone, anywhere.
static void locating_bounds(void *user, int event, double from, double to, SaltusBounds *bounds)
{
    const RunInstance *active = ((SaltusRun *)user)->active;
    active->mode->event_bounds(active->problem->context, event, from, to, bounds);
}

void locating_prepare(RunInstance *instance)
{
    instance->step = (DetectStep){.rates = locating_rates,
                                  .look = locating_look,
                                  .look_rates = locating_look_rates,
                                  .beyond = locating_beyond,
                                  .noise = locating_noise,
                                  .error = locating_error_at_rest,
                                  .bounds = instance->mode->event_bounds ? locating_bounds : NULL};
}

void locating_bar(const SaltusRun *run, DetectStep *step)
{
    step->resolution = locate_resolution(step->t1);
    step->reach = locating_reach(run, step->t1);
}

int locating_look_at(void *user, double t, double *h, double *dh)
{
    LocatingSearch *search = user;
    RunInstance *active = search->run->active;
    int code = locating_sample(search->run, 1, &t, active->sample.h);
    *h = active->sample.h[search->event];
    if (code != 0 || !dh)
        return code;
    code = problem_rhs(active->problem, t, active->sample.x, active->sample.z, active->dx);
    if (code == 0)
        code = problem_flow(active->problem, t, active->sample.x, active->sample.z, active->dx,
                            active->noise);
    *dh = code == 0 ? active->noise[search->event] : NAN; // then the bracket is halved
    return code < 0 ? code : 0;
}

// Time, in the interpolant's eyes, of one crossing.
static int search_crossing(SaltusRun *run, const Crossing *crossing, double tolerance,
                           Crossing *bracket, Localisation *result)
{
    const SaltusMethod *method = instance_method(run, run->active);
    LocatingSearch search = {.run = run, .event = crossing->event};
    *bracket = *crossing;
    bool closing = run->solver->kind->closing_step && method->locate_iterations == 0;
    *result = (Localisation){
        .tolerance = tolerance, .most = method->locate_iterations, .is_estimate = closing};
    int code = locate_refine(method->locate, locating_look_at, &search, bracket, result);
    run->statistics.locator_iterations += result->iterations;
    return code;
}

// ---------------------------------------------------------------------------
// Closing steps
// ---------------------------------------------------------------------------

int locating_close(SaltusRun *run, double t)
{
    RunInstance *active = run->active;
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
    return code != 0 ? code : locating_events(active, t, active->x, active->z, active->h);
}

double locating_least_slope(const Crossing *crossing, double t)
{
    double left = fabs(crossing->h_a) / (t - crossing->a);
    double right = fabs(crossing->h_b) / (crossing->b - t);
    return t > crossing->a && t < crossing->b ? real_smaller(left, right) : 0.0;
}

// Looks further to the right for the new sign: as long as the dense output has it, and at the end
// of the step, where both are the same. False: there is nothing more to look at.
static bool look_further(SaltusRun *run, const Crossing *crossing, double from, double factor,
                         double *high)
{
    RunInstance *active = run->active;
    double end = run->solver->t, next = real_smaller(end, from + factor * (*high - from));
    if (*high >= end)
        return false;
    bool flipped = locating_sample(run, 1, &next, active->sample.h) == 0 &&
                   active->sample.h[crossing->event] * crossing->direction >= 0.0;
    *high = flipped ? next : end;
    return flipped || active->h_end[crossing->event] * crossing->direction >= 0.0;
}

// Where re-stepped states certainly have the old sign: where the rest of the step begins. But if
// the function first crosses in a direction that does not count, they must have it at the left
// end of the bracket. Above zero: they have not, there is no crossing.
static int left_end(SaltusRun *run, const Crossing *crossing, double *low)
{
    const RunInstance *active = run->active;
    *low = run->t;
    if (active->armed[crossing->event].sign == -crossing->direction)
        return 0;
    *low = crossing->a;
    int code = locating_close(run, crossing->a);
    if (code != 0)
        return failure(code);
    return active->h[crossing->event] * crossing->direction < 0.0 ? 0 : LOCATING_NOT_THERE;
}

// Whether the function has its new sign where it is h. One that comes from zero must have it
// clearly, until the crossing is bracketed.
static bool has_new_sign(const Crossing *crossing, double h, bool is_bracketed)
{
    const double moved = h * crossing->direction;
    if (fabs(crossing->h_a) <= crossing->noise && !is_bracketed)
        return moved > crossing->noise;
    return crossing->h_a == 0.0 || crossing->is_beyond ? moved > 0.0 : moved >= 0.0;
}

// A crossing while its bracket is finished, and what its closing steps have found.
typedef struct LocatingClosing {
    const Crossing *crossing;
    bool is_from_zero, is_irregular;
    bool is_bracketed;    // at high, h has its new sign
    double low, high, at; // the bracket, and the closing step in it
    double resolution;
    double slope, sure;        // of h; one that is not exceeded
    double h_before, t_before; // of the closing step before
    double h_best, t_best;     // of those that count
    int since_best;            // closings since |h_best| was halved
    double h_least;            // |h| on either side
    int lost;                  // closings since that was halved
    double error;              // of h, as small as does not matter
} LocatingClosing;

static void closing_begin(LocatingClosing *c, const SaltusRun *run, const Crossing *crossing,
                          double tolerance, double t)
{
    c->crossing = crossing;
    c->is_from_zero = fabs(crossing->h_a) <= crossing->noise;
    c->is_irregular =
        guards_are_irregular(run->active->guards, run->active->mode->event_count, run->t);
    c->high = crossing->b;
    c->at = c->t_before = c->t_best = c->is_from_zero ? c->high : t;
    c->resolution = real_larger(tolerance, locate_resolution(c->at));
    c->slope = (crossing->h_b - crossing->h_a) / (crossing->b - crossing->a);
    c->sure = locating_least_slope(crossing, c->at);
    c->h_best = c->h_least = INFINITY;
}

// Only what has the new sign counts: others that cross with it must not be on the old side. (Among
// events without order all is noise, and the nearest point makes the fewest of them.)
static void closing_note(LocatingClosing *c, double h, bool counts)
{
    c->since_best = counts && fabs(h) < 0.5 * fabs(c->h_best) ? 0 : c->since_best + 1;
    if (counts && fabs(h) < fabs(c->h_best))
        c->h_best = h, c->t_best = c->at;
    c->lost = fabs(h) < 0.5 * c->h_least ? 0 : c->lost + 1;
    c->h_least = real_smaller(c->h_least, fabs(h));
}

// Nothing nearer can be told from zero: the closing steps round more than they move. Near rest that
// is so after three or four.
static bool closing_is_over(const LocatingClosing *c, int count, bool counts)
{
    const double noise = c->crossing->noise;
    const double cell_change = fabs(c->crossing->h_b - c->crossing->h_a);
    const bool is_stale = count >= FEW_CLOSINGS && c->since_best >= STALE_CLOSINGS &&
                          fabs(c->h_best) <= real_larger(noise, locating_negligible * cell_change);
    const bool is_rounding =
        counts && c->since_best > 0 && fabs(c->h_best) <= rounding_of_closings * noise;
    return c->is_bracketed && !c->is_from_zero && (is_stale || is_rounding);
}

// Where the next closing step ends. (States may be so much larger than the time that they stay for
// many of its resolutions.)
static double closing_next(const LocatingClosing *c, int count, double h, bool flipped)
{
    const double nudge =
        flipped ? 0.5 : ldexp(0.5, c->lost < FEW_CLOSINGS ? c->lost : FEW_CLOSINGS);
    const double newton = c->at - h / c->slope + nudge * c->resolution;
    const bool is_inside = newton > c->low && newton < c->high;
    // Without the new sign there is no bracket that could be halved: it is sought at its end.
    return !c->is_bracketed && (!is_inside || c->lost > 0) ? c->high
           : is_inside && count <= FEW_CLOSINGS            ? newton
           : c->high - c->low <= c->resolution             ? c->high
                                                           : c->low + 0.5 * (c->high - c->low);
}

// Finishes the bracket of a crossing on re-stepped states, from the estimate t. The dense output
// may differ from them by the tolerance, so its own bracket says little; the new sign is sought
// from its right end on. A function that comes from zero has no sign near the estimate that could
// be told from rounding: there it is sought at the right end first, and must be clear. Leaves the
// event's state and event functions in the active instance. Above zero: there is no crossing on
// re-stepped states.
static int locating_finish(SaltusRun *run, const Crossing *crossing, double tolerance, double *t,
                           double *bracket)
{
    const double *h = &run->active->h[crossing->event];
    LocatingClosing c = {0};
    int code = left_end(run, crossing, &c.low);
    if (code != 0)
        return code;
    closing_begin(&c, run, crossing, tolerance, *t);
    // (Where the run goes on smoothly, an event on the old side would come again.)
    const double reach = run_is_barrier(run, run->solver->t)
                             ? real_larger(c.resolution, locating_reach(run, c.at))
                             : c.resolution;
    for (int i = 0; i < MOST_CLOSINGS; i++) {
        code = locating_close(run, c.at);
        if (code != 0)
            return failure(code);
        if (i > 0 && (*h - c.h_before) * crossing->direction * (c.at - c.t_before) > 0.0)
            c.slope = (*h - c.h_before) / (c.at - c.t_before), c.sure = fabs(c.slope);
        const bool flipped = has_new_sign(crossing, *h, c.is_bracketed);
        if (flipped && (fabs(*h) <= c.sure * c.resolution || c.at - c.low <= c.resolution)) {
            c.high = c.at;
            break;
        }
        if (!flipped && c.at == run->solver->t && fabs(*h) <= fabs(c.slope) * reach)
            break; // at a barrier: it would cross within its reach
        const bool counts = flipped || c.is_irregular;
        closing_note(&c, *h, counts);
        if (c.is_from_zero && crossing->h_a != 0.0 && flipped &&
            fabs(*h) <= 2.0 * crossing->noise) {
            c.high = c.at;
            break; // it has just left its noise
        }
        if (!c.is_from_zero && c.lost == LOST_CLOSINGS)
            c.error = locating_error(run, crossing->event, c.at);
        const bool is_error = !c.is_from_zero && c.lost >= LOST_CLOSINGS && c.h_least <= c.error;
        if (flipped && is_error && fabs(*h) <= c.error && c.at < run->solver->t) {
            c.high = c.at;
            break; // inside of the step, which may go on
        }
        if (closing_is_over(&c, i, counts)) {
            c.at = c.t_best;
            code = locating_close(run, c.at);
            if (code != 0)
                return failure(code);
            break;
        }
        // (The estimate may be that of another crossing, which comes after this one.)
        if (!flipped && !c.is_bracketed && c.at == c.high &&
            !look_further(run, crossing, *t < c.high ? *t : c.low,
                          is_error ? INFINITY
                          : i < 4  ? 2.0
                                   : 16.0,
                          &c.high))
            return LOCATING_NOT_THERE;
        if (flipped)
            c.high = c.at, c.is_bracketed = true;
        else
            c.low = c.at;
        c.h_before = *h, c.t_before = c.at;
        const double next = closing_next(&c, i, *h, flipped);
        if (next == c.at || i + 1 == MOST_CLOSINGS)
            break; // the state is that of `at`, and no other
        c.at = next;
    }
    *t = c.at;
    *bracket = real_smaller(c.high - c.low, c.resolution);
    return 0;
}

// ---------------------------------------------------------------------------
// The earliest event
// ---------------------------------------------------------------------------

// The crossing whose zero on the dense output comes first, and the width of its bracket there.
static int earliest(SaltusRun *run, double tolerance, int *first, double *t, double *width)
{
    const Detector *detector = &run->active->detector;
    *first = -1;
    for (int i = 0; i < detector->crossing_count; i++) {
        const Crossing *crossing = &detector->crossings[i];
        if (*first >= 0 && crossing->a >= *t)
            break; // they are in order of their left ends
        Crossing bracket;
        Localisation result;
        int code = search_crossing(run, crossing, tolerance, &bracket, &result);
        if (code != 0)
            return code;
        if (*first < 0 || result.t < *t)
            *first = i, *t = result.t, *width = bracket.b - bracket.a;
    }
    return 0;
}

// Has this crossing happened at t, where the event functions are those of the active instance? The
// detector's bracket may lie later, but the sign tells; not that of a function of time alone, which
// has no crossing before its bracket.
static bool locating_has_crossed(const SaltusRun *run, const Crossing *crossing, double t)
{
    const RunInstance *active = run->active;
    bool is_early = !active->mode->events[crossing->event].of_time &&
                    active->armed[crossing->event].sign == -crossing->direction;
    bool possible = crossing->a <= t || is_early;
    double h = active->h[crossing->event] * crossing->direction;
    return possible && (crossing->is_beyond ? h > 0.0 : h >= 0.0);
}

// Is its zero at t, up to the resolution? At a barrier the detector has judged that.
static bool is_zero_here(const SaltusRun *run, const Crossing *crossing, double t, double tolerance)
{
    if (t == crossing->b && crossing->h_b == 0.0)
        return true;
    double near = 2.0 * real_larger(tolerance, locate_resolution(t));
    return fabs(run->active->h[crossing->event]) <= near * locating_least_slope(crossing, t);
}

static SaltusFired fire_crossing(const SaltusRun *run, const Crossing *crossing)
{
    Guard *guard = &run->active->guards[crossing->event];
    guard_watch(guard, crossing->h_a);
    guard_watch(guard, crossing->h_b);
    return (SaltusFired){.event = crossing->event, .direction = crossing->direction};
}

// How long after t an event function that has its old sign there will cross zero, by its chord from
// the last sample that is not too near; infinite if it does not move to zero.
static double locating_time_to_zero(const SaltusRun *run, int event, double t)
{
    const RunInstance *active = run->active;
    const Detector *detector = &active->detector;
    const int sign = active->armed[event].sign;
    const double far = 0.5 * (detector->times[1] - detector->times[0]), h = active->h[event] * sign;
    int row = detector->cells;
    while (row > 0 && !(t - detector->times[row] >= far))
        row--;
    const double since = t - detector->times[row];
    const double fall = detector->samples[row * detector->count + event] * sign - h;
    return h >= 0.0 && fall > 0.0 && since > 0.0 ? h * since / fall : INFINITY;
}

// So near to each other are crossings one event: what the stages of a step round, and all steps.
static double locating_joint(const SaltusRun *run, double t)
{
    return locating_reach(run, t) + rounding_of_stages * locate_resolution(t);
}

static bool locating_is_watched(const RunInstance *active, int event)
{
    const SaltusEventDef *def = &active->mode->events[event];
    const int sign = active->armed[event].sign;
    return !def->is_muted && sign != 0 &&
           (def->direction == SALTUS_BOTH || (int)def->direction == -sign);
}

// Whether a function is on its way to the other side behind the end of the step. Where zero is
// there, too, it may rest at zero.
static bool locating_goes_on(SaltusRun *run, int event)
{
    static const double just_after = 1e-3; // of the step
    RunInstance *active = run->active;
    const int sign = active->armed[event].sign;
    const double delta = just_after * (run->solver->t - run->t);
    return active->mode->events[event].at_zero != sign ||
           locating_beyond(run, delta, active->sample.h) != 0 ||
           sign * active->sample.h[event] < 0.0;
}

// A function whose crossing comes after the step, but so soon that it is zero at its end, belongs
// to an event there.
static bool locating_is_due(SaltusRun *run, int event, double t)
{
    RunInstance *active = run->active;
    return locating_is_watched(active, event) &&
           locating_time_to_zero(run, event, t) <= locating_joint(run, t) &&
           locating_noise(run, t, active->noise) == 0 &&
           fabs(active->h[event]) <= active->noise[event] && locating_goes_on(run, event);
}

static bool has_fired(const SaltusFired *fired, int fired_count, int event)
{
    for (int i = 0; i < fired_count; i++)
        if (fired[i].event == event)
            return true;
    return false;
}

// The event functions that crossed at the event: the one it is, by decree, all others that
// have crossed there, and those whose own crossing is there up to rounding.
static void collect_fired(SaltusRun *run, const Crossing *located, double t, double tolerance,
                          SaltusFired *fired, int *fired_count)
{
    const Detector *detector = &run->active->detector;
    *fired_count = 0;
    fired[(*fired_count)++] = fire_crossing(run, located);
    for (int i = 0; i < detector->crossing_count; i++) {
        const Crossing *other = &detector->crossings[i];
        if (other == located)
            continue;
        if (locating_has_crossed(run, other, t) ||
            (other->a <= t && is_zero_here(run, other, t, tolerance)))
            fired[(*fired_count)++] = fire_crossing(run, other);
    }
    const RunInstance *active = run->active;
    for (int i = 0; i < active->mode->event_count && t == run->solver->t; i++)
        if (locating_is_due(run, i, t) && !has_fired(fired, *fired_count, i))
            fired[(*fired_count)++] =
                (SaltusFired){.event = i, .direction = -active->armed[i].sign};
}

// On re-stepped states another crossing may come before the one that the dense output has first.
static int finish_earlier(SaltusRun *run, const Crossing **crossing, double tolerance, double *t,
                          double *bracket)
{
    const Detector *detector = &run->active->detector;
    int code = 0;
    for (int i = 0; i < detector->crossing_count && code == 0; i++) {
        const Crossing *other = &detector->crossings[i];
        if (other == *crossing || !locating_has_crossed(run, other, *t) ||
            is_zero_here(run, other, *t, tolerance))
            continue;
        const double before = *t, width = *bracket;
        code = locating_finish(run, other, tolerance, t, bracket);
        if (code != 0 || *t <= before) {
            *crossing = other;
            continue;
        }
        // Its sign is rounding here, and it has been found later: what came first stays.
        *t = before;
        *bracket = width;
        code = locating_close(run, before);
        if (code != 0)
            return failure(code);
    }
    return code;
}

static bool is_defined(SaltusRun *run, double t)
{
    RunInstance *active = run->active;
    Problem *problem = active->problem;
    return problem_rhs(problem, t, active->x, active->z, active->dx) == 0 &&
           problem_check(problem, active->dx, problem->nx, 0, "the right-hand side", t) == 0;
}

// Multistep solvers may step over the edge of where the equations are defined, and find an event
// there (a tank that runs empty, h' = -sqrt(h)): it is taken from the inside, as near as possible.
static int stay_inside(SaltusRun *run, double *t)
{
    if (run->active->problem->form == PROBLEM_IMPLICIT)
        return 0;
    double at = *t;
    for (double back = locate_resolution(at); !is_defined(run, at); back *= 2.0) {
        at = *t - back;
        int code = at > run->t ? locating_close(run, at) : locating_close(run, *t);
        if (code != 0 || !(at > run->t))
            return code; // the event says why it cannot be
    }
    *t = at;
    return 0;
}

// A function that rests at zero since the step began: nothing comes before it. Below zero: none.
static int locating_find_resting(const Detector *detector)
{
    for (int i = 0; i < detector->crossing_count; i++)
        if (detector->crossings[i].rests)
            return i;
    return -1;
}

// The first crossing of those the detector still has.
static int locating_find_first(SaltusRun *run, int *first, double *t, double *bracket)
{
    *first = locating_find_resting(&run->active->detector);
    if (*first >= 0) {
        *t = run->t;
        *bracket = 0.0;
        return failure(locating_close(run, run->t));
    }
    const SaltusMethod *method = instance_method(run, run->active);
    const Detector *detector = &run->active->detector;
    double tolerance = method->event_tolerance;
    bool henon = method->locate == SALTUS_LOCATE_HENON, located = false;
    double width = tolerance;
    int code = 0;
    *first = 0;
    *bracket = tolerance;
    *t = detector->crossings[0].b;
    if (!henon || detector->crossing_count > 1)
        code = failure(earliest(run, tolerance, first, t, &width));
    if (code == 0 && henon)
        located = locating_by_henon(run, &detector->crossings[*first], t);
    if (code == 0 && henon && !located)
        code = failure(earliest(run, tolerance, first, t, &width));
    bool estimate = method->locate_iterations > 0 || !run->solver->kind->closing_step;
    const Crossing *crossing = &detector->crossings[*first];
    if (code == 0 && !located && estimate) {
        *bracket = width;
        code = failure(locating_close(run, *t));
        if (code == 0 && !run->solver->kind->closing_step)
            code = failure(stay_inside(run, t));
    } else if (code == 0 && !located) {
        code = locating_finish(run, crossing, tolerance, t, bracket);
    }
    if (code == 0 && !estimate)
        code = finish_earlier(run, &crossing, tolerance, t, bracket);
    *first = (int)(crossing - detector->crossings);
    return code;
}

// Is it the root that was just handled, in the noise? Then its surroundings are widened.
static bool is_handled(SaltusRun *run, const Crossing *crossing, double t)
{
    Armed *armed = &run->active->armed[crossing->event];
    if (armed->handled == 0.0 || t > run->t + same_root * locate_resolution(t))
        return false;
    armed->handled = widening * real_larger(armed->handled,
                                            real_larger(fabs(crossing->h_a), fabs(crossing->h_b)));
    return true;
}

// What to do about a crossing that is none: look at the same part of the run again, with a smaller
// step if that is possible. The state at its beginning is put back.
static int look_again(SaltusRun *run, int code)
{
    bool fixed = run->solver->kind->traits & SOLVER_FIXED_STEP;
    bool least = !(run->t + run_shrink * (run->solver->t - run->t) > run->t); // no step is smaller
    if (code == LOCATING_NOT_THERE && (fixed || least || run->trouble.distrust >= MOST_DISTRUST))
        return LOCATING_NOTHING;
    return locating_close(run, run->t) == 0 ? code : SALTUS_ERROR_EVALUATION;
}

static void remove_crossing(Detector *detector, int index)
{
    detector->crossing_count--;
    for (int i = index; i < detector->crossing_count; i++)
        detector->crossings[i] = detector->crossings[i + 1];
}

// For how long a function is within its noise behind a crossing, where it is as steep as there.
static double locating_blur(const Crossing *crossing)
{
    const double fall = fabs(crossing->h_b - crossing->h_a);
    return fall > 0.0 ? crossing->noise * (crossing->b - crossing->a) / fall : 0.0;
}

// A crossing just before a time event, where nobody can tell it from one at the same time, belongs
// to it: a ramp that ends at zero. Else there would be an instant between them that means nothing.
static int join_time_event(SaltusRun *run, const Crossing *crossing, double *t)
{
    const double next = schedule_next(&run->schedule);
    const double reach = run->active->mode->events[crossing->event].of_time
                             ? locate_resolution(next)
                             : real_larger(locating_reach(run, next), locating_blur(crossing));
    if (next > run->solver->t || *t >= next || next - *t > reach)
        return 0;
    *t = next;
    return failure(locating_close(run, next));
}

// Crossings so little after one another that nobody can tell which comes first are one event, at
// the last of them: x = 1 and 3 x = 3, each with the rounding of its own steps.
static int join_crossings(SaltusRun *run, const Crossing *located, double *t)
{
    enum { MOST_JOINS = 3 }; // the first chord is as good as the function is straight
    const RunInstance *active = run->active;
    for (int i = 0; i < MOST_JOINS; i++) {
        const double reach = locating_joint(run, *t);
        double later = 0.0;
        for (int k = 0; k < active->mode->event_count; k++) {
            const double ahead = k != located->event && locating_is_watched(active, k)
                                     ? locating_time_to_zero(run, k, *t)
                                     : INFINITY;
            if (ahead <= reach)
                later = real_larger(later, real_larger(ahead, locate_resolution(*t)));
        }
        const double at = real_smaller(*t + later, run->solver->t);
        if (at <= *t)
            break;
        *t = at;
        const int code = failure(locating_close(run, at));
        if (code != 0)
            return code;
    }
    return 0;
}

int locating_find(SaltusRun *run, double *t, double *bracket, SaltusFired *fired, int *fired_count)
{
    Detector *detector = &run->active->detector;
    int code = LOCATING_NOTHING;
    while (code == LOCATING_NOTHING && detector->crossing_count > 0) {
        int first = 0;
        code = locating_find_first(run, &first, t, bracket);
        const Crossing *crossing = &detector->crossings[first];
        if (code == 0 && is_handled(run, crossing, *t))
            code = LOCATING_AGAIN;
        if (code == 0)
            code = join_time_event(run, crossing, t);
        if (code == 0)
            code = join_crossings(run, crossing, t);
        if (code == 0) {
            double tolerance = instance_method(run, run->active)->event_tolerance;
            collect_fired(run, crossing, *t, tolerance, fired, fired_count);
        } else if (code > 0) {
            code = look_again(run, code);
        }
        if (code == LOCATING_NOTHING)
            remove_crossing(detector, first);
    }
    if (code < 0 && run->active->problem->failure.is_recoverable &&
        locating_close(run, run->t) == 0)
        return LOCATING_FAILED;
    if (code < 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "while locating an event");
    return code;
}
