// SPDX-License-Identifier: MIT
//
// Sweeps, solutions, pictures.

#include "core.h"

#include "plot/figure.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// What studies have in common
// ---------------------------------------------------------------------------

typedef struct CoreStudy {
    SaltusStudyDef def;
    SaltusSetting *fixed;
    const char **observations;
    CoreWatch watch;
} CoreStudy;

static int core_study_progress(void *user, double fraction, long runs)
{
    (void)fraction, (void)runs;
    return watch_look(&((CoreStudy *)user)->watch);
}

// False with an exception set.
static bool study_read(CoreStudy *s, const SaltusModel *model, PyObject *fixed, PyObject *options,
                       PyObject *observations)
{
    s->def = saltus_default_study(model);
    if (!options_read(options, &s->def.options) ||
        !(s->fixed = settings_read(fixed, &s->def.fixed_count)) ||
        !(s->observations = texts_read(observations, &s->def.observation_count)))
        return false;
    s->def.fixed = s->fixed;
    s->def.observations = s->observations;
    s->def.progress = core_study_progress;
    s->def.user = s;
    return true;
}

static void study_free(CoreStudy *s)
{
    free(s->fixed);
    free(s->observations);
}

// ---------------------------------------------------------------------------
// Sweeps
// ---------------------------------------------------------------------------

static PyObject *sweep_result(const SaltusSweep *w, int observation_count)
{
    PyObject *results = PyBytes_FromStringAndSize((const char *)w->results,
                                                  (Py_ssize_t)w->point_count * w->result_count *
                                                      (Py_ssize_t)sizeof *w->results);
    PyObject *statuses = PyList_New(w->point_count), *messages = PyList_New(w->point_count);
    PyObject *lengths = PyList_New(observation_count);
    bool is_fine = results && statuses && messages && lengths;
    for (long i = 0; is_fine && i < w->point_count; i++) {
        PyObject *message =
            PyUnicode_DecodeUTF8(w->messages[i], (Py_ssize_t)strlen(w->messages[i]), "replace");
        is_fine = message;
        PyList_SetItem(statuses, i, PyLong_FromLong(w->statuses[i]));
        PyList_SetItem(messages, i, message);
    }
    for (int i = 0; is_fine && i < observation_count; i++)
        PyList_SetItem(lengths, i, PyLong_FromLong(w->lengths[i]));
    if (is_fine)
        return Py_BuildValue("(NNNN)", results, statuses, messages, lengths);
    Py_XDECREF(results);
    Py_XDECREF(statuses);
    Py_XDECREF(messages);
    Py_XDECREF(lengths);
    return NULL;
}

static PyObject *sweep_points(const SaltusModel *model, CoreStudy *s, const char **names, int count,
                              const Py_buffer *values, long points)
{
    SaltusSweep *sweep = NULL;
    SaltusError error = {.status = SALTUS_OK};
    if (values->len != (Py_ssize_t)points * count * (Py_ssize_t)sizeof(double)) {
        PyErr_SetString(PyExc_ValueError, "the points need a value for each parameter");
        return NULL;
    }
    watch_begin(&s->watch);
    const SaltusStatus status =
        saltus_model_sweep(model, &s->def, names, count, values->buf, points, &sweep, &error);
    watch_end(&s->watch);
    PyObject *result = s->watch.is_interrupted ? NULL
                       : status == SALTUS_OK   ? sweep_result(sweep, s->def.observation_count)
                                               : core_raise(status, &error);
    saltus_sweep_destroy(sweep);
    return result;
}

PyObject *core_sweep(PyObject *self, PyObject *arguments)
{
    const SaltusModel *model = ((CoreModel *)self)->model;
    PyObject *fixed, *options, *names, *points, *observations, *result = NULL;
    double stop;
    long point_count;
    int jobs, count = 0;
    CoreStudy s = {0};
    Py_buffer values;
    if (!PyArg_ParseTuple(arguments, "OOdOOlOi", &fixed, &options, &stop, &names, &points,
                          &point_count, &observations, &jobs))
        return NULL;
    const char **texts = texts_read(names, &count);
    if (texts && study_read(&s, model, fixed, options, observations) &&
        PyObject_GetBuffer(points, &values, PyBUF_C_CONTIGUOUS) == 0) {
        s.def.stop_time = stop;
        s.def.jobs = jobs;
        result = sweep_points(model, &s, texts, count, &values, point_count);
        PyBuffer_Release(&values);
    }
    study_free(&s);
    free(texts);
    return result;
}

// ---------------------------------------------------------------------------
// Solutions
// ---------------------------------------------------------------------------

static PyObject *solve_numbers(const double *values, int count)
{
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; i++)
        PyList_SetItem(list, i, PyFloat_FromDouble(values[i]));
    return list;
}

static PyObject *solve_result(const SaltusSolutions *solutions, int unknown_count)
{
    PyObject *items = PyList_New(0);
    for (long i = 0; items && i < solutions->count; i++) {
        const SaltusSolution *s = &solutions->items[i];
        PyObject *item = Py_BuildValue(
            "(iNddddsN)", (int)s->found, solve_numbers(s->unknowns, unknown_count), s->value,
            s->left, s->right, s->width, s->note, solve_numbers(s->results, s->result_count));
        if (!item || PyList_Append(items, item) < 0)
            Py_CLEAR(items);
        Py_XDECREF(item);
    }
    return items ? Py_BuildValue("(Nls)", items, solutions->runs, solutions->message) : NULL;
}

static PyObject *solve_run(const SaltusModel *model, CoreStudy *s, const SaltusSolveDef *def)
{
    SaltusSolutions *solutions = NULL;
    SaltusError error = {.status = SALTUS_OK};
    watch_begin(&s->watch);
    const SaltusStatus status = saltus_model_solve(model, &s->def, def, &solutions, &error);
    watch_end(&s->watch);
    PyObject *result = s->watch.is_interrupted ? NULL
                       : status == SALTUS_OK   ? solve_result(solutions, def->unknown_count)
                                               : core_raise(status, &error);
    saltus_solutions_destroy(solutions);
    return result;
}

PyObject *core_solve(PyObject *self, PyObject *arguments)
{
    const SaltusModel *model = ((CoreModel *)self)->model;
    PyObject *fixed, *options, *observations, *list, *result = NULL;
    double stop;
    int seek, jobs;
    SaltusSolveDef def = {0};
    CoreStudy s = {0};
    if (!PyArg_ParseTuple(arguments, "OOdOiiOii", &fixed, &options, &stop, &observations,
                          &def.target_count, &seek, &list, &def.points, &jobs))
        return NULL;
    const Py_ssize_t size = PyList_Check(list) ? PyList_Size(list) : 0;
    SaltusUnknown *unknowns = calloc((size_t)size + 1, sizeof *unknowns);
    bool is_fine = unknowns && study_read(&s, model, fixed, options, observations);
    if (!unknowns)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; is_fine && i < size; i++) {
        int is_logarithmic;
        SaltusUnknown *u = &unknowns[i];
        is_fine = PyArg_ParseTuple(PyList_GetItem(list, i), "sdddp", &u->name, &u->lower, &u->upper,
                                   &u->guess, &is_logarithmic);
        u->is_logarithmic = is_fine && is_logarithmic;
    }
    if (is_fine) {
        def.seek = (SaltusSeek)seek;
        def.unknowns = unknowns;
        def.unknown_count = (int)size;
        s.def.stop_time = stop;
        s.def.jobs = jobs;
        result = solve_run(model, &s, &def);
    }
    study_free(&s);
    free(unknowns);
    return result;
}

// ---------------------------------------------------------------------------
// Pictures
// ---------------------------------------------------------------------------

// A figure is described by lists; what it points to is theirs, but for the arrays' buffers.
typedef struct CorePlot {
    Arena *arena;
    Py_buffer *buffers;
    size_t buffer_count, buffer_room;
} CorePlot;

static bool plot_numbers(CorePlot *p, PyObject *array, const double **values, size_t *count)
{
    if (p->buffer_count == p->buffer_room) {
        const size_t room = 2 * p->buffer_room + 8;
        Py_buffer *buffers = realloc(p->buffers, room * sizeof *buffers);
        if (!buffers) {
            PyErr_NoMemory();
            return false;
        }
        p->buffers = buffers;
        p->buffer_room = room;
    }
    Py_buffer *b = &p->buffers[p->buffer_count];
    if (PyObject_GetBuffer(array, b, PyBUF_C_CONTIGUOUS) < 0)
        return false;
    p->buffer_count++;
    *values = b->buf;
    *count = (size_t)b->len / sizeof(double);
    return true;
}

static size_t list_size(PyObject *list)
{
    return PyList_Check(list) ? (size_t)PyList_Size(list) : 0;
}

static bool plot_curves(CorePlot *p, PyObject *list, PlotPanel *panel)
{
    const size_t count = list_size(list);
    PlotCurve *curves = ARENA_ARRAY(p->arena, count + 1, PlotCurve);
    for (size_t i = 0; i < count; i++) {
        PyObject *x, *y;
        size_t x_count = 0;
        if (!PyArg_ParseTuple(PyList_GetItem(list, (Py_ssize_t)i), "sOO", &curves[i].label, &x,
                              &y) ||
            !plot_numbers(p, x, &curves[i].x, &x_count) ||
            !plot_numbers(p, y, &curves[i].y, &curves[i].count))
            return false;
        if (x_count < curves[i].count)
            curves[i].count = x_count;
    }
    panel->curves = curves;
    panel->curve_count = count;
    return true;
}

static bool plot_bands(CorePlot *p, PyObject *list, PlotPanel *panel)
{
    const size_t count = list_size(list);
    PlotBand *bands = ARENA_ARRAY(p->arena, count + 1, PlotBand);
    for (size_t i = 0; i < count; i++)
        if (!PyArg_ParseTuple(PyList_GetItem(list, (Py_ssize_t)i), "dds", &bands[i].from,
                              &bands[i].to, &bands[i].label))
            return false;
    panel->bands = bands;
    panel->band_count = count;
    return true;
}

static bool plot_panels(CorePlot *p, PyObject *list, PyObject *bands, PlotFigure *figure)
{
    const size_t count = list_size(list);
    PlotPanel *panels = ARENA_ARRAY(p->arena, count + 1, PlotPanel);
    for (size_t i = 0; i < count; i++) {
        PyObject *curves;
        PlotPanel *panel = &panels[i];
        int is_time;
        if (!PyArg_ParseTuple(PyList_GetItem(list, (Py_ssize_t)i), "zzzzOp", &panel->x.label,
                              &panel->x.unit, &panel->y.label, &panel->y.unit, &curves, &is_time) ||
            !plot_curves(p, curves, panel) || (is_time && !plot_bands(p, bands, panel)))
            return false;
        panel->is_time = is_time;
    }
    figure->panels = panels;
    figure->panel_count = count;
    return true;
}

static PyObject *plot_make(CorePlot *p, const char *title, const char *id, PyObject *panels,
                           PyObject *bands)
{
    PlotFigure figure = {.title = title, .id = id};
    jmp_buf exhaustion;
    if (setjmp(exhaustion) != 0)
        return PyErr_NoMemory();
    arena_on_exhaustion(p->arena, &exhaustion);
    if (!plot_panels(p, panels, bands, &figure))
        return NULL;
    const String svg = plot_svg(p->arena, &figure);
    return svg.text ? PyUnicode_FromStringAndSize(svg.text, (Py_ssize_t)svg.length)
                    : PyErr_NoMemory();
}

PyObject *core_plot(PyObject *module, PyObject *arguments)
{
    const char *title, *id;
    PyObject *panels, *bands;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "zsOO", &title, &id, &panels, &bands))
        return NULL;
    CorePlot p = {.arena = arena_create(NULL)};
    PyObject *result = p.arena ? plot_make(&p, title, id, panels, bands) : PyErr_NoMemory();
    for (size_t i = 0; i < p.buffer_count; i++)
        PyBuffer_Release(&p.buffers[i]);
    free(p.buffers);
    if (p.arena)
        arena_destroy(p.arena);
    return result;
}
