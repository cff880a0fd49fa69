// SPDX-License-Identifier: MIT

#include "support/jobs.h"

#include "flatten/flatten.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

JobModel job_model(const char *text, BackendChoice backend)
{
    JobModel m = {.compilation = compilation_create(NULL)};
    const SourceFile *file = NULL;
    double p[16];
    if (!m.compilation ||
        sources_add(m.compilation->sources, "job", text, strlen(text), &file) != SOURCE_OK)
        exit(EXIT_FAILURE);
    StoredDefinition *definition = parser_parse(m.compilation, file);
    const FlattenOptions options = flatten_default_options();
    const FlatModel *flat = flatten_definitions(m.compilation, 1, &definition, NULL, &options);
    m.model = flat ? model_create(m.compilation->arena, flat, m.compilation->diagnostics) : NULL;
    if (!m.model || model_list_parameters(m.model).count > 16 ||
        !model_parameters(m.model, NULL, 0, p)) {
        printf("a job cannot be compiled: %.60s\n", text);
        exit(EXIT_FAILURE);
    }
    model_set_backend(m.model, backend, NULL);
    if (model_system(m.model, p, &m.system, NULL) != SALTUS_OK)
        exit(EXIT_FAILURE);
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
