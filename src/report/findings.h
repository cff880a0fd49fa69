// SPDX-License-Identifier: MIT
//
// Findings: the numbers of a report, each beside what it can be checked against.
//
// What always holds: a finding whose deviation exceeds its bound counts as failed, and so does one
// that has a bound and is not finite, or whose reference is not.

#ifndef SALTUS_REPORT_FINDINGS_H
#define SALTUS_REPORT_FINDINGS_H

#include "report/document.h"

typedef struct Finding {
    const char *key; // "B3.t_m[17]"
    double value;
    const char *unit;   // "": a pure number
    double reference;   // NAN: there is none
    double bound;       // of |value - reference|; NAN: the reference is for comparison only
    const char *source; // of the reference: "closed form", "published, SNE 26(2)", "rodas"
} Finding;

typedef struct Findings {
    Arena *arena;
    Finding *items;
    size_t count, room;
} Findings;

Findings findings_create(Arena *arena);
// Texts are copied.
void findings_add(Findings *f, Finding finding);
// With a key that is formatted, "B3.t_m[%d]".
void findings_check(Findings *f, double value, const char *unit, double reference, double bound,
                    const char *source, const char *format, ...) TEXT_FORMAT(7, 8);

bool finding_is_fine(const Finding *finding);
size_t findings_failed(const Findings *f);
// All whose keys begin with the prefix, as a table; nothing if there are none.
void findings_table(const Findings *f, Document *d, DocumentPlace place, const char *prefix,
                    const char *id, const char *caption);
// The same for those with these keys, in this order; keys that are not there are left out.
void findings_select(const Findings *f, Document *d, DocumentPlace place, const char *const *keys,
                     size_t count, const char *id, const char *caption);
// key,value,unit,reference,deviation,source. False: it cannot be written.
bool findings_write(const Findings *f, const char *path, char **message);

#endif
