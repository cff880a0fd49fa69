// SPDX-License-Identifier: MIT
//
// A run, as its parts see it: run.c drives the steps, event.c handles events,
// instance.c keeps what belongs to a mode, locating.c finds the time of an event.
//
// What always holds between steps: `t`, `x`, `z` are the present state of the
// active instance; its event functions there are `h`, with known signs `armed`.
// The solver's last step ends at solver->t >= t. If it ends later, the rest of
// that step is still valid and is used: an event changed nothing.

#ifndef SALTUS_HYBRID_RUN_H
#define SALTUS_HYBRID_RUN_H

#include "base/heap.h"
#include "base/index_map.h"
#include "base/memory.h"
#include "events/detect.h"
#include "events/guard.h"
#include "events/schedule.h"
#include "hybrid/contest.h"
#include "hybrid/log.h"
#include "hybrid/system.h"
#include "hybrid/trajectory.h"
#include "solvers/solver.h"
#include <saltus/saltus.h>

#define RUN_SOLVER_COUNT(name, text, what) +1
enum { RUN_SOLVERS = 0 SALTUS_SOLVER_LIST(RUN_SOLVER_COUNT) };
#undef RUN_SOLVER_COUNT

// Where the variables of a mode come from when it is entered from another. Lists of names are
// shared by the modes of a system, so their addresses say which variables a mode has.
typedef struct NameMap {
    const char *const *state_names, *const *algebraic_names; // of the mode left
    int *source; // per variable (states, then algebraic): index there, or -1; NULL: all the same
    int *target; // per state of the mode left: index here, or -1
    bool has_same_variables; // the states are the same ones, the algebraic variables, too
} NameMap;

// Maps that an instance keeps: a mode is rarely entered from modes of more different sets of
// variables in turn, and a map is made again in about the time of a few steps.
enum { INSTANCE_MAPS = 8 };

// What stays of every mode that a run has entered.
typedef struct Visit {
    struct RunInstance *instance; // NULL: let go of
    double stay, step;            // see Instance
    SaltusSolver preferred;       // see Problem
    Contest contest;              // see RunInstance
    bool was_exact;               // see RunInstance
} Visit;

// The modes that a run has entered. Of most of them there is an instance; see instance.c.
typedef struct Instances {
    struct RunInstance *newest, *oldest; // in the order in which they were last entered
    int count;
    IndexMap visits_at; // where the visit of a mode is
    Visit *visits;
    int visit_capacity;
} Instances;

// A mode in a run.
typedef struct RunInstance {
    int index;
    int visit;       // its position among the visits
    MemoryPool pool; // what is not freed by itself
    const SaltusModeDef *mode;
    SaltusContext context;
    Problem *problem;
    Solver *solvers[RUN_SOLVERS]; // made when first needed
    Detector detector;
    DetectStep step; // that it looks at
    struct {
        struct RunInstance *newer, *older;
    } order;

    double *x, *z, *dx; // at an event
    struct {
        double *begin, *end; // z of a part of a step, while its branch is followed
    } branch;
    struct {
        double *step, *stay; // largest |x| of the last step, and of all steps in this mode
    } size;
    double *h, *h_end; // event functions now, at the step's end
    double *noise;
    double *work; // arming and Hénon's method
    Armed *armed;
    Guard *guards;      // per event function
    bool has_undefined; // in this step: event functions behind the zero of another one
    Contest contest;    // of solvers
    // Since the mode was first entered.
    struct {
        long solver, client; // steps that they made
        int refusals;        // the client made none, so many times one after the other
    } made;

    // A mode just before an event.
    struct {
        double *x, *z, *dx;
        double *h;        // event functions, before the actions
        bool *has_jumped; // of those that crossed: over zero, see locating_has_jumped
    } left;
    // A mode inside of a step.
    struct {
        double *x, *z; // x: at the detector's samples
        double *h;     // event functions
    } sample;
    // What the client says of the event functions in an event, and what it is shown.
    struct {
        double *zero;      // what the client says about it in this event
        signed char *sign; // what an action is shown
        signed char *rest; // what the client says of functions that stay zero
        signed char *held; // and of its own conditions, in this event; 0: nothing
    } said;
    // How a mode's variables come from those of other modes.
    struct {
        NameMap maps[INSTANCE_MAPS]; // the one used last first
        int count;
        const int *sorted; // variables in order of their names' addresses
    } names;
    // How a mode was last integrated.
    struct {
        double stay, step; // how long the mode was last active between two restarts, and the step
                           // its solver would have tried next
        bool was_exact;    // the solver exact was used in it
    } habit;
} RunInstance;

// What the run is busy with, for messages: an event function, a time event, or neither.
typedef struct Cause {
    const RunInstance *instance; // NULL: no event function
    int event;
    bool is_timed;
    int time_id;
} Cause;

// What a run has found in the step that it has taken, and has not done yet: see run_look.
typedef enum RunNextKind {
    RUN_NEXT_NOTHING, // it has not looked
    RUN_NEXT_DONE,    // what there was is done
    RUN_NEXT_STEP,    // the step is accepted
    RUN_NEXT_MISSED,  // likewise, and an event is handled at its end
    RUN_NEXT_EVENT,   // an event is handled, where the active instance's x, z, h are
} RunNextKind;

typedef struct RunNext {
    RunNextKind kind;
    double t, bracket;
    int count; // of the event functions that crossed, in `crossed`
} RunNext;

struct SaltusRun {
    const SaltusSystem *system;
    const SaltusSystemDef *def;
    Heap heap;                        // of all that the run consists of, itself in its beginning
    const SaltusAllocator *allocator; // its hooks
    MemoryPool pool;
    SaltusOptions options;
    SaltusStatistics statistics;
    SaltusError error; // its memory is `said`: copies of it own nothing
    char *said;
    struct {
        bool has_failed;     // for good
        bool is_busy;        // advancing, or in an action
        bool is_interrupted; // by the piece or row callback; it stops where it can go on later
    } status;
    // Stretches of the client.
    struct {
        bool is_exchanged;   // somebody else integrates: the solver has no step that could go on
        bool is_alone;       // the client makes none before the next event
        SaltusSolver solver; // of the last one; auto: an ordinary step came after it
    } stretch;

    double t;
    RunInstance *active;
    Instances instances;
    Solver *solver;
    const double *x, *z; // the present state: the solver's, or the active instance's
    SaltusMethod method; // chosen by options and actions; a mode may have its own
    Schedule schedule;
    double t_restart; // of the solver
    double stop_time; // of the present advance
    RunNext next;
    struct {
        long index;      // next multiple of the output interval
        double event_at; // an event follows there: rows at its time are from before it
    } rows;

    struct {
        const double *x, *z; // at the end of the piece that is handed over
    } handed;

    Trajectory trajectory;
    Log log;

    // The event in progress.
    struct {
        SaltusEvent event;
        Cause cause;
        SaltusFired *fired;   // in the present iteration
        SaltusFired *crossed; // in the step, before any iteration
        int fired_capacity;   // of both
        int *due;
        int due_capacity;
        bool is_stop_requested;
        unsigned answers;        // of the updates of this event
        unsigned client_classes; // from saltus_log_change
        bool is_starting;        // the start action is being performed
        bool has_entered;        // a mode was entered in this iteration
        bool is_restless;        // arming did not come to rest: both sides lead to a surface
        char *advice;            // of the client, if events accumulate; NULL: none
        bool is_measured;        // dx and noise of the active instance are those of this iteration
        bool is_armed;           // and so are the signs that its event functions are armed with
        double doubt;            // how much more than usual is noise; 0: as usual
    } now;
    // What belongs to the client: parameters, inputs, memory, and what they were before an event.
    struct {
        double *p, *u, *p_left, *u_left;
        void *memory, *memory_left;
        bool has_memory; // what the memory points to was made
    } data;
    // What the last steps were like, where they were difficult.
    struct {
        long stiff_steps;    // that stability limited, not the tolerance
        long branch_changes; // jumps of a solution that no event announced
        double branched;     // when that was last; NaN: never
        // The variable that jumped most in the first of these, and how; NULL: there was none.
        const char *jumped;
        double jump_time, jump_before, jump_after;
        // Steps that were tried so often that something must jump in them, and the first of these:
        // the variable whose error was largest (NULL: not known), where the step began.
        long abrupt_steps;
        const char *abrupt;
        double abrupt_time;
        // Steps through which a condition swings too often to be followed, and the first of them.
        long unfollowed_steps;
        const char *unfollowed;
        double unfollowed_time;
        double step_limit;  // a step may not go further: it failed there
        int failed_samples; // successive steps whose event functions could not be evaluated
        int distrust;       // successive steps whose dense output had a crossing that is none
        double edge;        // where no step succeeded, and an event is near; NaN: nowhere
        int edge_events;    // that were taken there
        bool is_unlocated;  // the event in progress is where it was noticed: beyond its zero
        double change;      // of the states in the last fixed step, and how many in a row made it
        int growing;        // much larger
        int crowd;          // steps since crowd_from; 0: none was counted
        double crowd_from;
        long crowd_events; // time events before it
        // The largest state then, how long the crowd before it took, and how many in a row took
        // less time while that state grew.
        int crowd_state;
        double crowd_size, crowd_gone;
        int crowd_growing;
    } trouble;
};

// --- run_create.c ---

// A run that has not begun; NULL: out of memory.
SaltusRun *run_allocate(const SaltusSystem *system, const SaltusOptions *options);

// --- run_fail.c ---

// There is no error and no stop any more.
void run_forget_error(SaltusRun *run, double t);
// Notes an error or the reason of a stop, with the place where the run is; returns status.
SaltusStatus run_fail(SaltusRun *run, SaltusStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same for a failed evaluation, from the problem's own note. doing: "at the start"; NULL: no
// step succeeds.
SaltusStatus run_fail_evaluation(SaltusRun *run, SaltusStatus status, const char *doing);

// --- run.c ---

// A step that is taken again is smaller by this factor.
static const double run_shrink = 0.25;

// Whether the run does not simply go on there: an event just beyond belongs here.
static inline bool run_is_barrier(const SaltusRun *run, double t)
{
    return t >= run->stop_time || t >= schedule_next(&run->schedule);
}
// The status of a run that the piece or row callback interrupted; SALTUS_OK: it did not.
SaltusStatus run_interrupted(SaltusRun *run);
// For runs that advance together up to stop_time, in the order of what they do: run_look finds what
// comes next, at next.t; run_go does it. In between the run has values from t to next.t. Nothing
// comes next where the run has reached stop_time.
SaltusStatus run_look(SaltusRun *run);
SaltusStatus run_go(SaltusRun *run);
// The outputs at such a time. 0, or the evaluation failed.
int run_values(SaltusRun *run, double t, double *y);
// Starts the solver anew from the active instance's event state, where x' is dx (NULL: not known).
SaltusStatus run_restart(SaltusRun *run, const double *dx, double step);

// --- rows.c ---

// The rest of run_record, out of line.
SaltusStatus run_record_row(SaltusRun *run, SaltusRowKind kind, double t,
                            const RunInstance *instance, const double *x, const double *z);
// Keeps a row, if rows of this kind are wanted.
static inline SaltusStatus run_record(SaltusRun *run, SaltusRowKind kind, double t,
                                      const RunInstance *instance, const double *x, const double *z)
{
    bool none = run->options.record == SALTUS_RECORD_NOTHING;
    return none ? SALTUS_OK : run_record_row(run, kind, t, instance, x, z);
}
// x and z at a time inside the step, for a row, in the active instance's sample.
int rows_state(SaltusRun *run, double t);
// The rest of rows_limit, out of line.
double rows_limit_of_exact(SaltusRun *run, double limit);
// How far the next step goes at most. (Where nothing but rows is wanted of the steps of the solver
// exact, they lead from row to row.)
static inline double rows_limit(SaltusRun *run, double limit)
{
    const bool is_exact = run->solver->kind->id == SALTUS_SOLVER_EXACT;
    return is_exact ? rows_limit_of_exact(run, limit) : limit;
}
// Rows at multiples of the output interval in (from, to].
SaltusStatus rows_record(SaltusRun *run, double from, double to);

// --- instance.c ---

// The instance of a mode, made if there is none; NULL with run->error filled. Another one, which
// was not entered for a long time and is not part of the event in progress, may be destroyed.
RunInstance *instance_of(SaltusRun *run, int mode);
// What a run remembers of modes without an instance; false: out of memory.
bool instances_copy_visits(Instances *to, const Instances *from);
void instances_free(SaltusRun *run);
// The largest value at the ends of steps of a state of the present mode, in all modes that have it.
double instances_largest(const SaltusRun *run, int state);
// The method in force while the instance is active.
const SaltusMethod *instance_method(const SaltusRun *run, const RunInstance *instance);
// The solver that the method wants, made when first needed.
SaltusStatus instance_solver(SaltusRun *run, RunInstance *instance, Solver **solver);
// How the variables of `to` come from `from`; valid until the next call. NULL: out of memory.
const NameMap *instance_map(SaltusRun *run, RunInstance *to, RunInstance *from);
// Where variable `index` comes from, and where state `index` goes.
static inline int name_map_source(const NameMap *map, int index)
{
    return map->source ? map->source[index] : index;
}
static inline int name_map_target(const NameMap *map, int index)
{
    return map->source ? map->target[index] : index;
}

// --- event.c ---

// What is the same in all events; the run's arrays are there.
void event_prepare(SaltusRun *run);
// The run begins.
SaltusStatus event_start(SaltusRun *run);
// An event at run->t, where the active instance's x, z, h are those just before it, and
// `crossing_count` event functions crossed; due time events are handled with it.
SaltusStatus event_handle(SaltusRun *run, unsigned occasion, double bracket,
                          const SaltusFired *crossings, int crossing_count, SaltusAction request);
// An event of a stretch, which the client has made: what it changed is put and logged.
SaltusStatus event_replay(SaltusRun *run, const SaltusStretch *stretch);
// The accepted-step callback, if there is one.
SaltusStatus event_accepted(SaltusRun *run);

// --- stretch.c ---

// Whether the client may go on by itself from here.
bool stretch_is_possible(const SaltusRun *run);
// At an event: from now on it may; in a mode in which it has refused many times, now and then.
void stretch_allow(SaltusRun *run);
// A stretch of it, not beyond the limit. The solver does not follow: run_restart before a step.
SaltusStatus stretch_advance(SaltusRun *run, double limit);

// --- locating.c ---

// The event functions inside the solver's last step; for the detector.
int locating_sample(void *run, int count, const double *times, double *h);
// Event functions at a point of the step: see problem_events.
int locating_events(RunInstance *active, double t, const double *x, const double *z, double *h);
// A step that ends where the run does not simply go on.
void locating_bar(const SaltusRun *run, DetectStep *step);
// What the detector is to look at: the solver's last step from the present time on.
static inline const DetectStep *locating_step(const SaltusRun *run)
{
    RunInstance *active = run->active;
    DetectStep *step = &active->step;
    step->t0 = run->t;
    step->t1 = run->solver->t;
    step->cells = run->solver->cells;
    step->h0 = active->h;
    step->h1 = active->h_end;
    step->resolution = step->reach = 0.0;
    if (run_is_barrier(run, step->t1))
        locating_bar(run, step);
    return step;
}
// Before the first step of a mode.
void locating_prepare(RunInstance *instance);
// At the end of a step: a function that has come from where it was clear to less than the noise
// with which it was armed, as log(x) does if that was near zero. It is measured anew, for all such
// functions at once.
void locating_lessen_noise(SaltusRun *run, int event, bool *is_measured);
// The last step, of an explicit method; else 0.
double locating_explicit_step(const SaltusRun *run);
// Whether an event function of the active mode has not passed zero at the event, but jumped over
// it: a branch inside of a Modelica function, values from outside. What the locator has left of it
// is no measure of zero then. Before the actions.
bool locating_has_jumped(SaltusRun *run, SaltusFired crossing);
// What locating_find may answer besides a status.
enum {
    LOCATING_NOT_THERE = 1, // the dense output has a crossing, re-stepped states have not
    LOCATING_NOTHING = 2,   // likewise for all crossings, and a smaller step does not help
    LOCATING_AGAIN = 3,     // it is the root just handled: detect again, with what is now known
    LOCATING_FAILED = 4,    // an evaluation failed that a smaller step may avoid
};
// How far from a stop or time event a crossing may be that belongs to it: by no more than what the
// steps so far have rounded.
double locating_reach(const SaltusRun *run, double t);
// The earliest of the crossings the detector found: its time, and x, z, h of the active
// instance there. The event functions that crossed are in `fired` (room for all of them).
int locating_find(SaltusRun *run, double *t, double *bracket, SaltusFired *fired, int *fired_count);

#endif
