// SPDX-License-Identifier: MIT
//
// FMUs that are run here: those that Saltus makes, whose results are known, and archives and
// descriptions that are wrong.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/message.h"
#include "unpacked.h"

#include "fmi/archive.h"
#include "fmi/description_read.h"
#include "fmi/import.h"

#include <math.h>
#include <minizip/zip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_near(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        fail_msg("%.17g is not %.17g", value, expected);
}

// ---------------------------------------------------------------------------
// Round trips
// ---------------------------------------------------------------------------

typedef struct Rows {
    int h, v, bounces; // columns
    long count;
    double time, values[3];
} Rows;

// h of a ball that falls from 1 and bounces with 0.8.
static double height(double t)
{
    const double g = 9.81;
    double from = 0.0, flight = sqrt(2.0 / g), speed = 0.0, h = 1.0;
    while (t >= from + flight) {
        from += flight;
        speed = from == flight ? 0.8 * g * flight : 0.8 * speed;
        flight = 2.0 * speed / g;
        h = 0.0;
    }
    const double s = t - from;
    return h + speed * s - g * s * s / 2.0;
}

// Before and after an event h is the same.
static int check_row(void *user, double time, const double *values)
{
    Rows *rows = user;
    check_near(values[rows->h], height(time), 1e-7);
    rows->count++;
    rows->time = time;
    rows->values[0] = values[rows->h];
    rows->values[2] = values[rows->bounces];
    return 0;
}

static int column(const ImportedFmu *fmu, const char *name)
{
    for (uint32_t i = 0; i < fmu->column_count; i++)
        if (strcmp(fmu->columns[i].name, name) == 0)
            return (int)i;
    fail_msg("there is no column %s", name);
    return -1;
}

static ImportDef default_def(bool is_exchange)
{
    ImportDef def = {.is_exchange = is_exchange, .stop_time = 2.0, .interval = 0.02};
    def.options = saltus_default_options();
    def.options.method.relative_tolerance = 1e-9;
    def.options.method.absolute_tolerance = 1e-12;
    def.options.method.max_step = 0.04;
    return def;
}

static void round_trips(void **state)
{
    (void)state;
    for (int version = 2; version <= 3; version++) {
        Unpacked u;
        char path[128], *message = NULL;
        unpacked_create(&u, "examples/BouncingBall.mo", NULL, version, true);
        snprintf(path, sizeof path, "%s/model.fmu", u.folder);
        for (int is_exchange = 0; is_exchange < 2; is_exchange++) {
            ImportedFmu *fmu = import_open(path, &message);
            assert_non_null(fmu);
            assert_int_equal(fmu->description->version, version);
            assert_string_equal(fmu->description->name, "BouncingBall");
            Rows rows = {.h = column(fmu, "h"), .bounces = column(fmu, "bounces")};
            const ImportDef def = default_def(is_exchange);
            assert_true(import_begin(fmu, &def, &message));
            assert_int_equal(import_run(fmu, check_row, &rows, &message), SALTUS_OK);
            assert_int_equal(rows.count, is_exchange ? 101 + 2 * 3 : 101); // two at each bounce
            check_near(rows.time, 2.0, 0.0);
            check_near(rows.values[2], 3.0, 0.0);
            assert_null(message);
            import_close(fmu);
        }
        unpacked_end(&u);
    }
}

static int count_row(void *user, double time, const double *values)
{
    Rows *rows = user;
    (void)values;
    rows->time = time;
    return 0;
}

// From one bounce to the next there is no step in between at last: none is missed all the same, and
// they accumulate at t0 (1 + 2 e + 2 e^2 + ...).
static void bounces_accumulate(void **state)
{
    (void)state;
    Unpacked u;
    char path[128], *message = NULL;
    Rows rows = {0};
    unpacked_create(&u, "examples/BouncingBall.mo", NULL, 2, true);
    snprintf(path, sizeof path, "%s/model.fmu", u.folder);
    ImportedFmu *fmu = import_open(path, &message);
    assert_non_null(fmu);
    ImportDef def = default_def(true);
    def.stop_time = 6.0;
    assert_true(import_begin(fmu, &def, &message));
    assert_int_equal(import_run(fmu, count_row, &rows, &message), SALTUS_TERMINATED);
    check_near(rows.time, 9.0 * sqrt(2.0 / 9.81), 1e-6);
    free(message);
    import_close(fmu);
    unpacked_end(&u);
}

static int keep_last(void *user, double time, const double *values)
{
    double *last = user;
    last[0] = time;
    last[1] = values[(int)last[2]];
    return 0;
}

// Without a bounce: h = h0 - g t^2 / 2.
static void settings(void **state)
{
    (void)state;
    Unpacked u;
    char path[128], *message = NULL;
    unpacked_create(&u, "examples/BouncingBall.mo", NULL, 2, true);
    snprintf(path, sizeof path, "%s/model.fmu", u.folder);
    const ImportSetting given[] = {{"h", "5", NULL}, {"g", "1.5", NULL}};
    const struct {
        ImportSetting setting;
        const char *expected;
    } wrong[] = {
        {{"height", "5", NULL}, "no variable height"},
        {{"g", "much", NULL}, "'much' is no value for g"},
        {{"bounces", "1", NULL}, "refuses bounces"},
        {{"bounces", "1.5", NULL}, "'1.5' is no value"},
    };
    ImportDef def = default_def(true);
    def.setting_count = 2;
    def.settings = given;
    ImportedFmu *fmu = import_open(path, &message);
    double last[3] = {0.0, 0.0, column(fmu, "h")};
    assert_true(import_begin(fmu, &def, &message));
    assert_int_equal(import_run(fmu, keep_last, last, &message), SALTUS_OK);
    check_near(last[1], 5.0 - 1.5 * 2.0, 1e-9);
    import_close(fmu);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        def.setting_count = 1;
        def.settings = &wrong[i].setting;
        fmu = import_open(path, &message);
        assert_false(import_begin(fmu, &def, &message));
        if (!strstr(message_text(message), wrong[i].expected))
            fail_msg("%s", message_text(message));
        import_close(fmu);
    }
    free(message);
    unpacked_end(&u);
}

// A time event of the FMU, terminate(), and that the folder is gone.
static void ends(void **state)
{
    (void)state;
    Unpacked u;
    char path[128], *message = NULL, model[64];
    snprintf(model, sizeof model, "/tmp/saltus-fmu-import-%ld.mo", (long)getpid());
    FILE *file = fopen(model, "w");
    assert_non_null(file);
    fputs("model Ending\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = 1;\n"
          "  when time >= 0.7 then\n    terminate(\"enough\");\n  end when;\nend Ending;\n",
          file);
    fclose(file);
    unpacked_create(&u, model, NULL, 3, true);
    remove(model);
    snprintf(path, sizeof path, "%s/model.fmu", u.folder);
    for (int is_exchange = 0; is_exchange < 2; is_exchange++) {
        ImportedFmu *fmu = import_open(path, &message);
        const ImportDef def = default_def(is_exchange);
        double last[3] = {0.0, 0.0, column(fmu, "x")};
        assert_true(import_begin(fmu, &def, &message));
        assert_int_equal(import_run(fmu, keep_last, last, &message), SALTUS_TERMINATED);
        check_near(last[0], 0.7, 1e-12);
        check_near(last[1], 0.7, 1e-9);
        import_close(fmu);
    }
    free(message);
    unpacked_end(&u);
}

// ---------------------------------------------------------------------------
// Archives
// ---------------------------------------------------------------------------

static void write_archive(const char *path, const char *name, const char *text)
{
    zipFile zip = zipOpen64(path, APPEND_STATUS_CREATE);
    assert_non_null(zip);
    assert_int_equal(zipOpenNewFileInZip(zip, name, NULL, NULL, 0, NULL, 0, NULL, Z_DEFLATED, 6),
                     0);
    assert_int_equal(zipWriteInFileInZip(zip, text, (unsigned)strlen(text)), 0);
    assert_int_equal(zipCloseFileInZip(zip), 0);
    assert_int_equal(zipClose(zip, NULL), 0);
}

static void expect_unreadable(const char *path, const char *expected)
{
    char *message = NULL;
    ImportedFmu *fmu = import_open(path, &message);
    assert_null(fmu);
    if (!strstr(message_text(message), expected))
        fail_msg("%s", message_text(message));
    free(message);
}

static void wrong_archives(void **state)
{
    (void)state;
    char folder[] = "/tmp/saltus-fmu-wrong-XXXXXX", path[64], outside[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.fmu", folder);
    expect_unreadable(path, "no ZIP archive");
    FILE *file = fopen(path, "w");
    fputs("PK\003\004 and no more", file);
    fclose(file);
    expect_unreadable(path, "no ZIP archive");
    static const char *const names[] = {"../saltus-escaped", "/tmp/saltus-escaped",
                                        "a/../../saltus-escaped", "a\\..\\b"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        write_archive(path, names[i], "text");
        expect_unreadable(path, "leads out of the archive");
    }
    snprintf(outside, sizeof outside, "/tmp/saltus-escaped");
    assert_int_not_equal(access(outside, F_OK), 0);
    write_archive(path, "other.xml", "<a/>");
    expect_unreadable(path, "no modelDescription.xml");
    write_archive(path, "modelDescription.xml", "<a/>");
    expect_unreadable(path, "no fmiModelDescription");
    // Every shorter beginning of an archive is damaged.
    write_archive(path, "modelDescription.xml", "<a/>");
    for (long length = 150; length > 0; length -= 7) {
        assert_int_equal(truncate(path, length), 0);
        char *message = NULL;
        assert_null(import_open(path, &message));
        assert_non_null(message);
        free(message);
    }
    remove(path);
    rmdir(folder);
}

// ---------------------------------------------------------------------------
// Descriptions
// ---------------------------------------------------------------------------

#define HEAD_2 "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"M\" guid=\"g\">"
#define HEAD_3 "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"M\" instantiationToken=\"g\">"
#define STEPS "<CoSimulation modelIdentifier=\"M\"/>"

static void expect_description(const char *text, const char *expected)
{
    Arena *arena = arena_create(NULL);
    char *message = NULL;
    const FmuDescription *d = description_read(arena, text, strlen(text), &message);
    if (expected && (d || !strstr(message_text(message), expected)))
        fail_msg("%s: '%s'", text, d ? "read" : message_text(message));
    if (!expected && !d)
        fail_msg("%s: '%s'", text, message_text(message));
    free(message);
    arena_destroy(arena);
}

static void wrong_descriptions(void **state)
{
    (void)state;
    expect_description(HEAD_2 STEPS "</fmiModelDescription>", NULL);
    expect_description("", "no element found");
    expect_description(HEAD_2 STEPS, "no element found");
    expect_description("<fmiModelDescription fmiVersion=\"1.0\"/>", "it is of FMI 1.0");
    expect_description(HEAD_2 "</fmiModelDescription>", "neither model exchange nor co-simulation");
    expect_description(HEAD_2 "<CoSimulation modelIdentifier=\"../a\"/></fmiModelDescription>",
                       "no identifier");
    expect_description("<!DOCTYPE a [<!ENTITY b \"c\">]>" HEAD_2 STEPS "</fmiModelDescription>",
                       "document type");
    expect_description(HEAD_2 STEPS "<ModelVariables><ScalarVariable name=\"a\"><Real/>"
                                    "</ScalarVariable></ModelVariables></fmiModelDescription>",
                       "no value reference");
    expect_description(HEAD_2 STEPS "<ModelStructure><Outputs><Unknown index=\"7\"/></Outputs>"
                                    "</ModelStructure></fmiModelDescription>",
                       "not there");
    expect_description(HEAD_2 STEPS "<ModelStructure><Outputs><Unknown index=\"0\"/></Outputs>"
                                    "</ModelStructure></fmiModelDescription>",
                       "not there");
    expect_description(HEAD_3 STEPS
                       "<ModelVariables><Float64 name=\"a\" valueReference=\"1\">"
                       "<Dimension start=\"1000000\"/><Dimension start=\"1000000\"/></Float64>"
                       "</ModelVariables></fmiModelDescription>",
                       "too large");
    expect_description(HEAD_3 STEPS "<ModelVariables><Float64 name=\"a\" valueReference=\"1\">"
                                    "<Dimension valueReference=\"9\"/></Float64>"
                                    "</ModelVariables></fmiModelDescription>",
                       "size of the array a");
    char deep[8000] = HEAD_2 STEPS;
    for (int i = 0; i < 500; i++)
        strcat(deep, "<a>");
    expect_description(deep, "too deeply");
}

// What an FMU of FMI 3.0 says of arrays and aliases.
static void arrays(void **state)
{
    (void)state;
    static const char text[] = HEAD_3 STEPS
        "<ModelVariables>"
        "<UInt64 name=\"n\" valueReference=\"5\" causality=\"structuralParameter\" start=\"3\"/>"
        "<Float64 name=\"A\" valueReference=\"1\" unit=\"m\"><Dimension valueReference=\"5\"/>"
        "<Dimension start=\"2\"/><Alias name=\"B\"/></Float64>"
        "<String name=\"s\" valueReference=\"2\"><Start value=\"a b\"/></String>"
        "</ModelVariables><ModelStructure><Output valueReference=\"1\"/></ModelStructure>"
        "</fmiModelDescription>";
    Arena *arena = arena_create(NULL);
    char *message = NULL;
    const FmuDescription *d = description_read(arena, text, sizeof text - 1, &message);
    assert_non_null(d);
    assert_int_equal(d->variable_count, 4);
    assert_int_equal(d->variables[1].size, 6);
    assert_string_equal(d->variables[2].name, "B");
    assert_int_equal(d->variables[2].alias, 1);
    assert_int_equal(d->variables[3].type, FMU_STRING);
    assert_string_equal(d->variables[3].start_text, "a b");
    assert_int_equal(d->output_count, 1);
    assert_int_equal(d->outputs[0], 1);
    arena_destroy(arena);
}

// Bytes of a description that are changed at random: it is read or refused, and nothing else
// happens (the sanitizers look).
static void damaged_descriptions(void **state)
{
    (void)state;
    for (int version = 2; version <= 3; version++) {
        Unpacked u;
        unpacked_create(&u, "examples/BouncingBall.mo", NULL, version, true);
        const size_t length = strlen(u.description);
        char *copy = malloc(length + 1);
        uint32_t random = 1;
        int refused = 0;
        for (int round = 0; round < 400; round++) {
            memcpy(copy, u.description, length + 1);
            for (int k = 0; k <= round % 4; k++) {
                random = random * 1664525u + 1013904223u;
                const size_t place = (random >> 8) % length;
                random = random * 1664525u + 1013904223u;
                copy[place] = "\"<>/=0129 a-"[(random >> 8) % 12];
            }
            Arena *arena = arena_create(NULL);
            char *message = NULL;
            const FmuDescription *d = description_read(arena, copy, length, &message);
            refused += !d;
            assert_true(!d == !!message);
            free(message);
            arena_destroy(arena);
        }
        assert_true(refused > 0 && refused < 400);
        free(copy);
        unpacked_end(&u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),    cmocka_unit_test(bounces_accumulate),
        cmocka_unit_test(settings),       cmocka_unit_test(ends),
        cmocka_unit_test(wrong_archives), cmocka_unit_test(wrong_descriptions),
        cmocka_unit_test(arrays),         cmocka_unit_test(damaged_descriptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
