// SPDX-License-Identifier: MIT
//
// Benchmarks: a list of tasks, each of which experiments with models in the laboratory, writes into
// the report what it did and found, and notes its numbers.
//
// What always holds: tasks know nothing of each other and may be run in any selection; everything
// is computed when it is asked for. A task that cannot be done says so with benchmark_fail.

#ifndef SALTUS_REPORT_BENCHMARK_H
#define SALTUS_REPORT_BENCHMARK_H

#include "report/findings.h"
#include "report/lab.h"

// A picture that moves along a run, which the report shows and whoever asked for it makes: the file
// ID.html in its folder.
typedef struct BenchmarkAnimation {
    const char *id, *file, *model;
    const char *plot; // beside it, as `saltus plot` takes it
    double stop_time; // 0: as the model's experiment says
} BenchmarkAnimation;

enum { BENCHMARK_MOST_ANIMATIONS = 8 };

typedef struct Benchmark {
    Arena *arena;
    Lab *lab;
    Document *document;
    Findings findings;
    StringBuilder
        failures; // tasks that could not be done, and why nothing was written: one line each
    BenchmarkAnimation animations[BENCHMARK_MOST_ANIMATIONS];
    size_t animation_count;
    LabRun **runs; // live as long as the report, whose figures point into their columns
    size_t run_count, run_room;
    bool is_written, is_interrupted;
    double seconds;
} Benchmark;

typedef struct BenchmarkTask {
    const char *id;            // "B3"; NULL: a heading, a chapter that is always there
    const char *title;         // of the chapter or of the task
    int level;                 // of its heading
    void (*run)(Benchmark *b); // may be NULL
    const char *aim;           // what the task asks for, for those who do not know; NULL: nothing
} BenchmarkTask;

// What a report cites as [@key].
typedef struct BenchmarkSource {
    const char *key, *text, *url; // url NULL: none
} BenchmarkSource;

typedef struct BenchmarkDef {
    const char *name; // "c21", also of the folder of the models
    const char *title, *subtitle, *abstract, *keywords;
    const BenchmarkSource *sources;
    size_t source_count;
    const BenchmarkTask *tasks;
    size_t task_count;
} BenchmarkDef;

// The known ones; NULL: there is none of that name.
const BenchmarkDef *benchmark_find(const char *name);

typedef struct BenchmarkOptions {
    const char *models; // folder of all models of the benchmark
    const char *output; // folder of the report
    const SaltusSetting *overrides;
    size_t override_count;
    const char *const *tasks; // NULL: all
    size_t task_count;
    // Called before each task; anything but 0: stop. May be NULL.
    int (*progress)(void *user, const BenchmarkTask *task, size_t done, size_t count);
    void *user;
} BenchmarkOptions;

// The benchmark as its tasks have left it, without laboratory and runs: findings and failures,
// which live in the arena, and the animations that are still to be made.
Benchmark benchmark_run(const BenchmarkDef *def, const BenchmarkOptions *options, Arena *arena);

// ---------------------------------------------------------------------------
// For tasks
// ---------------------------------------------------------------------------

void benchmark_animation(Benchmark *b, BenchmarkAnimation animation, const char *caption);
// The modes that a run visited and the events that led from one to the other, with their numbers.
void benchmark_chart(Benchmark *b, DocumentPlace place, const LabRun *run, const char *id,
                     const char *caption);

void benchmark_fail(Benchmark *b, const char *format, ...) TEXT_FORMAT(2, 3);
// A run; if it fails, that is a failure of the task. Never NULL; freed with the benchmark.
LabRun *benchmark_lab(Benchmark *b, const LabSetup *setup);
// A column of a run, all NAN (with a failure) if there is none.
const double *benchmark_column(Benchmark *b, const LabRun *run, const char *name);
// A curve of a run.
PlotCurve benchmark_curve(Benchmark *b, const LabRun *run, const char *name, const char *label);
// A panel of curves over the time in seconds.
PlotPanel benchmark_panel(const char *label, const char *unit, const PlotCurve *curves,
                          size_t count);
// The listing of a model.
void benchmark_listing(Benchmark *b, DocumentPlace place, const char *file, const char *model,
                       const char *caption);
// The events of a run as a table, the first `most` of them: condition, class, what changed.
void benchmark_events(Benchmark *b, DocumentPlace place, const LabRun *run, size_t most,
                      const char *id, const char *caption);
// Number of array elements.
#define COUNT(array) (sizeof(array) / sizeof *(array))

extern const BenchmarkDef benchmark_c21, benchmark_c7, benchmark_c5;

#endif
