// SPDX-License-Identifier: MIT
//
// A co-simulation step of an exported FMU against the same step of the engine: 200 communication
// steps over the model's experiment, its modes compiled on both sides, measured in turn. The mark
// is a ratio of at most 1.5. Also the time that the export takes; the mark is 1 s for a small
// model.

#include "base/message.h"
#include "fmi/archive.h"
#include "fmi/binary.h"
#include "fmi/disk.h"
#include "fmi/export.h"
#include "open/embed.h"
#include "support/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, ROUNDS = 15 };

static const char *const models[] = {"examples/BouncingBall", "examples/CartPendulum",
                                     "examples/ChuaCircuit",  "examples/SampledServo",
                                     "examples/RCLadder",     "modes/PendulumMachine",
                                     "modes/BreakingRope",    "examples/DoublePendulum"};

static void say(void *environment, Fmi2String instance, Fmi2Status status, Fmi2String category,
                Fmi2String message, ...)
{
    (void)environment, (void)instance, (void)status, (void)category;
    fprintf(stderr, "%s\n", message);
}

static void fail(const char *what)
{
    fprintf(stderr, "bench-fmi: %s\n", what);
    exit(1);
}

// Writes the FMU and unpacks it; returns how long writing took.
static double export_model(const char *file, const char *folder)
{
    char path[256], *message = NULL;
    const char *const files[] = {file};
    const double begin = measure_wall();
    const LoadedDef def = {
        .file_count = 1, .files = files, .library_path = SALTUS_SOURCE_DIR "/models"};
    Loaded *loaded = loaded_create(&def);
    if (!loaded || !loaded->model)
        fail("the model cannot be read");
    snprintf(path, sizeof path, "%s/model.fmu", folder);
    const FmuExport wanted = {.path = path,
                              .library = SALTUS_FMU_LIBRARY,
                              .def = &def,
                              .version = 2,
                              .has_cosimulation = true};
    if (!export_fmu(loaded, &wanted, &message))
        fail(message_text(message));
    const double took = measure_wall() - begin;
    loaded_destroy(loaded);
    if (!archive_unpack(path, folder, &message))
        fail(message_text(message));
    free(message);
    return took;
}

static char *attribute(const char *text, const char *name, char value[128])
{
    const char *begin = strstr(text, name);
    if (!begin)
        fail("the description lacks something");
    begin += strlen(name);
    snprintf(value, 128, "%.*s", (int)strcspn(begin, "\""), begin);
    return value;
}

typedef struct Fmu2 {
    FmuBinary binary;
    char token[128], location[256];
} Fmu2;

static void open_fmu(Fmu2 *f, const char *folder)
{
    char path[400], identifier[128], *message = NULL;
    size_t length;
    snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
    char *text = disk_read(path, 1 << 24, &length);
    if (!text)
        fail("there is no description");
    attribute(text, "guid=\"", f->token);
    attribute(text, "modelIdentifier=\"", identifier);
    free(text);
    snprintf(path, sizeof path, "%s/binaries/linux64/%s.so", folder, identifier);
    snprintf(f->location, sizeof f->location, "file://%s/resources", folder);
    if (!binary_open(&f->binary, path, 2, false, &message))
        fail(message_text(message));
}

// Seconds of the processor that the steps take.
static double run_fmu(const Fmu2 *f, double stop)
{
    static const Fmi2Callbacks callbacks = {.logger = say};
    const Fmi2Table *t = &f->binary.fmi2;
    Fmi2Component c =
        t->Instantiate("bench", FMI2_CO_SIMULATION, f->token, f->location, &callbacks, 0, 0);
    if (!c || t->SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0) != FMI2_OK ||
        t->EnterInitializationMode(c) != FMI2_OK || t->ExitInitializationMode(c) != FMI2_OK)
        fail("the FMU cannot be initialized");
    const double begin = measure_cpu();
    for (int k = 0; k < STEPS; k++)
        if (t->DoStep(c, k * stop / STEPS, stop / STEPS, 1) > FMI2_DISCARD)
            fail("a step failed");
    const double took = measure_cpu() - begin;
    t->FreeInstance(c);
    return took;
}

// A model of its own, as an instance of an FMU has one: modes are made where they are met.
static double run_engine(const char *file, double *stop)
{
    const char *const files[] = {file};
    SaltusModelDef def = saltus_default_model();
    SaltusModel *model;
    def.file_count = 1;
    def.files = files;
    def.library_path = SALTUS_SOURCE_DIR "/models";
    if (saltus_model_create(&def, &model) != SALTUS_OK)
        fail("the model cannot be read");
    model_set_backend(embed_model(model), BACKEND_C, NULL);
    SaltusSystem *system;
    SaltusRun *run;
    SaltusError error;
    SaltusOptions o = saltus_model_options(model, stop);
    o.record = SALTUS_RECORD_NOTHING;
    if (saltus_model_system(model, NULL, 0, &system, &error) != SALTUS_OK ||
        saltus_run_create(system, &o, &run, &error) != SALTUS_OK)
        fail(error.message);
    const double begin = measure_cpu();
    for (int k = 0; k < STEPS; k++)
        if (saltus_run_advance(run, k * *stop / STEPS + *stop / STEPS) < 0)
            fail("a step failed");
    const double took = measure_cpu() - begin;
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    saltus_model_destroy(model);
    return took;
}

int main(void)
{
    bool is_met = true;
    printf("| model | export, s | step of the engine, us | of the FMU, us | ratio |\n"
           "|---|---|---|---|---|\n");
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        char file[256];
        DiskFolder folder;
        if (!disk_make(&folder, "bench"))
            fail("there is no folder");
        snprintf(file, sizeof file, "%s/models/%s.mo", SALTUS_SOURCE_DIR, models[m]);
        const double took = export_model(file, folder.path);
        Fmu2 fmu;
        open_fmu(&fmu, folder.path);
        double engine = INFINITY, step = INFINITY, stop;
        for (int k = 0; k < ROUNDS; k++) {
            engine = fmin(engine, run_engine(file, &stop));
            step = fmin(step, run_fmu(&fmu, stop));
        }
        printf("| %s | %.2f | %.2f | %.2f | %.2f |\n", models[m], took, 1e6 * engine / STEPS,
               1e6 * step / STEPS, step / engine);
        fflush(stdout);
        is_met &= step <= 1.5 * engine;
        binary_close(&fmu.binary);
        disk_remove(&folder);
    }
    return is_met ? 0 : 1;
}
