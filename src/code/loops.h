// SPDX-License-Identifier: MIT
//
// Loops in straight code. Arrays and components of one class become instructions that repeat: the
// same operations in the same order, and from one round to the next the place of each operand goes
// on by the same distance. Such rounds are found here, so that they can be emitted as a loop. The
// order of the instructions stays, and with it all results.
//
// What always holds: a loop has only operators, copies and stores, of doubles, outside guarded
// blocks; each of its values is made once. Its operands are those of loops_operand.

#ifndef SALTUS_CODE_LOOPS_H
#define SALTUS_CODE_LOOPS_H

#include "code/code.h"

typedef struct CodeLoop {
    uint32_t begin;  // its first instruction
    uint32_t length; // of a round
    uint32_t rounds;
} CodeLoop;

typedef struct CodeLoops {
    const CodeBody *body;
    CodeLoop *items; // in order
    uint32_t count, room;
    uint32_t *made; // by value: the instruction that makes it, plus 1; 0: none, or more than one
    uint32_t *loop; // by instruction: the loop that it is in, plus 1; 0: none
} CodeLoops;

// How an operand goes on from round to round.
typedef enum LoopOperand {
    LOOP_NONE,    // in no such way
    LOOP_SAME,    // it is the same value
    LOOP_INPUT,   // of an input vector, at a constant distance
    LOOP_ROUND,   // made in the same round
    LOOP_CARRIED, // made in the round before; in the first round it is any value
    LOOP_OTHER,   // made in another loop, in rounds at a constant distance
} LoopOperand;

// In an arena; bodies that are short have none.
CodeLoops loops_find(Arena *arena, const CodeBody *body);

// What an operand of a loop is by its values in the first two rounds.
LoopOperand loops_operand(const CodeLoops *loops, const CodeLoop *loop, uint32_t first,
                          uint32_t second);

// How many instructions the entries of a module have where those of a loop count once.
double loops_emitted_length(const CodeModule *module);

#endif
