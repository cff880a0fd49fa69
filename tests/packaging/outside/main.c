// SPDX-License-Identifier: MIT
//
// An outside program: prints the version of the library it was linked with, and lets SUNDIALS,
// which must have come along with it, solve x' = -x.

#include <saltus/saltus.h>

#include <math.h>
#include <stdio.h>

static int decay(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = -x[0];
    return 0;
}

int main(void)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "decay";
    mode.state_count = 1;
    mode.start = (double[]){1.0};
    mode.rhs = decay;

    SaltusSystemDef definition = saltus_default_system();
    definition.mode_count = 1;
    definition.modes = &mode;

    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_CVODE;

    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    SaltusError error;
    if (saltus_system_create(&definition, &system, &error) < 0 ||
        saltus_run_create(system, &options, &run, &error) < 0) {
        fprintf(stderr, "%s\n", error.message);
        saltus_error_clear(&error);
        return 1;
    }
    SaltusStatus status = saltus_run_advance(run, 1.0);
    // Some tens of steps, each with a local error of 1e-6.
    double distance = fabs(saltus_run_states(run)[0] - exp(-1.0));
    saltus_run_destroy(run);
    saltus_system_destroy(system);

    puts(saltus_version());
    return status == SALTUS_OK && distance < 1e-4 ? 0 : 1;
}
