// SPDX-License-Identifier: MIT
//
// A point of a mode at an instant: where its equations are solved and anything is evaluated. Of the
// flow, where the states are given, or of the start, where initial equations determine them, too.

#ifndef SALTUS_INSTANT_POINT_H
#define SALTUS_INSTANT_POINT_H

#include "instant/system.h"

typedef struct Point Point;

struct Point {
    const Mode *mode;
    const Program *program; // the mode's flow, or its start
    ProgramScratch *scratch;
    double *values, *more; // room for the values of any entry
    ModelMemory memory;    // with discrete variables and conditions as they are tried
    ProgramInputs inputs;
    double accuracy;            // an event function below this part of its terms is zero
    double *guesses;            // of algebraic variables
    bool (*solve)(Point *self); // NULL: as usual
    // Where event functions that are zero go; NULL: as usual, see conditions.h.
    bool (*course)(Point *self, signed char *signs);
    void *user;        // of these two
    ModelScratch *own; // to be given back; NULL: none
    char *message;     // why it failed last; NULL: it did not, or there is no memory
};

// Events are located far better, the states at them are less accurate.
extern const double point_accuracy;
// The same at an event: if its conditions do not come to rest, what the states are accurate to
// counts, which is the tolerance of the solver. (A current that has decayed to 1e-11 at a tolerance
// of 1e-8 is zero: whatever it makes of a voltage must not decide.)
double point_accuracy_at(const SaltusEvent *event, const ModelMemory *memory);
double point_accuracy_of_states(const SaltusEvent *event);

// All unknowns, from conditions and discrete variables as they are. False: see the message.
bool point_solve(Point *p);
// The values of an entry, after that.
bool point_evaluate(Point *p, ModelEntry entry, double *values);
// Why the program failed, as the message.
bool point_explain(Point *p);

// The same with a mode's own scratch: of its flow, at x, with guesses z. False: no memory.
bool point_open(Point *p, const Mode *mode, const ModelMemory *memory, double t, const double *x,
                double *z, const double *parameters);
void point_close(Point *p);
// Keeps the message while something else is tried, which may fail as well, and puts it back.
char *point_take_message(Point *p);
void point_give_message(Point *p, char *message);
// Guesses for the next solution: what this one has found.
void point_keep_guesses(const Point *p, double *z);

#endif
