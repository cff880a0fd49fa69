// SPDX-License-Identifier: MIT
//
// The compiled modes inside of FMUs: those of the experiment are there and are used, code that is
// damaged is not, and the bits are those of the interpreter either way (as those of all variables
// in test_steps.c).

#define _GNU_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unpacked.h"

#include <dirent.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void log_nothing(void *environment, Fmi2String instance, Fmi2Status status,
                        Fmi2String category, Fmi2String message, ...)
{
    (void)environment, (void)instance, (void)status, (void)category, (void)message;
}

static const Fmi2Callbacks callbacks = {.logger = log_nothing};

static int count_loaded(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    *(int *)user += strstr(info->dlpi_name, "/binaries/linux64/modes/") != NULL;
    return 0;
}

static int loaded_modes(void)
{
    int count = 0;
    dl_iterate_phdr(count_loaded, &count);
    return count;
}

// The files of the modes; `damage`: a byte of each is changed.
static int mode_files(const Unpacked *u, bool damage)
{
    char path[512];
    int count = 0;
    snprintf(path, sizeof path, "%s/binaries/linux64/modes", u->folder);
    DIR *folder = opendir(path);
    for (struct dirent *e; folder && (e = readdir(folder));) {
        if (e->d_name[0] == '.')
            continue;
        count++;
        snprintf(path, sizeof path, "%s/binaries/linux64/modes/%.100s", u->folder, e->d_name);
        FILE *file = damage ? fopen(path, "r+b") : NULL;
        if (file) {
            fseek(file, 4096, SEEK_SET);
            fputc(0x5a, file);
            fclose(file);
        }
    }
    if (folder)
        closedir(folder);
    return count;
}

// A run of 100 steps; `values`: of a variable after each.
static int run_steps(const Unpacked *u, Fmi2Component c, const char *name, double stop,
                     double values[100])
{
    const Fmi2Table *f = &u->binary.fmi2;
    const Fmi2Reference vr = unpacked_reference(u, name);
    assert_int_equal(f->SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0), FMI2_OK);
    assert_int_equal(f->EnterInitializationMode(c), FMI2_OK);
    assert_int_equal(f->ExitInitializationMode(c), FMI2_OK);
    for (int k = 0; k < 100; k++) {
        assert_int_equal(f->DoStep(c, k * stop / 100, stop / 100, 1), FMI2_OK);
        assert_int_equal(f->GetReal(c, &vr, 1, &values[k]), FMI2_OK);
    }
    return loaded_modes();
}

static Fmi2Component instantiate(const Unpacked *u)
{
    Fmi2Component c = u->binary.fmi2.Instantiate("compiled", FMI2_CO_SIMULATION, u->token,
                                                 u->location, &callbacks, 0, 0);
    assert_non_null(c);
    return c;
}

// Ropes that become taut and clutches that close have modes with other states.
static void modes_of_the_experiment_are_compiled(void **state)
{
    (void)state;
    if (access("/usr/bin/cc", X_OK) != 0)
        skip();
    static const struct {
        const char *file, *model, *name;
        double stop;
    } cases[] = {
        {"modes/CupAndBall.mo", "CupAndBall.Inelastic", "x", 4.0},
        {"modes/IdealClutch.mo", NULL, "w1", 3.0},
        {"examples/BridgeRectifier.mo", NULL, "load.v", 0.1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Unpacked u;
        double compiled[100], again[100], interpreted[100];
        unpacked_create(&u, cases[k].file, cases[k].model, 2, false);
        const int files = mode_files(&u, false);
        assert_true(files >= 1);
        // Two instances at once share the code.
        Fmi2Component a = instantiate(&u), b = instantiate(&u);
        assert_int_equal(run_steps(&u, a, cases[k].name, cases[k].stop, compiled), files);
        assert_int_equal(run_steps(&u, b, cases[k].name, cases[k].stop, again), files);
        u.binary.fmi2.FreeInstance(a);
        u.binary.fmi2.FreeInstance(b);
        assert_int_equal(loaded_modes(), 0);
        assert_int_equal(mode_files(&u, true), files);
        Fmi2Component c = instantiate(&u);
        assert_int_equal(run_steps(&u, c, cases[k].name, cases[k].stop, interpreted), 0);
        u.binary.fmi2.FreeInstance(c);
        assert_memory_equal(compiled, interpreted, sizeof compiled);
        assert_memory_equal(compiled, again, sizeof compiled);
        unpacked_end(&u);
    }
}

// Where there is no compiler the FMU is interpreted, and is the same otherwise.
static void without_a_compiler(void **state)
{
    (void)state;
    Unpacked with, without;
    double compiled[100], interpreted[100];
    unpacked_create(&with, "examples/BouncingBall.mo", NULL, 2, false);
    char *path = strdup(getenv("PATH"));
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    unpacked_create(&without, "examples/BouncingBall.mo", NULL, 2, false);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    assert_int_equal(mode_files(&without, false), 0);
    Fmi2Component a = instantiate(&with), b = instantiate(&without);
    run_steps(&with, a, "h", 2.0, compiled);
    with.binary.fmi2.FreeInstance(a);
    assert_int_equal(run_steps(&without, b, "h", 2.0, interpreted), 0);
    without.binary.fmi2.FreeInstance(b);
    assert_memory_equal(compiled, interpreted, sizeof compiled);
    assert_string_equal(with.token, without.token);
    unpacked_end(&with);
    unpacked_end(&without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_of_the_experiment_are_compiled),
        cmocka_unit_test(without_a_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
