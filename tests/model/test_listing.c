// SPDX-License-Identifier: MIT
//
// Every model in models/examples/, models/modes/ and models/reference/ has a description and an
// experiment annotation, is named in a test, and is in the manual's list with its description.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flatten/flatten.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot read %s", path);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) < (1 << 20) - 1);
    fclose(file);
    return text;
}

// The tests of this folder that run them, one text.
static char *read_tests(void)
{
    static const char *const names[] = {
        "test_examples",    "test_circuits",      "test_mechanics",     "test_heat",
        "test_control",     "test_dynamics",      "test_reference",     "test_jumps",
        "test_mode_models", "test_mode_machines", "test_mode_circuits", "test_modes",
        "test_transitions", "test_parts",         "test_sliding",       "slide"};
    char *all = calloc(1, 1 << 20);
    assert_non_null(all);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        snprintf(path, sizeof path, SALTUS_SOURCE_DIR "/tests/model/%s.c", names[i]);
        char *text = read_file(path);
        assert_true(strlen(all) + strlen(text) < 1 << 20);
        strcat(all, text);
        free(text);
    }
    return all;
}

static void check_experiment(const char *path)
{
    Compilation *c = compilation_create(NULL);
    const FlattenOptions options = flatten_default_options();
    const FlatModel *model = flatten_files(c, 1, &path, NULL, &options);
    if (!model || !model->description.text || c->diagnostics->warning_count)
        fail_msg("%s: errors, warnings or no description", path);
    if (!(model->experiment.stop_time > 0.0))
        fail_msg("%s has no StopTime", path);
    compilation_destroy(c);
}

// `model Name "description"` in the first line.
static void check_model(const char *folder, const char *name, const char *manual, const char *tests)
{
    char path[1024], entry[1024], quoted[256], quoted_file[256], quoted_path[256];
    snprintf(path, sizeof path, "%s/models/%s/%s.mo", SALTUS_SOURCE_DIR, folder, name);
    char *text = read_file(path);
    const char *begin = strchr(text, '"'), *line = strchr(text, '\n');
    if (!begin || !line || begin > line)
        fail_msg("%s has no description in its first line", path);
    const int length = (int)strcspn(begin + 1, "\"");
    snprintf(entry, sizeof entry, "| [`%s`](../models/%s/%s.mo) | %.*s |\n", name, folder, name,
             length, begin + 1);
    if (!strstr(manual, entry))
        fail_msg("docs/examples.md lacks: %s", entry);
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    snprintf(quoted_file, sizeof quoted_file, "\"%s.mo\"", name);
    snprintf(quoted_path, sizeof quoted_path, "/%s.mo\"", name);
    if (!strstr(tests, quoted) && !strstr(tests, quoted_file) && !strstr(tests, quoted_path))
        fail_msg("no test runs %s", path);
    free(text);
    check_experiment(path);
}

static void all_models(void **state)
{
    (void)state;
    static const char *const folders[] = {"examples", "modes", "reference"};
    char *manual = read_file(SALTUS_SOURCE_DIR "/docs/examples.md"), *tests = read_tests();
    int count = 0;
    for (int i = 0; i < 3; i++) {
        char path[1024];
        snprintf(path, sizeof path, SALTUS_SOURCE_DIR "/models/%s", folders[i]);
        DIR *listing = opendir(path);
        assert_non_null(listing);
        for (struct dirent *e; (e = readdir(listing)) != NULL;) {
            char name[128];
            const size_t length = strlen(e->d_name);
            if (length < 4 || length > 100 || strcmp(e->d_name + length - 3, ".mo") != 0)
                continue;
            snprintf(name, sizeof name, "%.*s", (int)(length - 3), e->d_name);
            check_model(folders[i], name, manual, tests);
            count++;
        }
        closedir(listing);
    }
    assert_true(count >= 40);
    free(manual);
    free(tests);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
