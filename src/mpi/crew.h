// SPDX-License-Identifier: MIT
//
// The crew of a sweep as ranks of MPI: rank 0 leads, works itself, and hands out points to the
// others as they ask for more.
//
// Messages go from one to one only, so that a rank that dies takes nobody with it if the launcher
// lets the others live (mpirun --enable-recovery): what it had in hand is run by others once it is
// late. Ranks must have the same representation of numbers.

#ifndef SALTUS_MPI_CREW_H
#define SALTUS_MPI_CREW_H

#include "studies/sweep.h"

typedef struct Crew Crew;

// To be called once, first. NULL: out of memory, or no MPI.
Crew *crew_begin(int *argc, char ***argv);
bool crew_leads(const Crew *crew);
// What a sweep is to be given.
SweepCrew crew_of_sweep(Crew *crew);
// The end, with the exit status of this rank; what counts is that of rank 0. Does not return if a
// rank was lost.
int crew_end(Crew *crew, bool is_quiet, int status);

#endif
