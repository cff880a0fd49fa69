// SPDX-License-Identifier: MIT
//
// A Modelica model inside a C program: translated once, run with several values of a parameter,
// compared with the closed form. A ball that falls from height h with the restitution c bounces at
//
//   t_1 = sqrt(2 h / g),   t_n+1 = t_n + 2 t_1 c^n

#include "check.h"

static const char text[] = "model Ball\n"
                           "  parameter Real g = 9.81, c = 0.8;\n"
                           "  Real h(start = 1, fixed = true, unit = \"m\");\n"
                           "  Real v(start = 0, fixed = true, unit = \"m/s\");\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -g;\n"
                           "  when h <= 0 then\n"
                           "    reinit(v, -c * pre(v));\n"
                           "  end when;\n"
                           "  annotation(experiment(StopTime = 2, Tolerance = 1e-8));\n"
                           "end Ball;\n";

static SaltusModel *translate(const char *modelica)
{
    SaltusModelDef def = saltus_default_model();
    def.text = modelica;
    SaltusModel *model;
    if (saltus_model_create(&def, &model) != SALTUS_OK && !model)
        exit(EXIT_FAILURE); // out of memory
    return model;
}

static void run_with(const SaltusModel *model, double c)
{
    const SaltusSetting setting = {"c", c};
    SaltusSystem *system;
    SaltusError error;
    stop_if(saltus_model_system(model, &setting, 1, &system, &error), &error);

    double stop_time;
    const SaltusOptions options = saltus_model_options(model, &stop_time);
    SaltusRun *run = run_until(system, &options, stop_time);

    printf("\nc = %g: %ld bounces until t = %g\n", c, saltus_run_event_count(run), stop_time);
    const double first = sqrt(2.0 / 9.81);
    double t = first, flight = 2.0 * first * c;
    for (long i = 0; i < saltus_run_event_count(run); i++, flight *= c) {
        // The fall is a parabola, which the method solves without an error: some roundings per
        // bounce.
        check("bounce", saltus_run_event(run, i).t, t, 1e-14);
        t += flight;
    }
    check_that(t > stop_time, "there is no other bounce");

    const SaltusRow last = saltus_run_row(run, saltus_run_row_count(run) - 1);
    const int h = saltus_model_find_variable(model, "h");
    printf("  at the end: h = %.6f %s\n", last.y[h], saltus_model_variable_unit(model, h));
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

int main(void)
{
    SaltusModel *ball = translate(text);
    printf("model %s: %d variables, %d parameters\n", saltus_model_name(ball),
           saltus_model_variable_count(ball), saltus_model_parameter_count(ball));
    run_with(ball, 0.8);
    run_with(ball, 0.9);
    saltus_model_destroy(ball);

    printf("\na model with a mistake:\n");
    SaltusModel *wrong =
        translate("model Wrong\n  Real x = speeed;\n  Real speed = 1;\nend Wrong;\n");
    fputs(saltus_model_messages(wrong), stdout);
    check_that(strstr(saltus_model_messages(wrong), "text:2:12: error:") != NULL,
               "the message says where");
    saltus_model_destroy(wrong);
    return checks_done();
}
