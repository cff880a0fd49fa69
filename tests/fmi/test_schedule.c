// SPDX-License-Identifier: MIT
//
// Scheduled execution: a small FMU with one clock of each kind, which is compiled here, and whose
// partitions note when they are activated and in what order.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/message.h"
#include "fmi/import.h"
#include "fmi/small_fmu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char description[] =
    "<?xml version=\"1.0\"?>\n"
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"Ticks\" instantiationToken=\"t\">\n"
    "<ScheduledExecution modelIdentifier=\"Ticks\"/>\n"
    "<DefaultExperiment stopTime=\"2\" stepSize=\"0.5\"/>\n"
    "<ModelVariables>\n"
    "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" "
    "variability=\"continuous\"/>\n"
    "<Clock name=\"periodic\" valueReference=\"1\" causality=\"input\" "
    "intervalVariability=\"constant\" intervalDecimal=\"0.25\" priority=\"7\"/>\n"
    "<Clock name=\"shifted\" valueReference=\"2\" causality=\"input\" "
    "intervalVariability=\"fixed\" intervalCounter=\"1\" shiftCounter=\"1\" resolution=\"2\" "
    "priority=\"3\"/>\n"
    "<Clock name=\"changing\" valueReference=\"3\" causality=\"input\" "
    "intervalVariability=\"changing\" priority=\"9\"/>\n"
    "<Clock name=\"countdown\" valueReference=\"4\" causality=\"input\" "
    "intervalVariability=\"countdown\" priority=\"1\"/>\n"
    "<Clock name=\"triggered\" valueReference=\"5\" causality=\"input\" "
    "intervalVariability=\"triggered\" priority=\"5\"/>\n"
    "<Float64 name=\"n1\" valueReference=\"11\" causality=\"output\"/>\n"
    "<Float64 name=\"n2\" valueReference=\"12\" causality=\"output\"/>\n"
    "<Float64 name=\"n3\" valueReference=\"13\" causality=\"output\"/>\n"
    "<Float64 name=\"n4\" valueReference=\"14\" causality=\"output\"/>\n"
    "<Float64 name=\"n5\" valueReference=\"15\" causality=\"output\"/>\n"
    "<Float64 name=\"order\" valueReference=\"16\" causality=\"output\"/>\n"
    "</ModelVariables>\n"
    "<ModelStructure/>\n"
    "</fmiModelDescription>\n";

// order: the numbers of the partitions that were activated at the last time, as digits. The clock
// `changing` waits for 0.125, 0.25, 0.5, ...; `shifted` lets `countdown` tick at once when it ticks
// for the first time, and 0.2 later when it does for the second.
static const char source[] =
    "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
    "static double n[7], last = -1, wait = 0.125, interval; static int qualifier;\n"
    "static void *environment; static void (*update)(void *);\n"
    "void *fmi3InstantiateScheduledExecution(const char *a, const char *b, const char *c, bool d,\n"
    "  bool e, void *u, void *log, void (*clock)(void *), void (*lock)(void),\n"
    "  void (*unlock)(void)) { environment = u; update = clock; lock(); unlock(); return n; }\n"
    "void fmi3FreeInstance(void *i) {}\n"
    "int fmi3Terminate(void *i) { return 0; }\n"
    "int fmi3EnterInitializationMode(void *i, bool a, double b, double c, bool d, double e)\n"
    "{ return 0; }\n"
    "int fmi3ExitInitializationMode(void *i) { return 0; }\n"
    "int fmi3SetFloat64(void *i, const uint32_t *r, size_t c, const double *v, size_t m)\n"
    "{ return 3; }\n"
    "int fmi3GetFloat64(void *i, const uint32_t *r, size_t c, double *v, size_t m)\n"
    "{ for (size_t k = 0; k < c; k++) v[k] = r[k] > 10 ? n[r[k] - 10] : last; return 0; }\n"
    "int fmi3GetIntervalDecimal(void *i, const uint32_t *r, size_t c, double *t, int *q)\n"
    "{ if (*r == 3) { *t = wait; *q = 2; wait *= 2; return 0; }\n"
    "  *t = interval; *q = qualifier; if (qualifier == 2) qualifier = 1; return 0; }\n"
    "int fmi3ActivateModelPartition(void *i, uint32_t r, double t)\n"
    "{ n[6] = (t == last ? 10 * n[6] : 0) + r; last = t; n[r]++;\n"
    "  if (r == 2 && n[2] <= 2) { interval = n[2] == 1 ? 0 : 0.2; qualifier = 2;\n"
    "    update(environment); }\n"
    "  return r == 5 && t == 1.875 ? 3 : 0; }\n";

typedef struct Rows {
    int count;
    double times[40], orders[40], last[5];
} Rows;

static int keep_row(void *user, double time, const double *values)
{
    Rows *rows = user;
    rows->times[rows->count] = time;
    rows->orders[rows->count++] = values[5];
    memcpy(rows->last, values, sizeof rows->last);
    return 0;
}

static SaltusStatus run_ticks(const char *path, const char *times, Rows *rows, char **message)
{
    const ImportSetting setting = {.name = "triggered", .value = times};
    const ImportDef def = {.is_scheduled = true,
                           .stop_time = 2.0,
                           .interval = 0.5,
                           .options = saltus_default_options(),
                           .setting_count = times != NULL,
                           .settings = &setting};
    ImportedFmu *fmu = import_open(path, message);
    if (!fmu)
        fail_msg("%s", message_text(*message));
    *rows = (Rows){0};
    const SaltusStatus status = import_begin(fmu, &def, message)
                                    ? import_run(fmu, keep_row, rows, message)
                                    : SALTUS_ERROR_ARGUMENT;
    import_close(fmu);
    return status;
}

// periodic: 0, 0.25, ..., 2. shifted: 0.5, 1, 1.5, 2. changing, asked at the start for the interval
// before its second tick: 0, then 0.25 later, 0.5, 1. countdown: 0.5 at once, and 1.2. Of several
// at one time the lowest priority is first: countdown 1, shifted 3, triggered 5, periodic 7,
// changing 9; but the countdown at 0.5 begins when `shifted` is over.
static void clocks_of_all_kinds(void **state)
{
    (void)state;
    char path[64], *message = NULL;
    Rows rows;
    if (!small_fmu_make(path, "Ticks", description, source)) {
        skip();
        return;
    }
    assert_int_equal(run_ticks(path, "0.3 1", &rows, &message), SALTUS_OK);
    const struct {
        double time, order;
    } expected[] = {{0.0, 13}, {0.25, 13}, {0.3, 5},  {0.5, 241}, {0.75, 13}, {1.0, 251},
                    {1.2, 4},  {1.25, 1},  {1.5, 21}, {1.75, 13}, {2.0, 21}};
    assert_int_equal(rows.count, sizeof expected / sizeof *expected);
    for (int i = 0; i < rows.count; i++) {
        assert_true(fabs(rows.times[i] - expected[i].time) < 1e-15);
        assert_true(rows.orders[i] == expected[i].order);
    }
    const double counts[] = {9, 4, 4, 2, 2};
    assert_memory_equal(rows.last, counts, sizeof counts);
    assert_null(message);
    small_fmu_remove(path);
}

static void what_is_wrong(void **state)
{
    (void)state;
    char path[64], *message = NULL;
    Rows rows;
    if (!small_fmu_make(path, "Ticks", description, source)) {
        skip();
        return;
    }
    assert_int_equal(run_ticks(path, "1 0.5", &rows, &message), SALTUS_ERROR_ARGUMENT);
    assert_non_null(strstr(message_text(message), "the clock triggered ticks are rising numbers"));
    assert_int_equal(run_ticks(path, "1.875", &rows, &message), SALTUS_ERROR_EVALUATION);
    assert_non_null(
        strstr(message_text(message), "the partition of the clock triggered failed at t = 1.875"));
    assert_int_equal(run_ticks(path, NULL, &rows, &message), SALTUS_OK);
    assert_true(rows.last[4] == 0.0);
    ImportedFmu *fmu = import_open(path, &message);
    const ImportDef def = {.stop_time = 1.0, .interval = 0.5};
    assert_non_null(fmu);
    assert_false(import_begin(fmu, &def, &message));
    assert_string_equal(message_text(message), "the FMU has no co-simulation");
    free(message);
    import_close(fmu);
    small_fmu_remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_of_all_kinds),
        cmocka_unit_test(what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
