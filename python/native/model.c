// SPDX-License-Identifier: MIT

#include "core.h"

#include "open/embed.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Arguments
// ---------------------------------------------------------------------------

const char **texts_read(PyObject *list, int *count)
{
    const Py_ssize_t size = PyList_Check(list) ? PyList_Size(list) : -1;
    if (size < 0 || size > INT32_MAX) {
        PyErr_SetString(PyExc_TypeError, "a list of texts is needed");
        return NULL;
    }
    const char **texts = calloc((size_t)size + 1, sizeof *texts);
    if (!texts)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; texts && i < size; i++) {
        Py_ssize_t length = 0;
        texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), &length);
        if (texts[i] && strlen(texts[i]) != (size_t)length) {
            PyErr_SetString(PyExc_ValueError, "a text has a zero in it");
            texts[i] = NULL;
        }
        if (!texts[i]) {
            free(texts);
            return NULL;
        }
    }
    *count = (int)size;
    return texts;
}

SaltusSetting *settings_read(PyObject *list, int *count)
{
    const Py_ssize_t size = PyList_Check(list) ? PyList_Size(list) : -1;
    if (size < 0 || size > INT32_MAX) {
        PyErr_SetString(PyExc_TypeError, "a list of settings is needed");
        return NULL;
    }
    SaltusSetting *settings = calloc((size_t)size + 1, sizeof *settings);
    if (!settings)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; settings && i < size; i++)
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "sd", &settings[i].name,
                              &settings[i].value)) {
            free(settings);
            return NULL;
        }
    *count = (int)size;
    return settings;
}

// ---------------------------------------------------------------------------
// Systems
// ---------------------------------------------------------------------------

static void settings_free(SaltusSetting *settings, int count)
{
    for (int i = 0; settings && i < count; i++)
        free((char *)(uintptr_t)settings[i].name);
    free(settings);
}

static void system_free(CoreSystem *s)
{
    saltus_system_destroy(s->system);
    settings_free(s->settings, s->count);
    free(s);
}

void system_release(CoreSystem *s)
{
    if (!s)
        return;
    PyObject *model = s->model;
    if (--s->references == 0)
        system_free(s);
    Py_XDECREF(model);
}

static bool is_same_system(const CoreSystem *s, const SaltusSetting *settings, int count)
{
    bool is_same = s && s->count == count;
    for (int i = 0; is_same && i < count; i++)
        is_same = settings[i].value == s->settings[i].value &&
                  strcmp(settings[i].name, s->settings[i].name) == 0;
    return is_same;
}

// Names that stay. NULL: out of memory.
static SaltusSetting *settings_copy(const SaltusSetting *settings, int count)
{
    SaltusSetting *copy = calloc((size_t)count + 1, sizeof *copy);
    for (int i = 0; copy && i < count; i++) {
        const size_t size = strlen(settings[i].name) + 1;
        char *name = malloc(size);
        if (!name) {
            settings_free(copy, i);
            return NULL;
        }
        memcpy(name, settings[i].name, size);
        copy[i] = (SaltusSetting){name, settings[i].value};
    }
    return copy;
}

// The model keeps the system that was made last, for the next run with the same parameters; each
// run that has it also keeps the model.
static CoreSystem *system_of(CoreModel *m, const SaltusSetting *settings, int count)
{
    if (is_same_system(m->last, settings, count))
        return m->last;
    CoreSystem *s = calloc(1, sizeof *s);
    SaltusSetting *copy = settings_copy(settings, count);
    SaltusError error = {0};
    SaltusStatus status = SALTUS_ERROR_MEMORY;
    if (s && copy) {
        Py_BEGIN_ALLOW_THREADS;
        status = saltus_model_system(m->model, copy, count, &s->system, &error);
        Py_END_ALLOW_THREADS;
    }
    if (status != SALTUS_OK) {
        settings_free(copy, count);
        free(s);
        core_raise(status, &error);
        return NULL;
    }
    *s = (CoreSystem){.references = 1, .system = s->system, .count = count, .settings = copy};
    if (m->last && --m->last->references == 0)
        system_free(m->last);
    m->last = s;
    return s;
}

// Parameters that do not shape the model are given to the run: its system is that of all others.
// *p stays NULL if there are none, or if the settings are those of a system of its own. False with
// an exception set.
static bool system_parameters(CoreModel *m, const SaltusSetting *settings, int count, double **p)
{
    const Loaded *loaded = m->model->loaded;
    ParameterValue *values = calloc((size_t)count + 1, sizeof *values);
    SaltusError error = {0};
    SaltusStatus status = values ? embed_read_settings(m->model, settings, count, values, &error)
                                 : SALTUS_ERROR_MEMORY;
    if (status == SALTUS_OK)
        status = embed_check_values(m->model, values, count, &error);
    const Parameters list = model_list_parameters(loaded->model);
    bool is_plain = true;
    for (int i = 0; status == SALTUS_OK && i < count; i++)
        is_plain &= !list.flat[values[i].number]->is_structural;
    if (status == SALTUS_OK && is_plain) {
        *p = calloc(list.count + 1u, sizeof **p);
        status = *p ? loaded_parameters(loaded, values, (uint32_t)count, *p, &error)
                    : SALTUS_ERROR_MEMORY;
    }
    free(values);
    if (status == SALTUS_OK)
        return true;
    core_raise(status, &error);
    return false;
}

CoreSystem *system_make(CoreModel *m, PyObject *list, double **p)
{
    int count;
    *p = NULL;
    SaltusSetting *settings = settings_read(list, &count);
    CoreSystem *s = NULL;
    if (settings && (count == 0 || system_parameters(m, settings, count, p)))
        s = system_of(m, settings, *p ? 0 : count);
    if (s) {
        s->references++;
        s->model = (PyObject *)m;
        Py_INCREF((PyObject *)m);
    }
    free(settings);
    return s;
}

// ---------------------------------------------------------------------------
// Loading
// ---------------------------------------------------------------------------

static SaltusStatus core_create(const SaltusModelDef *def, SaltusModel **model)
{
    SaltusStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = saltus_model_create(def, model);
    Py_END_ALLOW_THREADS;
    return status;
}

static PyObject *core_wrap(CoreState *state, SaltusModel *model)
{
    CoreModel *m = PyObject_New(CoreModel, state->model);
    if (!m) {
        saltus_model_destroy(model);
        return NULL;
    }
    m->model = model;
    m->last = NULL;
    return (PyObject *)m;
}

PyObject *core_load(PyObject *module, PyObject *arguments)
{
    SaltusModelDef def = saltus_default_model();
    PyObject *files, *settings, *result = NULL;
    const char *path = NULL;
    int live, backend;
    if (!PyArg_ParseTuple(arguments, "OzzzOpzi", &files, &def.text, &def.name, &def.modification,
                          &settings, &live, &path, &backend))
        return NULL;
    if (path)
        def.library_path = path;
    def.live_inputs = live;
    def.backend = (SaltusBackend)backend;
    const char **names = texts_read(files, &def.file_count);
    SaltusSetting *list = names ? settings_read(settings, &def.setting_count) : NULL;
    if (list) {
        SaltusModel *model = NULL;
        def.files = names;
        def.settings = list;
        const SaltusStatus status = core_create(&def, &model);
        PyObject *wrapped = NULL;
        if (!model)
            core_raise(status, NULL);
        else if (status == SALTUS_OK) {
            wrapped = core_wrap(PyModule_GetState(module), model);
            if (wrapped)
                result = Py_BuildValue("(Ns)", wrapped, saltus_model_messages(model));
        } else {
            result = Py_BuildValue("(Os)", Py_None, saltus_model_messages(model));
            saltus_model_destroy(model);
        }
    }
    free(names);
    free(list);
    return result;
}

static void core_model_destroy(PyObject *self)
{
    CoreModel *m = (CoreModel *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (m->last)
        system_free(m->last); // no run has it: it would keep the model
    saltus_model_destroy(m->model);
    PyObject_Free(self);
    Py_DECREF(type);
}

// ---------------------------------------------------------------------------
// Questions
// ---------------------------------------------------------------------------

typedef const char *CoreName(const SaltusModel *model, int index);

static PyObject *core_names(const SaltusModel *model, int count, CoreName *name)
{
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; i++) {
        PyObject *text = PyUnicode_FromString(name(model, i));
        if (!text)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, text);
    }
    return list;
}

static PyObject *core_model_name(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return PyUnicode_FromString(saltus_model_name(((CoreModel *)self)->model));
}

static PyObject *core_model_variables(PyObject *self, PyObject *nothing)
{
    const SaltusModel *m = ((CoreModel *)self)->model;
    (void)nothing;
    return core_names(m, saltus_model_variable_count(m), saltus_model_variable_name);
}

static PyObject *core_model_units(PyObject *self, PyObject *nothing)
{
    const SaltusModel *m = ((CoreModel *)self)->model;
    (void)nothing;
    return core_names(m, saltus_model_variable_count(m), saltus_model_variable_unit);
}

static PyObject *core_model_parameters(PyObject *self, PyObject *nothing)
{
    const SaltusModel *m = ((CoreModel *)self)->model;
    (void)nothing;
    return core_names(m, saltus_model_parameter_count(m), saltus_model_parameter_name);
}

static PyObject *core_model_inputs(PyObject *self, PyObject *nothing)
{
    const SaltusModel *m = ((CoreModel *)self)->model;
    (void)nothing;
    return core_names(m, saltus_model_input_count(m), saltus_model_input_name);
}

static PyObject *core_model_experiment(PyObject *self, PyObject *nothing)
{
    double stop;
    const SaltusOptions o = saltus_model_options(((CoreModel *)self)->model, &stop);
    (void)nothing;
    return Py_BuildValue("(ddddd)", o.start_time, stop, o.method.relative_tolerance,
                         o.method.absolute_tolerance,
                         o.record & SALTUS_RECORD_INTERVALS ? o.output_interval : 0.0);
}

static PyObject *core_model_values(PyObject *self, PyObject *list)
{
    const SaltusModel *m = ((CoreModel *)self)->model;
    const int n = saltus_model_parameter_count(m);
    int count;
    SaltusError error = {0};
    SaltusSetting *settings = settings_read(list, &count);
    double *p = settings ? calloc((size_t)n + 1, sizeof *p) : NULL;
    PyObject *values = NULL;
    if (settings && !p)
        PyErr_NoMemory();
    if (p) {
        const SaltusStatus status = saltus_model_parameters(m, settings, count, p, &error);
        values = status == SALTUS_OK ? PyList_New(n) : core_raise(status, &error);
    }
    for (int i = 0; values && i < n; i++)
        PyList_SetItem(values, i, PyFloat_FromDouble(p[i]));
    free(settings);
    free(p);
    return values;
}

// Whether a run with these settings is of a variant of the model, whose names may be others.
static PyObject *core_model_has_other_shape(PyObject *self, PyObject *list)
{
    CoreModel *m = (CoreModel *)self;
    int count;
    SaltusSetting *settings = settings_read(list, &count);
    ParameterValue *values = settings ? calloc((size_t)count + 1, sizeof *values) : NULL;
    PyObject *result = NULL;
    SaltusError error = {0};
    if (settings && !values)
        PyErr_NoMemory();
    if (values) {
        SaltusStatus status;
        bool is_other = false;
        Py_BEGIN_ALLOW_THREADS;
        status = embed_read_settings(m->model, settings, count, values, &error);
        if (status == SALTUS_OK)
            is_other =
                loaded_variant(m->model->loaded, values, (uint32_t)count) != m->model->loaded;
        Py_END_ALLOW_THREADS;
        result = status == SALTUS_OK ? PyBool_FromLong(is_other) : core_raise(status, &error);
    }
    free(settings);
    free(values);
    return result;
}

static PyMethodDef model_methods[] = {
    {"name", core_model_name, METH_NOARGS, "Of the model."},
    {"variables", core_model_variables, METH_NOARGS, "Their names, in the order of rows."},
    {"units", core_model_units, METH_NOARGS, "Of the variables."},
    {"parameters", core_model_parameters, METH_NOARGS, "Their names."},
    {"inputs", core_model_inputs, METH_NOARGS, "Names of the live inputs."},
    {"experiment", core_model_experiment, METH_NOARGS, "start, stop, rtol, atol, interval or 0"},
    {"values", core_model_values, METH_O, "values([(name, value)]): of all parameters."},
    {"has_other_shape", core_model_has_other_shape, METH_O, "has_other_shape([(name, value)])"},
    {"derive", core_derive, METH_VARARGS,
     "derive(settings, options, stop, names): (Run at its end, status, message, loss, its time)."},
    {"begin", core_begin, METH_VARARGS, "begin(settings, options): a Run at its start."},
    {"sweep", core_sweep, METH_VARARGS, "See saltus/_studies.py."},
    {"solve", core_solve, METH_VARARGS, "See saltus/_studies.py."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot model_slots[] = {
    {Py_tp_dealloc, (void *)core_model_destroy},
    {Py_tp_methods, model_methods},
    {0, NULL},
};

PyType_Spec model_spec = {.name = "saltus._core.Model",
                          .basicsize = sizeof(CoreModel),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = model_slots};
