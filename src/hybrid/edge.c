// SPDX-License-Identifier: MIT

#include "hybrid/edge.h"

#include "base/real.h"
#include "events/locate.h"
#include "hybrid/event_parts.h"

#include <math.h>

// How far ahead of the step that failed a zero may be, in such steps: the way to a double root is
// twice as long as it looks.
static const double edge_reach = 4.0;
// Events at one such place: each may lead to another one.
enum { MOST_EDGE_EVENTS = 4 };

// The event functions that head for zero, in a direction that counts, and get there first; 0: none.
static int edge_heading_for_zero(SaltusRun *run, SaltusFired *fired, double *time)
{
    RunInstance *active = run->active;
    Problem *problem = active->problem;
    double *dh = active->noise;
    *time = INFINITY;
    if (active->mode->event_count == 0 || problem->form == PROBLEM_IMPLICIT)
        return 0;
    if (problem_rhs(problem, run->t, active->x, active->z, active->dx) != 0 ||
        problem_flow(problem, run->t, active->x, active->z, active->dx, dh) != 0)
        return 0;
    int count = 0;
    for (int i = 0; i < active->mode->event_count; i++) {
        const SaltusEventDef *def = &active->mode->events[i];
        int sign = active->armed[i].sign;
        bool does_count = def->direction == SALTUS_BOTH || (int)def->direction == -sign;
        if (def->is_muted || !does_count || !(dh[i] * sign < 0.0))
            continue;
        double there = fabs(active->h[i] / dh[i]);
        if (there < 0.999 * *time)
            count = 0;
        if (there > 1.001 * *time)
            continue;
        *time = real_smaller(*time, there);
        fired[count++] = (SaltusFired){.event = i, .direction = -sign};
    }
    return count;
}

SaltusStatus edge_meet(SaltusRun *run, SaltusStatus status)
{
    Solver *solver = run->solver;
    const ProblemFailure failure = solver->problem->failure;
    const double reach =
        edge_reach * real_larger(real_larger(solver->step_next, solver->method.step),
                                 locate_resolution(run->t)); // where steps are shorter than that
    double time = 0.0;
    int count = edge_heading_for_zero(run, run->now.crossed, &time);
    const bool is_again = run->trouble.edge == run->t, is_near = is_again || time <= reach;
    solver->problem->failure = failure;
    if (count == 0 || !is_near)
        return status;
    run->trouble.edge = run->t;
    run->trouble.edge_events = is_again ? run->trouble.edge_events : 0;
    if (!is_again && run->t + 0.5 * time > run->t) {
        status = run_restart(run, NULL, 0.5 * time);
        run->trouble.step_limit = run->t + 0.5 * time;
        return status;
    }
    if (run->trouble.edge_events++ >= MOST_EDGE_EVENTS)
        return status; // none of them leads away from it
    return event_handle(run, SALTUS_AT_CROSSING, time, run->now.crossed, count, NULL);
}
