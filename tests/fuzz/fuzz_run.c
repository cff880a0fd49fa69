// SPDX-License-Identifier: MIT
//
// libFuzzer target: any text that is a model can run for a hundred steps, or fails with a message,
// without crash, hang or leak: the start, events, modes, solvers. A copy of the run, made half way,
// goes on as the run itself does, to the last bit.

#include "modes/model.h"
#include "target.h"

#include <string.h>

enum { MOST_MEMORY = 64 << 20, MOST_VARIABLES = 50 };

static void continue_twice(const SaltusSystem *system, SaltusRun *run)
{
    SaltusRun *copy = NULL;
    SaltusError error = {0};
    if (saltus_run_copy(run, &copy, &error) != SALTUS_OK) {
        require(error.message[0], "there is no failure without a message");
        return;
    }
    const SaltusStatus own = saltus_run_advance(run, 1.0), other = saltus_run_advance(copy, 1.0);
    const int mode = saltus_run_mode(run);
    require(own == other && saltus_run_mode(copy) == mode &&
                saltus_run_time(run) == saltus_run_time(copy),
            "a copy goes as far as the run");
    const int count = mode < 0 ? 0 : saltus_system_mode(system, mode)->state_count;
    require(count == 0 || memcmp(saltus_run_states(run), saltus_run_states(copy),
                                 (size_t)count * sizeof(double)) == 0,
            "a copy goes on as the run does");
    require(own >= 0 || saltus_run_error(run)->message[0], "there is no failure without a message");
    saltus_run_destroy(copy);
}

static void run(const Model *model, double *parameters)
{
    SaltusError error = {0};
    SaltusSystem *system = NULL;
    SaltusRun *made = NULL;
    SaltusOptions options = saltus_default_options();
    options.max_steps = 100;
    options.max_events = 100;
    options.record = SALTUS_RECORD_EVENTS;
    model_set_backend(model, BACKEND_INTERPRET, NULL);
    if (!model_parameters(model, NULL, 0, parameters))
        return;
    SaltusStatus status = model_system(model, parameters, &system, &error);
    if (status == SALTUS_OK)
        status = saltus_run_create(system, &options, &made, &error);
    if (status == SALTUS_OK)
        status = saltus_run_advance(made, 0.5);
    if (status == SALTUS_OK)
        continue_twice(system, made);
    if (made && status < 0)
        error = *saltus_run_error(made);
    require(status >= 0 || error.message[0], "there is no failure without a message");
    if (made)
        saltus_run_destroy(made);
    if (system)
        saltus_system_destroy(system);
}

int fuzz_run(const uint8_t *data, size_t size)
{
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
            run(model, parameters);
        free(parameters);
        model_release(model);
    }
    compilation_destroy(c);
    return 0;
}
