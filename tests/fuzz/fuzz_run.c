// SPDX-License-Identifier: MIT
//
// libFuzzer target: any text that is a model can run for a hundred steps, or fails with a message,
// without crash, hang or leak: the start, events, modes, solvers. A copy of the run, made half way,
// goes on as the run itself does, to the last bit.
//
// The target `solvers` is the same with a solver, a locator and tolerances that the bytes of the
// text choose. Multistep solvers start anew in a copy, so it need only be able to go on.

#include "base/error.h"
#include "modes/model.h"
#include "target.h"

#include <string.h>

enum { MOST_MEMORY = 64 << 20, MOST_VARIABLES = 50 };

static void choose_method(SaltusOptions *options, const uint8_t *data, size_t size)
{
    static const double tolerances[] = {1e-2, 1e-4, 1e-6, 1e-10};
    uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 0x100000001b3;
    options->method.solver = (SaltusSolver)((hash >> 8) % (SALTUS_SOLVER_EXACT + 1));
    options->method.locate = (SaltusLocate)((hash >> 16) % (SALTUS_LOCATE_SUNDIALS + 1));
    options->method.relative_tolerance = tolerances[(hash >> 24) % 4];
    options->method.step = (hash >> 32) % 4 == 0 ? 0.013 : 0.0;
    options->zeno = (SaltusZeno)((hash >> 40) % (SALTUS_ZENO_CONTINUE + 1));
    options->backstep = (SaltusBackstep)((hash >> 48) % (SALTUS_NO_BACKSTEP_LINEAR + 1));
    options->notes = (hash >> 56) % 2;
}

static void continue_twice(const SaltusSystem *system, SaltusRun *run, bool must_agree)
{
    SaltusRun *copy = NULL;
    SaltusError error = {0};
    if (saltus_run_copy(run, &copy, &error) != SALTUS_OK) {
        require(error.memory, "there is no failure without a message");
        saltus_error_clear(&error);
        return;
    }
    const SaltusStatus own = saltus_run_advance(run, 1.0), other = saltus_run_advance(copy, 1.0);
    const int mode = saltus_run_mode(run);
    require(!must_agree || (own == other && saltus_run_mode(copy) == mode &&
                            saltus_run_time(run) == saltus_run_time(copy)),
            "a copy goes as far as the run");
    const int count = mode < 0 || !must_agree ? 0 : saltus_system_mode(system, mode)->state_count;
    require(count == 0 || memcmp(saltus_run_states(run), saltus_run_states(copy),
                                 (size_t)count * sizeof(double)) == 0,
            "a copy goes on as the run does");
    require(own >= 0 || saltus_run_error(run)->message[0], "there is no failure without a message");
    saltus_run_destroy(copy);
}

static void run(const Model *model, double *parameters, const SaltusOptions *options,
                bool must_agree)
{
    SaltusError error = {0};
    SaltusSystem *system = NULL;
    SaltusRun *made = NULL;
    model_set_backend(model, BACKEND_INTERPRET, NULL);
    if (!model_parameters(model, NULL, 0, parameters))
        return;
    SaltusStatus status = model_system(model, parameters, &system, &error);
    if (status == SALTUS_OK)
        status = saltus_run_create(system, options, &made, &error);
    if (status == SALTUS_OK)
        status = saltus_run_advance(made, 0.5);
    if (status == SALTUS_OK)
        continue_twice(system, made, must_agree);
    if (made && status < 0)
        error_copy(&error, saltus_run_error(made));
    require(status >= 0 || error.memory, "there is no failure without a message");
    saltus_error_clear(&error);
    if (made)
        saltus_run_destroy(made);
    if (system)
        saltus_system_destroy(system);
}

static int run_text(const uint8_t *data, size_t size, bool has_choice)
{
    SaltusOptions options = saltus_default_options();
    options.max_steps = 100;
    options.max_events = 100;
    options.record = SALTUS_RECORD_EVENTS;
    if (has_choice)
        choose_method(&options, data, size);
    Compilation *c = compilation_create(NULL);
    if (!c)
        return 0;
    const FlatModel *flat = target_flatten(c, data, size, MOST_MEMORY);
    const Model *model = flat && flat->variable_count <= MOST_VARIABLES
                             ? model_create(c->arena, flat, c->diagnostics)
                             : NULL;
    if (model) {
        double *parameters = calloc(model_list_parameters(model).count + 1u, sizeof *parameters);
        if (parameters)
            run(model, parameters, &options, !has_choice);
        free(parameters);
        model_release(model);
    }
    compilation_destroy(c);
    return 0;
}

int fuzz_run(const uint8_t *data, size_t size)
{
    return run_text(data, size, false);
}

int fuzz_solvers(const uint8_t *data, size_t size)
{
    return run_text(data, size, true);
}
