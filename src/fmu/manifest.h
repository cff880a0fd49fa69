// SPDX-License-Identifier: MIT
//
// `resources/model.txt` of an FMU, which `saltus fmu` wrote (fmi/export.c, fmi/describe.c): how to
// open the model, and what each value reference is.
//
//   saltus-fmu 1
//   model Package.Ball            and: file, modification, set, token, indicators
//   start 1 h                     value reference 0, and so on: see fmi/describe.h

#ifndef SALTUS_FMU_MANIFEST_H
#define SALTUS_FMU_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

typedef enum ItemKind {
    ITEM_VARIABLE,
    ITEM_START,
    ITEM_PARAMETER,
    ITEM_FIXED,
    ITEM_INPUT,
    ITEM_STATE,
    ITEM_DERIVATIVE,
    ITEM_INDICATOR,
    ITEM_CONSTANT,
    ITEM_STRING,
    ITEM_TIME,
    ITEM_CLOCK,
} ItemKind;

typedef struct Item {
    ItemKind kind;
    const char *text; // a name, or the String
    double value;     // of a constant; the default of a start value; the state of a derivative;
                      // of a clock the number of its sample, or -1, and text its counter
} Item;

typedef struct FmuManifest {
    char *bytes; // which the texts stand in
    const char *model, *modification, *token;
    int file_count, set_count, item_count;
    int indicator_count; // event functions of model exchange
    const char **files;  // below resources/
    Item *sets;          // parameters that were set when the FMU was made: text and value
    Item *items;         // by value reference
} FmuManifest;

// False: a message says why. To be freed in any case.
bool manifest_read(FmuManifest *manifest, const char *resources, char **message);
void manifest_free(FmuManifest *manifest);

#endif
