// SPDX-License-Identifier: MIT
//
// Runs with sensitivities: rows have the derivatives of all variables by each parameter behind
// them. Such a run is made to its end at once, and does not go on.

#include "base/error.h"
#include "run.h"

#include "open/embed.h"

#include <stdlib.h>
#include <string.h>

// What the settings give to a run, and what it is differentiated by.
typedef struct Deriving {
    SaltusSetting *settings;
    ParameterValue *values;
    int value_count;
    uint32_t *by;
    int count;
    const char **names;
    double *p;
} Deriving;

static void derive_free(Deriving *d)
{
    free(d->settings);
    free(d->values);
    free(d->by);
    free(d->names);
    free(d->p);
}

static bool derive_read(Deriving *d, const CoreModel *m, PyObject *settings, PyObject *names)
{
    const Loaded *l = m->model->loaded;
    SaltusError error = {0};
    const char *message = NULL;
    d->settings = settings_read(settings, &d->value_count);
    d->names = d->settings ? texts_read(names, &d->count) : NULL;
    if (!d->names)
        return false;
    d->values = calloc((size_t)d->value_count + 1, sizeof *d->values);
    d->by = calloc((size_t)d->count + 1, sizeof *d->by);
    d->p = calloc(model_list_parameters(l->model).count + 1u, sizeof *d->p);
    SaltusStatus status =
        d->values && d->by && d->p
            ? embed_read_settings(m->model, d->settings, d->value_count, d->values, &error)
            : SALTUS_ERROR_MEMORY;
    for (int i = 0; i < d->count && status == SALTUS_OK; i++)
        if (!loaded_find_parameter(l, l->compilation->arena, d->names[i], &d->by[i], &message))
            status = error_set(&error, SALTUS_ERROR_ARGUMENT, "%s", message);
    if (status == SALTUS_OK && loaded_variant(l, d->values, (uint32_t)d->value_count) != l)
        status = error_set(&error, SALTUS_ERROR_ARGUMENT,
                           "a model of another shape has no sensitivities");
    if (status == SALTUS_OK)
        status = loaded_parameters(l, d->values, (uint32_t)d->value_count, d->p, &error);
    if (status != SALTUS_OK)
        core_raise(status, &error);
    return status == SALTUS_OK;
}

PyObject *core_derive(PyObject *self, PyObject *arguments)
{
    CoreModel *m = (CoreModel *)self;
    CoreState *state = PyType_GetModuleState(Py_TYPE(self));
    PyObject *settings, *options, *names, *list, *result = NULL;
    CoreSignals signals = {0};
    SaltusOptions o = saltus_model_options(m->model, NULL);
    Deriving d = {0};
    double stop, *p = NULL, lost_at = 0.0;
    if (!PyArg_ParseTuple(arguments, "OOdOO", &settings, &options, &stop, &names, &list) ||
        !options_read(options, &o))
        return NULL;
    CoreRun *r = core_run_allocate(state->run);
    if (r && core_signals_read(&signals, list) && derive_read(&d, m, settings, names) &&
        (r->system = system_make(m, settings, &p))) {
        core_run_listen(r, &o);
        o.parameters = d.p;
        const EmbeddedSignals inputs = {
            .model = m->model, .signals = signals.signals, .count = signals.count};
        const SensitivityDef def = {.loaded = m->model->loaded,
                                    .p = d.p,
                                    .value_count = (uint32_t)d.value_count,
                                    .values = d.values,
                                    .count = (uint32_t)d.count,
                                    .by = d.by,
                                    .options = o,
                                    .stop_time = stop,
                                    .inputs = signals.count ? &inputs : NULL};
        SaltusError error = {.status = SALTUS_OK};
        SaltusStatus status = SALTUS_ERROR_ARGUMENT;
        r->sensitivity = sensitivity_create(&def, &error);
        r->derived = (uint32_t)d.count;
        watch_begin(&r->watch);
        if (r->sensitivity)
            status = sensitivity_run(r->sensitivity, r->system->system, &r->run, &error);
        watch_end(&r->watch);
        const char *loss = r->sensitivity ? sensitivity_loss(r->sensitivity, &lost_at) : NULL;
        if (r->watch.is_interrupted)
            result = NULL;
        else if (r->rows.is_out_of_memory || !r->run)
            core_raise(r->run ? SALTUS_ERROR_MEMORY : status, &error);
        else
            result =
                Py_BuildValue("(Oiszd)", (PyObject *)r, (int)status, error.message, loss, lost_at);
        saltus_error_clear(&error);
        sensitivity_destroy(r->sensitivity);
        r->sensitivity = NULL;
    }
    derive_free(&d);
    core_signals_free(&signals);
    free(p);
    Py_XDECREF((PyObject *)r);
    return result;
}
