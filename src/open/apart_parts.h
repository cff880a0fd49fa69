// SPDX-License-Identifier: MIT
//
// What the files of apart.h share: apart.c runs the parts, apart_names.c says whose words are
// whose.

#ifndef SALTUS_OPEN_APART_PARTS_H
#define SALTUS_OPEN_APART_PARTS_H

#include "base/named.h"
#include "flatten/pack.h"
#include "flatten/separate.h"
#include "hybrid/run.h"
#include "open/apart.h"

// A model that parts share.
typedef struct ApartModel {
    const Model *model;
    SaltusSystem *system;
    const SaltusModeDef *mode; // the first one
    const uint32_t *first;     // variables of the part that it was made from
    double *p;                 // its parameters' own values, or those of the part in progress
    uint32_t parameter_count, output_count;
    double *y; // of a part
} ApartModel;

typedef struct ApartPart {
    struct Apart *apart;
    const SeparatePart *part;
    ApartModel *model;
    SaltusRun *run;
    const int *events; // of its first mode: which event of the whole
    const int *times;  // likewise, of its time events
    bool is_wanted;    // rows at the events of others have its outputs
    int mode;          // the last one that was seen
    bool is_elsewhere; // that is not named as the first one: something slides
} ApartPart;

struct Apart {
    Arena *arena;
    const Loaded *loaded;
    const Model *whole;
    const double *parameters;
    SaltusOptions options;
    const SaltusSystem *system;
    const FlatModel *flat;
    ApartModel *models;
    uint32_t model_count;
    ApartPart *parts;
    uint32_t count;
    const uint32_t *parameter_of, *output_of; // by number of the variable; UINT32_MAX: it is none
    NamedNumber *events, *times;              // of the whole, by their texts
    size_t event_count, time_count;

    SaltusRun *run; // of the whole
    const Separation *separation;
    // Whose turn it is.
    struct {
        uint32_t *heap, heap_count; // parts by the time of what they do next
        uint32_t *group, group_count;
    } turn;
    bool is_starting;
    bool is_interrupted;
    bool is_given; // the run of the whole is the caller's
    struct {
        long done, reported; // steps and events: all, and those that progress was told of
    } progress;

    // The event in progress, of one part or several.
    struct {
        bool is_open;    // its entry of the log
        bool has_before; // its row before was written
        bool has_after;  // there is one after it
        bool has_crossing;
        SaltusStatus status; // of its rows
    } now;
    // What rows consist of, and which parts are asked for it at events.
    struct {
        double *y;         // a row
        long output_index; // of the next one, by the output interval
        uint32_t *fresh, fresh_count;
        uint32_t *wanted, wanted_count;
        bool has_wanted_observer; // then parts that any observer reads are wanted
        bool is_all_fresh;
    } row;
    // Modes of the whole: the first one, and those in which something slides in a part.
    struct {
        Arena *arena; // of modes
        const char **names;
        int now, count, room;
        uint32_t *elsewhere, elsewhere_count; // parts that are not in their first mode, in order
    } modes;
    struct {
        char *bytes;
        size_t length, room;
    } text; // see apart_text
    // What is summed up of the parts.
    struct {
        bool has_solver; // the run's solver is that of a part with states, and not exact
        uint32_t moving_count,
            exact_count; // parts with states, those of them that are solved exactly
    } sum;
};

// The name of a variable of the whole.
const char *apart_name(const Apart *a, uint32_t variable);
// A text about the part, from one about the first part of its model: until the next one. Without
// memory it stays what it was, and the log of the run is marked.
const char *apart_text(const ApartPart *p, const char *text);
const char *apart_event_text(const SaltusModeDef *mode, int event);
// Lists the texts of the events of the whole.
void apart_list_texts(Apart *a, const SaltusModeDef *mode);
// The numbers that the events of a part have in the whole. False: there is one that it has not.
bool apart_number_events(Apart *a, ApartPart *p);
// Takes notice of the mode of a part.
void apart_see_mode(Apart *a, ApartPart *p);

#endif
