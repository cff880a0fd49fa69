// SPDX-License-Identifier: MIT
//
// One stage of a program that is not explicit: its matrix, and its solution.
//
//   linear      A u + b = 0: LU, with a second step where residuals are more than rounding; where A
//               has no inverse, by rank: of all solutions the one nearest to the guesses, at a
//               start, or the shortest one in units of nominal values
//   nonlinear   r(u) = 0: Newton's method (numerics/newton.h) from the guesses, from some beside
//               them, and, of one unknown, between two values where r has different signs
//
// What always holds: a stage that says it is solved has residuals that are rounding in comparison
// to their terms; what equations leave open is said once, and is an error where it is motion.

#ifndef SALTUS_MODES_PROGRAM_STAGE_H
#define SALTUS_MODES_PROGRAM_STAGE_H

#include "modes/program.h"

// Of a stage that is explicit: nothing. False: out of memory.
bool stage_create_matrix(const Stage *stage, ProgramMatrix *matrix, const SaltusAllocator *a);
void stage_destroy_matrix(ProgramMatrix *matrix, const SaltusAllocator *a);

// Runs code of the program with the inputs and outputs of the scratch. 0: fine.
int stage_run(const Program *p, ProgramScratch *s, EntryNumber entry);

// Factors of the Jacobian of a stage where its unknowns are.
ProgramStatus stage_factor(const Program *p, ProgramScratch *s, const Stage *stage);

// guesses: of linear equations what they leave open is near to these, at a start, or to zero.
// *row: of PROGRAM_CONTRADICTION, the equation.
ProgramStatus stage_solve_linear(const Program *p, ProgramScratch *s, const Stage *stage,
                                 const double *guesses, uint32_t *row);
ProgramStatus stage_solve_nonlinear(const Program *p, ProgramScratch *s, const Stage *stage,
                                    const double *guesses);

#endif
