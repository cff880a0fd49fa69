// SPDX-License-Identifier: MIT

#include "core.h"

#include <stdlib.h>
#include <string.h>

static void block_release(RowBlock *block)
{
    if (block && --block->references == 0)
        free(block);
}

// A block that nobody looks at moves; one that somebody looks at stays, and its rows are copied.
static bool rows_grow(Rows *rows)
{
    const size_t room = rows->block ? 2 * rows->block->room : 64;
    const size_t size = sizeof(RowBlock) + room * rows->width * sizeof(double);
    if (rows->width > SIZE_MAX / sizeof(double) / room / 2)
        return false;
    const bool is_shared = rows->block && rows->block->references > 1;
    RowBlock *block = is_shared ? malloc(size) : realloc(rows->block, size);
    if (!block)
        return false;
    if (is_shared) {
        memcpy(block->cells, rows->block->cells, rows->count * rows->width * sizeof(double));
        block_release(rows->block);
    }
    block->references = 1;
    block->room = room;
    rows->block = block;
    return true;
}

// Whether the last row is that of the same instant, where the run has come to an end for a moment
// before something is set: the row before an event takes its place.
static bool rows_is_repeated(const Rows *rows, const SaltusRow *row)
{
    if (rows->count == 0 || row->kind != SALTUS_ROW_BEFORE_EVENT)
        return false;
    const double *last = rows->block->cells + (rows->count - 1) * rows->width;
    int64_t kind;
    memcpy(&kind, &last[ROW_KIND], sizeof kind);
    return kind == SALTUS_ROW_END && last[ROW_TIME] == row->t;
}

bool rows_add(Rows *rows, const SaltusRow *row)
{
    if (rows_is_repeated(rows, row))
        rows->count--;
    if ((!rows->block || rows->count == rows->block->room) && !rows_grow(rows)) {
        rows->is_out_of_memory = true;
        return false;
    }
    double *cells = rows->block->cells + rows->count * rows->width;
    const int64_t mode = row->mode, kind = row->kind;
    const size_t width = rows->width - ROW_HEAD, own = (size_t)row->y_count;
    const size_t count = own < width ? own : width; // derivatives may follow
    cells[ROW_TIME] = row->t;
    memcpy(&cells[ROW_MODE], &mode, sizeof mode);
    memcpy(&cells[ROW_KIND], &kind, sizeof kind);
    if (count && row->y)
        memcpy(cells + ROW_HEAD, row->y, count * sizeof *cells);
    rows->count++;
    return true;
}

void rows_free(Rows *rows)
{
    block_release(rows->block);
    *rows = (Rows){.width = rows->width};
}

// ---------------------------------------------------------------------------
// Columns
// ---------------------------------------------------------------------------

typedef struct Column {
    PyObject_HEAD RowBlock *block;
    double *first;
    bool is_whole; // integers
    Py_ssize_t count, stride;
} Column;

PyObject *column_create(CoreState *state, const Rows *rows, size_t cell)
{
    static double nothing;
    Column *c = PyObject_New(Column, state->column);
    if (!c)
        return NULL;
    c->block = rows->block;
    if (c->block)
        c->block->references++;
    c->first = rows->block ? rows->block->cells + cell : &nothing;
    c->is_whole = cell == ROW_MODE || cell == ROW_KIND;
    c->count = (Py_ssize_t)rows->count;
    c->stride = (Py_ssize_t)(rows->width * sizeof(double));
    return (PyObject *)c;
}

static void column_destroy(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    block_release(((Column *)self)->block);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int column_buffer(PyObject *self, Py_buffer *view, int flags)
{
    Column *c = (Column *)self;
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "results cannot be written");
        return -1;
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "a column is not contiguous");
        return -1;
    }
    *view = (Py_buffer){.buf = c->first,
                        .obj = Py_NewRef(self),
                        .len = c->count * (Py_ssize_t)sizeof(double),
                        .itemsize = sizeof(double),
                        .readonly = 1,
                        .ndim = 1,
                        .format = flags & PyBUF_FORMAT ? (c->is_whole ? "q" : "d") : NULL,
                        .shape = &c->count,
                        .strides = &c->stride};
    return 0;
}

static PyType_Slot column_slots[] = {
    {Py_tp_dealloc, (void *)column_destroy},
    {Py_bf_getbuffer, (void *)column_buffer},
    {0, NULL},
};

PyType_Spec column_spec = {.name = "saltus._core.Column",
                           .basicsize = sizeof(Column),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                           .slots = column_slots};
