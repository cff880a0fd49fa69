// SPDX-License-Identifier: MIT
//
// What became of a thrown stone: observations of a system in C.

#include <saltus/saltus.h>
#include <stdio.h>

static int fall(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -c->p[0];
    return 0;
}

int main(void)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "flight";
    mode.state_count = 2;
    mode.state_names = (const char *const[]){"height", "speed"};
    mode.start = (const double[]){2.0, 10.0};
    mode.rhs = fall;

    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = &mode;
    def.parameter_count = 1;
    def.parameter_names = (const char *const[]){"g"};
    def.parameters = (const double[]){10.0};

    const char *const questions[] = {"maximum(height)", "time_of(height < 0)",
                                     "at(speed, height < 0) / g", "time_of(height > 100)"};
    SaltusSystem *system = NULL;
    SaltusObserver *observer = NULL;
    SaltusRun *run = NULL;
    SaltusError error = {0};
    SaltusOptions options = saltus_default_options();
    if (saltus_system_create(&def, &system, &error) == SALTUS_OK &&
        saltus_observer_create(system, 4, questions, &observer, &error) == SALTUS_OK) {
        options.piece = saltus_observer_piece;
        options.user = observer;
        if (saltus_run_create(system, &options, &run, &error) == SALTUS_OK &&
            saltus_run_advance(run, 3.0) == SALTUS_OK &&
            saltus_observer_finish(observer, run) == SALTUS_OK)
            for (int i = 0; i < 4; i++)
                printf("%s: %.9g%s%s\n", questions[i], saltus_observer_value(observer, i, 0),
                       saltus_observer_reason(observer, i)[0] ? ", " : "",
                       saltus_observer_reason(observer, i));
    }
    if (error.status < 0)
        fprintf(stderr, "%s\n", error.message);
    saltus_error_clear(&error);
    // height = 2 + 10 t - 5 t^2: 7 at the top, after 1 s.
    const double top = observer ? saltus_observer_value(observer, 0, 0) : 0.0;
    saltus_run_destroy(run);
    saltus_observer_destroy(observer);
    saltus_system_destroy(system);
    return top > 7.0 - 1e-9 && top < 7.0 + 1e-9 ? 0 : 1;
}
