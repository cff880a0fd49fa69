// SPDX-License-Identifier: MIT
//
// What importers seldom call: versions, logging, numbers of all types, Strings, a reset, the
// functions that are refused by name. As in FMI 2.0.4 and 3.0.1.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unpacked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "model Lag\n"
                           "  parameter Real T = 2;\n"
                           "  parameter Integer n = 7;\n"
                           "  parameter Boolean isUp = true;\n"
                           "  parameter String name = \"lag\" annotation(Evaluate = true);\n"
                           "  input Real u;\n"
                           "  input Integer k(start = 1);\n"
                           "  output Real x(start = 1, fixed = true);\n"
                           "  output Integer m = n + k;\n"
                           "equation\n"
                           "  T * der(x) = (if isUp then u else -u) - x;\n"
                           "end Lag;\n";

static char path[] = "/tmp/saltus-interface-XXXXXX";
static Unpacked two, three;

static int prepare(void **state)
{
    (void)state;
    const int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file)
        return -1;
    fputs(text, file);
    fclose(file);
    unpacked_create(&two, path, NULL, 2, false);
    unpacked_create(&three, path, NULL, 3, false);
    return 0;
}

static int end(void **state)
{
    (void)state;
    unpacked_end(&two);
    unpacked_end(&three);
    return remove(path);
}

// ---- what was logged ----------------------------------------------------------------------------

typedef struct Logged {
    int count;
    char category[40], message[200];
} Logged;

static void note(void *environment, const char *category, const char *message)
{
    Logged *logged = environment;
    if (!logged)
        return;
    logged->count++;
    snprintf(logged->category, sizeof logged->category, "%s", category);
    snprintf(logged->message, sizeof logged->message, "%s", message);
}

static void log_2(void *environment, Fmi2String instance, Fmi2Status status, Fmi2String category,
                  Fmi2String message, ...)
{
    va_list arguments;
    char whole[200];
    (void)instance, (void)status;
    va_start(arguments, message);
    vsnprintf(whole, sizeof whole, message, arguments);
    va_end(arguments);
    note(environment, category, whole);
}

static void log_3(void *environment, Fmi3Status status, Fmi3String category, Fmi3String message)
{
    (void)status;
    note(environment, category, message);
}

static void expect_logged(Logged *logged, const char *message)
{
    if (logged->count != 1 || !strstr(logged->message, message))
        fail_msg("logged %d, '%s', expected '%s'", logged->count, logged->message, message);
    assert_string_equal(logged->category, "logStatusError");
    logged->count = 0;
}

// ---- FMI 2.0 ------------------------------------------------------------------------------------

static Fmi2Component begin_2(const Fmi2Callbacks *callbacks)
{
    const Fmi2Table *f = &two.binary.fmi2;
    Fmi2Component c =
        f->Instantiate("test", FMI2_CO_SIMULATION, two.token, two.location, callbacks, 0, 1);
    assert_non_null(c);
    assert_int_equal(f->SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0), FMI2_OK);
    assert_int_equal(f->EnterInitializationMode(c), FMI2_OK);
    assert_int_equal(f->ExitInitializationMode(c), FMI2_OK);
    return c;
}

static void refusals_2(void **state)
{
    (void)state;
    Logged logged = {0};
    const Fmi2Callbacks callbacks = {.logger = log_2, .environment = &logged};
    const Fmi2Table *f = &two.binary.fmi2;
    assert_string_equal(f->GetVersion(), "2.0");
    assert_string_equal(f->GetTypesPlatform(), "default");
    Fmi2Component c = begin_2(&callbacks);
    const Fmi2Reference name = unpacked_reference(&two, "name"), x = unpacked_reference(&two, "x");
    Fmi2String string = NULL;
    double value;
    int whole;
    const int order = 1;
    Fmi2Status status;
    assert_int_equal(f->GetString(c, &name, 1, &string), FMI2_OK);
    assert_string_equal(string, "lag");
    logged.count = 0;
    assert_int_equal(f->GetString(c, &x, 1, &string), FMI2_ERROR);
    expect_logged(&logged, "no String with this value reference");
    assert_int_equal(f->SetString(c, &name, 1, &string), FMI2_ERROR);
    expect_logged(&logged, "Strings are constant");
    assert_int_equal(f->SetString(c, NULL, 0, NULL), FMI2_OK);
    assert_int_equal(f->GetRealOutputDerivatives(c, &x, 1, &order, &value), FMI2_ERROR);
    expect_logged(&logged, "GetRealOutputDerivatives");
    assert_int_equal(f->CancelStep(c), FMI2_ERROR);
    expect_logged(&logged, "steps are not asynchronous");
    assert_int_equal(f->GetStatus(c, FMI2_DO_STEP_STATUS, &status), FMI2_DISCARD);
    assert_int_equal(f->GetIntegerStatus(c, FMI2_DO_STEP_STATUS, &whole), FMI2_DISCARD);
    assert_int_equal(f->GetStringStatus(c, FMI2_PENDING_STATUS, &string), FMI2_DISCARD);
    // No category, nothing is said; one, it is; an unknown one is none.
    const Fmi2String errors = "logStatusError", none = "logNothing";
    logged.count = 0;
    assert_int_equal(f->SetDebugLogging(c, 1, 1, &none), FMI2_OK);
    assert_int_equal(f->CancelStep(c), FMI2_ERROR);
    assert_int_equal(logged.count, 0);
    assert_int_equal(f->SetDebugLogging(c, 1, 1, &errors), FMI2_OK);
    assert_int_equal(f->CancelStep(c), FMI2_ERROR);
    expect_logged(&logged, "steps are not asynchronous");
    assert_int_equal(f->SetDebugLogging(c, 0, 0, NULL), FMI2_OK);
    assert_int_equal(f->CancelStep(c), FMI2_ERROR);
    assert_int_equal(logged.count, 0);
    f->FreeInstance(c);
}

// An input whose value nobody has set begins at its start value, 0, and follows its derivative:
// with u = t, x = t - 2 + 3 e^(-t/2). What is no input has no derivative to be set.
static void rates_2(void **state)
{
    (void)state;
    Logged logged = {0};
    const Fmi2Callbacks callbacks = {.logger = log_2, .environment = &logged};
    const Fmi2Table *f = &two.binary.fmi2;
    const Fmi2Reference u = unpacked_reference(&two, "u"), x = unpacked_reference(&two, "x");
    const int orders[] = {1, 0, 4};
    const double rate = 1.0;
    double value = 0.0;
    Fmi2Component c = begin_2(&callbacks);
    logged.count = 0;
    assert_int_equal(f->SetRealInputDerivatives(c, &x, 1, orders, &rate), FMI2_ERROR);
    expect_logged(&logged, "x cannot be set");
    for (int i = 1; i < 3; i++) {
        assert_int_equal(f->SetRealInputDerivatives(c, &u, 1, orders + i, &rate), FMI2_ERROR);
        expect_logged(&logged, "derivatives are of inputs, of order 1 to 3");
    }
    assert_int_equal(f->SetRealInputDerivatives(c, &u, 1, orders, &rate), FMI2_OK);
    assert_int_equal(f->DoStep(c, 0.0, 1.0, 1), FMI2_OK);
    assert_int_equal(f->GetReal(c, &x, 1, &value), FMI2_OK);
    // The default tolerance is 1e-6, and the error of a decay not larger.
    assert_true(fabs(value - (3.0 * exp(-0.5) - 1.0)) < 1e-5);
    // A step of no length changes nothing, and none leads back.
    double again = 0.0;
    assert_int_equal(f->DoStep(c, 1.0, 0.0, 1), FMI2_OK);
    assert_int_equal(f->GetReal(c, &x, 1, &again), FMI2_OK);
    assert_true(again == value);
    logged.count = 0;
    assert_int_equal(f->DoStep(c, 1.0, -0.5, 1), FMI2_ERROR);
    expect_logged(&logged, "a step of -0.5");
    f->FreeInstance(c);
}

// The resources as importers write their place: with a host, without, with characters as %XX (also
// in small letters; a sign that no digits follow is itself), with a slash at the end. What names no
// file is refused, with a word.
static void places_2(void **state)
{
    (void)state;
    static const char *const forms[] = {"file://localhost%s", "file:%s", "file://%s/"};
    static const char *const wrong[] = {"http://localhost%s", "file:resources", "file://localhost",
                                        "file://%s/%%zz", "file://%s/%%4"};
    Logged logged = {0};
    const Fmi2Callbacks callbacks = {.logger = log_2, .environment = &logged};
    const Fmi2Table *f = &two.binary.fmi2;
    char coded[4 * sizeof two.resources] = "", uri[sizeof coded + 40];
    for (size_t i = 0, at = 0; two.resources[i]; i++)
        at += (size_t)(two.resources[i] == '/'
                           ? snprintf(coded + at, sizeof coded - at, "/")
                           : snprintf(coded + at, sizeof coded - at, i % 2 ? "%%%02x" : "%%%02X",
                                      (unsigned)two.resources[i]));
    for (size_t i = 0; i < 2 * sizeof forms / sizeof *forms; i++) {
        snprintf(uri, sizeof uri, forms[i / 2], i % 2 ? coded : two.resources);
        Fmi2Component c =
            f->Instantiate("test", FMI2_CO_SIMULATION, two.token, uri, &callbacks, 0, 1);
        if (!c)
            fail_msg("%s: %s", uri, logged.message);
        f->FreeInstance(c);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        logged.count = 0;
        snprintf(uri, sizeof uri, wrong[i], two.resources);
        assert_null(f->Instantiate("test", FMI2_CO_SIMULATION, two.token, uri, &callbacks, 0, 1));
        assert_true(logged.count > 0);
    }
}

// ---- FMI 3.0 ------------------------------------------------------------------------------------

static Fmi3Instance begin_3(Logged *logged)
{
    const Fmi3Table *f = &three.binary.fmi3;
    Fmi3Instance i = f->InstantiateCoSimulation("test", three.token, three.resources, false, true,
                                                false, false, NULL, 0, logged, log_3, NULL);
    assert_non_null(i);
    assert_int_equal(f->EnterInitializationMode(i, false, 0.0, 0.0, false, 0.0), FMI3_OK);
    assert_int_equal(f->ExitInitializationMode(i), FMI3_OK);
    if (logged)
        logged->count = 0;
    return i;
}

// m = n + k = 8 as every type, k set as every type. A Boolean that is 2 is true.
static void numbers_3(void **state)
{
    (void)state;
    const Fmi3Table *f = &three.binary.fmi3;
    Fmi3Instance i = begin_3(NULL);
    const Fmi3Reference k = unpacked_reference(&three, "k"), m = unpacked_reference(&three, "m");
#define AS(Name, type)                                                                             \
    {                                                                                              \
        type value = (type)1;                                                                      \
        assert_int_equal(f->Set##Name(i, &k, 1, &value, 1), FMI3_OK);                              \
        assert_int_equal(f->Get##Name(i, &m, 1, &value, 1), FMI3_OK);                              \
        assert_true(value == (type)8);                                                             \
    }
    FMI3_NUMBER_TYPES(AS)
#undef AS
    f->FreeInstance(i);
}

// x = e^(-t/2) with u = 0 from x = 1; after a reset again.
static void again_3(void **state)
{
    (void)state;
    const Fmi3Table *f = &three.binary.fmi3;
    Fmi3Instance i = begin_3(NULL);
    const Fmi3Reference x = unpacked_reference(&three, "x");
    double first = 0.0, second = 0.0, time;
    bool has_event, has_ended, is_early;
    assert_int_equal(f->DoStep(i, 0.0, 1.0, true, &has_event, &has_ended, &is_early, &time),
                     FMI3_OK);
    assert_int_equal(f->GetFloat64(i, &x, 1, &first, 1), FMI3_OK);
    // The default tolerance is 1e-6, and the error of a decay not larger.
    assert_true(first > 0.60653066 - 1e-5 && first < 0.60653066 + 1e-5);
    assert_int_equal(f->Reset(i), FMI3_OK);
    assert_int_equal(f->EnterInitializationMode(i, false, 0.0, 0.0, false, 0.0), FMI3_OK);
    assert_int_equal(f->ExitInitializationMode(i), FMI3_OK);
    assert_int_equal(f->EvaluateDiscreteStates(i), FMI3_OK);
    assert_int_equal(f->GetFloat64(i, &x, 1, &second, 1), FMI3_OK);
    assert_true(second == 1.0);
    assert_int_equal(f->DoStep(i, 0.0, 1.0, true, &has_event, &has_ended, &is_early, &time),
                     FMI3_OK);
    assert_int_equal(f->GetFloat64(i, &x, 1, &second, 1), FMI3_OK);
    assert_true(second == first);
    f->FreeInstance(i);
}

// There are no clocks whose interval or shift could be asked for or set, and no partitions.
static void refuse_clocks_3(Fmi3Instance i, Logged *logged, Fmi3Reference clock)
{
    const Fmi3Table *f = &three.binary.fmi3;
    double number = 0.1;
    uint64_t counter = 1, resolution = 10;
    Fmi3IntervalQualifier qualifier;
#define REFUSES(Name, ...)                                                                         \
    assert_int_equal(f->Name(i, __VA_ARGS__), FMI3_ERROR);                                         \
    expect_logged(logged, #Name)
    REFUSES(GetIntervalDecimal, &clock, 1, &number, &qualifier);
    REFUSES(GetIntervalFraction, &clock, 1, &counter, &resolution, &qualifier);
    REFUSES(GetShiftFraction, &clock, 1, &counter, &resolution);
    REFUSES(SetIntervalDecimal, &clock, 1, &number);
    REFUSES(SetIntervalFraction, &clock, 1, &counter, &resolution);
    REFUSES(SetShiftDecimal, &clock, 1, &number);
    REFUSES(SetShiftFraction, &clock, 1, &counter, &resolution);
    REFUSES(ActivateModelPartition, clock, 0.0);
#undef REFUSES
}

// d(der(x))/du = 1/T, by the name of an output only: dx/du = 0, dm/du is none.
static void refusals_3(void **state)
{
    (void)state;
    Logged logged = {0};
    const Fmi3Table *f = &three.binary.fmi3;
    assert_string_equal(f->GetVersion(), "3.0");
    assert_null(f->InstantiateScheduledExecution("test", three.token, three.resources, false, true,
                                                 &logged, log_3, NULL, NULL, NULL));
    expect_logged(&logged, "scheduled execution is not provided");
    assert_null(f->InstantiateCoSimulation("test", "{other}", three.resources, false, true, false,
                                           false, NULL, 0, &logged, log_3, NULL));
    assert_true(logged.count > 0);
    Fmi3Instance i = begin_3(&logged);
    const Fmi3Reference name = unpacked_reference(&three, "name"),
                        x = unpacked_reference(&three, "x"), u = unpacked_reference(&three, "u");
    Fmi3String string = NULL;
    assert_int_equal(f->GetString(i, &name, 1, &string, 1), FMI3_OK);
    assert_string_equal(string, "lag");
    assert_int_equal(f->SetString(i, &name, 1, &string, 1), FMI3_ERROR);
    expect_logged(&logged, "Strings are constant");
    size_t count = 5;
    assert_int_equal(f->GetNumberOfVariableDependencies(i, x, &count), FMI3_ERROR);
    expect_logged(&logged, "it is not provided");
    assert_int_equal(count, 0);
    assert_int_equal(f->EnterConfigurationMode(i), FMI3_ERROR);
    expect_logged(&logged, "EnterConfigurationMode");
    assert_int_equal(f->ExitConfigurationMode(i), FMI3_ERROR);
    expect_logged(&logged, "ExitConfigurationMode");
    const double seed = 1.0;
    double sensitivity = -1.0;
    assert_int_equal(f->GetDirectionalDerivative(i, &x, 1, &u, 1, &seed, 1, &sensitivity, 1),
                     FMI3_OK);
    assert_true(sensitivity == 0.0); // a state is no function of the input at the same time
    assert_int_equal(f->GetDirectionalDerivative(i, &x, 1, &u, 1, &seed, 0, &sensitivity, 1),
                     FMI3_ERROR);
    expect_logged(&logged, "GetDirectionalDerivative");
    assert_int_equal(f->GetAdjointDerivative(i, &x, 1, &u, 1, &seed, 0, &sensitivity, 1),
                     FMI3_ERROR);
    expect_logged(&logged, "GetAdjointDerivative");
    assert_int_equal(f->GetShiftDecimal(i, &x, 1, &sensitivity), FMI3_ERROR);
    expect_logged(&logged, "GetShiftDecimal");
    assert_int_equal(f->GetShiftDecimal(i, NULL, 0, NULL), FMI3_OK);
    size_t size = 0;
    Fmi3Binary binary = NULL;
    assert_int_equal(f->GetBinary(i, &x, 1, &size, &binary, 1), FMI3_ERROR);
    expect_logged(&logged, "GetBinary");
    assert_int_equal(f->SetBinary(i, &x, 1, &size, &binary, 1), FMI3_ERROR);
    expect_logged(&logged, "SetBinary");
    refuse_clocks_3(i, &logged, x);
    Fmi3Dependency kind;
    Fmi3Reference other = 0;
    assert_int_equal(f->GetVariableDependencies(i, x, &size, &other, &count, &kind, 1), FMI3_ERROR);
    expect_logged(&logged, "GetVariableDependencies");
    const int32_t order = 1;
    assert_int_equal(f->GetOutputDerivatives(i, &x, 1, &order, &sensitivity, 1), FMI3_ERROR);
    expect_logged(&logged, "GetOutputDerivatives");
    assert_int_equal(f->SetDebugLogging(i, false, 0, NULL), FMI3_OK);
    assert_int_equal(f->EnterConfigurationMode(i), FMI3_ERROR);
    assert_int_equal(logged.count, 0);
    f->FreeInstance(i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refusals_2), cmocka_unit_test(places_2),
                                       cmocka_unit_test(rates_2),    cmocka_unit_test(numbers_3),
                                       cmocka_unit_test(again_3),    cmocka_unit_test(refusals_3)};
    return cmocka_run_group_tests(tests, prepare, end);
}
