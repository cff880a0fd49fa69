// SPDX-License-Identifier: MIT
//
// The search for a mode that its own conditions agree with, at the start, at events and at entries
// of states alike.
//
// A candidate is a vector of choices. Every candidate starts from the same left limits; nothing is
// changed until one is accepted. The strategies, in their order:
//
//   follow    the candidate that is asked for, then what its conditions ask for, and so on
//   ended     the same, with discrete variables as they have become in the mode that is left, as if
//             the iteration had ended there: a capacitor that breaks down stays broken, though its
//             voltage is gone then
//   cascade   the same, with the values of discrete variables going on from candidate to candidate:
//             a chain of modes that last no time
//   turn      candidates that differ from the first one in the branches of if-equations that are in
//             question: those that the conditions of candidates disagreed about, and those whose
//             equations make a candidate impossible. The nearest first; each is followed.
//
// A condition that an equation of a candidate makes zero (u > 0 of a diode that conducts) may be
// held against its text, if nothing else agrees: what is asked for is first followed without that.
//
// What is zero in a candidate keeps its value at first. Where arming has turned conditions in the
// same event before, it goes where the flow leads it: two contacts that a body is between, each of
// which gives back what the other one has stopped, would come to rest in infinitely many impacts.
//
// First each candidate is looked at briefly: if its conditions go in circles, it is left for what
// they ask for meanwhile. If that leads nowhere, all is done once more, and combinations of
// conditions are searched for in each.
//
// So of several modes that would agree, the one is taken that is reached first in this order: what
// the conditions ask for, then the nearest one.

#ifndef SALTUS_INSTANT_SEARCH_H
#define SALTUS_INSTANT_SEARCH_H

#include "modes/model_parts.h"

typedef enum Verdict {
    VERDICT_ACCEPTED,
    VERDICT_OTHER, // its conditions ask for another one
    VERDICT_IMPOSSIBLE,
    VERDICT_OVER, // the run has failed, or there is no memory
} Verdict;

typedef enum Ending {
    ENDING_NONE,
    ENDING_LEFT,    // left limits of discrete variables follow first
    ENDING_CASCADE, // they are those of the candidate before
} Ending;

typedef struct Candidate {
    const Choice *choices;
    Ending ending;
    bool is_first;     // of a cascade
    bool is_asked;     // the conditions of the candidate before ask for it
    bool is_flowing;   // what is zero in it goes where the flow leads it, at first
    bool is_strict;    // what its equations make zero is as its text says, if it is judged so
    bool is_thorough;  // it is the last time that anybody asks
    uint32_t *wanted;  // what its conditions ask for; the same as the choices at first
    bool *is_suspect;  // by choice: its equations make it impossible
    bool is_broken;    // the mode cannot be entered, whatever the values are
    bool is_unsettled; // of a cascade: discrete variables have changed once more
    bool is_open;      // more might be found if it were looked at thoroughly
    bool is_denied;    // or not strictly
} Candidate;

typedef struct Search {
    const Model *model;
    const uint32_t *first; // what is asked for
    const uint32_t
        *present; // choices of the mode that is left, which is no candidate; NULL: all are
    bool is_late; // arming has turned conditions of this event before
    void *user;
    Verdict (*judge)(void *user, Candidate *candidate);
    // afterwards
    Ending ending;   // of what was accepted
    bool *is_turned; // by choice: conditions of candidates disagreed about it
} Search;

// Notes that a mode is broken, and which choices make it so, as far as that is known.
void search_suspect(const Mode *mode, Candidate *candidate);

// is_turned is made, and has to be freed.
Verdict search_mode(Search *s);

// "no combination of 'u > 5' (line 11), d1: 'on' (line 20) agrees with the equations that belong to
// it": of the if-equations that were turned; if there are none, of all.
void search_describe(const Search *s, char **text);

#endif
