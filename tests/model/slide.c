// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/slide.h"

const SaltusSolver slide_solvers[SLIDE_SOLVERS] = {
    SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
    SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA,    SALTUS_SOLVER_RK4};

void slide_by(Trial *t, SaltusSolver solver)
{
    trial_options(t)->method.solver = solver;
    trial_options(t)->method.relative_tolerance = slide_tolerance;
    trial_options(t)->method.absolute_tolerance = slide_tolerance;
    if (solver == SALTUS_SOLVER_RK4)
        trial_options(t)->method.step = 1e-3; // error about step^4
}

void slide_to(Trial *t, double stop_time)
{
    const SaltusStatus status = trial_run(t, stop_time);
    if (status != SALTUS_OK)
        fail_msg("%s", trial_error(t));
}

Trial *slide_model(const char *model, SaltusSolver solver, double stop_time)
{
    Trial *t = trial_file("modes/Sliding.mo", model);
    slide_by(t, solver);
    slide_to(t, stop_time);
    return t;
}

Trial *slide_text(const char *text, double stop_time)
{
    Trial *t = trial_text(text);
    if (!trial_is_model(t))
        fail_msg("%s", trial_messages(t));
    slide_by(t, SALTUS_SOLVER_DOP853);
    slide_to(t, stop_time);
    return t;
}

double slide_event_time(const Trial *t, long index)
{
    return saltus_run_event(trial_get_run(t), index).t;
}

long slide_events(const Trial *t)
{
    return saltus_run_event_count(trial_get_run(t));
}

const char *slide_mode(const Trial *t, long index)
{
    return trial_mode_name(t, saltus_run_event(trial_get_run(t), index).to);
}

double slide_zero(double (*f)(double), double a, double b)
{
    const bool is_rising = f(a) < 0.0;
    for (int i = 0; i < 200; i++) {
        const double c = 0.5 * (a + b);
        if ((f(c) < 0.0) == is_rising)
            a = c;
        else
            b = c;
    }
    return 0.5 * (a + b);
}
