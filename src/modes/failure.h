// SPDX-License-Identifier: MIT
//
// Why a program failed: as one number, which the engine can hand back when a run ends by it, and in
// the words of the model.

#ifndef SALTUS_MODES_FAILURE_H
#define SALTUS_MODES_FAILURE_H

#include "base/source.h"
#include "modes/program.h"

// number: the stage that could not be solved, or the place at which a function failed. Above zero
// if another point may be better; below zero for what has no end.
int failure_code(const CodeModule *module, ProgramStatus status, uint32_t number);

// The code of a failure of one of joined programs, or of what observes them (their number), as one
// of all of them.
int failure_of_part(const Program *joined, PartNumber part, int code);

// The text for a code, "" if it has none, in place of the message. The scratch of the program that
// failed, if it is known, has the numbers of the message. True: equations were not solved.
bool failure_text(const Program *program, const Sources *sources, const ProgramScratch *scratch,
                  int code, char **text);

// Why the last run of a program failed, and by how much an equation does not hold, where that is
// known.
void failure_explain(const Program *program, const Sources *sources, const ProgramScratch *scratch,
                     char **text);

#endif
