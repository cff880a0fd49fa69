// SPDX-License-Identifier: MIT
//
// The compiler's public interface: what it refuses, and that it survives exhausted memory. The
// example embedded_model runs a model with it.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <saltus/saltus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] =
    "model M parameter Real k = 2; final parameter Real f = 1; parameter Integer n = 2; "
    "Real x(start = 1, fixed = true, unit = \"m\"); Real y[n]; Integer done(start = 0); "
    "equation der(x) = -k * f * x; for i in 1:n loop y[i] = i * x; end for; "
    "when terminal() then done = 1; end when; "
    "annotation(experiment(StartTime = 1, StopTime = 3, Tolerance = 1e-9, Interval = 0.5)); end M;";

static SaltusStatus create(const char *modelica, const char *modification, SaltusModel **model)
{
    SaltusModelDef def = saltus_default_model();
    def.text = modelica;
    def.modification = modification;
    return saltus_model_create(&def, model);
}

static void questions(void **state)
{
    (void)state;
    SaltusModel *m;
    assert_int_equal(create(text, NULL, &m), SALTUS_OK);
    assert_string_equal(saltus_model_name(m), "M");
    assert_string_equal(saltus_model_messages(m), "");
    assert_int_equal(saltus_model_variable_count(m), 4);
    assert_int_equal(saltus_model_find_variable(m, "y[2]"), 2);
    assert_int_equal(saltus_model_find_variable(m, "z"), -1);
    assert_string_equal(saltus_model_variable_name(m, 0), "x");
    assert_string_equal(saltus_model_variable_unit(m, 0), "m");
    assert_string_equal(saltus_model_variable_unit(m, 1), "");
    assert_null(saltus_model_variable_name(m, 4));
    assert_null(saltus_model_variable_unit(m, -1));
    assert_true(saltus_model_parameter_count(m) >= 1);
    assert_null(saltus_model_parameter_name(m, 100));
    double stop_time;
    const SaltusOptions o = saltus_model_options(m, &stop_time);
    assert_true(o.start_time == 1.0 && stop_time == 3.0);
    assert_true(o.method.relative_tolerance == 1e-9 && o.output_interval == 0.5);
    saltus_model_destroy(m);
    saltus_model_destroy(NULL);
}

static void run(void **state)
{
    (void)state;
    SaltusModel *m;
    assert_int_equal(create(text, "(n = 3, x(start = 2))", &m), SALTUS_OK);
    assert_int_equal(saltus_model_find_variable(m, "y[3]"), 3);
    const SaltusSetting setting = {"k", 0.5};
    SaltusSystem *system;
    SaltusError error;
    SaltusRun *r;
    double stop_time;
    assert_int_equal(saltus_model_system(m, &setting, 1, &system, &error), SALTUS_OK);
    const SaltusOptions options = saltus_model_options(m, &stop_time);
    assert_int_equal(saltus_run_create(system, &options, &r, &error), SALTUS_OK);
    assert_int_equal(saltus_run_advance(r, stop_time), SALTUS_OK);
    // x = 2 exp(-0.5 (t - 1)); ten times the tolerance.
    assert_true(fabs(saltus_run_states(r)[0] - 2.0 * exp(-1.0)) < 1e-8);
    assert_int_equal(saltus_model_finish(m, r), SALTUS_OK);
    const SaltusRow last = saltus_run_row(r, saltus_run_row_count(r) - 1);
    assert_true(last.y[saltus_model_find_variable(m, "done")] == 1.0);
    saltus_run_destroy(r);
    saltus_system_destroy(system);
    saltus_model_destroy(m);
}

static void refused(void **state)
{
    (void)state;
    SaltusModel *m;
    SaltusSystem *system;
    SaltusError error;
    SaltusModelDef def = saltus_default_model();
    assert_int_equal(saltus_model_create(&def, &m), SALTUS_ERROR_ARGUMENT);
    assert_null(m);

    const char *const missing[] = {"/nowhere/a.mo"};
    def.files = missing;
    def.file_count = 1;
    assert_int_equal(saltus_model_create(&def, &m), SALTUS_ERROR_MODEL);
    assert_non_null(strstr(saltus_model_messages(m), "/nowhere/a.mo"));
    saltus_model_destroy(m);
    def.text = text;
    assert_int_equal(saltus_model_create(&def, &m), SALTUS_ERROR_MODEL);
    assert_non_null(strstr(saltus_model_messages(m), "cannot read '/nowhere/a.mo'"));
    assert_int_equal(saltus_model_variable_count(m), 0);
    assert_string_equal(saltus_model_name(m), "");
    assert_int_equal(saltus_model_system(m, NULL, 0, &system, &error), SALTUS_ERROR_MODEL);
    saltus_error_clear(&error);
    saltus_model_destroy(m);

    assert_int_equal(create("model M Real x", NULL, &m), SALTUS_ERROR_MODEL);
    assert_non_null(strstr(saltus_model_messages(m), "text:1:"));
    saltus_model_destroy(m);

    assert_int_equal(create(text, NULL, &m), SALTUS_OK);
    const char *const names[] = {"q", "f", "x"};
    for (int i = 0; i < 3; i++) {
        const SaltusSetting setting = {names[i], 1.0};
        assert_int_equal(saltus_model_system(m, &setting, 1, &system, &error),
                         SALTUS_ERROR_ARGUMENT);
        assert_null(system);
        assert_non_null(strstr(error.message, names[i]));
        saltus_error_clear(&error);
        assert_int_equal(saltus_model_system(m, &setting, 1, &system, NULL), SALTUS_ERROR_ARGUMENT);
    }
    saltus_model_destroy(m);
}

// Parameters that shape the model, given to it and to its systems.
static void shaped(void **state)
{
    (void)state;
    SaltusModel *m;
    const SaltusSetting given[] = {{"n", 3.0}, {"x.start", 2.0}}, wrong[] = {{"n", 0.5}};
    SaltusModelDef def = saltus_default_model();
    def.text = text;
    def.setting_count = 1;
    def.settings = wrong;
    assert_int_equal(saltus_model_create(&def, &m), SALTUS_ERROR_MODEL);
    assert_non_null(strstr(saltus_model_messages(m), "0.5 is no value for n"));
    saltus_model_destroy(m);
    def.setting_count = 2;
    def.settings = given;
    assert_int_equal(saltus_model_create(&def, &m), SALTUS_OK);
    assert_int_equal(saltus_model_find_variable(m, "y[3]"), 3);
    for (int n = 3; n < 6; n++) {
        const SaltusSetting settings[] = {{"n", n}, {"k", 0.5}};
        SaltusSystem *system;
        SaltusError error;
        SaltusRun *r;
        double stop_time;
        assert_int_equal(saltus_model_system(m, settings, 2, &system, &error), SALTUS_OK);
        const SaltusOptions options = saltus_model_options(m, &stop_time);
        assert_int_equal(saltus_run_create(system, &options, &r, &error), SALTUS_OK);
        assert_int_equal(saltus_run_advance(r, stop_time), SALTUS_OK);
        assert_int_equal(saltus_model_finish(m, r), SALTUS_OK);
        // x = 2 exp(-0.5 (t - 1)), y[n] = n x, then done; ten times the tolerance.
        const SaltusRow last = saltus_run_row(r, saltus_run_row_count(r) - 1);
        assert_int_equal(last.y_count, n + 2);
        assert_true(fabs(last.y[n] - n * 2.0 * exp(-1.0)) < n * 1e-8);
        assert_true(last.y[n + 1] == 1.0);
        saltus_run_destroy(r);
        saltus_system_destroy(system);
    }
    const SaltusSetting none = {"n", -1.0};
    SaltusSystem *system;
    SaltusError error;
    assert_true(saltus_model_system(m, &none, 1, &system, &error) < 0);
    assert_null(system);
    assert_true(error.message[0]);
    saltus_error_clear(&error);
    saltus_model_destroy(m);
}

// Messages are whole, however long the names in them are, and stay when the run is gone.
static void messages_are_whole(void **state)
{
    (void)state;
    enum { LONG = 4000 };
    static char name[LONG + 1], model_text[6 * LONG];
    memset(name, 'q', LONG);
    snprintf(model_text, sizeof model_text,
             "model M parameter Real %s = 1; Real x(start = 1, fixed = true); equation der(x) = 0; "
             "assert(x < %s or time < 0.5, \"%s\"); initial equation assert(%s > 0, \"below\"); "
             "end M;",
             name, name, name, name);
    SaltusModel *m;
    SaltusSystem *system;
    SaltusRun *r;
    SaltusError error = {0};
    assert_int_equal(create(model_text, NULL, &m), SALTUS_OK);
    const SaltusSetting infinite = {name, INFINITY}, low = {name, -1.0};
    assert_int_equal(saltus_model_system(m, &infinite, 1, &system, &error), SALTUS_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, name));
    saltus_error_clear(&error);
    double stop;
    const SaltusOptions options = saltus_model_options(m, &stop);
    assert_int_equal(saltus_model_system(m, &low, 1, &system, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_create(system, &options, &r, &error), SALTUS_ERROR_ACTION);
    assert_non_null(strstr(error.message, "is violated: "));
    saltus_error_clear(&error);
    saltus_system_destroy(system);
    assert_int_equal(saltus_model_system(m, NULL, 0, &system, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_create(system, &options, &r, NULL), SALTUS_OK);
    assert_true(saltus_run_advance(r, 1.0) < 0);
    SaltusRun *copy;
    assert_true(saltus_run_copy(r, &copy, &error) < 0); // for the same reason
    assert_string_equal(error.message, saltus_run_error(r)->message);
    saltus_run_destroy(r);
    saltus_system_destroy(system);
    saltus_model_destroy(m);
    const char *end = strstr(error.message, name);
    assert_non_null(end);
    assert_string_equal(end, name);
    saltus_error_clear(&error);
}

// A file and a text: the text may use what the file has.
static void file_and_text(void **state)
{
    (void)state;
    char path[] = "/tmp/saltus-embed-XXXXXX";
    const int handle = mkstemp(path);
    FILE *file = fdopen(handle, "w");
    fputs("model Base Real x(start = 1, fixed = true); end Base;", file);
    fclose(file);
    const char *const files[] = {path};
    SaltusModelDef def = saltus_default_model();
    def.files = files;
    def.file_count = 1;
    def.text = "model Full extends Base; equation der(x) = -x; end Full;";
    SaltusModel *m;
    assert_int_equal(saltus_model_create(&def, &m), SALTUS_OK);
    assert_string_equal(saltus_model_name(m), "Full");
    saltus_model_destroy(m);
    unlink(path);
}

typedef struct Budget {
    long left;
} Budget;

static void *reallocate(void *user, void *block, size_t size)
{
    Budget *budget = user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return budget->left-- > 0 ? realloc(block, size) : NULL;
}

static void exhausted(void **state)
{
    (void)state;
    bool was_enough = false;
    for (long allocations = 0; !was_enough && allocations < 5000; allocations++) {
        Budget budget = {allocations};
        SaltusModelDef def = saltus_default_model();
        def.text = text;
        def.allocator = (SaltusAllocator){reallocate, &budget};
        SaltusModel *m;
        const SaltusStatus status = saltus_model_create(&def, &m);
        was_enough = status == SALTUS_OK;
        assert_true(was_enough || status == SALTUS_ERROR_MEMORY || status == SALTUS_ERROR_MODEL);
        assert_true((m == NULL) == (status == SALTUS_ERROR_MEMORY));
        saltus_model_destroy(m);
    }
    assert_true(was_enough);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions),
        cmocka_unit_test(run),
        cmocka_unit_test(refused),
        cmocka_unit_test(shaped),
        cmocka_unit_test(messages_are_whole),
        cmocka_unit_test(file_and_text),
        cmocka_unit_test(exhausted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
