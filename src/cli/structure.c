// SPDX-License-Identifier: MIT
//
// saltus structure: what the analysis found in each mode: states, index, dummy derivatives, blocks.

#include "cli/model.h"
#include "modes/describe.h"
#include "results/atomic.h"
#include "structure/outline.h"

#include <stdio.h>

typedef struct StructureCommand {
    const char *dot, *svg, *mode;
    double most; // modes
    bool all, json;
    ModelOptions model;
} StructureCommand;

static const Option structure_options[] = {
    {.name = "all",
     .letter = 'a',
     .kind = OPTION_FLAG,
     .help = "also print plain assignments",
     .offset = offsetof(StructureCommand, all)},
    {.name = "mode",
     .kind = OPTION_TEXT,
     .value = "NAME",
     .help = "print and draw this mode instead of the graph of modes",
     .offset = offsetof(StructureCommand, mode)},
    {.name = "max-modes",
     .kind = OPTION_NUMBER,
     .value = "NUMBER",
     .help = "number of modes to look for (64)",
     .offset = offsetof(StructureCommand, most)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print JSON",
     .offset = offsetof(StructureCommand, json)},
    {.name = "dot",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "blocks and what they need, or modes, for Graphviz",
     .offset = offsetof(StructureCommand, dot)},
    {.name = "svg",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "draw the incidence matrix with its blocks, or modes",
     .offset = offsetof(StructureCommand, svg)},
    MODEL_OPTIONS(StructureCommand, model),
};

const OptionTable structure_table = {
    .command = "structure",
    .synopsis = "[options] FILE... [MODEL]",
    .description =
        "Print what was found in a model: states, index, dummy derivatives, equations\n"
        "that were differentiated, and the blocks in which the rest is solved for, with\n"
        "the unknowns that are guessed. For a model with several modes, print the modes\n"
        "that can be reached from the initial one. The file name - is standard output.\n"
        "Exit status: 0 no errors, 2 wrong usage or unreadable file, 3 errors.",
    .options = structure_options,
    .count = sizeof structure_options / sizeof *structure_options,
    .examples = "saltus structure Pendulum.mo\n"
                "saltus structure Circuit.mo --svg blocks.svg\n"
                "saltus structure Rope.mo --mode 'taut' --all\n"
                "saltus structure Circuit.mo --dot - | dot -Tpdf > blocks.pdf\n",
};

// ---------------------------------------------------------------------------
// Text and JSON
// ---------------------------------------------------------------------------

// The mode to be shown by itself: the one that was asked for, or the only one. UINT32_MAX: none.
static uint32_t single_mode(const StructureCommand *c, const Model *model)
{
    if (c->mode)
        return describe_find(model, c->mode);
    uint32_t count = 0;
    for (uint32_t i = 0; i < model_mode_count(model); i++)
        count += !model_mode_info(model, i).slides;
    return count == 1 ? 0 : UINT32_MAX;
}

static void print_outline(const StructureCommand *c, const Model *model, uint32_t number,
                          StringBuilder *out)
{
    const ModelMode mode = model_mode_info(model, number);
    if (mode.structure)
        outline_text(mode.structure, c->all, out);
    else
        builder_append_text(out, "structurally singular\n");
}

// What conditions may slide on, see modes.md.
static void print_sliding(const StructureCommand *c, const Model *model, StringBuilder *out)
{
    StringBuilder lines = builder_create(out->arena);
    describe_sliding(model, &lines);
    if (c->mode || lines.length == 0)
        return;
    builder_append_text(out, "\nwhere both sides of a condition lead to it:\n");
    builder_append_text(out, builder_string(&lines).text);
}

static void structure_print_text(const StructureCommand *c, const Model *model, StringBuilder *out)
{
    const uint32_t single = single_mode(c, model);
    if (single != UINT32_MAX) {
        print_outline(c, model, single, out);
        print_sliding(c, model, out);
        return;
    }
    uint32_t count;
    const uint32_t *order = describe_order(model, out->arena, &count);
    const bool has_more = model_mode_count(model) >= (uint32_t)c->most;
    builder_append_format(out, "%u modes%s\n", count, has_more ? "; there may be more" : "");
    const uint32_t parts =
        1 + model_mode_info(model, order[count - 1]).part - model_mode_info(model, order[0]).part;
    if (parts > 1)
        builder_append_format(out, "%u independent parts: the model is in one mode of each\n",
                              parts);
    describe_text(model, out);
    for (uint32_t i = 0; (c->all || count == parts) && i < count; i++) {
        builder_append_format(out, "\nmode %s\n", model_mode_info(model, order[i]).name);
        print_outline(c, model, order[i], out);
    }
    print_sliding(c, model, out);
}

static void structure_print_json(const StructureCommand *c, const FlatModel *flat,
                                 const Model *model, StringBuilder *out)
{
    builder_append_text(out, "{\"schema\":\"saltus-structure\",\"version\":1,\"model\":");
    builder_append_json(out, flat->name, strlen(flat->name));
    builder_append_format(out, ",\"complete\":%s,",
                          model_mode_count(model) < (uint32_t)c->most ? "true" : "false");
    describe_json(model, out);
    builder_append_text(out, "}\n");
}

// ---------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------

static bool structure_write_file(const char *path, const StringBuilder *text)
{
    AtomicFile file;
    const String s = builder_string(text);
    char *message = NULL;
    bool is_fine = atomic_open(&file, path, &message);
    if (is_fine) {
        fwrite(s.text, 1, s.length, file.stream);
        is_fine = atomic_commit(&file, &message);
    }
    if (!is_fine)
        options_complain_of(&structure_table, message);
    return is_fine;
}

typedef void DrawStructure(const Structure *s, StringBuilder *out);
typedef void DrawModes(const Model *model, StringBuilder *out);

// A picture of one mode, or of all of them.
static bool structure_draw(const StructureCommand *c, Arena *arena, const Model *model,
                           const char *path, DrawStructure *structure, DrawModes *modes)
{
    const uint32_t single = single_mode(c, model);
    StringBuilder out = builder_create(arena);
    if (!path)
        return true;
    if (single == UINT32_MAX)
        modes(model, &out);
    else if (model_mode_info(model, single).structure)
        structure(model_mode_info(model, single).structure, &out);
    return structure_write_file(path, &out);
}

static bool check_mode(const StructureCommand *c, Arena *arena, const Model *model)
{
    enum { SHOWN = 10 };
    if (!c->mode || describe_find(model, c->mode) != UINT32_MAX)
        return true;
    const uint32_t count = model_mode_count(model);
    const char **names = ARENA_ARRAY(arena, count, const char *);
    for (uint32_t i = 0; i < count; i++)
        names[i] = model_mode_info(model, i).name;
    const char *nearest = text_nearest(c->mode, names, count);
    StringBuilder list = builder_create(arena);
    uint32_t shown = 0;
    for (uint32_t i = 0; i < count && shown < SHOWN; i++) {
        uint32_t k = 0; // what differs in the choice of its states only has the same name
        while (k < i && strcmp(names[k], names[i]) != 0)
            k++;
        if (k == i)
            builder_append_format(&list, "%s'%s'", shown++ ? ", " : "", names[i]);
    }
    if (nearest)
        options_complain(&structure_table, "there is no mode '%s'; did you mean '%s'?", c->mode,
                         nearest);
    else
        options_complain(&structure_table, "there is no mode '%s'; there are %s%s", c->mode,
                         builder_string(&list).text, shown == SHOWN ? ", ..." : "");
    return false;
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
    model_explore(model, (uint32_t)c->most);
    model_explore_sliding(model, 2 * (uint32_t)c->most);
    if (!check_mode(c, arena, model))
        return EXIT_USAGE;
    if (c->json)
        structure_print_json(c, flat, model, &out);
    else if (!is_taken)
        structure_print_text(c, model, &out);
    if (!structure_draw(c, arena, model, c->dot, outline_dot, describe_dot) ||
        !structure_draw(c, arena, model, c->svg, outline_svg, describe_svg))
        return EXIT_USAGE;
    return structure_write_file("-", &out) ? EXIT_FINE : EXIT_RUN_FAILED;
}

static ExitStatus print_structure(const void *user, const Loaded *l)
{
    const StructureCommand *command = user;
    model_print_messages(l->compilation, &command->model);
    return l->model ? print_model(l->compilation, command, l->flat, l->model) : EXIT_MODEL_WRONG;
}

ExitStatus structure_run(int argc, char **argv)
{
    StructureCommand command = {.most = 64};
    ExitStatus status;
    if (!options_parse(&structure_table, &argc, argv, &command, &status))
        return status;
    if (!(command.most >= 1.0 && command.most <= 1e6))
        return options_complain(&structure_table, "--max-modes must be between 1 and 1e6");
    return model_use(&structure_table, argc, argv, &command.model, false, print_structure,
                     &command);
}
