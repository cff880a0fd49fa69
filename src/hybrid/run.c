// SPDX-License-Identifier: MIT
//
// A run: errors, the loop over the steps.

#include "hybrid/run.h"

#include "base/inline.h"
#include "base/real.h"
#include "events/locate.h"
#include "hybrid/branch.h"
#include "hybrid/crowd.h"
#include "hybrid/edge.h"
#include "hybrid/event_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Steps that are tried again, smaller, because an event function could not be evaluated.
enum { MOST_FAILED_SAMPLES = 30 };

// ---------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------

// Hands the step's part from the present time to `to` over, at whose end x and z are.
NEVER_INLINE SaltusStatus hand_piece(SaltusRun *run, double to, const double *x, const double *z)
{
    const SaltusStatistics before = run->statistics; // looking does not count
    const SaltusPiece piece = {.from = run->t,
                               .to = to,
                               .mode = run->active->index,
                               .continues = run->t > run->solver->t_old,
                               .run = run};
    run->handed.x = x;
    run->handed.z = z;
    SaltusMessage message = {0};
    const bool is_fine =
        !run->def->passed || run->def->passed(&run->active->context, &piece, &message) == 0;
    if (is_fine && run->options.piece && run->options.piece(run->options.user, &piece) != 0)
        run->status.is_interrupted = true;
    run->statistics = before;
    if (!is_fine)
        run_fail(run, SALTUS_ERROR_ACTION, "%s",
                 message.is_begun ? message_text(message.text) : "a piece of the run was refused");
    free(message.text);
    return is_fine ? SALTUS_OK : SALTUS_ERROR_ACTION;
}

// The same, if anybody wants it.
ALWAYS_INLINE SaltusStatus run_hand_over(SaltusRun *run, double to, const double *x,
                                         const double *z)
{
    const bool is_wanted = run->options.piece || run->def->passed;
    return is_wanted && to > run->t ? hand_piece(run, to, x, z) : SALTUS_OK;
}

SaltusStatus run_restart(SaltusRun *run, const double *dx, double step)
{
    RunInstance *active = run->active;
    const Solver *before = run->solver;
    SaltusStatus status = instance_solver(run, active, &run->solver);
    if (status != SALTUS_OK)
        return status;
    active->problem->is_entered = run->solver != before;
    run->statistics.restarts++;
    run->t_restart = run->t;
    run->trouble.failed_samples = 0;
    run->trouble.distrust = 0;
    run->trouble.step_limit = INFINITY;
    run->trouble.growing = 0;
    run->trouble.change = 0.0;
    double most = run->solver->method.max_step;
    if (most > 0.0 && !(run->t + most > run->t))
        return run_fail(run, SALTUS_ERROR_STEP_SIZE, "max_step %g is below the resolution of time",
                        most);
    active->problem->watch.reach = 0.0;
    int code = run->solver->kind->reset(run->solver, run->t, active->x, active->z, dx, step);
    if (code != 0 && run->solver->kind->id == SALTUS_SOLVER_EXACT && active->problem->no_matrix)
        return run_restart(run, dx, 0.0); // with another one
    if (code != 0)
        return run_fail_evaluation(run, code < 0 ? (SaltusStatus)code : SALTUS_ERROR_EVALUATION,
                                   "at the restart of the solver");
    active->habit.was_exact |= run->solver->kind->id == SALTUS_SOLVER_EXACT;
    run->x = run->solver->x;
    run->z = run->solver->z;
    return SALTUS_OK;
}

static void take_state(RunInstance *instance, const double *x, const double *z)
{
    memcpy(instance->x, x, (size_t)instance->mode->state_count * sizeof(double));
    memcpy(instance->z, z, (size_t)instance->mode->algebraic_count * sizeof(double));
}

// The present values become the active instance's own, for an event to change.
static void own_state(SaltusRun *run)
{
    RunInstance *active = run->active;
    if (run->x == active->x)
        return;
    take_state(active, run->x, run->z);
    run->x = active->x;
    run->z = active->z;
}

// Starts the solver anew from where the run is.
NEVER_INLINE SaltusStatus restart_here(SaltusRun *run, double step)
{
    own_state(run);
    return run_restart(run, NULL, step);
}

// The solver goes on from where a stretch of the client has ended.
NEVER_INLINE SaltusStatus run_come_back(SaltusRun *run)
{
    run->stretch.is_exchanged = false;
    return run_restart(run, NULL, run->solver->step_next);
}

// The same from the beginning of what is left of the solver's step, with a smaller one.
static SaltusStatus step_until(SaltusRun *run, double end)
{
    RunInstance *active = run->active;
    const Solver *solver = run->solver;
    const double step = end - run->t;
    if (run->t == solver->t_old)
        take_state(active, solver->x_old, solver->z_old);
    int failed = run->trouble.failed_samples, distrust = run->trouble.distrust;
    SaltusStatus status = run_restart(run, NULL, step);
    run->trouble.failed_samples = failed;
    run->trouble.distrust = distrust;
    run->trouble.step_limit = end; // fixed-step solvers do not choose
    return status;
}

NEVER_INLINE SaltusStatus step_again(SaltusRun *run)
{
    return step_until(run, run->t + run_shrink * (run->solver->t - run->t));
}

// An event function could not be evaluated inside the step.
NEVER_INLINE SaltusStatus retry_smaller(SaltusRun *run)
{
    const bool possible = run->t + run_shrink * (run->solver->t - run->t) > run->t;
    if (!run->active->problem->failure.is_recoverable || !possible ||
        ++run->trouble.failed_samples > MOST_FAILED_SAMPLES)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "inside a step");
    return step_again(run);
}

// One step of the solver, watched for jumps of algebraic variables.
ALWAYS_INLINE int run_solver_step(SaltusRun *run, double limit)
{
    Problem *problem = run->active->problem;
    if (problem->nz == 0)
        return run->solver->kind->step(run->solver, limit);
    problem_watch(problem, run->t);
    const int code = run->solver->kind->step(run->solver, limit);
    problem->watch.is_on = false;
    return code;
}

// A step that was not accepted is undone: the run stands where it began.
static void step_back(SaltusRun *run)
{
    const Solver *solver = run->solver;
    if (run->x == solver->x && solver->t > run->t) {
        run->x = solver->x_old;
        run->z = solver->z_old;
    }
}

// No step succeeds. One-step solvers have tried the shortest; others get shorter and shorter ones.
static int step_shorter(SaltusRun *run, double limit, int code)
{
    static const double shorter = 0.125;
    const Problem *problem = run->active->problem;
    if (problem->nz == 0 || run->solver->kind->traits & SOLVER_ONE_STEP)
        return code;
    for (double h = shorter * (limit - run->t);
         code != 0 && problem->failure.is_recoverable && h > branch_resolution(run); h *= shorter) {
        step_back(run);
        if (restart_here(run, h) != SALTUS_OK)
            break;
        code = run_solver_step(run, run->t + h);
    }
    return code;
}

// The run goes on from the other branch that was found.
NEVER_INLINE SaltusStatus change_branch(SaltusRun *run)
{
    run->trouble.branch_changes++;
    run->trouble.branched = run->t;
    step_back(run);
    own_state(run);
    branch_hold(run);
    return event_handle(run, SALTUS_AT_REQUEST, branch_resolution(run), NULL, 0, branch_take);
}

// No step leads to a time event that is so near that it might be now: a pump whose speed comes to
// zero there. The event begins with what is here.
static SaltusStatus meet_time(SaltusRun *run, SaltusStatus status)
{
    const double next = schedule_next(&run->schedule);
    own_state(run);
    if (!(next - run->t <= locating_reach(run, run->t)) || event_derivative(run) != SALTUS_OK)
        return status;
    const SaltusStatus recorded =
        run_record(run, SALTUS_ROW_BEFORE_EVENT, run->t, run->active, run->x, run->z);
    run->t = run->trouble.edge = next;
    run->trouble.edge_events = 0;
    return recorded;
}

// No step succeeds. SALTUS_OK: there is an event at an edge, or another branch, or another solver
// has made one, which *has_step tells.
static SaltusStatus step_otherwise(SaltusRun *run, double limit, SaltusStatus status,
                                   bool *has_step)
{
    ProblemFailure *failure = &run->active->problem->failure;
    const ProblemFailure first = *failure;
    step_back(run);
    SaltusStatus met = failure->is_recoverable ? meet_time(run, status) : status;
    if (met == status) {
        own_state(run);
        met = edge_meet(run, status);
    }
    if (met != status)
        return met;
    if (failure->is_recoverable && run->trouble.branched != run->t &&
        branch_find(run, run->x, run->z))
        return change_branch(run);
    if (contest_rescue(run) && restart_here(run, 0.0) == SALTUS_OK) {
        *has_step = run_solver_step(run, limit) == 0;
        if (*has_step)
            return SALTUS_OK;
        step_back(run);
    }
    *failure = first; // also of the message
    return run_fail_evaluation(run, status, NULL);
}

// The same, where the step has failed: *has_step tells whether there is one all the same.
NEVER_INLINE SaltusStatus step_after_failure(SaltusRun *run, double limit, int code, bool *has_step)
{
    code = step_shorter(run, limit, code);
    *has_step = code == 0;
    return code == 0
               ? SALTUS_OK
               : step_otherwise(run, limit, code < 0 ? (SaltusStatus)code : SALTUS_ERROR_EVALUATION,
                                has_step);
}

NEVER_INLINE SaltusStatus project_step(SaltusRun *run)
{
    Solver *solver = run->solver;
    const SaltusModeDef *mode = run->active->mode;
    const bool is_fine =
        mode->project(&run->active->context, solver->t, solver->x, solver->z) == 0 &&
        solver->kind->state_changed(solver) == 0;
    return is_fine ? SALTUS_OK : run_fail(run, SALTUS_ERROR_EVALUATION, "the projection failed");
}

// One step of the solver, not beyond the limit. SALTUS_OK without one: an event at an edge, or
// another branch.
ALWAYS_INLINE SaltusStatus run_take_step(SaltusRun *run, double limit)
{
    run->stretch.solver = SALTUS_SOLVER_AUTO;
    const int code = run_solver_step(run, limit);
    if (PROBLEM_RARELY(code != 0)) {
        bool has_step = false;
        const SaltusStatus status = step_after_failure(run, limit, code, &has_step);
        if (!has_step)
            return status;
    }
    return run->active->mode->project ? project_step(run) : SALTUS_OK;
}

// Steps in a row that each change the states so much more than the one before: what grows by that
// factor in a step of fixed size is beyond what the method is stable for, or can follow at all.
enum { MOST_GROWING = 8 };
static const double run_growth = 8.0;

// Fixed steps have no error test that would notice.
NEVER_INLINE SaltusStatus check_divergence(SaltusRun *run)
{
    const Solver *solver = run->solver;
    const SaltusModeDef *mode = run->active->mode;
    double change = 0.0;
    int worst = 0;
    for (int i = 0; i < mode->state_count; i++) {
        double part = fabs(solver->x[i] - solver->x_old[i]) / mode->nominal[i];
        if (part > change)
            change = part, worst = i;
    }
    const bool grows = run->trouble.change > 0.0 && change > run_growth * run->trouble.change;
    run->trouble.growing = grows ? run->trouble.growing + 1 : 0;
    run->trouble.change = change;
    if (run->trouble.growing < MOST_GROWING)
        return SALTUS_OK;
    run_fail(
        run, SALTUS_ERROR_SOLVER,
        "diverges: %s changes by more than %g times as much in each of %d steps of %g in a row; "
        "a smaller step is needed, or a solver that chooses it",
        mode->state_names[worst], run_growth, MOST_GROWING, solver->t - solver->t_old);
    run->error.variable = mode->state_names[worst];
    return SALTUS_ERROR_SOLVER;
}

static void run_note_size(double *restrict size, const double *restrict x, int count)
{
    for (int i = 0; i < count; i++)
        if (fabs(x[i]) > size[i])
            size[i] = fabs(x[i]);
}

// The event functions at the end of the step are those of now.
ALWAYS_INLINE void take_signs(SaltusRun *run, RunInstance *active)
{
    bool is_measured = false;
    for (int i = 0; i < active->mode->event_count; i++) {
        Armed *armed = &active->armed[i];
        const double h = active->h_end[i];
        if (fabs(h) <= armed->noise && fabs(active->h[i]) > armed->noise)
            locating_lessen_noise(run, i, &is_measured);
        armed->handled = 0.0;
        if (fabs(h) > armed->noise) {
            armed->sign = (signed char)detect_sign(armed, h);
            armed->noise = armed->rounding;
            armed->has_left = true;
        }
        guard_watch(&active->guards[i], h);
    }
    double *h = active->h;
    active->h = active->h_end;
    active->h_end = h;
}

// The step up to its end is accepted: signs, rows. If an event follows there, the row before the
// event is that of the step.
ALWAYS_INLINE SaltusStatus accept_until_event(SaltusRun *run, bool event_follows)
{
    RunInstance *active = run->active;
    Solver *solver = run->solver;
    double from = run->t;
    if (solver->kind->traits & SOLVER_FIXED_STEP) {
        SaltusStatus status = check_divergence(run);
        if (status != SALTUS_OK)
            return status;
    }
    SaltusStatus handed = run_hand_over(run, solver->t, solver->x, solver->z);
    if (handed != SALTUS_OK)
        return handed;
    run->t = solver->t;
    run->x = solver->x;
    run->z = solver->z;
    run->trouble.failed_samples = 0;
    run->trouble.distrust = 0;
    run->trouble.step_limit = INFINITY;
    run_note_size(active->size.stay, run->x, active->mode->state_count);
    if (active->mode->event_count > 0)
        take_signs(run, active);
    if (active->problem->nz > 0)
        branch_follow(run);
    if (run->options.record == SALTUS_RECORD_NOTHING)
        return SALTUS_OK;
    run->rows.event_at = event_follows ? run->t : INFINITY;
    SaltusStatus status = rows_record(run, from, run->t);
    if (status != SALTUS_OK || event_follows)
        return status;
    return run_record(run, SALTUS_ROW_STEP, run->t, active, run->x, run->z);
}

// What is to be done next, and when.
static SaltusStatus intend(SaltusRun *run, RunNextKind kind, double t)
{
    run->next.kind = kind;
    run->next.t = t;
    return SALTUS_OK;
}

ALWAYS_INLINE SaltusStatus run_accept_step(SaltusRun *run)
{
    return accept_until_event(run, schedule_first(&run->schedule) <= run->solver->t);
}

// An event inside the step, at t, where the active instance's x, z, h are.
static SaltusStatus event_inside(SaltusRun *run, double t, double bracket, const SaltusFired *fired,
                                 int fired_count)
{
    run->rows.event_at = t;
    SaltusStatus status = rows_record(run, run->t, t);
    if (status != SALTUS_OK)
        return status;
    status = run_hand_over(run, t, run->active->x, run->active->z);
    if (status != SALTUS_OK)
        return status;
    run->t = t;
    run->x = run->active->x;
    run->z = run->active->z;
    return event_handle(run, SALTUS_AT_CROSSING, bracket, fired, fired_count, NULL);
}

// The solver located the event by itself: it stands there.
NEVER_INLINE SaltusStatus event_at_root(SaltusRun *run)
{
    RunInstance *active = run->active;
    Solver *solver = run->solver;
    SaltusFired *fired = run->now.crossed;
    int fired_count = 0;
    take_state(active, solver->x, solver->z);
    memcpy(active->h, active->h_end, (size_t)active->mode->event_count * sizeof(double));
    for (int i = 0; i < active->mode->event_count; i++) {
        if (solver->root_direction[i] != 0 && !active->mode->events[i].is_muted)
            fired[fired_count++] =
                (SaltusFired){.event = i, .direction = solver->root_direction[i]};
    }
    run->next.bracket = 0.0;
    run->next.count = fired_count;
    return intend(run, RUN_NEXT_EVENT, solver->t);
}

// The sign that an event function has at the end of the step, if it is not the one it is armed with
// and the direction counts; else 0. is_latest: a zero must not be left for the next step.
static int turned_at_end(const RunInstance *active, int i, bool is_latest)
{
    const int before = active->armed[i].sign;
    const SaltusEventDef *def = &active->mode->events[i];
    const bool is_zero = active->h_end[i] == 0.0 && def->at_zero != before;
    const int after =
        is_latest && is_zero ? -before : detect_sign(&active->armed[i], active->h_end[i]);
    const bool counts = def->direction == SALTUS_BOTH || (int)def->direction == after;
    return before * after < 0 && counts && !def->is_muted ? after : 0;
}

// For runs without backstepping; t: about when the first of them happened.
static int crossed_at_end(const SaltusRun *run, SaltusFired *fired, double *t)
{
    const RunInstance *active = run->active;
    int count = 0;
    for (int i = 0; i < active->mode->event_count; i++) {
        const int sign = turned_at_end(active, i, true);
        if (!sign)
            continue;
        fired[count++] = (SaltusFired){.event = i, .direction = sign};
        const double part = active->h[i] / (active->h[i] - active->h_end[i]);
        *t = real_smaller(*t, run->t + part * (run->solver->t - run->t));
    }
    return count;
}

// The event happens at the end of the step, as real time demands.
NEVER_INLINE SaltusStatus events_at_end(SaltusRun *run)
{
    Solver *solver = run->solver;
    double t = solver->t;
    double width = solver->t - run->t;
    SaltusFired *fired = run->now.crossed;
    int count = crossed_at_end(run, fired, &t);
    SaltusStatus status = count > 0 ? accept_until_event(run, true) : run_accept_step(run);
    if (count == 0 || status != SALTUS_OK)
        return status;
    own_state(run); // the solver's, since the step was accepted
    status = event_handle(run, SALTUS_AT_CROSSING, width, fired, count, NULL);
    if (status >= 0 && run->options.backstep == SALTUS_NO_BACKSTEP_LINEAR)
        run->log.items[run->log.item_count - 1].entry.t = t;
    return status;
}

// A function whose sign at the end of the step is not the one it is armed with, clearly, and that
// nothing told of, in a direction that counts: its crossing was missed, or is one of the dense
// output that re-stepped states do not have. The event is here, at the latest.
ALWAYS_INLINE int missed_at_end(const SaltusRun *run, SaltusFired *fired)
{
    const RunInstance *active = run->active;
    int count = 0;
    for (int i = 0; i < active->mode->event_count; i++) {
        const double h = active->h_end[i];
        const bool is_same =
            active->armed[i].sign > 0 ? h > 0.0 : active->armed[i].sign < 0 && h < 0.0;
        const int sign = is_same ? 0 : turned_at_end(active, i, false); // mostly
        if (sign)
            fired[count++] = (SaltusFired){.event = i, .direction = sign};
    }
    return count;
}

// The step has no event that could be located: its end will be accepted. What no longer agrees
// there with what it is armed with is an event at the end.
ALWAYS_INLINE SaltusStatus accept_or_handle(SaltusRun *run)
{
    const int count = missed_at_end(run, run->now.crossed);
    if (count == 0)
        return intend(run, RUN_NEXT_STEP, run->solver->t);
    run->next.count = count;
    return intend(run, RUN_NEXT_MISSED, run->solver->t);
}

// Accepts the step, and handles the event at its end.
NEVER_INLINE SaltusStatus handle_missed(SaltusRun *run, int count)
{
    double width = run->solver->t - run->t;
    SaltusStatus status = accept_until_event(run, true);
    if (status != SALTUS_OK)
        return status;
    own_state(run);
    run->trouble.is_unlocated = true;
    status = event_handle(run, SALTUS_AT_CROSSING, width, run->now.crossed, count, NULL);
    run->trouble.is_unlocated = false;
    return status;
}

// An event function that could not be followed through the step.
NEVER_INLINE void note_unfollowed(SaltusRun *run, int event)
{
    if (run->trouble.unfollowed_steps++ == 0) {
        run->trouble.unfollowed = run->active->mode->events[event].condition;
        run->trouble.unfollowed_time = run->t;
    }
}

ALWAYS_INLINE int scan_step(SaltusRun *run, const DetectStep *step)
{
    Detector *detector = &run->active->detector;
    const int code = detector_scan(detector, run->active->armed, step, locating_sample, run);
    if (PROBLEM_RARELY(code == 0 && detector->unfollowed >= 0))
        note_unfollowed(run, detector->unfollowed);
    return code;
}

// The detector has found crossings in the step, or `code` of an evaluation that failed: the first
// event comes next, or the end of the step.
NEVER_INLINE SaltusStatus locate_inside(SaltusRun *run, const DetectStep *step, int code)
{
    RunInstance *active = run->active;
    double t = 0.0, bracket = 0.0;
    int fired_count = 0;
    for (;; code = scan_step(run, step)) {
        if (code != 0)
            return retry_smaller(run);
        if (active->detector.crossing_count == 0)
            return accept_or_handle(run);
        code = locating_find(run, &t, &bracket, run->now.crossed, &fired_count);
        if (code != LOCATING_AGAIN)
            break;
    }
    if (code == LOCATING_NOT_THERE) {
        run->trouble.distrust++;
        return step_again(run);
    }
    if (code == LOCATING_FAILED)
        return retry_smaller(run);
    if (code == LOCATING_NOTHING)
        return accept_or_handle(run);
    if (code < 0)
        return (SaltusStatus)code;
    // What was not defined behind that event may have had one before.
    const double just_before = t - 64.0 * locate_resolution(t);
    if (active->has_undefined && just_before > run->t)
        return step_until(run, just_before);
    run->next.bracket = bracket;
    run->next.count = fired_count;
    return intend(run, RUN_NEXT_EVENT, t);
}

// Looks for events in the solver's step from the present time on: the first one comes next, or the
// end of the step.
ALWAYS_INLINE SaltusStatus events_inside(SaltusRun *run)
{
    const DetectStep *step = locating_step(run);
    const int code = scan_step(run, step);
    const bool is_clear = code == 0 && run->active->detector.crossing_count == 0;
    return is_clear ? accept_or_handle(run) : locate_inside(run, step, code);
}

// What the events make of the solver's step: run->next, if anything is to be done at a later time.
ALWAYS_INLINE SaltusStatus finish_step(SaltusRun *run)
{
    RunInstance *active = run->active;
    Solver *solver = run->solver;
    if (active->mode->event_count == 0)
        return intend(run, RUN_NEXT_STEP, solver->t);
    active->has_undefined = false;
    int code = locating_events(active, solver->t, solver->x, solver->z, active->h_end);
    if (code != 0)
        return retry_smaller(run);
    if (run->options.backstep != SALTUS_BACKSTEP)
        return events_at_end(run);
    if (solver->is_at_root)
        return event_at_root(run);
    if (solver->method.locate == SALTUS_LOCATE_SUNDIALS)
        return intend(run, RUN_NEXT_STEP, solver->t);
    return events_inside(run);
}

// Does what was found to be done next.
ALWAYS_INLINE SaltusStatus do_next(SaltusRun *run)
{
    const RunNext next = run->next;
    run->next.kind = RUN_NEXT_NOTHING;
    switch (next.kind) {
    case RUN_NEXT_STEP:
        return run_accept_step(run);
    case RUN_NEXT_MISSED:
        return handle_missed(run, next.count);
    case RUN_NEXT_EVENT:
        return event_inside(run, next.t, next.bracket, run->now.crossed, next.count);
    default:
        return SALTUS_OK;
    }
}

// The first step after a restart may have been much too long, that says nothing.
NEVER_INLINE void note_abrupt_step(SaltusRun *run)
{
    if (run->solver->t_old <= run->t_restart)
        return;
    if (run->trouble.abrupt_steps++ == 0) {
        run->trouble.abrupt = run->solver->abrupt;
        run->trouble.abrupt_time = run->solver->t_old;
    }
}

// Another solver does better, and takes over with a step of this size. The one before is let go of
// with all that it remembers, which copies of the run would not know.
NEVER_INLINE SaltusStatus change_solver(SaltusRun *run, double step)
{
    Solver *before = run->solver;
    run->stretch.is_alone = false; // with the other one, the client may go on
    const SaltusStatus status = restart_here(run, step);
    if (status == SALTUS_OK && run->solver != before) {
        run->active->solvers[before->kind->id] = NULL;
        before->kind->destroy(before);
    }
    return status;
}

// After a whole step: another solver may do better.
ALWAYS_INLINE SaltusStatus compare_solvers(SaltusRun *run)
{
    double step = 0.0;
    const Solver *solver = run->solver;
    run->trouble.stiff_steps += solver->seems_stiff;
    if (solver->abrupt)
        note_abrupt_step(run);
    run->active->made.solver++;
    const bool is_change = solver->method.solver == SALTUS_SOLVER_AUTO && contest_look(run, &step);
    return is_change ? change_solver(run, step) : SALTUS_OK;
}

static bool run_is_multistep(const Solver *solver)
{
    return !(solver->kind->traits & SOLVER_ONE_STEP);
}

// Whether the step ends on another branch of the algebraic equations than it began on; then a
// shorter one is taken, or the run goes on from the other branch.
NEVER_INLINE bool step_leaves_branch(SaltusRun *run, double limit, SaltusStatus *status)
{
    // (Once at a time: where the other branch is not found again, the step goes on.)
    if (run->trouble.branched == run->t)
        return false;
    const bool is_short = run->solver->t - run->t <= branch_resolution(run);
    if (branch_was_left(run)) {
        *status = is_short ? change_branch(run) : step_again(run);
        return true;
    }
    // The multistep solvers, which have no shortest step, would creep up to the end of a branch.
    // (Others get there only after an event that was the end of nothing.)
    if (!is_short || !run_is_multistep(run->solver) || !run->active->problem->watch.has_failed ||
        run->solver->t >= limit || !branch_find(run, run->solver->x_old, run->solver->z_old))
        return false;
    *status = change_branch(run);
    return true;
}

// Finds what comes next: the end of a step, or an event in it. What happens at the present time is
// done at once; then nothing may come next.
ALWAYS_INLINE SaltusStatus find_next(SaltusRun *run, double stop_time)
{
    double limit = real_smaller(stop_time, schedule_next(&run->schedule));
    SaltusStatus status = SALTUS_OK;
    run->next.kind = RUN_NEXT_NOTHING;
    if (run->stretch.is_exchanged)
        status = run_come_back(run);
    if (run->solver->t > run->t && run->solver->t > limit)
        status = restart_here(run, 0.0); // the rest of the step reaches too far
    if (run->trouble.step_limit <= run->t)
        run->trouble.step_limit =
            INFINITY; // an event that needs no restart was at the end of that step
    if (status == SALTUS_OK && run->solver->t <= run->t)
        status = run_take_step(run, rows_limit(run, real_smaller(limit, run->trouble.step_limit)));
    if (status != SALTUS_OK || run->solver->t <= run->t)
        return status; // no step, but another branch, or an event at an edge
    if (run->active->problem->nz > 0 && step_leaves_branch(run, limit, &status))
        return status;
    run->next.kind = RUN_NEXT_DONE;
    return finish_step(run);
}

// What follows the end of a step, or of the part of one up to an event, which began at `before`.
ALWAYS_INLINE SaltusStatus after_next(SaltusRun *run, double before)
{
    SaltusStatus status = SALTUS_OK;
    if (run->t > before && run->x == run->solver->x && run->def->accepted)
        status = event_accepted(run);
    if (status == SALTUS_OK && run->t == run->solver->t && run->x == run->solver->x)
        status = compare_solvers(run);
    return status;
}

// One accepted step, or the part of one up to an event; or a stretch by the client.
ALWAYS_INLINE SaltusStatus advance_once(SaltusRun *run, double stop_time)
{
    const double before = run->t;
    if (run->def->stretch && stretch_is_possible(run))
        return stretch_advance(run, real_smaller(stop_time, schedule_next(&run->schedule)));
    SaltusStatus status = find_next(run, stop_time);
    if (status != SALTUS_OK || run->next.kind == RUN_NEXT_NOTHING)
        return status;
    status = do_next(run);
    return status == SALTUS_OK ? after_next(run, before) : status;
}

// Time events that are due now.
ALWAYS_INLINE SaltusStatus time_events(SaltusRun *run)
{
    if (run->schedule.count == 0)
        return SALTUS_OK;
    const double due =
        run->t < run->stop_time ? schedule_next(&run->schedule) : schedule_first(&run->schedule);
    if (due > run->t)
        return SALTUS_OK;
    own_state(run);
    return event_handle(run, SALTUS_AT_TIME, 0.0, NULL, 0, NULL);
}

// ---------------------------------------------------------------------------
// One of several runs that advance together
// ---------------------------------------------------------------------------

SaltusStatus run_look(SaltusRun *run)
{
    SaltusStatus status = SALTUS_OK;
    run->next.kind = RUN_NEXT_NOTHING;
    run->next.t = INFINITY;
    while (status == SALTUS_OK && run->t < run->stop_time && run->next.kind <= RUN_NEXT_DONE) {
        status = find_next(run, run->stop_time);
        if (status == SALTUS_OK && run->next.kind == RUN_NEXT_DONE)
            status = after_next(run, run->t);
        if (status == SALTUS_OK && run->next.kind <= RUN_NEXT_DONE)
            status = time_events(run);
    }
    if (status < 0)
        step_back(run);
    return status;
}

SaltusStatus run_go(SaltusRun *run)
{
    const double before = run->t;
    SaltusStatus status = do_next(run);
    if (status == SALTUS_OK)
        status = after_next(run, before);
    if (status == SALTUS_OK)
        status = time_events(run);
    if (status == SALTUS_OK)
        status = crowd_check(run);
    if (status < 0)
        step_back(run);
    return status;
}

int run_values(SaltusRun *run, double t, double *y)
{
    RunInstance *active = run->active;
    const Solver *solver = run->solver;
    const double *x = run->x, *z = run->z;
    if (run->next.kind > RUN_NEXT_DONE && t >= run->next.t) {
        const bool is_event = run->next.kind == RUN_NEXT_EVENT;
        x = is_event ? active->x : solver->x;
        z = is_event ? active->z : solver->z;
    } else if (run->next.kind > RUN_NEXT_DONE && t <= solver->t_old) {
        x = solver->x_old;
        z = solver->z_old;
    } else if (run->next.kind > RUN_NEXT_DONE) {
        if (rows_state(run, t) != 0)
            return 1;
        x = active->sample.x;
        z = active->sample.z;
    }
    return problem_outputs(active->problem, t, x, z, y);
}

SaltusStatus run_interrupted(SaltusRun *run)
{
    if (!run->status.is_interrupted)
        return SALTUS_OK;
    run->status.is_interrupted = false;
    return run_fail(run, SALTUS_INTERRUPTED, "interrupted by the piece or row callback");
}

// Those of an advance that began with so many steps and events.
static SaltusStatus check_limits(SaltusRun *run, long steps, long events)
{
    const SaltusOptions *o = &run->options;
    if ((o->max_steps | o->max_events) != 0) {
        const SaltusStatistics *now = &run->statistics;
        bool more = run->t < run->stop_time;
        if (o->max_steps > 0 && more && now->steps - steps >= o->max_steps)
            return run_fail(run, SALTUS_ERROR_STEP_LIMIT, "more than %ld steps", o->max_steps);
        if (o->max_events > 0 && now->events + now->time_events - events > o->max_events)
            return run_fail(run, SALTUS_ERROR_STEP_LIMIT, "more than %ld events", o->max_events);
    }
    if (o->progress && o->progress(o->user, run->t, run->stop_time) != 0)
        return run_fail(run, SALTUS_INTERRUPTED, "interrupted");
    if (run->error.status < 0)
        return run->error.status; // a callback asked the run for what it must not
    return run_interrupted(run);
}

// The last row of an advance, however that ended.
static SaltusStatus record_end(SaltusRun *run, SaltusStatus status)
{
    const SaltusError error = run->error;
    char *const said = run->said;
    run->said = NULL; // not freed by another error
    if (status < 0)
        step_back(run);
    SaltusStatus recorded = run_record(run, SALTUS_ROW_END, run->t, run->active, run->x, run->z);
    if (status == SALTUS_OK)
        return recorded != SALTUS_OK ? recorded : run_interrupted(run);
    free(run->said);
    run->said = said;
    run->error = error; // the first one counts
    return status;
}

// Nothing of an earlier call is left: the run may begin, or why it may not.
static SaltusStatus run_begin(SaltusRun *run)
{
    if (run->status.has_failed)
        return run->error.status; // a failed run stays where it failed
    if (run->status.is_busy)
        return run_fail(run, SALTUS_ERROR_ARGUMENT,
                        "a callback of the run cannot advance it or apply an action");
    run_forget_error(run, run->t);
    return SALTUS_OK;
}

static SaltusStatus ended(SaltusRun *run, SaltusStatus status)
{
    run->status.is_busy = false;
    run->status.has_failed = status < 0;
    return status;
}

// Rows that would take memory and time without end are surely not meant.
static bool is_too_fine(const SaltusRun *run, double stop_time)
{
    static const double most_rows = 1e9;
    const double interval = run->options.output_interval;
    return (run->options.record & SALTUS_RECORD_INTERVALS) &&
           (stop_time - run->t > most_rows * interval || !(stop_time + interval > stop_time));
}

// The solver is where the run is, whoever goes on.
static SaltusStatus end_stretches(SaltusRun *run, SaltusStatus status)
{
    const SaltusError error = run->error;
    char *const said = run->said;
    run->said = NULL;
    const SaltusStatus back = run_come_back(run);
    if (back != SALTUS_OK) {
        free(said);
        return back;
    }
    free(run->said);
    run->said = said;
    run->error = error;
    return status;
}

SaltusStatus saltus_run_advance(SaltusRun *run, double stop_time)
{
    if (!run)
        return SALTUS_ERROR_ARGUMENT;
    SaltusStatus status = run_begin(run);
    if (status != SALTUS_OK)
        return status;
    if (!(stop_time >= run->t) || isinf(stop_time))
        return run_fail(run, SALTUS_ERROR_ARGUMENT, "cannot advance to %.10g", stop_time);
    if (is_too_fine(run, stop_time))
        return run_fail(run, SALTUS_ERROR_ARGUMENT,
                        "the output interval %g is too small for a run up to %g: there would be "
                        "more than 1e9 rows",
                        run->options.output_interval, stop_time);
    run->status.is_busy = true;
    run->stop_time = stop_time;
    const SaltusStatistics *count = &run->statistics;
    const long steps = count->steps, events = count->events + count->time_events;
    while (status == SALTUS_OK && run->t < stop_time) {
        status = advance_once(run, stop_time);
        if (status == SALTUS_OK)
            status = time_events(run);
        if (status == SALTUS_OK)
            status = crowd_check(run);
        if (status == SALTUS_OK)
            status = check_limits(run, steps, events);
    }
    if (run->stretch.is_exchanged && status >= 0)
        status = end_stretches(run, status);
    return ended(run, record_end(run, status));
}

SaltusStatus saltus_run_apply(SaltusRun *run, SaltusAction action)
{
    return saltus_run_request(run, action, NULL);
}

SaltusStatus saltus_run_request(SaltusRun *run, SaltusAction action, void *argument)
{
    if (!run || !action)
        return SALTUS_ERROR_ARGUMENT;
    SaltusStatus status = run_begin(run);
    if (status != SALTUS_OK)
        return status;
    run->status.is_busy = true;
    own_state(run);
    run->now.event.argument = argument;
    status = event_handle(run, SALTUS_AT_REQUEST, 0.0, NULL, 0, action);
    run->now.event.argument = NULL;
    return ended(run, status != SALTUS_OK ? status : run_interrupted(run));
}
