// SPDX-License-Identifier: MIT

#include "trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char study_ball[] = "model Ball\n"
                          "  parameter Real g = 9.81;\n"
                          "  parameter Real mu = 0.8;\n"
                          "  parameter Real x0 = 1;\n"
                          "  Real x(start = x0, fixed = true);\n"
                          "  Real v(start = 0, fixed = true);\n"
                          "  Integer n(start = 0, fixed = true);\n"
                          "equation\n"
                          "  der(x) = v;\n"
                          "  der(v) = -g;\n"
                          "  when x <= 0 then\n"
                          "    reinit(v, -mu * pre(v));\n"
                          "    n = pre(n) + 1;\n"
                          "  end when;\n"
                          "end Ball;\n";

StudyTrial study_trial(const char *model, double stop_time, double tolerance,
                       const char *const *observations)
{
    StudyTrial t = {.folder = "/tmp/saltus-study-XXXXXX"};
    assert_non_null(mkdtemp(t.folder));
    snprintf(t.path, sizeof t.path, "%s/Model.mo", t.folder);
    FILE *file = fopen(t.path, "w");
    assert_non_null(file);
    assert_true(fputs(model, file) >= 0);
    assert_int_equal(fclose(file), 0);
    size_t count = 0;
    while (observations[count])
        count++;
    const char *files[] = {t.path};
    StudyDef def = {.load = {.file_count = 1, .files = files},
                    .observation_count = count,
                    .observations = observations,
                    .options = saltus_default_options(),
                    .stop_time = stop_time};
    def.options.method.relative_tolerance = tolerance;
    def.options.method.absolute_tolerance = 1e-3 * tolerance;
    t.study = study_create(&def);
    assert_non_null(t.study);
    t.runner = study_runner(t.study);
    assert_non_null(t.runner);
    return t;
}

void study_trial_end(StudyTrial *trial)
{
    study_runner_destroy(trial->runner);
    study_destroy(trial->study);
    unlink(trial->path);
    rmdir(trial->folder);
}

void study_trial_run(StudyTrial *trial)
{
    if (!study_observations(trial->study))
        fail_msg("%s", study_trial_messages(trial));
    study_run(trial->runner, NULL, 0, &trial->outcome);
    if (trial->outcome.status < 0 || !trial->outcome.is_observed)
        fail_msg("%s", trial->outcome.message);
}

double study_trial_value(const StudyTrial *trial, size_t observation)
{
    const ObserveResult r = study_result(trial->runner, observation);
    assert_true(r.count > 0);
    return r.values[0];
}

const char *study_trial_messages(const StudyTrial *trial)
{
    Compilation *c = study_compilation(trial->study);
    StringBuilder out = builder_create(c->arena);
    diagnostics_render_text(c->diagnostics, false, &out);
    return builder_string(&out).text;
}
