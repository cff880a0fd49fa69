// SPDX-License-Identifier: MIT
//
// What observations and observers consist of: for the files observe_*.c only.
//
// Expressions become trees. In a *moment* (an argument of maximum, at, ...) variables have their
// values at an instant; outside they have those of the end of the run, and *terms* stand for what
// was seen on the way. *Probes* are the continuous expressions whose zeros, extrema or integrals
// are needed; conditions are made of the signs of probes. Terms stand after those that they use.

#ifndef SALTUS_STUDIES_OBSERVE_PARTS_H
#define SALTUS_STUDIES_OBSERVE_PARTS_H

#include "base/interval.h"
#include "studies/chebyshev.h"
#include "studies/observe.h"

typedef enum WatchKind {
    WATCH_NUMBER,
    WATCH_TIME,
    WATCH_VARIABLE,  // .index of its slot
    WATCH_PARAMETER, // .index
    WATCH_TERM,      // .index; not in a moment
    WATCH_OPERATION, // .op of a, b, c
    WATCH_SIGN,      // of the probe .index it is .number; conditions only
    WATCH_MODE,      // the name of the mode matches .text
} WatchKind;

typedef struct Watch Watch;
struct Watch {
    WatchKind kind;
    Operator op;
    uint32_t index;
    double number;
    const char *text;
    const Watch *a, *b, *c;
};

typedef enum ConditionKind {
    CONDITION_BOOLEAN,
    CONDITION_CROSSING,   // the probe becomes zero
    CONDITION_EVENT,      // of the system, whose name or condition matches
    CONDITION_TRANSITION, // from a mode whose name matches to another
} ConditionKind;

typedef struct Condition {
    ConditionKind kind;
    const Watch *tree;
    uint32_t probe;
    int direction;
    const char *from, *to; // patterns
    const char *text;
} Condition;

// Kinds of terms: X(NAME, name in the text).
#define TERM_LIST(X)                                                                               \
    X(MAXIMUM, "maximum")                                                                          \
    X(MINIMUM, "minimum")                                                                          \
    X(TIME_OF_MAXIMUM, "time_of_maximum")                                                          \
    X(TIME_OF_MINIMUM, "time_of_minimum")                                                          \
    X(INTEGRAL, "integral")                                                                        \
    X(AT, "at")                                                                                    \
    X(BEFORE, "before")                                                                            \
    X(AFTER, "after")                                                                              \
    X(TIME_OF, "time_of")                                                                          \
    X(COUNT, "count")                                                                              \
    X(DURATION, "duration")

typedef enum TermKind {
#define TERM_ENUM(name, text) TERM_##name,
    TERM_LIST(TERM_ENUM)
#undef TERM_ENUM
        TERM_AT_TIME,
} TermKind;

typedef struct Term {
    TermKind kind;
    const Watch *moment; // what is looked at
    uint32_t probe;      // the same, where it is a probe
    uint32_t condition;
    long first, last;       // occurrences that are wanted: first <= last; negative: from the end
    bool every;             // all of them
    const Watch *from, *to; // window, NULL: open
    const Watch *when;      // TERM_AT_TIME
    const char *text;       // of the whole term
} Term;

typedef struct Probe {
    const Watch *watch;
    const char *text;
} Probe;

struct Observations {
    Arena *arena;
    Compilation *compilation; // while it is made
    bool in_moment;           // likewise: what is compiled has its values at an instant
    ObserveNames names;
    struct {
        const char *name;
        const Watch *tree;
        long length;
    } * items;
    const char **slots; // names of the variables that are used
    Probe *probes;
    Condition *conditions;
    Term *terms;
    uint32_t item_count, slot_count, probe_count, condition_count, term_count;
    uint32_t slot_room, probe_room, condition_room, term_room;
};

// ---------------------------------------------------------------------------
// Values (observe_evaluate.c)
// ---------------------------------------------------------------------------

typedef struct WatchContext {
    double t;
    const double *slots, *parameters;
    const signed char *signs; // of the probes
    const char *mode;
    const ObserveResult *terms; // outside of moments; they have no reasons
    size_t element;             // which of their values
} WatchContext;

// A value, and the size of the largest number on the way to it: rounding is in proportion to it.
typedef struct Measure {
    double value, size;
} Measure;

Measure watch_measure(const Watch *watch, const WatchContext *context);
double watch_value(const Watch *watch, const WatchContext *context);
// How many values it has, by its terms: the most of them. Terms of one value serve all elements.
size_t watch_count(const Watch *watch, const ObserveResult *terms);
// The first term in it whose value for the element is missing; UINT32_MAX: none.
uint32_t watch_missing(const Watch *watch, const ObserveResult *terms, size_t element);

// Whether the text is the pattern, apart from spaces and 2 for 2.0; '*' in it stands for anything.
bool watch_matches(const char *pattern, const char *text);

// ---------------------------------------------------------------------------
// The run (observe_run.c, observe_terms.c)
// ---------------------------------------------------------------------------

typedef enum ObserveSide {
    SIDE_INSIDE, // of the range
    SIDE_END,    // at its end: an event may follow
    SIDE_JUMP,   // at its beginning, by an event
    SIDE_EVENT,  // an event of the log: between the last range and this
} ObserveSide;

// A probe changes its sign, or a condition its value; an instant is a change to true only. Those of
// probes are sorted by time in a range.
typedef struct Change {
    double t;
    ObserveSide side;
    signed char value; // the new sign; of a condition 1: true
    uint32_t probe;
} Change;

typedef struct ProbeState {
    signed char sign;       // 0: not known yet
    signed char first_sign; // at the beginning of the range, or the first one known
    bool is_zero;           // it was, at the last place looked at
    bool is_there;          // it is a number in this range
    double lost;            // since when it is none although its variables are there; NaN: never
    double noise;
    Chebyshev f;
    double start, end;      // its values at the ends of the range
    double lowest, highest; // no value of f is beyond these
    int extremum_count;     // -1: not looked for yet
    double extrema[CHEBYSHEV_MANY];
} ProbeState;

typedef struct TermState {
    long count;     // occurrences in the window
    double *values; // of those wanted; NaN: not yet. Numbers from the end: a ring
    size_t room;
    double best, when; // extremum
    double sum;        // integral, duration
    bool has_begun;    // its window did
    double lost;       // when what it looks at was no number first; NaN: never
    long pending;      // the right limit of this value is still to come; -1: none
} TermState;

typedef struct ModeMap {
    int mode;
    const char *name;
    int *places; // per slot: output, or output_count + state, or ... + algebraic; -1: not there
    struct ModeMap *next;
} ModeMap;

struct RunObserver {
    const Observations *o;
    double table[CHEBYSHEV_TABLE];
    const SaltusRun *run;
    const SaltusPiece *piece; // at hand, or NULL
    ModeMap *maps, *map;      // of the mode at hand
    const char *end_mode;     // the name of the last one, of a kernel's run
    struct {
        double *values; // y, x, z of the mode
        double *ends;   // the same at the end of the last piece
        size_t room;
    } at;
    double *start, *end, *left; // slots: at the ends of the range, at the end of the last piece
    double *nodes;              // slots at the nodes
    double *scratch;            // slots
    const double *parameters;
    ProbeState *probes;
    struct {
        bool *values, *known;
    } conditions;
    struct {
        Change *items;
        size_t count, room;
        bool is_undecided; // probes that are no numbers would decide about it
    } * changes;           // per condition, of this range
    TermState *terms;
    ObserveResult *term_values;
    signed char *signs; // scratch
    struct {
        Change *items; // of probes
        size_t count, room;
    } flips;
    struct {
        double *values;
        size_t room;
        size_t *starts; // one more than observations
    } results;
    char **reasons;
    long log_next;
    double t_left; // end of the last piece
    bool has_left;
    bool has_failed;
    int budget; // evaluations that are left for this piece
};

// Slots at a time of the piece at hand. False: the evaluation failed.
bool observer_slots(RunObserver *observer, double t, double *slots);
WatchContext observer_context(const RunObserver *observer, double t, const double *slots);
// The extrema, which are looked for when they first matter.
int probe_extrema(ProbeState *p);
// What the range of the piece at hand, whose conditions have their changes, adds to every term.
void terms_add(RunObserver *observer, Interval range);
// Values that wait for the right limit take it from the slots.
void terms_settle(RunObserver *observer, double t, const double *slots);
// The results, once the run is over at this time. False: out of memory.
bool terms_finish(RunObserver *observer, double end);
void terms_reset(RunObserver *observer);

#endif
