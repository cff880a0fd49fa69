// SPDX-License-Identifier: MIT

#include "run.h"

#include "base/error.h"
#include "open/embed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

PyObject *core_raise(SaltusStatus status, SaltusError *error)
{
    if (status == SALTUS_ERROR_MEMORY) {
        saltus_error_clear(error);
        return PyErr_NoMemory();
    }
    PyObject *value = Py_BuildValue("(iss)", (int)status, saltus_status_text(status),
                                    error->memory ? error->message : saltus_status_text(status));
    saltus_error_clear(error);
    if (value)
        PyErr_SetObject(status == SALTUS_ERROR_ARGUMENT ? PyExc_ValueError : PyExc_RuntimeError,
                        value);
    Py_XDECREF(value);
    return NULL;
}

// ---------------------------------------------------------------------------
// Ctrl-C
// ---------------------------------------------------------------------------

void watch_begin(CoreWatch *w)
{
    w->is_interrupted = false;
    clock_gettime(CLOCK_MONOTONIC, &w->last);
    w->thread = PyEval_SaveThread();
}

void watch_end(CoreWatch *w)
{
    PyEval_RestoreThread(w->thread);
}

bool watch_look(CoreWatch *w)
{
    static const double interval = 0.05; // seconds
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double passed =
        (double)(now.tv_sec - w->last.tv_sec) + 1e-9 * (double)(now.tv_nsec - w->last.tv_nsec);
    if (passed < interval || w->is_interrupted)
        return w->is_interrupted;
    PyEval_RestoreThread(w->thread);
    w->is_interrupted = PyErr_CheckSignals() < 0;
    w->thread = PyEval_SaveThread();
    w->last = now;
    return w->is_interrupted;
}

static int core_run_progress(void *user, double t, double stop_time)
{
    (void)t, (void)stop_time;
    return watch_look(&((CoreRun *)user)->watch);
}

static int core_run_row(void *user, const SaltusRow *row)
{
    CoreRun *r = user;
    const size_t count = (size_t)row->y_count;
    if (r->rows.width == 0)
        r->rows.width = ROW_HEAD + (1 + r->derived) * count;
    if (!rows_add(&r->rows, row))
        return 1;
    double *cells = r->rows.block->cells + (r->rows.count - 1) * r->rows.width + ROW_HEAD;
    for (uint32_t k = 0; r->sensitivity && k < r->derived; k++)
        memcpy(cells + (1 + k) * count, sensitivity_row(r->sensitivity, k), count * sizeof *cells);
    return 0;
}

// ---------------------------------------------------------------------------
// Options
// ---------------------------------------------------------------------------

static bool core_complain(const char *what, const char *name)
{
    PyErr_Format(PyExc_ValueError, "there is no %s '%s'", what, name);
    return false;
}

bool options_read(PyObject *tuple, SaltusOptions *o)
{
    const char *solver, *locate, *record, *zeno;
    long max_steps, max_events;
    SaltusMethod *m = &o->method;
    if (!PyArg_ParseTuple(tuple, "dssdddddsdsll", &o->start_time, &solver, &locate,
                          &m->relative_tolerance, &m->absolute_tolerance, &m->step, &m->max_step,
                          &m->event_tolerance, &record, &o->output_interval, &zeno, &max_steps,
                          &max_events))
        return false;
    if (!saltus_solver_from_name(solver, &m->solver))
        return core_complain("solver", solver);
    if (!saltus_locate_from_name(locate, &m->locate))
        return core_complain("locator", locate);
    o->record = strcmp(record, "steps") == 0       ? SALTUS_RECORD_STEPS
                : strcmp(record, "intervals") == 0 ? SALTUS_RECORD_INTERVALS
                : strcmp(record, "events") == 0    ? SALTUS_RECORD_EVENTS
                                                   : SALTUS_RECORD_NOTHING;
    o->zeno = strcmp(zeno, "stop") == 0    ? SALTUS_ZENO_STOP
              : strcmp(zeno, "error") == 0 ? SALTUS_ZENO_ERROR
                                           : SALTUS_ZENO_CONTINUE;
    o->max_steps = max_steps;
    o->max_events = max_events;
    return true;
}

// ---------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------

CoreRun *core_run_allocate(PyTypeObject *type)
{
    CoreRun *r = PyObject_New(CoreRun, type);
    if (r)
        memset((char *)r + sizeof(PyObject), 0, sizeof *r - sizeof(PyObject));
    return r;
}

static void core_run_destroy(PyObject *self)
{
    CoreRun *r = (CoreRun *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (r->run)
        saltus_run_destroy(r->run);
    rows_free(&r->rows);
    free(r->outputs);
    system_release(r->system);
    PyObject_Free(self);
    Py_DECREF(type);
}

void core_run_listen(CoreRun *r, SaltusOptions *o)
{
    o->user = r;
    o->progress = core_run_progress;
    if (o->record != SALTUS_RECORD_NOTHING)
        o->row = core_run_row;
}

PyObject *core_begin(PyObject *self, PyObject *arguments)
{
    CoreModel *m = (CoreModel *)self;
    PyObject *settings, *options;
    SaltusOptions o = saltus_model_options(m->model, NULL);
    if (!PyArg_ParseTuple(arguments, "OO", &settings, &options) || !options_read(options, &o))
        return NULL;
    CoreState *state = PyType_GetModuleState(Py_TYPE(self));
    CoreRun *r = core_run_allocate(state->run);
    double *p = NULL;
    if (!r || !(r->system = system_make(m, settings, &p))) {
        free(p);
        Py_XDECREF((PyObject *)r);
        return NULL;
    }
    o.parameters = p;
    SaltusError error = {.status = SALTUS_OK};
    core_run_listen(r, &o);
    watch_begin(&r->watch);
    const SaltusStatus status = saltus_run_create(r->system->system, &o, &r->run, &error);
    watch_end(&r->watch);
    free(p);
    if (r->run && !r->rows.is_out_of_memory) {
        saltus_error_clear(&error);
        return (PyObject *)r;
    }
    core_raise(r->run ? SALTUS_ERROR_MEMORY : status, &error);
    Py_DECREF((PyObject *)r);
    return NULL;
}

// Whether the run can go on; otherwise an exception is set.
static bool core_is_going(const CoreRun *r)
{
    if (r->derived)
        PyErr_SetString(PyExc_RuntimeError, "a run with sensitivities does not go on");
    return !r->derived;
}

// Whether the run can be used now; otherwise an exception is set.
static bool core_is_free(const CoreRun *r)
{
    if (r->is_busy)
        PyErr_SetString(PyExc_RuntimeError, "the run is in use by another thread");
    return !r->is_busy;
}

static PyObject *core_run_copy(PyObject *self, PyObject *nothing)
{
    CoreRun *r = (CoreRun *)self;
    (void)nothing;
    if (!core_is_free(r) || !core_is_going(r))
        return NULL;
    CoreRun *copy = core_run_allocate(Py_TYPE(self));
    SaltusError error = {0};
    if (!copy)
        return NULL;
    const SaltusStatus status = saltus_run_copy(r->run, &copy->run, &error);
    if (status != SALTUS_OK) {
        Py_DECREF((PyObject *)copy);
        return core_raise(status, &error);
    }
    saltus_run_set_user(copy->run, copy);
    copy->system = r->system;
    copy->system->references++;
    Py_INCREF(copy->system->model);
    copy->rows.width = r->rows.width;
    return (PyObject *)copy;
}

// ---------------------------------------------------------------------------
// Going on
// ---------------------------------------------------------------------------

void core_signals_free(CoreSignals *s)
{
    for (int i = 0; i < s->buffer_count; i++)
        PyBuffer_Release(&s->buffers[i]);
    free(s->signals);
    free(s->buffers);
}

static bool core_signals_add(CoreSignals *s, PyObject *item)
{
    PyObject *times, *values;
    SaltusSignal *signal = &s->signals[s->count];
    if (!PyArg_ParseTuple(item, "iOO", &signal->input, &times, &values))
        return false;
    Py_buffer *buffer = s->buffers + s->buffer_count;
    if (PyObject_GetBuffer(times, &buffer[0], PyBUF_C_CONTIGUOUS) < 0)
        return false;
    s->buffer_count++;
    if (PyObject_GetBuffer(values, &buffer[1], PyBUF_C_CONTIGUOUS) < 0)
        return false;
    s->buffer_count++;
    signal->count = (long)(buffer[0].len / (Py_ssize_t)sizeof(double));
    signal->times = buffer[0].buf;
    signal->values = buffer[1].buf;
    if (buffer[1].len != 4 * buffer[0].len) {
        PyErr_SetString(PyExc_ValueError, "a signal needs four numbers for each time");
        return false;
    }
    s->count++;
    return true;
}

bool core_signals_read(CoreSignals *s, PyObject *list)
{
    const Py_ssize_t size = PyList_Check(list) ? PyList_Size(list) : 0;
    s->signals = calloc((size_t)size + 1, sizeof *s->signals);
    s->buffers = calloc(2 * (size_t)size + 1, sizeof *s->buffers);
    if (!s->signals || !s->buffers) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < size; i++)
        if (!core_signals_add(s, PyList_GetItem(list, i)))
            return false;
    return true;
}

static const SaltusModel *model_of(const CoreRun *r)
{
    return ((const CoreModel *)r->system->model)->model;
}

static PyObject *core_run_result(CoreRun *r, SaltusStatus status, const SaltusError *error)
{
    r->has_outputs = false;
    if (r->watch.is_interrupted)
        return NULL;
    if (r->rows.is_out_of_memory)
        return PyErr_NoMemory();
    return Py_BuildValue("(is)", (int)status, error->message ? error->message : "");
}

static PyObject *core_run_advance(PyObject *self, PyObject *arguments)
{
    CoreRun *r = (CoreRun *)self;
    double stop;
    PyObject *list;
    PyObject *result = NULL;
    CoreSignals s = {0};
    if (!PyArg_ParseTuple(arguments, "dO", &stop, &list) || !core_is_free(r) || !core_is_going(r))
        return NULL;
    if (core_signals_read(&s, list)) {
        SaltusError error = {0};
        SaltusStatus status;
        r->is_busy = true;
        watch_begin(&r->watch);
        if (s.count) {
            status = saltus_model_advance(model_of(r), r->run, s.signals, s.count, stop, &error);
        } else {
            status = saltus_run_advance(r->run, stop);
            error_copy(&error, saltus_run_error(r->run));
        }
        watch_end(&r->watch);
        r->is_busy = false;
        result = core_run_result(r, status, &error);
        saltus_error_clear(&error);
    }
    core_signals_free(&s);
    return result;
}

static PyObject *core_run_finish(PyObject *self, PyObject *nothing)
{
    CoreRun *r = (CoreRun *)self;
    (void)nothing;
    if (!core_is_free(r))
        return NULL;
    r->is_busy = true;
    watch_begin(&r->watch);
    const SaltusStatus status = saltus_model_finish(model_of(r), r->run);
    watch_end(&r->watch);
    r->is_busy = false;
    return core_run_result(r, status, saltus_run_error(r->run));
}

static PyObject *core_run_set(PyObject *self, PyObject *list)
{
    CoreRun *r = (CoreRun *)self;
    const Py_ssize_t size = PyList_Check(list) ? PyList_Size(list) : 0;
    SaltusAssignment *a = calloc((size_t)size + 1, sizeof *a);
    bool is_fine = core_is_free(r) && core_is_going(r);
    if (!a)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; is_fine && i < size; i++) {
        int target;
        is_fine = PyArg_ParseTuple(PyList_GetItem(list, i), "iidddd", &target, &a[i].index,
                                   &a[i].value, &a[i].rates[0], &a[i].rates[1], &a[i].rates[2]);
        a[i].target = (SaltusTarget)target;
    }
    PyObject *result = NULL;
    if (is_fine) {
        SaltusError error = {.status = SALTUS_OK};
        r->is_busy = true;
        watch_begin(&r->watch);
        const SaltusStatus status = saltus_model_set(model_of(r), r->run, a, (int)size, &error);
        watch_end(&r->watch);
        r->is_busy = false;
        result = core_run_result(r, status, &error);
        saltus_error_clear(&error);
    }
    free(a);
    return result;
}

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

static PyObject *core_run_time(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return PyFloat_FromDouble(saltus_run_time(((CoreRun *)self)->run));
}

static PyObject *core_run_mode(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return PyLong_FromLong(saltus_run_mode(((CoreRun *)self)->run));
}

static PyObject *core_run_mode_name(PyObject *self, PyObject *number)
{
    const SaltusSystem *system = ((CoreRun *)self)->system->system;
    const long mode = PyLong_AsLong(number);
    if (mode == -1 && PyErr_Occurred())
        return NULL;
    const SaltusModeDef *def = saltus_system_use_mode(system, (int)mode);
    if (!def)
        return PyUnicode_FromFormat("mode %ld", mode);
    PyObject *name = PyUnicode_FromString(def->name);
    saltus_system_leave_mode(system, (int)mode);
    return name;
}

// Of the run's own system: with another shape it has other variables than the model.
static PyObject *core_run_variables(PyObject *self, PyObject *nothing)
{
    const CoreRun *r = (CoreRun *)self;
    const int mode = saltus_run_mode(r->run);
    const SaltusModeDef *def = saltus_system_use_mode(r->system->system, mode);
    (void)nothing;
    if (!def)
        return PyList_New(0);
    PyObject *list = PyList_New(def->output_count);
    for (int i = 0; list && i < def->output_count; i++) {
        PyObject *name = PyUnicode_FromString(def->output_names[i]);
        if (!name)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, name);
    }
    saltus_system_leave_mode(r->system->system, mode);
    return list;
}

// False with an exception set.
static bool core_evaluate(CoreRun *r)
{
    if (r->has_outputs)
        return true;
    if (!r->outputs) {
        const int mode = saltus_run_mode(r->run);
        const SaltusModeDef *def = saltus_system_use_mode(r->system->system, mode);
        r->output_count = def ? def->output_count : 0;
        if (def)
            saltus_system_leave_mode(r->system->system, mode);
        r->outputs = calloc((size_t)r->output_count + 1, sizeof *r->outputs);
        if (!r->outputs) {
            PyErr_NoMemory();
            return false;
        }
    }
    if (saltus_run_outputs(r->run, r->outputs) != 0) {
        PyErr_SetString(PyExc_RuntimeError, "the variables could not be evaluated");
        return false;
    }
    r->has_outputs = true;
    return true;
}

static PyObject *core_run_read(PyObject *self, PyObject *number)
{
    CoreRun *r = (CoreRun *)self;
    const long index = PyLong_AsLong(number);
    if ((index == -1 && PyErr_Occurred()) || !core_is_free(r) || !core_evaluate(r))
        return NULL;
    if (index < 0 || index >= r->output_count) {
        PyErr_SetString(PyExc_IndexError, "there is no such variable");
        return NULL;
    }
    return PyFloat_FromDouble(r->outputs[index]);
}

// Whether the run is of the model itself: with parameters that shape it, it is of a variant.
static bool core_is_base(const CoreRun *r)
{
    return model_of_run(r->run) == model_of(r)->loaded->model;
}

static PyObject *core_run_is_base(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return PyBool_FromLong(core_is_base((CoreRun *)self));
}

static PyObject *core_run_parameters(PyObject *self, PyObject *nothing)
{
    const CoreRun *r = (CoreRun *)self;
    if (!core_is_base(r))
        Py_RETURN_NONE;
    const int count = saltus_model_parameter_count(model_of(r));
    const double *p = saltus_run_parameters(r->run);
    PyObject *list = PyList_New(count);
    (void)nothing;
    for (int i = 0; list && i < count; i++)
        PyList_SetItem(list, i, PyFloat_FromDouble(p[i]));
    return list;
}

static PyObject *core_run_column(PyObject *self, PyObject *number)
{
    const CoreRun *r = (CoreRun *)self;
    const long cell = PyLong_AsLong(number);
    if (cell == -1 && PyErr_Occurred())
        return NULL;
    if (cell < 0 || ((size_t)cell >= r->rows.width && r->rows.width > 0)) {
        PyErr_SetString(PyExc_IndexError, "there is no such column");
        return NULL;
    }
    return column_create(PyType_GetModuleState(Py_TYPE(self)), &r->rows, (size_t)cell);
}

static PyObject *core_run_error(PyObject *self, PyObject *nothing)
{
    const SaltusError *e = saltus_run_error(((CoreRun *)self)->run);
    (void)nothing;
    return Py_BuildValue("(issd)", (int)e->status, saltus_status_text(e->status), e->message,
                         e->time);
}

static PyObject *core_run_statistics(PyObject *self, PyObject *nothing)
{
    const SaltusStatistics s = saltus_run_statistics(((CoreRun *)self)->run);
    PyObject *dict = PyDict_New();
    (void)nothing;
#define CORE_COUNTER(name, what)                                                                   \
    if (dict) {                                                                                    \
        PyObject *value = PyLong_FromLong(s.name);                                                 \
        if (!value || PyDict_SetItemString(dict, #name, value) < 0)                                \
            Py_CLEAR(dict);                                                                        \
        Py_XDECREF(value);                                                                         \
    }
    SALTUS_STATISTICS_LIST(CORE_COUNTER)
#undef CORE_COUNTER
    return dict;
}

static PyObject *core_run_solver(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return PyUnicode_FromString(saltus_solver_name(saltus_run_solver(((CoreRun *)self)->run)));
}

static PyObject *core_run_next_time(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return PyFloat_FromDouble(saltus_run_next_time_event(((CoreRun *)self)->run));
}

// ---------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------

static PyObject *core_changes(const SaltusChange *changes, int count)
{
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; i++) {
        PyObject *item =
            Py_BuildValue("(sdd)", changes[i].name, changes[i].before, changes[i].after);
        if (!item)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, item);
    }
    return list;
}

static PyObject *core_event_text(const CoreRun *r, const SaltusLogEntry *e)
{
    char text[512];
    const size_t length = saltus_model_event_text(model_of(r), r->run, e, text, sizeof text);
    if (length < sizeof text)
        return PyUnicode_FromString(text);
    char *longer = malloc(length + 1);
    if (!longer)
        return PyErr_NoMemory();
    saltus_model_event_text(model_of(r), r->run, e, longer, length + 1);
    PyObject *result = PyUnicode_FromString(longer);
    free(longer);
    return result;
}

static PyObject *core_event(const CoreRun *r, long index)
{
    const SaltusLogEntry e = saltus_run_event(r->run, index);
    char classes[SALTUS_CLASSES_TEXT_SIZE];
    saltus_classes_text(e.classes, classes);
    PyObject *text = core_event_text(r, &e);
    PyObject *changes = core_changes(e.changes, e.change_count);
    PyObject *records = core_changes(e.records, e.record_count);
    if (text && changes && records)
        return Py_BuildValue("(dNIsiiNNdi)", e.t, text, e.occasion, classes, e.from, e.to, changes,
                             records, e.bracket, e.iterations);
    Py_XDECREF(text);
    Py_XDECREF(changes);
    Py_XDECREF(records);
    return NULL;
}

static PyObject *core_run_events(PyObject *self, PyObject *from)
{
    const CoreRun *r = (CoreRun *)self;
    const long first = PyLong_AsLong(from), count = saltus_run_event_count(r->run);
    if ((first == -1 && PyErr_Occurred()) || !core_is_free(r))
        return NULL;
    PyObject *list = PyList_New(0);
    for (long i = first < 0 ? 0 : first; list && i < count; i++) {
        PyObject *item = core_event(r, i);
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

// (time, text), or what Python says if that cannot be made.
static PyObject *core_warning(const CoreRun *r, int index)
{
    char text[512];
    double time = NAN;
    const size_t length =
        saltus_model_warning(model_of(r), r->run, index, &time, text, sizeof text);
    if (length < sizeof text)
        return length ? Py_BuildValue("(ds)", time, text) : Py_NewRef(Py_None);
    char *longer = malloc(length + 1);
    if (!longer)
        return PyErr_NoMemory();
    saltus_model_warning(model_of(r), r->run, index, &time, longer, length + 1);
    PyObject *result = Py_BuildValue("(ds)", time, longer);
    free(longer);
    return result;
}

static PyObject *core_run_warnings(PyObject *self, PyObject *unused)
{
    (void)unused;
    const CoreRun *r = (CoreRun *)self;
    PyObject *list = core_is_free(r) ? PyList_New(0) : NULL;
    for (int i = 0; list; i++) {
        PyObject *item = core_warning(r, i);
        const bool is_last = item == Py_None;
        if (!item || (!is_last && PyList_Append(list, item) < 0))
            Py_CLEAR(list);
        Py_XDECREF(item);
        if (is_last)
            break;
    }
    return list;
}

static PyObject *core_run_printed(PyObject *self, PyObject *unused)
{
    (void)unused;
    const CoreRun *r = (CoreRun *)self;
    PyObject *list = core_is_free(r) ? PyList_New(0) : NULL;
    double time;
    bool is_warning;
    const char *text;
    while (list && (text = saltus_model_printed(model_of(r), r->run, &time, &is_warning))) {
        PyObject *item = Py_BuildValue("(sO)", text, is_warning ? Py_True : Py_False);
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *core_run_event_count(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return PyLong_FromLong(saltus_run_event_count(((CoreRun *)self)->run));
}

// ---------------------------------------------------------------------------
// Linearization
// ---------------------------------------------------------------------------

static PyObject *core_numbers(const double *values, int count)
{
    return PyBytes_FromStringAndSize((const char *)values,
                                     (Py_ssize_t)count * (Py_ssize_t)sizeof *values);
}

static PyObject *core_texts(const char *const *texts, int count)
{
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; i++) {
        PyObject *text = PyUnicode_FromString(texts[i]);
        if (!text)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, text);
    }
    return list;
}

static PyObject *core_eigenvalues(const SaltusLinearization *l)
{
    PyObject *list = PyList_New(l->state_count);
    for (int i = 0; list && i < l->state_count; i++)
        PyList_SetItem(list, i,
                       PyComplex_FromDoubles(l->eigenvalues[i].real, l->eigenvalues[i].imaginary));
    return list;
}

static PyObject *core_linearization(const SaltusLinearization *l)
{
    const int n = l->state_count, m = l->input_count, k = l->output_count;
    return Py_BuildValue("{s:d,s:s,s:d,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N}", "time",
                         l->t, "mode", l->mode_name, "error", l->error, "states",
                         core_texts(l->state_names, n), "inputs", core_texts(l->input_names, m),
                         "outputs", core_texts(l->output_names, k), "x", core_numbers(l->x, n),
                         "dx", core_numbers(l->dx, n), "u", core_numbers(l->u, m), "y",
                         core_numbers(l->y, k), "A", core_numbers(l->a, n * n), "B",
                         core_numbers(l->b, n * m), "C", core_numbers(l->c, k * n), "D",
                         core_numbers(l->d, k * m), "eigenvalues", core_eigenvalues(l));
}

static PyObject *core_run_linearize(PyObject *self, PyObject *arguments)
{
    CoreRun *r = (CoreRun *)self;
    PyObject *inputs, *outputs, *result = NULL;
    int input_count = 0, output_count = 0;
    if (!PyArg_ParseTuple(arguments, "OO", &inputs, &outputs) || !core_is_free(r))
        return NULL;
    const char **in = inputs != Py_None ? texts_read(inputs, &input_count) : NULL;
    const char **out = outputs != Py_None ? texts_read(outputs, &output_count) : NULL;
    if (!PyErr_Occurred()) {
        SaltusLinearization *l = NULL;
        SaltusError error = {0};
        r->is_busy = true;
        watch_begin(&r->watch);
        const SaltusStatus status = saltus_model_linearize(model_of(r), r->run, in, input_count,
                                                           out, output_count, &l, &error);
        watch_end(&r->watch);
        r->is_busy = false;
        result = status == SALTUS_OK ? core_linearization(l) : core_raise(status, &error);
        saltus_linearization_destroy(l);
    }
    free(in);
    free(out);
    return result;
}

static PyMethodDef run_methods[] = {
    {"advance", core_run_advance, METH_VARARGS, "advance(stop, signals) -> (status, message)"},
    {"finish", core_run_finish, METH_NOARGS, "The end: terminal() -> (status, message)"},
    {"set", core_run_set, METH_O,
     "set([(target, index, value, rate, rate2, rate3)]) -> (status, message)"},
    {"copy", core_run_copy, METH_NOARGS, "A checkpoint, without rows and events."},
    {"time", core_run_time, METH_NOARGS, "The present time."},
    {"mode", core_run_mode, METH_NOARGS, "The number of the active mode."},
    {"mode_name", core_run_mode_name, METH_O, "The name of a mode by its number."},
    {"variables", core_run_variables, METH_NOARGS, "Names, in the order of rows."},
    {"read", core_run_read, METH_O, "The present value of a variable by its number."},
    {"is_base", core_run_is_base, METH_NOARGS, "Whether it has the model's own shape."},
    {"parameters", core_run_parameters, METH_NOARGS, "Present values, or None with another shape."},
    {"column", core_run_column, METH_O, "time, modes, kinds, then the variables."},
    {"error", core_run_error, METH_NOARGS, "(status, its text, message, time)"},
    {"statistics", core_run_statistics, METH_NOARGS, "Counters."},
    {"solver", core_run_solver, METH_NOARGS, "The solver in use."},
    {"next_time_event", core_run_next_time, METH_NOARGS, "Its time, or inf."},
    {"events", core_run_events, METH_O, "events(first): tuples, from this one on."},
    {"warnings", core_run_warnings, METH_NOARGS, "(time, text) of each."},
    {"printed", core_run_printed, METH_NOARGS, "New texts: (text, is a warning)."},
    {"event_count", core_run_event_count, METH_NOARGS, "How many there are."},
    {"linearize", core_run_linearize, METH_VARARGS, "linearize(inputs, outputs): a dict."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot run_slots[] = {
    {Py_tp_dealloc, (void *)core_run_destroy},
    {Py_tp_methods, run_methods},
    {0, NULL},
};

PyType_Spec run_spec = {.name = "saltus._core.Run",
                        .basicsize = sizeof(CoreRun),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        .slots = run_slots};
