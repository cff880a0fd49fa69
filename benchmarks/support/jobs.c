// SPDX-License-Identifier: MIT

#include "support/jobs.h"

#include "kernel/whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void job_model_make(JobModel *m, const FlatModel *flat, BackendChoice backend)
{
    m->model = flat ? model_create(m->compilation->arena, flat, m->compilation->diagnostics) : NULL;
    double *p = m->model ? calloc(model_list_parameters(m->model).count + 1u, sizeof *p) : NULL;
    if (!p || !model_parameters(m->model, NULL, 0, p)) {
        printf("a job cannot be compiled\n");
        exit(EXIT_FAILURE);
    }
    model_set_backend(m->model, backend, NULL);
    if (backend == BACKEND_WHOLE && !whole_enable(m->model))
        exit(EXIT_FAILURE);
    if (model_system(m->model, p, &m->system, NULL) != SALTUS_OK)
        exit(EXIT_FAILURE);
    free(p);
}

JobModel job_model(const char *text, const char *modification, BackendChoice backend)
{
    JobModel m = {.compilation = compilation_create(NULL)};
    if (!m.compilation)
        exit(EXIT_FAILURE);
    FlattenOptions options = flatten_default_options();
    options.text = text;
    options.modification = modification;
    job_model_make(&m, flatten_files(m.compilation, 0, NULL, NULL, &options), backend);
    return m;
}

void job_model_destroy(JobModel *m)
{
    saltus_system_destroy(m->system);
    model_release(m->model);
    compilation_destroy(m->compilation);
}

SaltusRun *job_run(const JobModel *m, double stop, SaltusSolver solver, double relative,
                   double absolute)
{
    SaltusOptions options = saltus_default_options();
    options.record = SALTUS_RECORD_NOTHING;
    options.method.solver = solver;
    options.method.relative_tolerance = relative;
    options.method.absolute_tolerance = absolute;
    SaltusRun *run = NULL;
    SaltusError error;
    if (saltus_run_create(m->system, &options, &run, &error) != SALTUS_OK ||
        saltus_run_advance(run, stop) < 0) {
        printf("%s\n", run ? saltus_run_error(run)->message : error.message);
        exit(EXIT_FAILURE);
    }
    return run;
}
