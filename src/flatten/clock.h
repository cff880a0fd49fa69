// SPDX-License-Identifier: MIT
//
// Clocks (chapter 16 of the specification), after everything is flat and before it is numbered.
//
//   clock_build.c   the operators as expressions, with the types of their arguments
//   clock_infer.c   partitions, and the clock of each
//   clock_lower.c   what a tick is, and the equations without clock operators
//   clock_machine.c state machines whose states are clocked
//   clock_solver.c  der(x) in a clocked partition: the solver methods of section 16.8
//
// A *group* is a sub-clock partition (section 16.7.4): variables and equations that are linked
// without any of the conversion operators. Those are links between groups; a clock variable is a
// member of a group like any other, and its group is that of whatever it clocks. The clock of one
// group gives those of the groups that are linked with it, by exact rational arithmetic.
//
// After lowering there are no clocks any more. What a group has computed is held by discrete
// variables, each equation of it has the Boolean that is true at its ticks (FlatEquation.tick):
//
//   previous(x)                        pre(x)
//   sample(u)                          pre(u): the left limit
//   hold(x)                            pre(x): it follows in the next iteration of the event
//   subSample(x, n), noClock(x), ...   x: it has changed at its own ticks only
//   interval(), firstTick()            variables of the tick
//
// Tick k of a periodic clock is at start + (shift + k factor) period, where shift and factor are
// fractions of one denominator and the quotient is rounded once: ticks that fall together have the
// same number, and are one event.

#ifndef SALTUS_FLATTEN_CLOCK_H
#define SALTUS_FLATTEN_CLOCK_H

#include "flatten/build.h"

// A fraction in lowest terms, with a denominator above zero.
typedef struct Rational {
    int64_t num, den;
} Rational;

// The ticks of a clock: those of its root from `shift` on, every `factor`.
typedef struct ClockValue {
    const FlatExpression *root; // a constructor; NULL: seconds, as of Clock(1, 10)
    Rational factor, shift;     // in intervals of the root, or seconds
} ClockValue;

// A clock in the lowered model.
typedef struct ClockTick {
    ClockValue value;
    FlatVariable *tick;       // Boolean: true at ticks
    FlatVariable *count;      // Integer: of ticks until now
    FlatExpression *interval; // since the tick before
    const char *name;         // "clock 1"
} ClockTick;

typedef struct ClockGroup {
    struct ClockGroup *parent;  // union-find; itself: the root of its set
    const FlatVariable *member; // some variable of it; NULL: none
    bool is_clocked, is_continuous, is_known;
    // What says so, for messages.
    Span clocked, continuous, known;
    ClockValue value;
    const char *solver; // NULL: none
    ClockTick *tick;
} ClockGroup;

// One clock follows from another: result = operation(argument).
typedef struct ClockLink {
    ClockGroup *result, *argument;
    Operation operation;         // CLOCK: the same
    int64_t counter, resolution; // of a shift; counter: the factor of others, 0: to be inferred
    Span span;
} ClockLink;

// A variable that is differentiated in a clocked partition.
typedef struct ClockState {
    FlatVariable *variable, *slope;
    FlatVariable *stages[3]; // slopes within the interval
    ClockGroup *group;
    Span span;
} ClockState;

typedef struct ClockMachine ClockMachine;

typedef struct Clocks {
    Flattener *f;
    Map groups;      // variables, equations, if-equations, algorithms, assertions, operator nodes
    List links;      // ClockLink
    List roots;      // FlatExpression: constructors; their group is that of the node
    List ticks;      // ClockTick
    List equations;  // FlatEquation, new
    Map calls;       // what calls became, as they are shared
    List states;     // ClockState
    Map machines;    // FlatMachine -> ClockMachine
    List assertions; // FlatAssertion, new
    List held;       // ClockLink: arguments of hold and noClock, which must have a clock
    ClockGroup *walked;          // the group whose statements are being looked at
    bool is_immediate;           // the condition of an immediate transition is being rewritten
    uint32_t helpers;            // variables that were made
    FlatVariable *begin, *start; // a Boolean that is true at the first instant, and its time
} Clocks;

// Replaces all clocks in what was collected. Does nothing if there are none.
void clocks_lower(Flattener *f);

// The group of something that has one.
ClockGroup *clock_group(Clocks *c, const void *of);
// Finds groups and their clocks; false after errors.
bool clocks_infer(Clocks *c);

// The ticks of a group, made on first use; NULL: it has no clock.
ClockTick *clock_tick(Clocks *c, ClockGroup *g);
// A new variable of the model, with a start value (NULL: none).
FlatVariable *clock_variable(Clocks *c, const char *owner, const char *name, const FlatType *type,
                             FlatVariability kind, FlatExpression *start, Span span);
// left = right at the ticks of `tick`; NULL: always.
FlatEquation *clock_equation(Clocks *c, FlatExpression *left, FlatExpression *right,
                             const ClockTick *tick, Span span);
// The expression as it stands in an equation of the group.
FlatExpression *clock_rewrite(Clocks *c, FlatExpression *e, ClockGroup *group);
FlatExpression *clock_pre(Clocks *c, FlatExpression *e, Span span);
// firstTick().
FlatExpression *clock_first(Clocks *c, const ClockTick *tick, Span span);
// der(x) of a variable in a clocked partition, as a variable of it.
FlatExpression *clock_derivative(Clocks *c, FlatExpression *x, ClockGroup *group, Span span);
// The equations of the solver methods, when all others are there.
void clocks_integrate(Clocks *c);

// Machines whose clock is known: their variables, then their equations, then they are no machines
// any more.
void clock_machines_begin(Clocks *c);
void clock_machines_make(Clocks *c);
void clock_machines_end(Clocks *c);
// activeState(s), timeInState(), ticksInState() of such a machine; NULL: it is none.
FlatExpression *clock_machine_value(Clocks *c, const FlatExpression *e);
// previous(v): the start value if v is in a state that is being reset.
FlatExpression *clock_previous_value(Clocks *c, FlatVariable *v, Span span);
// What is true at the ticks of the state that the guard names; NULL: it names none.
FlatVariable *clock_state_tick(Clocks *c, const FlatGuard *guard);

Rational rational_reduced(int64_t num, int64_t den);
bool rational_equal(Rational a, Rational b);

#endif
