// SPDX-License-Identifier: MIT

#include "hybrid/crowd.h"

#include "hybrid/system.h"

#include <float.h>
#include <math.h>

// The state that is largest now.
static void crowd_begin(SaltusRun *run)
{
    run->trouble.crowd_state = -1;
    run->trouble.crowd_size = 0.0;
    for (int i = 0; i < run->active->mode->state_count; i++)
        if (fabs(run->x[i]) > fabs(run->trouble.crowd_size)) {
            run->trouble.crowd_state = i;
            run->trouble.crowd_size = run->x[i];
        }
}

// A state that goes to infinity in finite time, x' = x^2, and makes events on its way, sin(x) > 0:
// these do not accumulate geometrically, as bounces do. Several crowds of steps in a row each take
// less time than the one before, the largest state grows in each, and at its pace it would
// have no finite value long before the stop time.
static bool crowd_grows(SaltusRun *run, double gone)
{
    enum { LEAST = 3 };
    static const double less = 0.95, more = 1.01;
    const int i = run->trouble.crowd_state;
    const double before = run->trouble.crowd_gone, size = fabs(run->trouble.crowd_size);
    run->trouble.crowd_gone = gone;
    const bool grows = i >= 0 && i < run->active->mode->state_count && before > 0.0 &&
                       gone < less * before && fabs(run->x[i]) > more * size;
    run->trouble.crowd_growing = grows ? run->trouble.crowd_growing + 1 : 0;
    return run->trouble.crowd_growing >= LEAST &&
           log(fabs(run->x[i]) / size) * (run->stop_time - run->t) > log(DBL_MAX) * gone;
}

// Steps so small that the stop time is out of reach, because of time events (`sample` with an
// interval of 1e-20), a delay of 1e-20, or events that accumulate where this is allowed. At a
// million steps in a second, 1e13 of them take four months.
SaltusStatus crowd_look(SaltusRun *run)
{
    static const double most_steps = 1e13;
    const long events = run->statistics.time_events;
    if (run->trouble.crowd == 1) {
        run->trouble.crowd_from = run->t;
        run->trouble.crowd_events = events;
        crowd_begin(run);
        return SALTUS_OK;
    }
    run->trouble.crowd = 0;
    const double from = run->trouble.crowd_from, gone = run->t - from;
    if (crowd_grows(run, gone))
        return run_fail(run, SALTUS_ERROR_STEP_LIMIT,
                        "%s grows beyond all bounds: from %g to %g in %d steps that have led from "
                        "t = %.10g to %.10g only",
                        run->active->mode->state_names[run->trouble.crowd_state],
                        run->trouble.crowd_size, run->x[run->trouble.crowd_state], CROWD, from,
                        run->t);
    if (run->stop_time - run->t <= most_steps / CROWD * gone)
        return SALTUS_OK;
    const bool is_timed = events - run->trouble.crowd_events > CROWD / 2;
    return run_fail(run, SALTUS_ERROR_STEP_LIMIT,
                    "%d steps have led from t = %.10g to %.10g only; up to t = %.10g there would "
                    "be more than 1e13 of them%s%s",
                    CROWD, from, run->t, run->stop_time,
                    is_timed ? "; they end at time events, the last one: " : "",
                    is_timed ? system_time_name(run->system, run->now.due[0]) : "");
}
