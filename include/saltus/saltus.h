// SPDX-License-Identifier: MIT
//
// Saltus: simulation of hybrid and structural-dynamic systems.
//
// A *system* has *modes*; a mode has its own states, right-hand side, algebraic
// equations and *event functions*. A *run* integrates the active mode until an
// event function crosses zero, locates the crossing, performs the *event
// action* and restarts. An action may change parameters, inputs, states, the
// right-hand side, the mode with its number of states, outputs, the algorithm.
//
// Conventions that hold everywhere:
// - Definitions are plain structs made by a `saltus_default_...` function,
//   changed by you, and copied (deeply) when a system or run is created.
// - Status: below zero an error, zero fine, above zero stopped for a reason.
// - The library prints nothing, never exits, and has no global state. A system
//   may be shared by runs in many threads; a run belongs to one thread at a time.
//
// This header has the engine: systems, runs, linearization, observations. It includes
// saltus/model.h: models in Modelica, and studies of them.

#ifndef SALTUS_SALTUS_H
#define SALTUS_SALTUS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of the library, "MAJOR.MINOR.PATCH".
const char *saltus_version(void);

// ---------------------------------------------------------------------------
// Status
// ---------------------------------------------------------------------------

// The one list of statuses: X(NAME, value, what it means).
#define SALTUS_STATUS_LIST(X)                                                                      \
    X(OK, 0, "finished")                                                                           \
    X(TERMINATED, 1, "stopped by an event action")                                                 \
    X(ZENO, 2, "stopped where events accumulate")                                                  \
    X(INTERRUPTED, 3, "interrupted by a callback")                                                 \
    X(ERROR_ARGUMENT, -1, "wrong argument or definition")                                          \
    X(ERROR_MEMORY, -2, "out of memory")                                                           \
    X(ERROR_EVALUATION, -3, "a callback failed or returned a value that is not a number")          \
    X(ERROR_STEP_SIZE, -4, "the step size became too small")                                       \
    X(ERROR_STEP_LIMIT, -5, "too many steps or events")                                            \
    X(ERROR_NEWTON, -6, "the algebraic equations could not be solved")                             \
    X(ERROR_SINGULAR, -7, "singular Jacobian")                                                     \
    X(ERROR_EVENT_ITERATION, -8, "endless event iteration")                                        \
    X(ERROR_MODE, -9, "unknown mode, or a mode that could not be provided")                        \
    X(ERROR_UNDETERMINED, -10, "an entered mode leaves states undetermined")                       \
    X(ERROR_ZENO, -11, "events accumulate")                                                        \
    X(ERROR_SOLVER, -12, "the solver does not suit the mode, or failed")                           \
    X(ERROR_ACTION, -13, "an event action failed")                                                 \
    X(ERROR_MODEL, -14, "the model has errors")

typedef enum SaltusStatus {
#define SALTUS_STATUS_ENUM(name, value, text) SALTUS_##name = value,
    SALTUS_STATUS_LIST(SALTUS_STATUS_ENUM)
#undef SALTUS_STATUS_ENUM
} SaltusStatus;

// The meaning of a status in words; never NULL.
const char *saltus_status_text(SaltusStatus status);

// What went wrong, where. `mode` and `event` are -1 where they do not apply. A function that is
// handed one may leave it as it is, or fill it, whatever was in it.
typedef struct SaltusError {
    SaltusStatus status;
    double time;
    int mode;
    int event;
    const char *message;  // whole, however long; without memory for it: "out of memory"
    const char *variable; // whose value is not finite, as the system names it; NULL: none
    char *memory;         // of the message, until saltus_error_clear; NULL: it has none
} SaltusError;

// Frees the message of an error that a function has filled, or that is {0}; afterwards it is empty.
// The message of saltus_run_error belongs to the run: there is nothing to free.
void saltus_error_clear(SaltusError *error);

// A message that a callback is asked for. What it says, in the manner of printf, is whole, however
// long; what it says next stands behind it.
typedef struct SaltusMessage SaltusMessage;
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void saltus_say(SaltusMessage *message, const char *format, ...);

// ---------------------------------------------------------------------------
// Allocation
// ---------------------------------------------------------------------------

// Allocation hooks. `reallocate(user, block, size)` behaves like realloc, also
// with block NULL or size 0. The default is the C library's.
//
// From the hooks: all of a system and its runs, and of a compiled model with its modes.
// Not from them, but from the C library: what SUNDIALS solvers and the C library itself
// take; messages; of systems made from Modelica models the list of modes and variants, tables of
// external functions, and the working memory of evaluations and of events; observers; the working
// memory of linearizations.
typedef struct SaltusAllocator {
    void *(*reallocate)(void *user, void *block, size_t size);
    void *user;
} SaltusAllocator;

// ---------------------------------------------------------------------------
// Methods: solver, locator, tolerances
// ---------------------------------------------------------------------------

// The one list of solvers: X(NAME, "name", what it is).
#define SALTUS_SOLVER_LIST(X)                                                                      \
    X(AUTO, "auto", "chosen by the form of the mode and the tolerance, then by trials")            \
    SALTUS_SOLVER_KINDS(X)
#define SALTUS_SOLVER_KINDS(X)                                                                     \
    X(EULER, "euler", "explicit Euler, fixed step, order 1")                                       \
    X(HEUN, "heun", "Heun, fixed step, order 2")                                                   \
    X(RK4, "rk4", "classical Runge-Kutta, fixed step, order 4")                                    \
    X(DOPRI5, "dopri5", "Dormand-Prince 5(4), adaptive")                                           \
    X(DOP853, "dop853", "Dormand-Prince 8(5,3), adaptive, for tight tolerances")                   \
    X(RODAS, "rodas", "Rosenbrock method of order 5, adaptive, for stiff ODE and index-1 DAE")     \
    X(CVODE, "cvode", "SUNDIALS CVODE, BDF, for large stiff systems")                              \
    X(ADAMS, "adams", "SUNDIALS CVODE, Adams-Moulton")                                             \
    X(IDA, "ida", "SUNDIALS IDA, BDF for DAE, also fully implicit")                                \
    X(EXACT, "exact", "matrix exponential, for linear modes; auto's choice in others")

typedef enum SaltusSolver {
#define SALTUS_SOLVER_ENUM(name, text, what) SALTUS_SOLVER_##name,
    SALTUS_SOLVER_LIST(SALTUS_SOLVER_ENUM)
#undef SALTUS_SOLVER_ENUM
} SaltusSolver;

// The one list of event locators: X(NAME, "name", what it is).
#define SALTUS_LOCATE_LIST(X)                                                                      \
    X(BRENT, "brent", "Brent's bracketing method (default)")                                       \
    X(BISECTION, "bisection", "halving of the bracket")                                            \
    X(SECANT, "secant", "regula falsi, Illinois variant")                                          \
    X(TANGENT, "tangent", "Newton with the derivative along the flow")                             \
    X(QUADRATIC, "quadratic", "parabola through three points, safeguarded")                        \
    X(HENON, "henon", "change of independent variable")                                            \
    X(SUNDIALS, "sundials", "the SUNDIALS solvers' own root finding")

typedef enum SaltusLocate {
#define SALTUS_LOCATE_ENUM(name, text, what) SALTUS_LOCATE_##name,
    SALTUS_LOCATE_LIST(SALTUS_LOCATE_ENUM)
#undef SALTUS_LOCATE_ENUM
} SaltusLocate;

// Names of solvers and locators, and back (false if there is no such name).
const char *saltus_solver_name(SaltusSolver solver);
const char *saltus_locate_name(SaltusLocate locate);
bool saltus_solver_from_name(const char *name, SaltusSolver *solver);
bool saltus_locate_from_name(const char *name, SaltusLocate *locate);

// How to integrate and locate. An event action may change it (SE-A).
typedef struct SaltusMethod {
    SaltusSolver solver;
    SaltusLocate locate;
    double relative_tolerance; // > 0
    double absolute_tolerance; // >= 0; a mode may give its own per variable
    double step;               // fixed-step solvers: the step; others: first step, 0 = automatic
    double max_step;           // 0 = unlimited
    double event_tolerance;    // width of the final event bracket in time; 0 = resolution of time
    int locate_iterations;     // limit of the locator, 0 = until event_tolerance;
                               // 1 makes secant and tangent the interpolative methods
} SaltusMethod;

// solver auto, locate brent, 1e-6, 1e-9, everything else automatic.
SaltusMethod saltus_default_method(void);

// ---------------------------------------------------------------------------
// Modes
// ---------------------------------------------------------------------------

// What every evaluation callback is given besides time and states. Evaluations
// are pure functions of their arguments and of what this points to.
typedef struct SaltusContext {
    const double *p;    // parameters
    const double *u;    // inputs
    const void *memory; // client memory of the run, see SaltusMemory
    void *user;         // SaltusSystemDef.user
    const void *data;   // SaltusModeDef.data of the active mode
    void *work;         // working memory, see SaltusWork
    // For evaluations that iterate themselves, to count it; NULL: nobody counts.
    struct SaltusStatistics *statistics;
} SaltusContext;

// Every evaluation callback returns 0 if all went well, a positive number for a
// recoverable failure (the solver tries a smaller step), a negative number for
// a failure that ends the run. Values that are not finite count as recoverable;
// outputs that are not finite are recorded as they are.

// x' = f(t, x, z)
typedef int (*SaltusRhs)(const SaltusContext *c, double t, const double *x, const double *z,
                         double *dx);
// 0 = g(t, x, z), as many as there are algebraic unknowns
typedef int (*SaltusAlgebraic)(const SaltusContext *c, double t, const double *x, const double *z,
                               double *g);
// 0 = F(t, x, z, x'), state_count + algebraic_count of them
typedef int (*SaltusResidual)(const SaltusContext *c, double t, const double *x, const double *z,
                              const double *dx, double *residual);
// The event functions h(t, x, z), all at once.
typedef int (*SaltusEventFunctions)(const SaltusContext *c, double t, const double *x,
                                    const double *z, double *h);
// Their derivatives along the flow, dh/dt = h_t + h_x x' + h_z z'.
typedef int (*SaltusEventFlow)(const SaltusContext *c, double t, const double *x, const double *z,
                               const double *dx, double *dh);
// Bounds of an event function of time alone for all times of [from, to], from <= to: of its values
// and of its slopes. Infinite bounds say nothing; slopes are about functions that do not jump
// there.
typedef struct SaltusBounds {
    double low, high;
    double slope_low, slope_high;
} SaltusBounds;
typedef void (*SaltusEventBounds)(const SaltusContext *c, int event, double from, double to,
                                  SaltusBounds *bounds);
// Outputs y(t, x, z).
typedef int (*SaltusOutputs)(const SaltusContext *c, double t, const double *x, const double *z,
                             double *y);

// What a joint evaluation is asked for; NULL members are not wanted.
typedef struct SaltusValues {
    double *dx; // derivatives
    double *z;  // algebraic variables, solved for inside
    double *h;  // event functions
    double *dh; // their derivatives along the flow
    double *y;  // outputs
} SaltusValues;

// A joint evaluation: the algebraic variables are solved for inside, starting
// from the last accepted ones, `z_guess`. The result depends on nothing else.
typedef int (*SaltusEvaluate)(const SaltusContext *c, double t, const double *x,
                              const double *z_guess, const SaltusValues *out);

// The Jacobian of (f, g) with respect to (x, z), n by n, or of f with respect to
// x where there are no algebraic residuals. Dense: column by column. With a
// sparsity: the values in its order.
typedef int (*SaltusJacobian)(const SaltusContext *c, double t, const double *x, const double *z,
                              double *jacobian);
// The matrix dF/d(x, z) + alpha dF/dx' of a fully implicit mode, stored likewise.
typedef int (*SaltusImplicitJacobian)(const SaltusContext *c, double t, const double *x,
                                      const double *z, const double *dx, double alpha,
                                      double *jacobian);

// Structure of a Jacobian, compressed columns: the rows of column j are
// rows[column_start[j]] to rows[column_start[j + 1] - 1], ascending.
typedef struct SaltusSparsity {
    const int *column_start;
    const int *rows;
} SaltusSparsity;

// A mode that is linear with constant coefficients between events,
//   x' = A x + B w,  w' = W w,
// where the signals w depend on time only: 1, t, sin(omega t) and its derivative, ... For the
// solver exact, which solves it without an error of the method.
typedef struct SaltusLinear {
    int signal_count;
    int coefficient_count;
    // What the matrix is made from, and the signals at t. The matrix is asked for when these
    // coefficients are not the same as before.
    int (*coefficients)(const SaltusContext *c, double t, double *coefficients, double *signals);
    // (A B; 0 W), column by column. Not 0: there is none, the mode is integrated like any other;
    // SALTUS_ERROR_MEMORY of either: the run fails.
    int (*matrix)(const SaltusContext *c, const double *coefficients, double *matrix);
} SaltusLinear;

// What is known about a mode's equations besides them: it saves work, or tells the solver auto what
// suits them. All of it is optional.
typedef struct SaltusHints {
    SaltusJacobian jacobian;                  // NULL: differences, coloured if sparse
    SaltusImplicitJacobian implicit_jacobian; // likewise
    const SaltusSparsity *sparsity;           // NULL: dense
    const SaltusLinear *linear;               // they are linear; NULL: nobody says so
    const char *nonlinear;                    // why they are not, for messages
    double evaluation_cost; // operations of an evaluation, about, for the choice of a solver; 0:
                            // not known
} SaltusHints;

// Working memory of the evaluations, in which they may do what they like as long as their results
// do not depend on it. Every run has its own, made when it first enters the mode and destroyed with
// the run, or when the run has entered very many other modes since (it is made again if need be).
// NULL from create: out of memory. Both or neither.
typedef struct SaltusWork {
    void *(*create)(const SaltusContext *c);
    void (*destroy)(void *work);
} SaltusWork;

// Moves the state at an accepted step back onto the mode's invariants.
typedef int (*SaltusProject)(const SaltusContext *c, double t, double *x, double *z);

typedef struct SaltusEvent SaltusEvent;

// An event action.
typedef void (*SaltusAction)(SaltusEvent *event);

// Crossings that count. An action that turns its event function around (a bounce) wants one
// direction: with both, the way back is a crossing of its own.
typedef enum SaltusDirection {
    SALTUS_FALLING = -1, // from positive to negative only
    SALTUS_BOTH = 0,
    SALTUS_RISING = 1, // from negative to positive only
} SaltusDirection;

// Classes of state events by what their action changes; a set of bits.
enum {
    SALTUS_SE_P = 1 << 0,     // parameters
    SALTUS_SE_I = 1 << 1,     // inputs
    SALTUS_SE_X = 1 << 2,     // states
    SALTUS_SE_F = 1 << 3,     // right-hand side
    SALTUS_SE_S = 1 << 4,     // structure: another set of states
    SALTUS_SE_O = 1 << 5,     // an output
    SALTUS_SE_A = 1 << 6,     // algorithm: solver, tolerances, step size, locator
    SALTUS_UNLOGGED = 1 << 7, // only of SaltusSystemDef.parameter_classes
};

// The set in words, "SE-X+SE-O", into text; returns text.
#define SALTUS_CLASSES_TEXT_SIZE 48
const char *saltus_classes_text(unsigned classes, char text[SALTUS_CLASSES_TEXT_SIZE]);

// An event function of a mode and what happens when it crosses zero.
typedef struct SaltusEventDef {
    const char *name;          // short, for the log: "bounce"; NULL: h0, h1, ...
    const char *condition;     // in words or formula, for messages: "x <= 0"; may be NULL
    const char *place;         // where it stands, for messages: "line 5"; may be NULL
    SaltusDirection direction; // crossings that count
    unsigned classes;          // what the action is meant to change; the log says what it did
    double noise;              // |h| below this is zero; 0 = estimated from rounding
    bool at_entry;             // with one direction: fires also if h is beyond zero when the
                               // mode is entered, or leaves zero there or at any other event
    int at_zero;               // the sign that h = 0 counts as (h of x < 0: +1): from this sign, to
                               // come to zero and rest there is no crossing; 0: it always is
    bool is_muted;             // not monitored (zero by a constraint of the mode, say); may be NaN
    bool of_time;              // between events it depends on time alone: its crossings are found
                               // by SaltusModeDef.event_bounds, if there is one
    SaltusAction action;       // may be NULL: the crossing is only logged
} SaltusEventDef;

// A mode. Its equations are given in one of three forms:
//   rhs [+ algebraic]      x' = f(t, x, z), 0 = g(t, x, z) of index 1
//   evaluate               the same, with the algebraic variables solved for inside
//   residual               0 = F(t, x, z, x'), for the solver ida
// or in none, if the mode has no states at all: then only time passes in it.
typedef struct SaltusModeDef {
    const char *name;
    const void *data; // handed to the callbacks

    int state_count;
    int algebraic_count;
    const char *const *state_names;     // NULL: x0, x1, ...; all different, the algebraic
    const char *const *algebraic_names; // ones too; NULL: z0, z1, ...
    const double *start;                // states and algebraic unknowns when a run begins here
    const double *nominal;              // typical sizes of both, NULL: 1
    const double *absolute_tolerance;   // for both, NULL: the method's times the nominal values

    SaltusRhs rhs;
    SaltusAlgebraic algebraic;
    SaltusEvaluate evaluate;
    SaltusResidual residual;
    SaltusHints hints;

    int event_count;
    const SaltusEventDef *events;
    SaltusEventFunctions event_functions; // not with evaluate
    SaltusEventFlow event_flow;           // optional; not with evaluate
    bool has_flow;                        // evaluate can deliver dh
    SaltusEventBounds event_bounds;       // of events that are of_time; NULL: none

    int output_count;
    const char *const *output_names; // NULL: y0, y1, ...
    SaltusOutputs outputs;           // not with evaluate

    SaltusWork work;
    bool ignores_steps;    // the system's `accepted` is not called in this mode
    SaltusProject project; // optional
    SaltusAction enter; // called when the mode is entered, to set its states from the left limits
    const SaltusMethod *method; // holds while the mode is active, NULL: the run's
} SaltusModeDef;

SaltusModeDef saltus_default_mode(void);

// ---------------------------------------------------------------------------
// Events, as an action sees them
// ---------------------------------------------------------------------------

// Why an action is called; a set of bits.
enum {
    SALTUS_AT_START = 1 << 0,     // the run begins
    SALTUS_AT_CROSSING = 1 << 1,  // event functions crossed zero
    SALTUS_AT_TIME = 1 << 2,      // time events are due
    SALTUS_AT_STEP = 1 << 3,      // a step was accepted (SaltusSystemDef.accepted)
    SALTUS_AT_REQUEST = 1 << 4,   // saltus_run_apply
    SALTUS_AT_ARMING = 1 << 5,    // an event function that is zero took the sign it will have
    SALTUS_AT_ENTRY = 1 << 6,     // a mode was entered
    SALTUS_AT_ITERATION = 1 << 7, // the previous iteration asked for another one
    SALTUS_AT_LIMIT = 1 << 8,     // events accumulate here (SaltusSystemDef.accumulated)
};

// One crossing: which event function of which mode, and into which sign.
typedef struct SaltusFired {
    int mode;
    int event;
    int direction; // +1 rising, -1 falling
} SaltusFired;

struct SaltusEvent {
    double t;
    unsigned occasion; // SALTUS_AT_...
    int iteration;     // 0, 1, ... within one event
    int mode;          // active now
    int event;         // the event function whose action this is, -1 otherwise

    double *x;        // states of the active mode; change them freely
    double *z;        // its algebraic variables; guesses of the solution after the event
    double *p;        // parameters
    double *u;        // inputs
    void *memory;     // client memory
    void *user;       // SaltusSystemDef.user
    const void *data; // SaltusModeDef.data of the active mode

    // Left limits: values just before the event, of the mode that was active.
    struct {
        int mode;
        const double *x, *z, *dx, *p, *u;
        const void *memory, *data;
    } left;

    // What the last saltus_switch_mode in this event left: differs from the left limits when
    // several modes are passed through at one instant. -1 and NULL before the first switch.
    struct {
        int mode;
        const double *x, *z;
    } before;

    // What happened: crossings, due time events.
    int fired_count;
    const SaltusFired *fired;
    int time_count;
    const int *time_ids;

    // The sign of each event function of the active mode: by decree for those that fired, from
    // the flow for those that arming decided, 0 for those that are zero up to rounding in a mode
    // just entered and not armed yet, literal for all others.
    const signed char *sign;

    // Solver, tolerances, locator from here on; assign to change them.
    SaltusMethod *method;

    void *argument; // of saltus_run_request; NULL: there is none

    struct SaltusRun *run;
};

// Makes `mode` the active one. Variables that it shares by name with the mode that is left
// (states or algebraic variables) have the values they have there now; all other states are
// undetermined until `enter` or the action sets them. (At the start of a run the
// mode's own start values hold.) event->x, z, data and sign are those of the new mode when
// this returns.
SaltusStatus saltus_switch_mode(SaltusEvent *event, int mode);

// Records a named value in the event log (SE-O). The name is copied.
void saltus_record(SaltusEvent *event, const char *name, double value);

// Logs a change that the engine cannot see, because the variable lives in the client memory: a
// discrete variable, say. `classes` are added to those of the event. The name is copied.
void saltus_log_change(SaltusEvent *event, const char *name, double before, double after,
                       unsigned classes);

// A sentence about this event for the event log; the last one counts. It is copied. Where it takes
// evaluations to find one, clients ask first whether anybody reads them (SaltusOptions.notes).
void saltus_note(SaltusEvent *event, const char *note);
bool saltus_notes_are_wanted(const SaltusEvent *event);

// How many iterations this event may still have, with the present one, before the run fails
// (SaltusOptions.max_event_iterations): one that will not end can say why in the last of them.
int saltus_iterations_left(const SaltusEvent *event);

// Schedules a time event: at `time` the time action is called with `id`. A time that has passed
// means now, in the next iteration of this event. An id that is already scheduled is moved.
// Cancelling an id that is not scheduled does nothing.
void saltus_schedule(SaltusEvent *event, int id, double time);
void saltus_cancel(SaltusEvent *event, int id);

// Ends the run after this event with SALTUS_TERMINATED.
void saltus_stop(SaltusEvent *event, const char *reason);

// Ends the run with SALTUS_ERROR_ACTION and the message.
void saltus_fail(SaltusEvent *event, const char *message);
// The same, because the value of this variable is not finite: SaltusError.variable, not copied.
void saltus_fail_value(SaltusEvent *event, const char *variable, const char *message);

// Why there is no better way than what the run does now, for the message if events accumulate or
// chatter at this event. It is copied.
void saltus_advise(SaltusEvent *event, const char *advice);

// Until the end of this event, the event function `index` of the active mode is zero if |h| is not
// above `size`, whatever its rounding: it takes the sign that it will have just after. For modes
// whose event functions are zero where others switch, up to the accuracy of that: the current of an
// ideal diode where its voltage becomes positive. Holds until another mode is entered.
SaltusStatus saltus_set_zero(SaltusEvent *event, int index, double size);

// If the event function `index` of the active mode stays zero after this event, it counts as having
// this sign: that it leaves zero to the other side is a crossing. Without it (0), it takes the sign
// that it shows silently. Holds until another mode is entered, or something else is said.
SaltusStatus saltus_set_rest(SaltusEvent *event, int index, int sign);

// The client's own condition of the event function `index` of the active mode has this sign now (0:
// it says nothing). For clients that keep conditions of their own, from event_update: where the
// function has another sign just after the event, it is told, and iterated once more; a condition
// that stays clearly on the wrong side, however often it is told, is an error of the run. Holds
// until the end of this event, or until another mode is entered.
SaltusStatus saltus_set_sign(SaltusEvent *event, int index, int sign);

// Value of the event function `index` at the current values of the event.
SaltusStatus saltus_event_value(SaltusEvent *event, int index, double *h);

// ---------------------------------------------------------------------------
// Systems
// ---------------------------------------------------------------------------

// What an event_update answers; a set of bits. Changes of states, parameters,
// inputs, mode and method are seen by the engine itself.
enum {
    SALTUS_NOTHING_CHANGED = 0,
    SALTUS_AGAIN = 1 << 0,          // call again: the fixed point is not reached
    SALTUS_RHS_CHANGED = 1 << 1,    // client memory changed so that the equations differ (SE-F)
    SALTUS_INPUTS_CHANGED = 1 << 2, // likewise, by what time alone decides about (SE-I)
    SALTUS_MEMORY_CHANGED = 1 << 3, // something else did that evaluations read: the solver starts
                                    // anew, which is of no class
    SALTUS_UNREAD_CHANGED = 1 << 4, // something else did that no evaluation reads: only a solver
                                    // for which that costs little starts anew
    SALTUS_VALUES_KEPT = 1 << 5,    // this iteration changed neither states nor anything that
                                    // evaluations read: they are not made again
};

// Called once per iteration of an event instead of the actions of the fired events, and once
// more whenever it entered a mode (SALTUS_AT_ENTRY), to see the signs there. A sign by decree
// stays while the client does not move the event function out of its noise: act on what fired,
// not on the sign. Give each relation one event function: of two, only one is decreed.
typedef unsigned (*SaltusEventUpdate)(SaltusEvent *event);

// Delivers a mode when it is first entered by any run of the system; `def` comes
// with defaults and is copied after the return: what it points to must outlive that. Calls are
// serialized by the system. Returns 0, or anything else and a message if there is no such mode.
typedef int (*SaltusProvider)(void *user, int mode, SaltusModeDef *def, SaltusMessage *message);

struct SaltusPiece;   // see below
struct SaltusStretch; // likewise

// What a client answers that runs a stretch by itself.
typedef enum SaltusStretchEnd {
    SALTUS_STRETCH_REFUSED, // the engine goes on by itself, to the next event
    SALTUS_STRETCH_PAUSED,  // it may be asked again
    SALTUS_STRETCH_EVENT,   // just before an event, which is the engine's
} SaltusStretchEnd;

// Client memory: so many bytes per run, zero at the start, copied with checkpoints; no pointers to
// itself. Actions change it, evaluations read it.
typedef struct SaltusMemory {
    size_t size;
    // For memory that points to more: what it points to is made when the run is, copied with a
    // checkpoint (`to` was made; all of it is to be copied, what it points to included), and
    // destroyed with the run. Within a run, the engine copies the bytes alone. 0, or anything else:
    // out of memory. All three or none.
    int (*create)(void *user, void *memory);
    int (*copy)(void *user, void *to, const void *from);
    void (*destroy)(void *user, void *memory);
} SaltusMemory;

typedef struct SaltusSystemDef {
    const char *name;
    void *user;

    int mode_count;
    const SaltusModeDef *modes;
    SaltusProvider provider; // for modes from mode_count on; may be NULL
    // Called for `data` of every provided mode when the system is destroyed, or lets go of it; may
    // be NULL.
    void (*release)(void *user, const void *data);
    // If more provided modes are there, the system lets go of those that no run has entered lately:
    // they are asked from the provider again. 0: all stay.
    int most_modes;
    int initial_mode; // -1: `start` switches to it

    int parameter_count;
    const char *const *parameter_names; // NULL: p0, p1, ...
    const double *parameters;
    // The class of a change of each parameter: SALTUS_SE_P, or SALTUS_SE_I where the parameter says
    // how an input goes on; with SALTUS_UNLOGGED the change itself is not listed in the event log.
    const unsigned *parameter_classes; // NULL: SALTUS_SE_P
    int input_count;
    const char *const *input_names; // NULL: u0, u1, ...
    const double *inputs;

    SaltusMemory memory;

    SaltusAction start;             // at the beginning: states, memory, time events, mode
    SaltusEventUpdate event_update; // NULL: the actions of the fired events
    SaltusAction time_action;       // once for each due time event, with its id alone in
                                    // time_ids; not with event_update
    // After each accepted step; may switch the mode, which is no event and not logged: another
    // selection of states. Event functions of the same names keep their signs.
    SaltusAction accepted;
    // For each piece of the run, in order, before the event that ends it, and before anything goes
    // on from its end: to remember what was, in what the client memory points to. See
    // saltus_piece_values. 0, or anything else and a message: the run fails. May be NULL.
    int (*passed)(const SaltusContext *c, const struct SaltusPiece *piece, SaltusMessage *message);
    // Steps and events that the client makes by code of its own, from where the run is; and what it
    // did at an event of its own (saltus_stretch_event): like event_update, once, with all
    // iterations in it. Both or neither; see SaltusStretch.
    SaltusStretchEnd (*stretch)(struct SaltusStretch *stretch);
    SaltusEventUpdate replay;
    // Where events accumulate, with the states at the limits of their sequences (SALTUS_AT_LIMIT),
    // or follow each other too closely, where only another mode can end that:
    // sets what holds there. If the event function that accumulates stays zero then, or another
    // mode is active, the run goes on; else all is undone, and the run stops. NULL: it always
    // stops.
    SaltusAction accumulated;
    // What a code that an evaluation returned means, for the message of a run that fails by it; it
    // may say nothing. Not 0: algebraic equations were not solved. May be NULL.
    int (*explain)(const SaltusContext *c, int code, SaltusMessage *message);
    // The name of a time event, for messages and logs; it stays as long as the system. May be NULL.
    const char *(*time_name)(const void *user, int id);

    SaltusAllocator allocator;
} SaltusSystemDef;

SaltusSystemDef saltus_default_system(void);

typedef struct SaltusSystem SaltusSystem;

// `error` may be NULL.
SaltusStatus saltus_system_create(const SaltusSystemDef *def, SaltusSystem **system,
                                  SaltusError *error);
// All runs of the system must be destroyed before.
void saltus_system_destroy(SaltusSystem *system);

// The definition of a mode, NULL if it is not known (yet). It stays as long as the system.
const SaltusModeDef *saltus_system_mode(const SaltusSystem *system, int mode);
// The same for a while, with most_modes in mind: if it is not NULL it stays until it is left.
const SaltusModeDef *saltus_system_use_mode(const SaltusSystem *system, int mode);
void saltus_system_leave_mode(const SaltusSystem *system, int mode);

// ---------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------

// What to keep of the trajectory; a set of bits. At events there are always two
// rows, before and after, unless nothing is recorded.
enum {
    SALTUS_RECORD_NOTHING = 0,
    SALTUS_RECORD_STEPS = 1 << 0,     // every accepted step
    SALTUS_RECORD_INTERVALS = 1 << 1, // every output_interval, from the dense output
    SALTUS_RECORD_EVENTS = 1 << 2,    // only start, end and events
};

// What to do where events accumulate (Zeno behaviour, chattering).
typedef enum SaltusZeno {
    SALTUS_ZENO_STOP,     // stop there with SALTUS_ZENO
    SALTUS_ZENO_ERROR,    // stop there with SALTUS_ERROR_ZENO
    SALTUS_ZENO_CONTINUE, // go on
} SaltusZeno;

// When an event seen in a step is handled.
typedef enum SaltusBackstep {
    SALTUS_BACKSTEP,           // where it is: located, the step is taken back
    SALTUS_NO_BACKSTEP,        // at the end of the step (real time; fixed-step solvers)
    SALTUS_NO_BACKSTEP_LINEAR, // likewise; the logged time is interpolated linearly
} SaltusBackstep;

typedef enum SaltusRowKind {
    SALTUS_ROW_START,
    SALTUS_ROW_STEP,
    SALTUS_ROW_INTERVAL,
    SALTUS_ROW_BEFORE_EVENT,
    SALTUS_ROW_AFTER_EVENT,
    SALTUS_ROW_END,
} SaltusRowKind;

// A row of the trajectory. Counts are those of the row's mode.
typedef struct SaltusRow {
    double t;
    int mode;
    SaltusRowKind kind;
    int x_count, z_count, y_count;
    const double *x, *z, *y;
} SaltusRow;

typedef struct SaltusRun SaltusRun;

// A piece of a run: a step, or the part of one up to an event, with its dense output. It is valid
// during the callback that is given it.
typedef struct SaltusPiece {
    double from, to;
    int mode;
    bool continues; // the step goes on after an event that changed nothing in it
    const SaltusRun *run;
} SaltusPiece;

// States, algebraic variables and outputs at a time of the piece: at its end as the run has them,
// inside from the dense output. NULL: not wanted. 0, or an evaluation failed. Does not count as
// an evaluation of the run.
int saltus_piece_values(const SaltusPiece *piece, double t, double *x, double *z, double *y);

struct SaltusLogEntry; // see saltus_run_event

typedef struct SaltusOptions {
    double start_time;
    SaltusMethod method;
    unsigned record;        // SALTUS_RECORD_...
    double output_interval; // > 0 with SALTUS_RECORD_INTERVALS
    SaltusBackstep backstep;
    SaltusZeno zeno;
    long max_steps;           // per call of saltus_run_advance; 0 = unlimited
    long max_events;          // likewise; state and time events
    int max_event_iterations; // at one instant
    bool notes;               // the event log has notes, which cost evaluations; see saltus_note

    const double *parameters; // NULL: the system's
    const double *inputs;     // likewise

    // Called after every accepted step; anything but 0 interrupts the run.
    int (*progress)(void *user, double t, double stop_time);
    // If given, rows are handed over instead of being kept; anything but 0 interrupts the run
    // after the present step or event, whose rows still come.
    int (*row)(void *user, const SaltusRow *row);
    // If given, called for each piece of the run, in order, before the event that ends it; anything
    // but 0 interrupts the run after the present step or event.
    int (*piece)(void *user, const SaltusPiece *piece);
    // If given, entries of the event log are handed over instead of being kept, and are valid
    // during the call; anything but 0 interrupts the run after the present event.
    int (*logged)(void *user, const struct SaltusLogEntry *entry);
    void *user;
} SaltusOptions;

// start 0, default method, steps recorded, backstepping, Zeno stop, 1000 iterations.
SaltusOptions saltus_default_options(void);

// Makes a run and initializes it: start action, consistent values, first row.
SaltusStatus saltus_run_create(const SaltusSystem *system, const SaltusOptions *options,
                               SaltusRun **run, SaltusError *error);
void saltus_run_destroy(SaltusRun *run);

// Integrates up to stop_time, or to where something stops it. Calling again continues. A run
// cannot be advanced, copied or given an action by its own callbacks.
SaltusStatus saltus_run_advance(SaltusRun *run, double stop_time);

// A copy of the run in its present state, with its statistics, without its trajectory and log: a
// checkpoint.
// Both go on independently; one-step solvers go on with the same bits, multistep ones restart.
SaltusStatus saltus_run_copy(const SaltusRun *run, SaltusRun **copy, SaltusError *error);

// What the callbacks of the run's options are given as `user` from now on: a copy begins with that
// of the run it is a copy of.
void saltus_run_set_user(SaltusRun *run, void *user);

// Performs an action now, as an event of its own (SALTUS_AT_REQUEST).
SaltusStatus saltus_run_apply(SaltusRun *run, SaltusAction action);
// The same with an argument, which the action finds in the event; afterwards the system's
// event_update is called, if it has one, to see what follows.
SaltusStatus saltus_run_request(SaltusRun *run, SaltusAction action, void *argument);

// The present state. Pointers are valid until the run goes on.
double saltus_run_time(const SaltusRun *run);
int saltus_run_mode(const SaltusRun *run);
const double *saltus_run_states(const SaltusRun *run);
const double *saltus_run_algebraics(const SaltusRun *run);
const double *saltus_run_parameters(const SaltusRun *run);
const double *saltus_run_inputs(const SaltusRun *run);
const void *saltus_run_memory(const SaltusRun *run);
SaltusSolver saltus_run_solver(const SaltusRun *run); // what auto chose
// Whether the run has been in this mode and the solver exact was used there.
bool saltus_run_was_exact(const SaltusRun *run, int mode);
const SaltusSystem *saltus_run_system(const SaltusRun *run);
// The time of the next time event that is scheduled; infinite: there is none. (State events, and
// time events that follow from them, may come before.)
double saltus_run_next_time_event(const SaltusRun *run);
// The outputs of the active mode at the present state. 0, or the evaluation failed.
int saltus_run_outputs(const SaltusRun *run, double *y);

// Why the run stopped or failed; the message is empty if it did not, and stays until the run goes
// on. A run that failed in an event stands just before it, one that failed in a step at its
// beginning; it cannot go on. After a stop, and after a stop time that was refused, it can.
const SaltusError *saltus_run_error(const SaltusRun *run);

// --- what a run did: an index that does not exist gives the time NaN ---

long saltus_run_row_count(const SaltusRun *run);
SaltusRow saltus_run_row(const SaltusRun *run, long index);

// What an event changed, and what it recorded.
typedef struct SaltusChange {
    const char *name;
    double before, after; // NaN where the variable did not exist
} SaltusChange;

typedef struct SaltusLogEntry {
    double t;
    double bracket;    // width of the time bracket the event was located in, 0 for time events
                       // and where the solver located it by itself
    unsigned occasion; // SALTUS_AT_...
    unsigned classes;  // what the action really changed; nothing: SE-O
    int from, to;      // modes
    int iterations;
    int fired_count;
    const SaltusFired *fired; // at the beginning, then by what the actions did
    int time_count;
    const int *time_ids;
    int change_count;
    const SaltusChange *changes;
    int record_count;
    const SaltusChange *records; // saltus_record; the value in `after`
    const char *note;            // saltus_note; NULL: none
} SaltusLogEntry;

long saltus_run_event_count(const SaltusRun *run);
SaltusLogEntry saltus_run_event(const SaltusRun *run, long index);

// The one list of counters: X(name, what is counted).
#define SALTUS_STATISTICS_LIST(X)                                                                  \
    X(steps, "accepted steps")                                                                     \
    X(rejected_steps, "rejected steps")                                                            \
    X(f_evaluations, "evaluations of the right-hand side")                                         \
    X(g_evaluations, "evaluations of the algebraic equations")                                     \
    X(h_evaluations, "evaluations of the event functions")                                         \
    X(flow_evaluations, "evaluations of their derivatives along the flow")                         \
    X(jacobians, "evaluations of Jacobians")                                                       \
    X(factorizations, "factorizations of matrices")                                                \
    X(newton_iterations, "Newton iterations")                                                      \
    X(newton_failures, "Newton iterations that did not converge")                                  \
    X(events, "state events")                                                                      \
    X(time_events, "time events")                                                                  \
    X(event_iterations, "iterations of event actions")                                             \
    X(locator_iterations, "iterations of the event locator")                                       \
    X(closing_steps, "steps that close on an event")                                               \
    X(exact_steps, "accepted steps on the exact solution of a linear mode")                        \
    X(stretch_steps, "accepted steps by code of the client, see SaltusSystemDef.stretch")          \
    X(fallbacks, "events where the locator had to fall back")                                      \
    X(restarts, "restarts of the solver")                                                          \
    X(mode_changes, "changes of the mode by events")                                               \
    X(reselections, "changes of the mode at accepted steps")                                       \
    X(modes_entered, "different modes entered")

typedef struct SaltusStatistics {
#define SALTUS_STATISTICS_MEMBER(name, what) long name;
    SALTUS_STATISTICS_LIST(SALTUS_STATISTICS_MEMBER)
#undef SALTUS_STATISTICS_MEMBER
} SaltusStatistics;

SaltusStatistics saltus_run_statistics(const SaltusRun *run);

// A stretch of a run that the client makes by itself. Its values are where the run is, and in the
// end where it goes on; the pointers are to the active mode's, which saltus_stretch_event may
// change.
typedef struct SaltusStretch {
    SaltusRun *run;
    void *user;
    const double *p;
    void *memory;
    const SaltusMethod *method;
    SaltusSolver solver; // that the engine has chosen; in the end: used, or, if it refuses, better
    double horizon;      // the length of the whole run
    double limit;        // not beyond this time
    double step;         // the one to be tried next
    double begun;        // where the solver last began anew
    struct {
        bool has_steps, has_last_step; // at the ends of steps, at the limit, too
        bool has_only_log;             // none: of events nothing is wanted but the log
        double first, interval;        // at first + index * interval; 0: none of these
        long index;
    } rows;
    long most_steps, most_events; // before it pauses

    double t;
    int mode;
    const void *data; // of the mode
    double *x, *z;
    double *x_old;     // at the beginning of the last step
    signed char *sign; // of the event functions, and below what they are zero
    double *noise;
    SaltusFired *fired; // that have crossed zero at t; room for those of the active mode
    int fired_count;
    // Of an event of its own: all that fired in it, in `fired`, of which the first ones began it.
    int crossing_count;
    int iterations;
    SaltusStatus status;         // of what the functions below did
    SaltusStatistics statistics; // to be added to the run's
} SaltusStretch;

// A row of the active mode, at these states. SALTUS_OK, or the client pauses.
SaltusStatus saltus_stretch_row(SaltusStretch *stretch, SaltusRowKind kind, double t,
                                const double *x);
// An event that the client has made, at t: x, z and fired are those just before it, and `replay`
// puts what it changed, for which it has `argument` (SaltusEvent.argument). SALTUS_OK, or the
// client pauses; SALTUS_INTERRUPTED: the engine has gone on, and nothing may be changed any more.
SaltusStatus saltus_stretch_event(SaltusStretch *stretch, void *argument);

// A number that events may change: its places before and after in their records.
typedef struct SaltusNoted {
    const char *name; // lives as long as the system; NULL: it is not logged
    int before, after;
    unsigned classes; // of a change
    bool is_state;    // zero with another sign is a change
} SaltusNoted;

// Events in the active mode, one after the other, each as a record of numbers.
typedef struct SaltusNotes {
    const double *records;
    long count;
    int size;                           // from one record to the next
    int t, iterations, crossing_count;  // places in a record; of those that fired, as
    int fired_count, fired, fired_size; // above, the event function and the direction
    int signs;                          // of the signs just after, by event function
    const SaltusNoted *numbers;
    int number_count;
} SaltusNotes;

// The same for events that have others behind them, if there is only the log (has_only_log). They
// are logged, but nothing is put; what was not put must be put before the next event that is. How
// many of the first ones: the next one has to be made by saltus_stretch_event.
long saltus_stretch_note(SaltusStretch *stretch, const SaltusNotes *notes);

// ---------------------------------------------------------------------------
// Linearization
// ---------------------------------------------------------------------------

// An input: an input of the system, or a direction in the space of its parameters.
typedef struct SaltusLinearInput {
    const char *name;
    const double *direction; // of all parameters, for du = 1; NULL: u[index]
    int index;
    double value; // with a direction: at the point, as a measure of its size; 0 is fine
} SaltusLinearInput;

typedef struct SaltusLinearizeDef {
    int input_count;
    const SaltusLinearInput *inputs;
    int output_count;
    const int *outputs; // numbers of outputs of the mode
} SaltusLinearizeDef;

typedef struct SaltusEigenvalue {
    double real, imaginary;
    double frequency; // |lambda| / (2 pi), in Hz
    double damping;   // -real / |lambda|; NAN for zero
} SaltusEigenvalue;

// dx' = a dx + b du, dy = c dx + d du around a point. Matrices row by row. It stands alone: the run
// and its system may be destroyed.
typedef struct SaltusLinearization {
    double t;
    int mode;
    const char *mode_name;
    int state_count, input_count, output_count;
    const char *const *state_names, *const *input_names, *const *output_names;
    const double *x, *dx, *u, *y; // the point
    const double *a, *b, *c, *d;
    double error;                        // estimated, of the elements
    const SaltusEigenvalue *eigenvalues; // of a; by falling real, then imaginary part
} SaltusLinearization;

// Linearizes the active mode of a run at its present state, with the algebraic variables
// eliminated. The run is not changed. `def` NULL: no inputs and outputs. `error` may be NULL.
SaltusStatus saltus_linearize(const SaltusRun *run, const SaltusLinearizeDef *def,
                              SaltusLinearization **linearization, SaltusError *error);
void saltus_linearization_destroy(SaltusLinearization *linearization); // NULL is allowed

// ---------------------------------------------------------------------------
// Observations
// ---------------------------------------------------------------------------

// An observer computes what is asked of whole runs: expressions in Modelica's syntax over the
// states, algebraic variables, outputs and parameters of a system, "maximum(x)",
// "time_of(v < 0, 3)"; docs/observations.md has the list. It belongs to one run at a time.
//
//   saltus_observer_create(system, 1, (const char *[]){"maximum(x)"}, &observer, &error);
//   options.piece = saltus_observer_piece;
//   options.user = observer;
//   ... saltus_run_create, saltus_run_advance ...
//   saltus_observer_finish(observer, run);
//   double top = saltus_observer_value(observer, 0, 0);
typedef struct SaltusObserver SaltusObserver;

// Names are those of the modes that the system knows by now. Errors in the expressions are in
// `error`, which may be NULL.
SaltusStatus saltus_observer_create(const SaltusSystem *system, int count,
                                    const char *const *expressions, SaltusObserver **observer,
                                    SaltusError *error);
void saltus_observer_destroy(SaltusObserver *observer);

// For SaltusOptions.piece, with the observer as `user`.
int saltus_observer_piece(void *observer, const SaltusPiece *piece);
// The run has come to its end.
SaltusStatus saltus_observer_finish(SaltusObserver *observer, const SaltusRun *run);
// Forgets the run, for the next one.
void saltus_observer_reset(SaltusObserver *observer);

// How many values an expression has: 1, or more for a range of occurrences. 0: no such expression.
int saltus_observer_count(const SaltusObserver *observer, int index);
// One of them; NaN: it did not happen, or is no number.
double saltus_observer_value(const SaltusObserver *observer, int index, int element);
// Why the first one that is missing is; "" if none is.
const char *saltus_observer_reason(const SaltusObserver *observer, int index);

#ifdef __cplusplus
}
#endif

#include <saltus/model.h>

#endif
