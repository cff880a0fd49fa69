// SPDX-License-Identifier: MIT
//
// saltus check: diagnostics of models without running them.

#include "cli/model.h"
#include "modes/model.h"

#include <errno.h>
#include <stdio.h>

typedef struct CheckOptions {
    bool syntax_only;
    bool modes;
    bool json;
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
    MODEL_OPTIONS(CheckOptions, model),
};

const OptionTable check_table = {
    .command = "check",
    .synopsis = "[options] FILE... [MODEL]",
    .description =
        "Read Modelica files and report what is wrong with a model in them.\n"
        "Without MODEL: the last model of the last file that is not partial. Libraries\n"
        "are found by --library, in MODELICAPATH, and where OpenModelica and Dymola are.\n"
        "Exit status: 0 no errors, 2 wrong usage or unreadable file, 3 errors.",
    .options = check_options,
    .count = sizeof check_options / sizeof *check_options,
    .examples = "saltus check Ball.mo\n"
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
        return "the files are too large";
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

static void check_print_json(const Compilation *c)
{
    StringBuilder out = builder_create(c->arena);
    builder_append_format(
        &out,
        "{\"schema\":\"saltus-check\",\"version\":1,\"errors\":%zu,\"warnings\":%zu,"
        "\"diagnostics\":",
        c->diagnostics->error_count, c->diagnostics->warning_count);
    diagnostics_render_json(c->diagnostics, &out);
    builder_append_text(&out, "}\n");
    fputs(builder_string(&out).text, stdout);
}

static ExitStatus check_finish(const Compilation *compilation, const CheckOptions *options,
                               bool is_readable)
{
    if (options->json)
        check_print_json(compilation);
    else
        model_print_messages(compilation, &options->model);
    if (!is_readable)
        return EXIT_USAGE;
    return compilation->diagnostics->error_count ? EXIT_MODEL_WRONG : EXIT_FINE;
}

static ExitStatus check_syntax(const CheckOptions *options, char **paths, int count)
{
    Compilation *compilation = compilation_create(NULL);
    if (!compilation) {
        fputs("saltus check: out of memory\n", stderr);
        return EXIT_RUN_FAILED;
    }
    const bool is_readable = parse_files(compilation, paths, count);
    const ExitStatus status = check_finish(compilation, options, is_readable);
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

// The equations of the mode in which a run begins, or of all modes.
static void cli_check_check_equations(Compilation *compilation, const FlatModel *flat,
                                      bool all_modes)
{
    const Model *model = model_create(compilation->arena, flat, compilation->diagnostics);
    if (!model)
        return;
    if (all_modes)
        check_reachable(model, compilation->diagnostics);
    model_release(model);
}

static ExitStatus cli_check_check_model(const void *user, const Loaded *l)
{
    const CheckOptions *options = user;
    if (l->flat && (options->modes || !is_part(l->flat)))
        cli_check_check_equations(l->compilation, l->flat, options->modes);
    return check_finish(l->compilation, options, true);
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
                               : model_use(&check_table, argc, argv, &options.model, true,
                                           cli_check_check_model, &options);
}
