// SPDX-License-Identifier: MIT
//
// saltus check: diagnostics of models without running them.

#include "cli/model.h"
#include "modes/model.h"
#include "structure/structure.h"

#include <errno.h>
#include <stdio.h>

typedef struct CheckOptions {
    bool syntax_only;
    bool modes;
    bool json;
    bool quiet;
    ModelOptions model;
} CheckOptions;

static const Option check_options[] = {
    {.name = "syntax-only",
     .kind = OPTION_FLAG,
     .help = "stop after parsing",
     .offset = offsetof(CheckOptions, syntax_only)},
    {.name = "modes",
     .kind = OPTION_FLAG,
     .help = "analyse the modes that can be reached, too (at most 1000)",
     .offset = offsetof(CheckOptions, modes)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print the diagnostics as JSON on standard output",
     .offset = offsetof(CheckOptions, json)},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .help = "print nothing but errors and warnings",
     .offset = offsetof(CheckOptions, quiet)},
    MODEL_OPTIONS(CheckOptions, model),
};

const OptionTable check_table = {
    .command = "check",
    .synopsis = "[options] FILE... [MODEL]",
    .description =
        "Check a model and report what is wrong with it, or how many equations, unknowns\n"
        "and states it has. Without MODEL, the last model of every file is checked.\n"
        "Libraries are found by --library, in MODELICAPATH, and where OpenModelica and\n"
        "Dymola keep them.\n"
        "Exit status: 0 no errors, 2 wrong usage or unreadable file, 3 errors.",
    .options = check_options,
    .count = sizeof check_options / sizeof *check_options,
    .examples = "saltus check Ball.mo\n"
                "saltus check *.mo\n"
                "saltus check Ball.mo Package.Ball --json\n"
                "saltus check --modes Clutch.mo\n"
                "saltus check --syntax-only models/*.mo\n",
};

static const char *read_failure(SourceStatus status)
{
    switch (status) {
    case SOURCE_UNREADABLE:
        return strerror(errno);
    case SOURCE_TOO_LARGE:
        return "the files are too large: more than 256 MB";
    default:
        return "out of memory";
    }
}

// Parses all files; false if one could not be read.
static bool parse_files(Compilation *compilation, char **paths, int count)
{
    bool is_readable = true;
    for (int i = 0; i < count; i++) {
        const SourceFile *file;
        SourceStatus status = sources_read(compilation->sources, paths[i], &file);
        if (status == SOURCE_OK) {
            parser_parse(compilation, file);
        } else {
            fprintf(stderr, "saltus check: cannot read '%s': %s\n", paths[i], read_failure(status));
            is_readable = false;
        }
    }
    return is_readable;
}

// What a model without errors consists of.
typedef struct CheckCounts {
    const char *model;            // NULL: it has errors
    bool is_part;                 // it was not analysed: it needs what it will be connected to
    bool has_modes;               // and these are the counts of the one in which a run begins
    uint32_t variables, discrete; // of the model as it is written
    uint32_t equations, unknowns; // without aliases and what is known before the run
    uint32_t states, index;
} CheckCounts;

static void check_print_json(const Compilation *c, const CheckCounts *counts)
{
    StringBuilder out = builder_create(c->arena);
    builder_append_format(
        &out, "{\"schema\":\"saltus-check\",\"version\":1,\"errors\":%zu,\"warnings\":%zu,",
        c->diagnostics->error_count, c->diagnostics->warning_count);
    if (counts->model) {
        builder_append_text(&out, "\"model\":");
        builder_append_json(&out, counts->model, strlen(counts->model));
        builder_append_format(&out, ",\"variables\":%u,\"discrete\":%u,", counts->variables,
                              counts->discrete);
        if (!counts->is_part)
            builder_append_format(
                &out, "\"equations\":%u,\"unknowns\":%u,\"states\":%u,\"index\":%u,",
                counts->equations, counts->unknowns, counts->states, counts->index);
    }
    builder_append_text(&out, "\"diagnostics\":");
    diagnostics_render_json(c->diagnostics, &out);
    builder_append_text(&out, "}\n");
    fputs(builder_string(&out).text, stdout);
}

static const char *check_plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

static void check_print_counts(const CheckCounts *c)
{
    printf("%s: %u variable%s", c->model, c->variables, check_plural(c->variables));
    if (c->discrete)
        printf(" (%u discrete)", c->discrete);
    if (c->is_part)
        puts("; a component that needs connections or inputs");
    else
        printf(", %u equation%s, %u unknown%s, %u state%s, index %u%s\n", c->equations,
               check_plural(c->equations), c->unknowns, check_plural(c->unknowns), c->states,
               check_plural(c->states), c->index, c->has_modes ? ", in the initial mode" : "");
}

static ExitStatus check_finish(const Compilation *compilation, const CheckOptions *options,
                               const CheckCounts *counts, bool is_readable)
{
    const bool has_errors = compilation->diagnostics->error_count > 0;
    if (options->json)
        check_print_json(compilation, counts);
    else
        model_print_messages(compilation, &options->model);
    if (counts->model && !has_errors && !options->json && !options->quiet)
        check_print_counts(counts);
    if (!is_readable)
        return EXIT_USAGE;
    return has_errors ? EXIT_MODEL_WRONG : EXIT_FINE;
}

static ExitStatus check_syntax(const CheckOptions *options, char **paths, int count)
{
    Compilation *compilation = compilation_create(NULL);
    if (!compilation) {
        fputs("saltus check: out of memory\n", stderr);
        return EXIT_RUN_FAILED;
    }
    const bool is_readable = parse_files(compilation, paths, count);
    const ExitStatus status = check_finish(compilation, options, &(CheckCounts){0}, is_readable);
    compilation_destroy(compilation);
    return status;
}

// A part of a model: it has connectors or inputs of its own, and cannot run without what they are
// connected to.
static bool is_part(const FlatModel *flat)
{
    for (uint32_t i = 0; i < flat->variable_count; i++) {
        const FlatVariable *v = flat->variables[i];
        const FlatComponent *connector = v->is_flow ? v->component->parent : NULL;
        while (connector && !connector->name && connector->parent) // an element of an array
            connector = connector->parent;
        if (v->direction == FLAT_INPUT || (connector && connector->parent == flat->root))
            return true;
    }
    return false;
}

// The messages of modes that cannot be entered, as errors of the model.
static void check_reachable(const Model *model, Diagnostics *all)
{
    enum { MOST_MODES = 1000 };
    model_explore(model, MOST_MODES);
    for (uint32_t i = 1; i < model_mode_count(model); i++) {
        const ModelMode mode = model_mode_info(model, i);
        for (const Diagnostic *d = mode.messages ? mode.messages->first : NULL; mode.is_broken && d;
             d = d->next) {
            if (d->severity != SEVERITY_ERROR)
                continue;
            Diagnostic *copy =
                diagnostics_error(all, d->span, "in mode %s: %s", mode.name, d->message);
            for (const Diagnostic *note = d->notes; copy && note; note = note->next)
                diagnostics_note(all, copy, note->span, "%s", note->message);
        }
    }
}

// The sums over the independent parts, of the mode in which each of them begins.
static void check_count(const Model *model, CheckCounts *counts)
{
    uint32_t parts = 0;
    for (uint32_t i = 0; i < model_mode_count(model) && parts < model_part_count(model); i++) {
        const ModelMode mode = model_mode_info(model, i);
        if (mode.part < parts) // not the first one of its part
            continue;
        parts = mode.part + 1;
        counts->has_modes |= mode.name && *mode.name && strcmp(mode.name, "default") != 0;
        if (!mode.structure)
            continue;
        counts->equations += mode.structure->signature->equation_count;
        counts->unknowns += mode.structure->signature->variable_count;
        counts->states += mode.structure->state_count;
        if (mode.structure->offsets->index > counts->index)
            counts->index = mode.structure->offsets->index;
    }
}

// The equations of the mode in which a run begins, or of all modes.
static void cli_check_check_equations(Compilation *compilation, const FlatModel *flat,
                                      bool all_modes, CheckCounts *counts)
{
    const Model *model = model_look(compilation->arena, flat, compilation->diagnostics);
    if (!model)
        return;
    if (all_modes)
        check_reachable(model, compilation->diagnostics);
    check_count(model, counts);
    model_release(model);
}

static ExitStatus cli_check_check_model(const void *user, const Loaded *l)
{
    const CheckOptions *options = user;
    CheckCounts counts = {.is_part = l->flat && !options->modes && is_part(l->flat)};
    if (l->flat) {
        counts.model = l->flat->name;
        for (uint32_t i = 0; i < l->flat->variable_count; i++) {
            counts.variables += l->flat->variables[i]->kind > FLAT_PARAMETER;
            counts.discrete += l->flat->variables[i]->kind == FLAT_DISCRETE;
        }
    }
    if (l->flat && !counts.is_part)
        cli_check_check_equations(l->compilation, l->flat, options->modes, &counts);
    return check_finish(l->compilation, options, &counts, true);
}

// Whether a file by itself has no errors; if it has, the others may have what it needs.
static bool check_is_fine_alone(const LoadedDef *def)
{
    Loaded *l = loaded_create(def);
    const bool is_fine = l && !l->refusal && l->flat && !l->compilation->diagnostics->error_count;
    loaded_destroy(l);
    return is_fine;
}

// The last model of every file. A file is read alone, so that files that have nothing to do with
// each other are not mixed; with the others before it if it needs them.
static ExitStatus check_every(const CheckOptions *options, ModelArguments *arguments)
{
    const LoadedDef all = arguments->def;
    LoadedDef *def = &arguments->def;
    const char **files = ARENA_ARRAY(arguments->arena, all.file_count, const char *);
    ExitStatus worst = EXIT_FINE;
    for (size_t i = 0; i < all.file_count; i++) {
        memcpy(files, all.files, all.file_count * sizeof *files);
        files[i] = files[all.file_count - 1];
        files[all.file_count - 1] = all.files[i];
        def->files = files + all.file_count - 1;
        def->file_count = 1;
        if (!check_is_fine_alone(def)) {
            const LoadedDef joint = {.files = files,
                                     .file_count = all.file_count,
                                     .library_path = all.library_path,
                                     .is_flat = true,
                                     .is_packed = true};
            if (check_is_fine_alone(&joint))
                *def = joint;
        }
        const ExitStatus status =
            model_open(&check_table, arguments, cli_check_check_model, options);
        worst = status > worst ? status : worst;
    }
    return worst;
}

static ExitStatus check_models(const CheckOptions *options, int argc, char **argv)
{
    ModelArguments arguments;
    ExitStatus status = EXIT_USAGE;
    if (model_arguments(&check_table, argc, argv, &options->model, NULL, NULL, &arguments)) {
        arguments.def.is_flat = arguments.def.is_packed = true;
        status = arguments.def.model || arguments.def.file_count < 2
                     ? model_open(&check_table, &arguments, cli_check_check_model, options)
                     : check_every(options, &arguments);
    }
    model_arguments_free(&arguments);
    return status;
}

ExitStatus check_run(int argc, char **argv)
{
    CheckOptions options = {0};
    ExitStatus status;
    if (!options_parse(&check_table, &argc, argv, &options, &status))
        return status;
    if (argc < 2)
        return options_complain(&check_table, "no file given");
    return options.syntax_only ? check_syntax(&options, argv + 1, argc - 1)
                               : check_models(&options, argc, argv);
}
