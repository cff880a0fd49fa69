// SPDX-License-Identifier: MIT
//
// saltus draw: state machines, modes and the diagram of a model as a picture.

#include "cli/draw_machine.h"
#include "cli/model.h"
#include "drawing/scene.h"
#include "flatten/flatten.h"
#include "modes/model.h"
#include "plot/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct DrawCommand {
    const char *output, *run;
    bool modes, diagram, icon;
    double dpi;
    ModelOptions model;

    // The diagram.
    Arena *arena;
    String svg;
    const char *message; // why there is none
} DrawCommand;

static const Option draw_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "FILE.svg, .png or .pdf (default: SVG on stdout)",
     .offset = offsetof(DrawCommand, output)},
    {.name = "run",
     .letter = 'r',
     .kind = OPTION_TEXT,
     .value = "EVENTS.csv",
     .help = "show the path of a run, from its event log",
     .offset = offsetof(DrawCommand, run)},
    {.name = "modes",
     .kind = OPTION_FLAG,
     .help = "draw the modes instead of the state machines",
     .offset = offsetof(DrawCommand, modes)},
    {.name = "diagram",
     .letter = 'd',
     .kind = OPTION_FLAG,
     .help = "draw the diagram: components with their icons, connections",
     .offset = offsetof(DrawCommand, diagram)},
    {.name = "icon",
     .kind = OPTION_FLAG,
     .help = "draw the icon of the class",
     .offset = offsetof(DrawCommand, icon)},
    {.name = "dpi",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "resolution of PNG (default: 300)",
     .offset = offsetof(DrawCommand, dpi)},
    MODEL_OPTIONS(DrawCommand, model),
};

const OptionTable draw_table = {
    .command = "draw",
    .synopsis = "[options] FILE... [MODEL]",
    .description = "Draw the state machines of a model: states, transitions with priority and\n"
                   "condition, inner machines inside their states. With --modes: its modes, and\n"
                   "which can follow which. With --diagram: its graphical annotations (Modelica\n"
                   "specification, chapter 18); see also saltus animate.\n"
                   "Exit status: 0 fine, 1 could not be written, 2 wrong usage, 3 errors in the\n"
                   "model.",
    .options = draw_options,
    .count = sizeof draw_options / sizeof *draw_options,
    .examples = "saltus draw Pendulum.mo -o pendulum.svg\n"
                "saltus draw Pendulum.mo --run events.csv -o path.pdf\n"
                "saltus draw Rectifier.mo --modes -o modes.png\n"
                "saltus draw --diagram Circuit.mo -o circuit.svg\n",
};

enum { MOST_MODES = 60 }; // that are looked for

static ExitStatus write_picture(const DrawCommand *command, String svg, const char *message)
{
    char *reason = NULL;
    if (!svg.text)
        return options_complain(&draw_table, "%s", message);
    if (convert_write(command->output, svg, command->dpi, &reason))
        return EXIT_FINE;
    fprintf(stderr, "saltus draw: %s\n", message_text(reason));
    free(reason);
    return EXIT_RUN_FAILED;
}

static ExitStatus draw_model(const DrawCommand *command, const Loaded *l, const Table *events)
{
    char *message = NULL;
    Arena *arena = l->compilation->arena;
    if (command->modes && !l->model)
        return EXIT_MODEL_WRONG;
    if (command->modes)
        model_explore(l->model, MOST_MODES);
    const String svg = command->modes
                           ? machine_modes_svg(arena, l->model, events, &message)
                           : machine_svg(arena, l->flat, l->compilation->sources, events, &message);
    const ExitStatus status = write_picture(command, svg, message_text(message));
    free(message);
    return status;
}

static ExitStatus cli_draw_draw(const void *user, const Loaded *l)
{
    const DrawCommand *command = user;
    char *message = NULL;
    model_print_messages(l->compilation, &command->model);
    if (!l->flat)
        return EXIT_MODEL_WRONG;
    Table *events = command->run ? table_read(command->run, &message) : NULL;
    if (command->run && !events)
        return options_complain_of(&draw_table, message);
    const ExitStatus status = draw_model(command, l, events);
    table_destroy(events);
    return status;
}

// ---------------------------------------------------------------------------
// The diagram
// ---------------------------------------------------------------------------

static void draw_scene(Flattener *f, Instance *top, void *user)
{
    DrawCommand *command = user;
    DrawingStage stage = stage_create(f, NULL);
    const Scene *scene = scene_create(&stage, top, command->icon);
    if (scene->shapes.count == 0)
        command->message = command->icon
                               ? "has no icon: there is no annotation(Icon(graphics = {...}))"
                               : "has no diagram: it has no components, and there is no "
                                 "annotation(Diagram(graphics = {...}))";
    else
        command->svg = scene_svg(&stage, scene, command->arena, f->model->name);
    if (!command->svg.text && command->message) {
        StringBuilder b = builder_create(command->arena);
        builder_append_format(&b, "%s %s", f->model->name, command->message);
        command->message = builder_string(&b).text;
    }
}

static ExitStatus draw_diagram(DrawCommand *command, const ModelArguments *arguments)
{
    Compilation *compilation = loaded_compilation(&arguments->def);
    command->arena = arena_create(NULL);
    command->message = "out of memory";
    ExitStatus status = EXIT_RUN_FAILED;
    if (!compilation || !command->arena) {
        fputs("saltus draw: out of memory\n", stderr);
    } else {
        const LoadedDef *def = &arguments->def;
        FlattenOptions options = flatten_default_options();
        if (def->library_path)
            options.library_path = def->library_path;
        const bool is_fine = flatten_visit(compilation, def->file_count, def->files, def->model,
                                           &options, false, draw_scene, command);
        model_print_messages(compilation, &command->model);
        status =
            is_fine ? write_picture(command, command->svg, command->message) : EXIT_MODEL_WRONG;
    }
    arena_destroy(command->arena);
    if (compilation)
        compilation_destroy(compilation);
    return status;
}

ExitStatus draw_run(int argc, char **argv)
{
    DrawCommand command = {.dpi = 300.0};
    ExitStatus status;
    ConvertFormat format;
    if (!options_parse(&draw_table, &argc, argv, &command, &status))
        return status;
    if (command.output && strcmp(command.output, "-") != 0 &&
        !convert_format(command.output, &format))
        return options_complain(&draw_table, "'%s': the name must end in .svg, .png or .pdf",
                                command.output);
    if (!(command.dpi >= 10.0 && command.dpi <= 2400.0))
        return options_complain(&draw_table, "--dpi must be from 10 to 2400");
    if (command.diagram + command.icon + command.modes + (command.run && !command.modes) > 1)
        return options_complain(&draw_table,
                                "--diagram, --icon, --modes and --run do not go together");
    if (command.diagram || command.icon) {
        ModelArguments arguments;
        status = EXIT_USAGE;
        if (model_arguments(&draw_table, argc, argv, &command.model, NULL, NULL, &arguments))
            status = draw_diagram(&command, &arguments);
        model_arguments_free(&arguments);
        return status;
    }
    return model_use(&draw_table, argc, argv, &command.model, !command.modes, cli_draw_draw,
                     &command);
}
