// SPDX-License-Identifier: MIT
//
// A sweep: runs over a grid or a sample of parameter values, in several threads.
//
// What always holds: points have an order (the last axis is the fastest), and each has the same
// values and results, bit for bit, whatever the number of threads and however often the sweep was
// interrupted and resumed. A point that fails has its reason and the others go on.

#ifndef SALTUS_STUDIES_SWEEP_H
#define SALTUS_STUDIES_SWEEP_H

#include "studies/journal.h"
#include "studies/sampling.h"

typedef struct Sweep Sweep;

// Who works at a sweep besides the threads of this process: processes that have opened the same
// sweep. One of them leads: it has the journal and all results, and the others follow.
typedef struct SweepCrew {
    void *user;
    bool leads;
    bool (*meet)(void *user); // before anything is run; false: there will be no sweep
    // Who leads: hands out points while threads work, until the sweep is over. The others: run
    // them.
    void (*work)(void *user, Sweep *sweep);
} SweepCrew;

// How points are run.
typedef enum SweepDevice {
    SWEEP_RUNS, // the ordinary way, one after the other in each thread
    SWEEP_CPU,  // by a kernel on the processor, where it can
    SWEEP_GPU,  // by a kernel on a GPU, where it can
    SWEEP_AUTO, // on a GPU if there is one, else on the processor
} SweepDevice;

typedef struct SweepDef {
    Study *study;
    size_t axis_count;
    const Axis *axes;
    SweepSample sample;
    size_t sample_count;  // not of a grid; of indices: the base of each of the parts
    const double *points; // of those that are given: values by point, then by axis
    uint64_t seed;
    unsigned jobs;       // threads; 0: as many as there are processors
    const char *journal; // path; NULL: none
    const char *key;     // of the journal: stands for everything that the results depend on
    bool is_resumed;
    const SweepCrew *crew; // NULL: this process alone; jobs are then 1 if they are 0
    SweepDevice device;
    double checked; // part of the points that are run the ordinary way, too, to compare
    bool (*is_interrupted)(void); // NULL: never
    // Called from the thread that called sweep_run, every tenth of a second; may be NULL.
    void (*progress)(void *user, size_t done, size_t failed, size_t total);
    void *user;
} SweepDef;

// The definition must outlive the sweep. NULL: the message says why.
Sweep *sweep_create(const SweepDef *def, char **message);
void sweep_destroy(Sweep *sweep);

typedef enum SweepStatus {
    SWEEP_FINISHED,    // though points may have failed
    SWEEP_INTERRUPTED, // what is finished is kept in the journal
    SWEEP_FAILED,      // it could not be made, or the journal not be written
} SweepStatus;

SweepStatus sweep_run(Sweep *sweep, char **message);
// The results have been written: the journal is not needed any more.
void sweep_forget_journal(Sweep *sweep);

// What a kernel did.
typedef struct SweepKernelReport {
    const char *reason; // why there was none; "" if there was
    const char *device; // "cpu", "gpu"
    unsigned lanes;
    unsigned modes;         // of the model, that it has
    size_t finished, aside; // points that it ran; that it left to the ordinary run
    size_t checked;         // that both ran
    bool is_distrusted;     // they differed: the ordinary run did all
    // Where: by the kernel and by the ordinary run, counted from 1. 0: the latter did not finish.
    struct {
        size_t point, result;
        double kernel, ordinary;
    } difference;
    const char *first_aside; // why the first point was left; NULL: none was
    double seconds;          // of the kernel alone
    const char *source;      // its text; NULL: there is none
    size_t source_length;
} SweepKernelReport;

SweepKernelReport sweep_kernel_report(const Sweep *sweep);

size_t sweep_count(const Sweep *sweep);        // of points
size_t sweep_resumed(const Sweep *sweep);      // of those that the journal had
size_t sweep_result_count(const Sweep *sweep); // of values at each, over all observations
// The value of an axis at a point.
double sweep_value(const Sweep *sweep, size_t point, size_t axis);

// What came of a point; without values: it was not run.
JournalRecord sweep_point(Sweep *sweep, size_t point);

// ---------------------------------------------------------------------------
// For crews
// ---------------------------------------------------------------------------

// The next point that nobody has; false: there is none now.
bool sweep_take(Sweep *sweep, size_t *index);
// What came of a point; a second time it does not count.
void sweep_put(Sweep *sweep, const JournalRecord *record);
// A point that was taken is to be run by somebody else, unless it is done.
void sweep_give_back(Sweep *sweep, size_t index);
bool sweep_is_over(Sweep *sweep);       // or is broken off
size_t sweep_left(Sweep *sweep);        // points that are not done
void sweep_show_progress(Sweep *sweep); // to the definition's `progress`
void sweep_break_off(Sweep *sweep, const char *message);

// What is needed to run points, one after the other.
typedef struct SweepHand SweepHand;
SweepHand *sweep_hand(Sweep *sweep); // NULL: out of memory
void sweep_hand_free(SweepHand *hand);
// Several points, by the kernel where there is one; what came of each is put. False: one could not
// be.
typedef bool (*SweepPut)(void *user, const JournalRecord *record);
bool sweep_run_points(Sweep *sweep, SweepHand *hand, const size_t *points, size_t count,
                      SweepPut put, void *user);
// Who leads has a kernel and trusts it; the others are told if not. What theirs have run is
// counted.
bool sweep_uses_kernel(const Sweep *sweep);
void sweep_distrust_kernel(Sweep *sweep);
void sweep_count_kernel(Sweep *sweep, double finished, double aside);

#endif
