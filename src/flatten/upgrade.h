// SPDX-License-Identifier: MIT
//
// Texts that were written for an earlier version of a library, by the library's conversion script
// (Modelica specification, section 18.8.2): convertClass, convertClassIf, convertElement,
// convertModifiers, convertMessage.
//
// The text is changed, not the tree: names stand in it as they were meant, and what is changed can
// be shown. Lines stay where they are. The earlier library is not there, so that what a class
// inherits in it is not known: rules hold for the classes that they name, and for classes of the
// text that extend these.

#ifndef SALTUS_FLATTEN_UPGRADE_H
#define SALTUS_FLATTEN_UPGRADE_H

#include "flatten/context.h"

// Files that are converted to the version of a library that is there.
typedef struct UpgradeDef {
    const char *path;              // one file, or a folder
    const char *library;           // its name
    const char *version;           // of the library that is there
    const ClassDefinition *script; // see upgrade_script
    Diagnostic *warning;           // its notes say what has changed
} UpgradeDef;

// The statements of a script, as those of a function; NULL: it cannot be read.
const ClassDefinition *upgrade_script(Flattener *f, const char *path);
// The new text of what is stored, in which `wanted` is the version in the annotation `uses` (NULL:
// that is elsewhere). NULL: nothing has changed.
const char *upgrade_text(Flattener *f, const UpgradeDef *def, const StoredDefinition *stored,
                         const Expression *wanted);

// The modifier of this name; NULL: there is none, or no modification.
const Argument *upgrade_modifier(const Modification *m, const char *name);

#endif
