// SPDX-License-Identifier: MIT
//
// saltus structure: what the analysis found in each mode: states, index, dummy derivatives, blocks.

#include "cli/model.h"
#include "model/describe.h"
#include "results/atomic.h"
#include "structure/outline.h"

#include <stdio.h>

typedef struct StructureCommand {
    const char *dot, *svg;
    bool all, json;
    int colour; // ColourChoice
} StructureCommand;

static const Option structure_options[] = {
    {.name = "all",
     .letter = 'a',
     .kind = OPTION_FLAG,
     .help = "print plain assignments, too",
     .offset = offsetof(StructureCommand, all)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print JSON",
     .offset = offsetof(StructureCommand, json)},
    {.name = "dot",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "write the blocks and what they need as a graph for Graphviz",
     .offset = offsetof(StructureCommand, dot)},
    {.name = "svg",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "draw the incidence matrix with its blocks",
     .offset = offsetof(StructureCommand, svg)},
    {.name = "color",
     .kind = OPTION_CHOICE,
     .choices = {"auto", "always", "never"},
     .help = "colours in messages (auto: on a terminal)",
     .offset = offsetof(StructureCommand, colour)},
};

const OptionTable structure_table = {
    .command = "structure",
    .synopsis = "[options] FILE... [MODEL]",
    .description =
        "Print what was found in a model: states, index, dummy derivatives, equations\n"
        "that were differentiated, and the blocks in which the rest is solved for, with\n"
        "the unknowns that are guessed. A file name may be -, standard output.\n"
        "Exit status: 0 no errors, 2 wrong usage or unreadable file, 3 errors.",
    .options = structure_options,
    .count = sizeof structure_options / sizeof *structure_options,
    .examples = "saltus structure Pendulum.mo\n"
                "saltus structure Circuit.mo --svg blocks.svg\n"
                "saltus structure Circuit.mo --dot - | dot -Tpdf > blocks.pdf\n",
};

// ---------------------------------------------------------------------------
// Text and JSON
// ---------------------------------------------------------------------------

static void print_text(const StructureCommand *c, const Model *model, StringBuilder *out)
{
    const uint32_t count = describe_mode_count(model);
    for (uint32_t i = 0; i < count; i++) {
        const ModeDescription mode = describe_mode(model, i);
        if (count > 1)
            builder_append_format(out, "%smode %s\n", i ? "\n" : "", mode.name);
        if (mode.structure)
            outline_text(mode.structure, c->all, out);
        else
            builder_append_text(out, "structurally singular\n");
    }
}

static void print_json(const FlatModel *flat, const Model *model, StringBuilder *out)
{
    builder_append_text(out, "{\"schema\":\"saltus-structure\",\"version\":1,\"model\":");
    builder_append_json(out, flat->name, strlen(flat->name));
    builder_append_text(out, ",\"modes\":[");
    for (uint32_t i = 0; i < describe_mode_count(model); i++) {
        const ModeDescription mode = describe_mode(model, i);
        builder_append_text(out, i ? ",\n{\"name\":" : "\n{\"name\":");
        builder_append_json(out, mode.name, strlen(mode.name));
        builder_append_text(out, ",\"structure\":");
        if (mode.structure)
            outline_json(mode.structure, out);
        else
            builder_append_text(out, "null");
        builder_append_character(out, '}');
    }
    builder_append_text(out, "]}\n");
}

// ---------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------

static bool write_file(const char *path, const StringBuilder *text)
{
    AtomicFile file;
    const String s = builder_string(text);
    bool is_fine = atomic_open(&file, path);
    if (is_fine) {
        fwrite(s.text, 1, s.length, file.stream);
        is_fine = atomic_commit(&file);
    }
    if (!is_fine)
        options_complain(&structure_table, "%s", file.message);
    return is_fine;
}

typedef void Draw(const Structure *s, StringBuilder *out);

// The picture of the initial mode.
static bool draw(Arena *arena, const Model *model, const char *path, Draw *picture)
{
    const ModeDescription mode = describe_mode(model, 0);
    StringBuilder out = builder_create(arena);
    if (!path || !mode.structure)
        return true;
    picture(mode.structure, &out);
    return write_file(path, &out);
}

static ExitStatus print_model(Compilation *compilation, const StructureCommand *c,
                              const FlatModel *flat, const Model *model)
{
    Arena *arena = compilation->arena;
    // A picture on standard output takes the place of the text.
    const bool is_taken =
        (c->dot && atomic_is_standard(c->dot)) || (c->svg && atomic_is_standard(c->svg));
    if (is_taken && c->json)
        return options_complain(&structure_table, "--json wants standard output, too");
    StringBuilder out = builder_create(arena);
    if (c->json)
        print_json(flat, model, &out);
    else if (!is_taken)
        print_text(c, model, &out);
    if (!draw(arena, model, c->dot, outline_dot) || !draw(arena, model, c->svg, outline_svg))
        return EXIT_USAGE;
    return write_file("-", &out) ? EXIT_FINE : EXIT_RUN_FAILED;
}

static ExitStatus structure_files(Compilation *compilation, const StructureCommand *command,
                                  const ModelArguments *arguments)
{
    bool is_readable;
    const FlatModel *flat = model_read(compilation, arguments, &is_readable);
    const Model *model =
        flat ? model_create(compilation->arena, flat, compilation->diagnostics) : NULL;
    model_print_messages(compilation, (ColourChoice)command->colour);
    if (!is_readable)
        return EXIT_USAGE;
    if (!model)
        return EXIT_MODEL_WRONG;
    const ExitStatus status = print_model(compilation, command, flat, model);
    model_release(model);
    return status;
}

ExitStatus structure_run(int argc, char **argv)
{
    StructureCommand command = {0};
    ExitStatus status;
    if (!options_parse(&structure_table, &argc, argv, &command, &status))
        return status;
    ModelArguments arguments;
    status = EXIT_USAGE;
    if (model_arguments(&structure_table, argc, argv, &arguments)) {
        Compilation *compilation = compilation_create(NULL);
        if (compilation)
            status = structure_files(compilation, &command, &arguments);
        else
            fputs("saltus structure: out of memory\n", stderr);
        compilation_destroy(compilation);
    }
    model_arguments_free(&arguments);
    return status;
}
