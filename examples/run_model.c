// SPDX-License-Identifier: MIT
//
// Reads a Modelica model, runs it and prints a variable: run_model FILE.mo VARIABLE

#include <saltus/saltus.h>
#include <stdio.h>

static const char decay[] = "model Decay Real x(start = 1, fixed = true); equation der(x) = -x;\n"
                            "annotation(experiment(StopTime = 1)); end Decay;";

int main(int argc, char **argv)
{
    const char *name = argc > 2 ? argv[2] : "x";
    SaltusModelDef def = saltus_default_model();
    def.file_count = argc > 1;
    def.files = (const char *const *)argv + 1;
    def.text = argc > 1 ? NULL : decay; // without a file: a model of our own

    SaltusModel *model = NULL;
    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    SaltusStatus status = saltus_model_create(&def, &model);
    if (model)
        fputs(saltus_model_messages(model), stderr);
    const int variable = status < 0 ? -1 : saltus_model_find_variable(model, name);
    double stop_time, last = 0.0;
    SaltusOptions options = saltus_default_options();
    if (variable >= 0) {
        options = saltus_model_options(model, &stop_time);
        status = saltus_model_system(model, NULL, 0, &system, NULL);
    }
    if (system && (status = saltus_run_create(system, &options, &run, NULL)) >= 0)
        status = saltus_run_advance(run, stop_time);
    for (long i = 0; run && i < saltus_run_row_count(run); i++) {
        const SaltusRow row = saltus_run_row(run, i);
        printf("%g %g\n", row.t, last = row.y[variable]);
    }
    if (run && status < 0)
        fprintf(stderr, "%s\n", saltus_run_error(run)->message);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    saltus_model_destroy(model);
    // The model of our own decays to exp(-1).
    return argc > 1 ? status < 0 : !(last > 0.36787 && last < 0.36788);
}
