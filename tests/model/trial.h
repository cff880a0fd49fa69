// SPDX-License-Identifier: MIT
//
// A model from models/examples/ or from text, and a run of it, for tests.

#ifndef SALTUS_TESTS_MODEL_TRIAL_H
#define SALTUS_TESTS_MODEL_TRIAL_H

#include "modes/model.h"

typedef struct Trial Trial;

// "BouncingBall.mo" and the model's name, or NULL for the only one. Fails the test after errors.
Trial *trial_example(const char *file, const char *model);
// The same of any file under models/.
Trial *trial_file(const char *file, const char *model);
// A model as text. Its errors and warnings can be looked at; NULL only without memory.
Trial *trial_text(const char *text);
void trial_end(Trial *trial);

// All messages of the compilation, as text.
const char *trial_messages(Trial *trial);
bool trial_is_model(const Trial *trial);
const Model *trial_model(const Trial *trial);
struct ExternalStore *trial_externals(const Trial *trial);

// To be set before trial_run.
SaltusOptions *trial_options(Trial *trial);
void trial_backend(Trial *trial, BackendChoice backend, const NativeOptions *options);
void trial_parameter(Trial *trial, const char *name, double value);

// From the start time to this one; can be called again to go on.
SaltusStatus trial_run(Trial *trial, double stop_time);
const SaltusRun *trial_get_run(const Trial *trial);
const char *trial_error(const Trial *trial);
bool trial_is_compiled(const Trial *trial);
// Of the experiment annotation, or 1.
double trial_stop_time(const Trial *trial);
// Evaluates the active mode of the run at another point.
void trial_evaluate(const Trial *trial, double t, const double *x, const SaltusValues *out);
// The Jacobian that the active mode gives, dense, by columns; false: it gives none.
bool trial_jacobian(const Trial *trial, double t, const double *x, double *values);

const char *trial_mode_name(const Trial *trial, int mode);

// The value of a variable in the last row, or in a given one.
double trial_value(const Trial *trial, const char *name);
double trial_value_at(const Trial *trial, const char *name, long row);

// ---- from text to the end, in one call; failures are failures of the test -----------------------

// A model as text, run to a time.
Trial *trial_run_text(const char *text, double stop_time);
// The run fails, and its message contains this.
void trial_expect_error(const char *text, double stop_time, const char *expected);
// It is no model, or has warnings, and the messages contain this.
void trial_expect_refusal(const char *text, const char *expected);
void trial_expect_message(const char *text, const char *expected);
// |value - expected| <= tolerance (1 + |expected|)
void trial_assert_value(const Trial *trial, const char *name, double expected, double tolerance);

// With the tolerance `rounding` of the file.
#define ASSERT_VALUE(trial, name, expected) trial_assert_value(trial, name, expected, rounding)

#endif
