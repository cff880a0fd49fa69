// SPDX-License-Identifier: MIT
//
// The flattener's interface: Modelica files and the name of a model in, the flat hybrid model out.
//
//   Compilation *c = compilation_create(NULL);
//   FlattenOptions o = flatten_default_options();
//   const FlatModel *m = flatten_files(c, count, paths, "Package.Model", &o);   // NULL after
//   errors
//   ... c->diagnostics has errors and warnings ...
//   compilation_destroy(c);                                              // the model ends with it
//
// What always holds: the flat model does not change once it is made.

#ifndef SALTUS_FLATTEN_FLATTEN_H
#define SALTUS_FLATTEN_FLATTEN_H

#include "flatten/flat.h"
#include "modelica/parser.h"

typedef struct FlattenSetting FlattenSetting; // see setting.h

typedef struct FlattenOptions {
    const char *library_path; // folders with libraries, separated by ':'; NULL: none. See library.h
    bool standard_libraries;  // after them the folders that other programs have libraries in
    const char *text;         // Modelica text, read after the files; NULL: none
    const char *modification; // of the model, as "(a = 1, b.c = 2)"; NULL: none
    size_t setting_count;     // more of them, which win
    const FlattenSetting *settings;
    size_t varied_count;
    const char *const *varied; // parameters, and start values "x.start", that runs may change
    bool has_live_inputs;      // inputs change while a run goes on: see live.h
    bool packs_equations;      // they are read by flat_unpack alone: see pack.h
    bool check_units;          // warn about units that do not fit
    size_t memory_maximum;     // bytes of the compilation's arena; 0: no limit
    uint64_t step_maximum;     // steps of functions that are run at compile time
} FlattenOptions;

// MODELICAPATH, or else OPENMODELICALIBRARY, and other programs' folders; units are checked; at
// most 8 GB, 20 million steps.
FlattenOptions flatten_default_options(void);

// `model` may be NULL: the last class of the files that can be simulated. NULL after errors.
const FlatModel *flatten_files(Compilation *compilation, size_t count, const char *const *paths,
                               const char *model, const FlattenOptions *options);

// For what is asked of a model beside its equations (drawings): the model's own instance, while the
// flattener lives. Its components are opened as they are asked for; is_whole: after all that a flat
// model needs, so that states of machines are known. False after errors.
struct Flattener;
struct Instance;
typedef void FlattenVisit(struct Flattener *f, struct Instance *top, void *user);
bool flatten_visit(Compilation *compilation, size_t count, const char *const *paths,
                   const char *model, const FlattenOptions *options, bool is_whole,
                   FlattenVisit *visit, void *user);

// A class of a package; of flatten_examples a model with an experiment annotation, which is meant
// to be run.
typedef struct FlattenExample {
    const char *name; // dotted
    String description;
    const char *kind; // "model", "package", ...
    bool is_partial;
} FlattenExample;

// Those of a package, or that model itself; `package` may be NULL: of all that the files have.
// Returns how many; errors are in the diagnostics.
size_t flatten_examples(Compilation *compilation, size_t count, const char *const *paths,
                        const char *package, const FlattenOptions *options,
                        const FlattenExample *const **examples);
// The same of all classes, with the packages that they are in.
size_t flatten_classes(Compilation *compilation, size_t count, const char *const *paths,
                       const char *package, const FlattenOptions *options,
                       const FlattenExample *const **classes);

#endif
