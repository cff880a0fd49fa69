// SPDX-License-Identifier: MIT
//
// What sweep, solve and compare share: options of their runs, the model, messages.

#ifndef SALTUS_CLI_STUDY_H
#define SALTUS_CLI_STUDY_H

#include "cli/inputs.h"
#include "cli/model.h"
#include "cli/progress.h"
#include "cli/settings.h"
#include "studies/study.h"

// What commands that study a model share.
typedef struct StudyCommand {
    Settings settings;
    OptionList starts;
    const OptionList *varied[2]; // NAME=..., NAME.start=...: what runs change; NULL: none
    ModelOptions model;
    const char *input; // a table; NULL: none
    int backend;
    int interpolate;
    bool is_whole; // the model is for kernels
    bool quiet;
    const StudyData *data;    // to compare runs with; NULL: none
    double end;               // of the data: runs go at least so far
    const char *const *words; // the command line
    size_t word_count;

    // What becomes of them.
    const OptionTable *table;
    ModelArguments arguments;
    Study *study;
    Inputs *inputs; // NULL: none
    SaltusOptions options;
    double stop_time;
} StudyCommand;

#define STUDY_NUMBER(type, option, member, text)                                                   \
    {                                                                                              \
        .name = option, .kind = OPTION_NUMBER, .value = "NUMBER", .help = text,                    \
        .offset = offsetof(type, run.settings.member)                                              \
    }

// Options of the command `type`, whose member `run` is a StudyCommand: of the method, and others.
// `tolerance` says what the relative tolerance is by default.
#define STUDY_METHOD_OPTIONS(type, tolerance)                                                      \
    STUDY_NUMBER(type, "relative-tolerance", relative_tolerance, tolerance),                       \
        {.name = "solver",                                                                         \
         .kind = OPTION_TEXT,                                                                      \
         .value = "NAME",                                                                          \
         .words = settings_solver_names,                                                           \
         .help = "integration method",                                                             \
         .offset = offsetof(type, run.settings.solver)},                                           \
    {                                                                                              \
        .name = "locate", .kind = OPTION_TEXT, .value = "NAME", .words = settings_locator_names,   \
        .help = "how events are located", .offset = offsetof(type, run.settings.locate)            \
    }
#define STUDY_JOBS_OPTION(type)                                                                    \
    {                                                                                              \
        .name = "jobs", .letter = 'j', .kind = OPTION_NUMBER, .value = "NUMBER",                   \
        .help = "threads (as many as processors)", .offset = offsetof(type, jobs)                  \
    }
#define STUDY_OPTIONS(type)                                                                        \
    STUDY_NUMBER(type, "start-time", start_time, "when runs begin (annotation, or 0)"),            \
        STUDY_NUMBER(type, "stop-time", stop_time, "when runs end (annotation, or 1)"),            \
        STUDY_NUMBER(type, "absolute-tolerance", absolute_tolerance,                               \
                     "(a thousandth of the relative one)"),                                        \
        STUDY_NUMBER(type, "step", step, "step of euler, heun, rk4 (a 500th of the run)"),         \
        STUDY_NUMBER(type, "maximum-step", maximum_step,                                           \
                     "largest step of others (a 50th of the run)"),                                \
        STUDY_NUMBER(type, "event-tolerance", event_tolerance,                                     \
                     "accuracy of event times (the best possible)"),                               \
        MODEL_START_OPTION(type, run.starts), INPUTS_OPTIONS(type, run.input, run.interpolate),    \
        {.name = "zeno",                                                                           \
         .kind = OPTION_CHOICE,                                                                    \
         .choices = {"stop", "error", "continue"},                                                 \
         .help = "if events accumulate",                                                           \
         .offset = offsetof(type, run.settings.zeno)},                                             \
        MODEL_BACKEND_OPTION(type, run.backend), MODEL_QUIET_OPTION(type, run.quiet),              \
        MODEL_OPTIONS(type, run.model)

StudyCommand study_default_options(void);

// Reads and compiles the model, with these observations, and sets the options of its runs. To be
// closed in any case. EXIT_FINE, or how to end, after messages.
ExitStatus study_open(StudyCommand *command, const OptionTable *table, int argc, char **argv,
                      size_t count, const char *const *observations);
void study_close(StudyCommand *command);

// A hash of the model's texts and of the options of its runs, to which more is added.
struct Sha256;
void study_hash(const StudyCommand *command, struct Sha256 *hash);

// Parts of a list "a,b,c": the next one into `part`, empty if it is too long to be the name of
// anything; false: there is none left.
bool study_next_part(const char **rest, char part[64]);

const char *study_status_text(SaltusStatus status); // "finished", "failed", ...

#endif
