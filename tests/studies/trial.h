// SPDX-License-Identifier: MIT
//
// A study of a model given as text, for tests.

#ifndef SALTUS_TESTS_STUDIES_TRIAL_H
#define SALTUS_TESTS_STUDIES_TRIAL_H

#include "studies/study.h"

typedef struct StudyTrial {
    Study *study;
    StudyRunner *runner;
    StudyOutcome outcome;
    char folder[32], path[64];
} StudyTrial;

// The model, to be run until stop_time with the relative tolerance, and what is observed in it.
// The texts end with NULL.
StudyTrial study_trial(const char *model, double stop_time, double tolerance,
                       const char *const *observations);
void study_trial_end(StudyTrial *trial);
// Runs with the model's own parameters; fails the test unless the run comes to its end.
void study_trial_run(StudyTrial *trial);
// The first value of an observation.
double study_trial_value(const StudyTrial *trial, size_t observation);
// All messages of the compilation.
const char *study_trial_messages(const StudyTrial *trial);

// Height 1 until it drops on the floor again and again: m = 0.8, g = 9.81.
extern const char study_ball[];

#endif
