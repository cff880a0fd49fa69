// SPDX-License-Identifier: MIT
//
// The extension module saltus._core: models and runs of the public interface as Python objects,
// with nothing added but what the interpreter needs. Everything that people see is in
// python/src/saltus.
//
// It is a module in C, not ctypes: a call costs less than a microsecond, columns of a run are given
// out by the buffer protocol without a copy, and the interpreter's lock is released while anything
// runs. It uses the stable ABI only.
//
// What always holds: while the lock is released nothing of Python is touched; a run keeps its
// system, a system its model; a column keeps the block of rows it looks at.

#ifndef SALTUS_PYTHON_CORE_H
#define SALTUS_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <saltus/saltus.h>

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef struct CoreState {
    PyTypeObject *model, *run, *column;
} CoreState;

// ---------------------------------------------------------------------------
// Rows: rows.c
// ---------------------------------------------------------------------------

// Rows of a run, in one block of memory that grows. Somebody who looks at it keeps it: then it is
// copied when it has to grow.
typedef struct RowBlock {
    long references;
    size_t room; // rows
    double cells[];
} RowBlock;

// A row: time, mode, kind (as integers of 64 bits), then the variables.
enum { ROW_TIME, ROW_MODE, ROW_KIND, ROW_HEAD };

typedef struct Rows {
    RowBlock *block; // NULL: none yet
    size_t count;
    size_t width; // cells of a row
    bool is_out_of_memory;
} Rows;

// False: out of memory.
bool rows_add(Rows *rows, const SaltusRow *row);
void rows_free(Rows *rows);

// A column: rows by the buffer protocol.
PyObject *column_create(CoreState *state, const Rows *rows, size_t cell);
extern PyType_Spec column_spec;

// ---------------------------------------------------------------------------
// Models: model.c
// ---------------------------------------------------------------------------

// A system and the model it is of, shared by runs.
typedef struct CoreSystem {
    long references;
    SaltusSystem *system;
    PyObject *model;
    int count;
    SaltusSetting *settings; // that it was made with; names are its own
} CoreSystem;

typedef struct CoreModel {
    PyObject_HEAD SaltusModel *model;
    CoreSystem *last; // that was made; NULL: none. It has no reference to the model here
} CoreModel;

PyObject *core_load(PyObject *module, PyObject *arguments);
extern PyType_Spec model_spec;

// A new reference; NULL with an exception set. *p: parameters of the run, to be freed; NULL: those
// of the system.
CoreSystem *system_make(CoreModel *model, PyObject *settings, double **p);
void system_release(CoreSystem *system);

// Settings from a list of (name, value); the names are those of the list. NULL with an exception.
SaltusSetting *settings_read(PyObject *list, int *count);

// Texts from a list; they are those of the list. NULL with an exception.
const char **texts_read(PyObject *list, int *count);

// ---------------------------------------------------------------------------
// Runs: run.c
// ---------------------------------------------------------------------------

// Looks for Ctrl-C while the lock is released.
typedef struct CoreWatch {
    PyThreadState *thread;
    struct timespec last;
    bool is_interrupted; // an exception is set
} CoreWatch;

void watch_begin(CoreWatch *watch);
void watch_end(CoreWatch *watch);
// True: it is to end.
bool watch_look(CoreWatch *watch);

PyObject *core_begin(PyObject *model, PyObject *arguments);
// derive.c: a run with sensitivities, to its end.
PyObject *core_derive(PyObject *model, PyObject *arguments);
extern PyType_Spec run_spec;

// Options from the tuple that Model._options of python/src/saltus/_model.py makes. False with an
// exception set.
bool options_read(PyObject *tuple, SaltusOptions *options);

// Raises RuntimeError with (status, message); returns NULL.
PyObject *core_raise(SaltusStatus status, SaltusError *error);

// ---------------------------------------------------------------------------
// Studies and pictures: studies.c
// ---------------------------------------------------------------------------

PyObject *core_sweep(PyObject *model, PyObject *arguments);
PyObject *core_solve(PyObject *model, PyObject *arguments);
PyObject *core_plot(PyObject *module, PyObject *arguments);

#endif
