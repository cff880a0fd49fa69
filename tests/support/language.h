// SPDX-License-Identifier: MIT
//
// Language tests: .mo files that say in their own comments what is expected of them.
//
//   // expect error: LINE:COLUMN text      an error there, whose message contains the text
//   // expect warning: LINE:COLUMN text
//   // expect note: LINE:COLUMN text       a note of any error or warning
//
// All errors and warnings must be expected, in this order.

#ifndef SALTUS_TESTS_SUPPORT_LANGUAGE_H
#define SALTUS_TESTS_SUPPORT_LANGUAGE_H

#include "modelica/parser.h"

typedef struct LanguageRun {
    unsigned files, failures;
} LanguageRun;

// Calls `check` for all .mo files below a folder, in the order of their names. A folder with a
// package.mo is one package and not looked into. No folder: nothing happens.
typedef void LanguageCheck(LanguageRun *run, const char *path);
void language_folder(LanguageRun *run, const char *folder, LanguageCheck *check);

// Whether the diagnostics are those that the comments of `file` expect. Reports what is not.
bool language_compare(LanguageRun *run, const char *path, const Compilation *compilation,
                      const SourceFile *file);
// Counts a failure and shows it with all diagnostics.
void language_report(LanguageRun *run, const char *path, const Compilation *compilation,
                     const char *what);

#endif
