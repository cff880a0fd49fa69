// SPDX-License-Identifier: MIT
//
// FMUs as blocks of Modelica models: exported here, found beside a model, connected, run; against
// closed forms and the model that the FMU was made of.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/message.h"
#include "fmi/blocks.h"
#include "fmi/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char plant[] = "model Plant\n"
                            "  parameter Real k = 2, T = 0.5;\n"
                            "  parameter Boolean isNegative = false;\n"
                            "  input Real u(start = 0);\n"
                            "  output Real y;\n"
                            "  output Boolean high;\n"
                            "  Real x(start = 0, fixed = true);\n"
                            "equation\n"
                            "  T*der(x) = k*(if isNegative then -u else u) - x;\n"
                            "  y = x;\n"
                            "  high = x > 0.5;\n"
                            "end Plant;\n";
static const char ball[] = "model Ball\n"
                           "  parameter Real e = 0.8;\n"
                           "  output Real h(start = 1, fixed = true);\n"
                           "  Real v(start = 0, fixed = true);\n"
                           "  output Integer bounces(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -9.81;\n"
                           "  when h <= 0 then\n"
                           "    reinit(v, -e*pre(v));\n"
                           "    bounces = pre(bounces) + 1;\n"
                           "  end when;\n"
                           "end Ball;\n";
static const char pulse[] = "model Pulse\n"
                            "  output Real y;\n"
                            "  Real x(start = 0, fixed = true);\n"
                            "  discrete Real d(start = 0, fixed = true);\n"
                            "equation\n"
                            "  when sample(0.25, 0.5) then d = 1 - pre(d); end when;\n"
                            "  der(x) = d;\n"
                            "  y = x;\n"
                            "end Pulse;\n";

// A folder with FMUs in it.
static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/saltus-blocks-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

// folder/NAME.fmu of a text, made of a file that is gone afterwards.
static void export_text(const char *name, const char *text, int version, bool is_exchange)
{
    char source[128], path[128], *message = NULL;
    snprintf(source, sizeof source, "%s/source.mo", folder);
    snprintf(path, sizeof path, "%s/%s.fmu", folder, name);
    FILE *file = fopen(source, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    const char *const files[] = {source};
    const LoadedDef def = {.file_count = 1, .files = files, .library_path = ""};
    Loaded *loaded = loaded_create(&def);
    assert_non_null(loaded);
    assert_non_null(loaded->model);
    const FmuExport wanted = {.path = path,
                              .library = SALTUS_FMU_LIBRARY,
                              .def = &def,
                              .version = version,
                              .has_exchange = is_exchange,
                              .has_cosimulation = !is_exchange};
    if (!export_fmu(loaded, &wanted, &message))
        fail_msg("%s", message_text(message));
    free(message);
    loaded_destroy(loaded);
    remove(source);
}

static Loaded *load(const char *text, bool is_allowed)
{
    const LoadedDef def = {
        .text = text, .library_path = folder, .invite = is_allowed ? blocks_create : NULL};
    Loaded *loaded = loaded_create(&def);
    assert_non_null(loaded);
    return loaded;
}

static int find_output(const Loaded *loaded, const char *name)
{
    const FlatVariable *const *outputs = model_output_variables(loaded->model);
    for (uint32_t i = 0; i < model_output_count(loaded->model); i++)
        if (strcmp(outputs[i]->name, name) == 0)
            return (int)i;
    fail_msg("there is no %s", name);
    return -1;
}

static SaltusRun *start(const Loaded *loaded, SaltusSystem **system)
{
    SaltusRun *run = NULL;
    SaltusError error = {0};
    SaltusOptions options = saltus_default_options();
    options.method.relative_tolerance = 1e-9;
    options.method.absolute_tolerance = 1e-12;
    options.record = SALTUS_RECORD_NOTHING;
    if (!loaded->model)
        fail_msg("%s", loaded_first_error(loaded));
    if (loaded_system(loaded, NULL, 0, system, &error) != SALTUS_OK ||
        saltus_run_create(*system, &options, &run, &error) != SALTUS_OK)
        fail_msg("%s", error.message);
    return run;
}

// The variable at a time that the run goes on to.
static double value_at(SaltusRun *run, const Loaded *loaded, const char *name, double time)
{
    double *y = calloc(model_output_count(loaded->model) + 1u, sizeof *y);
    assert_non_null(y);
    if (saltus_run_advance(run, time) < 0)
        fail_msg("%s", saltus_run_error(run)->message);
    assert_int_equal(saltus_run_outputs(run, y), 0);
    const double value = y[find_output(loaded, name)];
    free(y);
    return value;
}

static void check_near(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        fail_msg("%.17g is not %.17g", value, expected);
}

// Co-simulation is a sampled system: x' = a x + k (1 - a) u with a = exp(-h/T), u = 2 (1 - x) of
// the communication point before. The FMU's own tolerance is 1e-6.
static void steps_are_sampled(void **state)
{
    (void)state;
    for (int version = 2; version <= 3; version++) {
        export_text("Plant", plant, version, false);
        Loaded *loaded = load("model Loop\n"
                              "  Plant p(k = 3, communicationInterval = 0.125);\n"
                              "  Plant q(isNegative = true, communicationInterval = 0.25);\n"
                              "  Integer n = if p.high then 1 else 0;\n"
                              "equation\n"
                              "  p.u = 2*(1 - p.y);\n"
                              "  connect(p.y, q.u);\n"
                              "end Loop;\n",
                              true);
        SaltusSystem *system;
        SaltusRun *run = start(loaded, &system);
        double x = 0.0, z = 0.0, sampled = 0.0;
        for (int k = 1; k <= 16; k++) {
            const double a = exp(-0.125 / 0.5), b = exp(-0.25 / 0.5);
            if (k % 2 == 0)
                z = b * z - 2.0 * (1.0 - b) * sampled;
            x = a * x + 3.0 * (1.0 - a) * 2.0 * (1.0 - x);
            if (k % 2 == 0)
                sampled = x;
            // between two communication points
            const double time = 0.125 * k + 0.01;
            check_near(value_at(run, loaded, "p.y", time), x, 1e-5);
            check_near(value_at(run, loaded, "n", time), x > 0.5, 0.0);
            check_near(value_at(run, loaded, "q.y", time), z, 1e-5);
        }
        saltus_run_destroy(run);
        saltus_system_destroy(system);
        loaded_destroy(loaded);
    }
}

// x' = (6 (1 - x) - x)/T: the loop through the block's output is solved with the other equations.
static void flows_are_continuous(void **state)
{
    (void)state;
    for (int version = 2; version <= 3; version++) {
        export_text("Plant", plant, version, true);
        Loaded *loaded = load("model Loop\n"
                              "  Plant p(k = 3);\n"
                              "  Integer n = if p.high then 1 else 0;\n"
                              "equation\n"
                              "  p.u = 2*(1 - p.y);\n"
                              "end Loop;\n",
                              true);
        SaltusSystem *system;
        SaltusRun *run = start(loaded, &system);
        for (int k = 0; k <= 20; k++) {
            const double time = 0.02 * k, x = 6.0 / 7.0 * (1.0 - exp(-14.0 * time));
            check_near(value_at(run, loaded, "p.y", time), x, 1e-8);
            check_near(value_at(run, loaded, "n", time), x > 0.5, 0.0);
        }
        saltus_run_destroy(run);
        saltus_system_destroy(system);
        loaded_destroy(loaded);
    }
}

// Bounces of the FMU as events of the model, up to where they accumulate: as in the model itself.
static void events_are_located(void **state)
{
    (void)state;
    char text[2048];
    export_text("Ball", ball, 3, true);
    snprintf(text, sizeof text, "%s", ball);
    Loaded *direct = load(text, false);
    Loaded *loaded = load("model B\n  Ball b(e = 0.8), c(e = 0.5);\nend B;\n", true);
    SaltusSystem *direct_system, *system;
    SaltusRun *of_direct = start(direct, &direct_system), *run = start(loaded, &system);
    for (int k = 0; k <= 13; k++) {
        const double time = 0.1 * k;
        check_near(value_at(run, loaded, "b.h", time), value_at(of_direct, direct, "h", time),
                   1e-7);
        check_near(value_at(run, loaded, "b.bounces", time),
                   value_at(of_direct, direct, "bounces", time), 0.0);
    }
    // c accumulates first: at t0 + 2 t0 (e + e^2 + ...) = 3 t0.
    assert_int_equal(saltus_run_advance(run, 2.0), SALTUS_ZENO);
    check_near(saltus_run_time(run), 3.0 * sqrt(2.0 / 9.81), 1e-6);
    saltus_run_destroy(of_direct);
    saltus_system_destroy(direct_system);
    loaded_destroy(direct);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    loaded_destroy(loaded);
}

// Time events of an FMU: d is 1 from 0.25 to 0.75, from 1.25 to 1.75.
static void time_events_are_met(void **state)
{
    (void)state;
    for (int version = 2; version <= 3; version++) {
        export_text("Pulse", pulse, version, true);
        Loaded *loaded = load("model P\n  Pulse p;\n  Real w = p.y;\nend P;\n", true);
        SaltusSystem *system;
        SaltusRun *run = start(loaded, &system);
        check_near(value_at(run, loaded, "w", 0.5), 0.25, 1e-12);
        check_near(value_at(run, loaded, "w", 1.0), 0.5, 1e-12);
        check_near(value_at(run, loaded, "w", 2.0), 1.0, 1e-12);
        saltus_run_destroy(run);
        saltus_system_destroy(system);
        loaded_destroy(loaded);
    }
}

// An FMU that is given as a file is a model with all of its variables, whatever it has as outputs.
static void alone_it_is_whole(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/Ball.fmu", folder);
    const char *const files[] = {path};
    for (int is_exchange = 0; is_exchange < 2; is_exchange++) {
        export_text("Ball", ball, 2, is_exchange);
        const LoadedDef def = {
            .file_count = 1, .files = files, .library_path = "", .invite = blocks_create};
        Loaded *loaded = loaded_create(&def);
        SaltusSystem *system;
        assert_non_null(loaded);
        SaltusRun *run = start(loaded, &system);
        // v just before the first bounce, and after it; communication points are 0.002 apart.
        check_near(value_at(run, loaded, "v", 0.4), -9.81 * 0.4, 1e-5);
        check_near(value_at(run, loaded, "v", 0.5), 9.81 * (1.8 * sqrt(2.0 / 9.81) - 0.5), 1e-5);
        check_near(value_at(run, loaded, "bounces", 0.5), 1.0, 0.0);
        check_near(loaded_experiment(loaded).stop_time, 1.0, 0.0);
        saltus_run_destroy(run);
        saltus_system_destroy(system);
        loaded_destroy(loaded);
    }
}

// A block in a model has the local variables of its FMU, too: v is no output. Not those of an FMU
// with hundreds of them.
static void locals_are_shown(void **state)
{
    (void)state;
    for (int is_exchange = 0; is_exchange < 2; is_exchange++) {
        export_text("Ball", ball, 2, is_exchange);
        Loaded *loaded = load("model Two\n  Ball b(e = 0.5);\n  Real w = 2*b.v;\nend Two;\n", true);
        SaltusSystem *system;
        SaltusRun *run = start(loaded, &system);
        const double first = sqrt(2.0 / 9.81);
        check_near(value_at(run, loaded, "b.v", 0.5), 9.81 * (1.5 * first - 0.5), 1e-5);
        check_near(value_at(run, loaded, "w", 0.5), 2.0 * 9.81 * (1.5 * first - 0.5), 2e-5);
        check_near(value_at(run, loaded, "b.bounces", 0.5), 1.0, 0.0);
        saltus_run_destroy(run);
        saltus_system_destroy(system);
        loaded_destroy(loaded);
    }
    export_text("Many",
                "model Many\n  output Real y = x[7];\n"
                "  Real x[300] = {k*time for k in 1:300};\nend Many;\n",
                2, false);
    Loaded *loaded = load("model Seven\n  Many m;\nend Seven;\n", true);
    SaltusSystem *system;
    SaltusRun *run = start(loaded, &system);
    check_near(value_at(run, loaded, "m.y", 0.5), 3.5, 1e-14);
    assert_true(model_output_count(loaded->model) < 10);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    loaded_destroy(loaded);
}

// One run after another, with other parameters: an FMU begins anew.
static void runs_begin_anew(void **state)
{
    (void)state;
    export_text("Plant", plant, 2, false);
    Loaded *loaded = load("model Loop\n  parameter Real k = 1;\n"
                          "  Plant p(k = k, communicationInterval = 0.1);\n"
                          "equation\n  p.u = 1;\nend Loop;\n",
                          true);
    for (int k = 1; k <= 3; k++) {
        SaltusSystem *system;
        SaltusRun *run;
        SaltusError error = {0};
        const ParameterValue values[] = {{.number = 0, .value = k}};
        SaltusOptions options = saltus_default_options();
        assert_non_null(loaded->model);
        assert_string_equal(model_list_parameters(loaded->model).names[0], "k");
        assert_int_equal(loaded_system(loaded, values, 1, &system, &error), SALTUS_OK);
        assert_int_equal(saltus_run_create(system, &options, &run, &error), SALTUS_OK);
        check_near(value_at(run, loaded, "p.y", 1.05), k * (1.0 - exp(-1.0 / 0.5)), 1e-5);
        saltus_run_destroy(run);
        saltus_system_destroy(system);
    }
    loaded_destroy(loaded);
}

// Foreign code needs leave; what an FMU cannot do is said with its name.
static void refusals(void **state)
{
    (void)state;
    export_text("Plant", plant, 2, false);
    static const char text[] = "model Loop\n  Plant p;\nequation\n  p.u = 1;\nend Loop;\n";
    Loaded *loaded = load(text, false);
    assert_null(loaded->model);
    assert_non_null(strstr(loaded_first_error(loaded), "Plant.fmu"));
    assert_non_null(strstr(loaded_first_error(loaded), "--allow-external"));
    loaded_destroy(loaded);

    // The function alone is not enough either.
    loaded = load("model Direct\n"
                  "  impure function step\n"
                  "    input String file, name;\n    input Real t, p[:], u[:];\n"
                  "    output Real y[1];\n"
                  "    external \"C\" saltus_fmu_step(file, name, t, p, u, y);\n"
                  "  end step;\n"
                  "  discrete Real y[1];\n"
                  "equation\n"
                  "  when initial() then y = step(\"a.fmu\", \"a\", time, {0}, {0}); end when;\n"
                  "end Direct;\n",
                  false);
    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    SaltusError error = {0};
    const SaltusOptions options = saltus_default_options();
    assert_non_null(loaded->model);
    assert_int_equal(loaded_system(loaded, NULL, 0, &system, &error), SALTUS_OK);
    assert_true(saltus_run_create(system, &options, &run, &error) < 0);
    assert_non_null(strstr(error.message, "foreign code"));
    saltus_error_clear(&error);
    saltus_system_destroy(system);
    loaded_destroy(loaded);

    // No archive.
    char path[128];
    snprintf(path, sizeof path, "%s/Broken.fmu", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("no archive", file);
    fclose(file);
    loaded = load("model M\n  Broken b;\nend M;\n", true);
    assert_null(loaded->model);
    assert_non_null(strstr(loaded_first_error(loaded), "no ZIP archive"));
    loaded_destroy(loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_sampled),  cmocka_unit_test(flows_are_continuous),
        cmocka_unit_test(events_are_located), cmocka_unit_test(time_events_are_met),
        cmocka_unit_test(alone_it_is_whole),  cmocka_unit_test(locals_are_shown),
        cmocka_unit_test(runs_begin_anew),    cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
