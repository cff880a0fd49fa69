// SPDX-License-Identifier: MIT
//
// A run as a Python object, for the files that make one.

#ifndef SALTUS_PYTHON_RUN_H
#define SALTUS_PYTHON_RUN_H

#include "core.h"

#include "studies/sensitivity.h"

typedef struct CoreRun {
    PyObject_HEAD CoreSystem *system;
    SaltusRun *run;
    Rows rows;
    CoreWatch watch;
    bool is_busy;             // in another thread
    double *outputs;          // of all variables
    int output_count;         // 0: not known yet
    bool has_outputs;         // they are those of the present state
    Sensitivity *sensitivity; // while the run is made
    uint32_t derived;         // parameters by which rows have derivatives; then it does not go on
} CoreRun;

// Signals of inputs, from a list of (input, times, values); to be freed in any case. False: an
// exception is raised.
typedef struct CoreSignals {
    SaltusSignal *signals;
    Py_buffer *buffers; // two each
    int count, buffer_count;
} CoreSignals;
bool core_signals_read(CoreSignals *signals, PyObject *list);
void core_signals_free(CoreSignals *signals);

CoreRun *core_run_allocate(PyTypeObject *type);
// Callbacks of a run that is to be made with these options.
void core_run_listen(CoreRun *run, SaltusOptions *options);

#endif
