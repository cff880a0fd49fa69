// SPDX-License-Identifier: MIT
//
// One run of one job, for tools/bench-quick, which counts the instructions of quick_run. Without a
// job, their names.

#include "support/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Job jobs[] = {
    {"J1", JOB_BALL, 100.0, 1e-4},
    {"J2", JOB_CONTACT("J2", "", ""), 30.0, 1e-2},
    {"J3a", JOB_RLC("J3a", "1000"), 500e-6, 1e-4},
    {"J3b", JOB_RLC("J3b", "10"), 500e-6, 1e-4},
    {"J4", JOB_PENDULUM, 10.0, 1e-2},
    {"J5",
     JOB_CONTACT("J5", "discrete Real height(start = 10, fixed = true); ",
                 "when v <= 0 and not contact then height = x; end when; "),
     30.0, 1e-3},
};

// The run is made again and again so that what is found once, modes and their code, does not count
// for much.
enum { REPETITIONS = 5 };

__attribute__((noinline)) void quick_run(const JobModel *model, const Job *job);

void quick_run(const JobModel *model, const Job *job)
{
    SaltusRun *run = job_run(model, job->stop, SALTUS_SOLVER_AUTO, 1e-6, 1e-6 * job->absolute);
    saltus_run_destroy(run);
}

static void quick_measure(const Job *job, BackendChoice backend)
{
    JobModel model = job_model(job->text, NULL, backend);
    // Once before: modes and compiled code are there.
    SaltusRun *run = job_run(&model, job->stop, SALTUS_SOLVER_AUTO, 1e-6, 1e-6 * job->absolute);
    const SaltusStatistics s = saltus_run_statistics(run);
    printf("%s: %s, %ld steps, %ld events, %ld iterations, %ld closing steps, %ld restarts\n",
           job->name, saltus_solver_name(saltus_run_solver(run)), s.steps, s.events,
           s.event_iterations, s.closing_steps, s.restarts);
    saltus_run_destroy(run);
    for (int i = 0; i < REPETITIONS; i++)
        quick_run(&model, job);
    job_model_destroy(&model);
}

int main(int count, char **arguments)
{
    const char *wanted = count > 1 ? arguments[1] : NULL;
    const BackendChoice backend = count > 2 && strcmp(arguments[2], "interpreted") == 0
                                      ? BACKEND_INTERPRET
                                  : count > 2 && strcmp(arguments[2], "whole") == 0 ? BACKEND_WHOLE
                                                                                    : BACKEND_C;
    bool is_known = !wanted;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        if (!wanted)
            puts(jobs[i].name);
        else if (strcmp(wanted, jobs[i].name) == 0)
            quick_measure(&jobs[i], backend);
        is_known |= wanted && strcmp(wanted, jobs[i].name) == 0;
    }
    return is_known ? EXIT_SUCCESS : EXIT_FAILURE;
}
