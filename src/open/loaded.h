// SPDX-License-Identifier: MIT
//
// The one way to open a model: texts, libraries and settings in, everything that runs need out. The
// command, studies, the report and the public interface all do it here.
//
//   Loaded *l = loaded_create(&(LoadedDef){.file_count = 1, .files = &path});  // NULL: no memory
//   if (l->refusal) ...                   // a setting cannot be made
//   else if (!l->model) ...               // errors: l->compilation->diagnostics
//   loaded_system(l, NULL, 0, &system, &error);
//   loaded_run(l, system, &options, stop_time, &run, &error);
//   loaded_destroy(l);
//
// Settings are parameters ("k", "a.n", "v[2]") and start values ("x.start"). A number for a
// parameter that does not shape the model is given to its runs; everything else (structural
// parameters, expressions, Strings, whole arrays) is a modification, with which the model is
// flattened again.
//
// What always holds: a loaded model does not change, but for the list of its variants, which has a
// lock; it may be shared by threads. A variant is the same model with other values of structural
// parameters; there is one for each combination of values, and it ends with the model.

#ifndef SALTUS_OPEN_LOADED_H
#define SALTUS_OPEN_LOADED_H

#include "base/named.h"
#include "flatten/setting.h"
#include "hybrid/log_words.h"
#include "modes/model.h"

// See whole_enable: FMUs that carry their sources have no kernels.
typedef bool EnableWhole(const Model *model);

typedef struct LoadedDef {
    size_t file_count;
    const char *const *files; // files and folders of packages
    const char *text;         // Modelica text, read after the files; NULL: none
    const char *model;        // NULL: the last one
    const char *modification; // of the model, see FlattenOptions; NULL: none
    const char *library_path; // likewise; NULL: where flatten_default_options says
    size_t setting_count;
    const NamedSetting *settings;
    size_t varied_count;
    const char *const *varied; // parameters without values and start values "x.start" that runs may
                               // change; those of the settings need not be here
    bool has_live_inputs;      // see flatten/live.h
    BackendChoice backend;     // of the model and its variants
    EnableWhole *enable_whole; // of BACKEND_WHOLE; NULL: it is compiled by its modes
    bool is_whole;             // see model_create_whole
    bool is_flat;              // no model is made
    bool is_packed;            // then: all the same, flat_unpack alone reads the equations
    bool is_confined;          // the model reads files in given folders only: see store_confine
    struct ExternalGuest *(*invite)(void); // makes the guest that foreign code runs by; NULL: none
    bool allows_foreign;                   // it may call C code of its own: see external/foreign.h
    const SaltusAllocator *allocator;      // NULL: the C library's
} LoadedDef;

typedef struct Loaded {
    Compilation *compilation;
    const FlatModel *flat; // NULL: it has errors
    const Model *model;    // NULL: likewise, or it was not asked for
    const char *refusal;   // why a setting cannot be made; NULL: all are
    ParameterValue *given; // what the settings give to runs
    uint32_t given_count;
    const FlattenSetting *shape; // what the settings modify
    uint32_t shape_count;
    const struct Loaded *base; // of a variant; NULL: it is none
    struct LoadedParts *parts;
} Loaded;

// NULL: out of memory. Everything in the definition is copied.
Loaded *loaded_create(const LoadedDef *def);
void loaded_destroy(Loaded *loaded); // NULL is allowed; not for variants

// A compilation in which models may read and run what the definition allows, for commands that need
// its texts but no model; it reads the definition's library path. NULL: out of memory.
Compilation *loaded_compilation(const LoadedDef *def);

// Why it has no model.
const char *loaded_first_error(const Loaded *loaded);

// ---------------------------------------------------------------------------
// Parameters
// ---------------------------------------------------------------------------

// The number of a parameter of the model that can be changed. False: there is none; *message, in
// the arena, says why.
bool loaded_find_parameter(const Loaded *loaded, Arena *arena, const char *name, uint32_t *number,
                           const char **message);
// Reads a literal that a parameter or variable of this type can have. False: it is none.
bool loaded_read_value(const FlatVariable *variable, const char *text, double *value);

// Whether it is a value that a parameter or variable of this type can have.
bool loaded_is_value(const FlatVariable *variable, double value);

// The variant for the structural parameters among the values, the model itself if there are none;
// NULL: out of memory. Numbers are those of the model; a variant may have errors, as it may.
const Loaded *loaded_variant(const Loaded *loaded, const ParameterValue *values, uint32_t count);
// The values of all parameters of a model or variant: bindings, the settings, then these. Numbers
// are those of the model.
SaltusStatus loaded_parameters(const Loaded *loaded, const ParameterValue *values, uint32_t count,
                               double *p, SaltusError *error);

// ---------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------

// A system with these parameters.
SaltusStatus loaded_system(const Loaded *loaded, const ParameterValue *values, uint32_t count,
                           SaltusSystem **system, SaltusError *error);
// Creates a run that can be made as the options say.
SaltusStatus loaded_begin(const Loaded *loaded, const SaltusSystem *system,
                          const SaltusOptions *options, SaltusRun **run, SaltusError *error);
// The same, advances it to its end, and lets terminal() become true there. *run is NULL if
// there is none; `error` is that of the run.
SaltusStatus loaded_run(const Loaded *loaded, const SaltusSystem *system,
                        const SaltusOptions *options, double stop_time, SaltusRun **run,
                        SaltusError *error);
// The end of a run of the model or one of its variants that has come so far with this status:
// terminal(), unless it failed or was interrupted.
SaltusStatus loaded_finish(const Loaded *loaded, SaltusRun *run, SaltusStatus status);

// The experiment annotation; what it does not say is NAN, the stop time a second later.
FlatExperiment loaded_experiment(const Loaded *loaded);

#endif
