// SPDX-License-Identifier: MIT
//
// saltus describe: what a component has for those who use it: parameters, ports, variables, with
// units and descriptions; of a package the list of what is in it. As Markdown it is the reference
// of a library.

#include "cli/model.h"
#include "flatten/print.h"

#include <stdio.h>

static const Option describe_options[] = {
    {.name = "markdown",
     .kind = OPTION_FLAG,
     .help = "a page with everything in the package",
     .offset = offsetof(ListingCommand, markdown)},
    MODEL_OPTIONS(ListingCommand, model),
};

const OptionTable describe_table = {
    .command = "describe",
    .synopsis = "[options] FILE... [CLASS]",
    .description =
        "Print the parameters, ports and variables of a model, with their units, or the\n"
        "contents of a package. The class is looked for in the files and then among the\n"
        "libraries (see --library and MODELICAPATH).\n"
        "Exit status: 0 fine, 2 wrong usage or unreadable file, 3 errors.",
    .options = describe_options,
    .count = sizeof describe_options / sizeof *describe_options,
    .examples = "saltus describe Saltus.Electrical\n"
                "saltus describe Saltus.Electrical.Switch\n"
                "saltus describe Modelica.Blocks.Continuous.PID\n"
                "saltus describe --markdown Saltus > library.md\n",
};

// Everything about one description: where it goes, how it looks.
typedef struct Catalogue {
    const LoadedDef *def;
    bool is_markdown;
    StringBuilder out;
    ExitStatus status;
} Catalogue;

typedef enum CatalogueSection {
    SECTION_PARAMETERS,
    SECTION_PORTS,
    SECTION_VARIABLES
} CatalogueSection;

// ---------------------------------------------------------------------------
// What a variable is
// ---------------------------------------------------------------------------

// The component of the model that a variable is or belongs to.
static const FlatComponent *catalogue_top(const FlatModel *flat, const FlatVariable *v)
{
    const FlatComponent *c = v->component;
    while (c->parent && c->parent != flat->root)
        c = c->parent;
    return c;
}

static bool catalogue_is_own(const FlatModel *flat, const FlatVariable *v)
{
    const FlatComponent *c = v->component;
    while (c && !c->name && c->parent) // an element of an array
        c = c->parent;
    return c && c->parent == flat->root;
}

// A connector of the model has a flow, or is an input or output.
static bool catalogue_is_port(const FlatModel *flat, const FlatComponent *component)
{
    for (uint32_t i = 0; i < flat->variable_count; i++) {
        const FlatVariable *v = flat->variables[i];
        if (catalogue_top(flat, v) != component)
            continue;
        const FlatComponent *in = v->component->parent;
        while (in && !in->name && in->parent)
            in = in->parent;
        if ((v->is_flow && in == component) || v->direction != FLAT_LOCAL_VARIABLE)
            return true;
    }
    return false;
}

static bool catalogue_belongs(const FlatModel *flat, const FlatVariable *v,
                              CatalogueSection section)
{
    const FlatComponent *top = catalogue_top(flat, v);
    const bool is_hidden = v->is_protected || v->is_final || top->is_protected;
    switch (section) {
    case SECTION_PARAMETERS:
        return !is_hidden && catalogue_is_own(flat, v) && v->kind == FLAT_PARAMETER;
    case SECTION_PORTS:
        return !is_hidden && v->kind != FLAT_PARAMETER && v->kind != FLAT_CONSTANT &&
               catalogue_is_port(flat, top);
    default:
        return !is_hidden && catalogue_is_own(flat, v) && v->kind > FLAT_PARAMETER &&
               !catalogue_is_port(flat, top);
    }
}

// ---------------------------------------------------------------------------
// Cells
// ---------------------------------------------------------------------------

// In a table of Markdown a bar ends the cell.
static void catalogue_put(Catalogue *c, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            builder_append_character(&c->out, ' ');
        else if (text[i] == '|' && c->is_markdown)
            builder_append_text(&c->out, "\\|");
        else
            builder_append_character(&c->out, text[i]);
    }
}

static const char *catalogue_unit(const FlatVariable *v)
{
    return v->attributes && v->attributes->unit ? v->attributes->unit : "";
}

// "0.5", "4*k"; nothing if there is no value. A default that is a number is written as in the text:
// 1, not 1.0.
static void catalogue_scalar(Catalogue *c, const FlatVariable *v)
{
    StringBuilder text = builder_create(c->out.arena);
    if (v->binding)
        flat_print_expression(&text, v->binding);
    else if (v->attributes && v->attributes->start)
        flat_print_expression(&text, v->attributes->start);
    String s = builder_string(&text);
    const bool is_plain = strspn(s.text, "-0123456789.") == s.length;
    if (is_plain && s.length > 2 && strcmp(s.text + s.length - 2, ".0") == 0)
        s.length -= 2;
    catalogue_put(c, s.text, s.length);
}

// The elements of an array in braces, or the first of them.
static void catalogue_value(Catalogue *c, const FlatModel *flat, const FlatVariable *first)
{
    enum { SHOWN = 4 };
    const FlatComponent *component = catalogue_top(flat, first);
    uint32_t count = 0;
    if (component->rank == 0) {
        catalogue_scalar(c, first);
        return;
    }
    builder_append_character(&c->out, '{');
    for (uint32_t i = first->index; i < flat->variable_count; i++, count++) {
        if (catalogue_top(flat, flat->variables[i]) != component)
            break;
        if (count <= SHOWN)
            builder_append_text(&c->out, count == 0 ? "" : count < SHOWN ? ", " : ", ...");
        if (count < SHOWN)
            catalogue_scalar(c, flat->variables[i]);
    }
    builder_append_character(&c->out, '}');
}

static const char *catalogue_type(const FlatVariable *v)
{
    static const char *const names[] = {[FLAT_TYPE_REAL] = "Real",
                                        [FLAT_TYPE_INTEGER] = "Integer",
                                        [FLAT_TYPE_BOOLEAN] = "Boolean",
                                        [FLAT_TYPE_STRING] = "String"};
    const FlatTypeKind kind = FLAT_TYPE(v)->kind;
    return kind <= FLAT_TYPE_STRING ? names[kind] : v->component->declared->class_name;
}

// What kind of port it is: "input Real", or its class and what goes through it.
static void catalogue_port(Catalogue *c, const FlatModel *flat, const FlatVariable *first)
{
    const FlatComponent *port = catalogue_top(flat, first);
    const char *mark = c->is_markdown ? "`" : "", *before = "";
    if (first->direction != FLAT_LOCAL_VARIABLE && catalogue_is_own(flat, first)) {
        builder_append_format(&c->out, "%s %s", first->direction == FLAT_INPUT ? "input" : "output",
                              catalogue_type(first));
        if (*catalogue_unit(first))
            builder_append_format(&c->out, " (%s)", catalogue_unit(first));
        return;
    }
    builder_append_format(&c->out, "%s: ", port->declared->class_name);
    for (uint32_t i = 0; i < flat->variable_count; i++) {
        const FlatVariable *v = flat->variables[i];
        const FlatComponent *member = v->component;
        if (catalogue_top(flat, v) != port || v->element > 0 || !member->name || member == port)
            continue;
        if (member->parent != port && !(member->parent->element == 0 && !member->parent->name))
            continue;
        builder_append_format(&c->out, "%s%s%s%s%s", before, v->is_flow ? "flow " : "", mark,
                              member->name->text, mark);
        if (*catalogue_unit(v))
            builder_append_format(&c->out, " (%s)", catalogue_unit(v));
        before = ", ";
    }
}

// ---------------------------------------------------------------------------
// Sections
// ---------------------------------------------------------------------------

static const char *const section_titles[] = {"parameters", "ports", "variables"};

// "r", or "r[3]" with the sizes of an array.
static void catalogue_name(Catalogue *c, const FlatComponent *component)
{
    builder_append_text(&c->out, component->name->text);
    for (uint8_t i = 0; i < component->rank; i++)
        builder_append_format(&c->out, "%s%u%s", i ? ", " : "[", component->dims[i],
                              i + 1 == component->rank ? "]" : "");
}

static void catalogue_row(Catalogue *c, const FlatModel *flat, const FlatVariable *v,
                          CatalogueSection section)
{
    const FlatComponent *component = catalogue_top(flat, v);
    const char *between = c->is_markdown ? " | " : "  ";
    StringBuilder *out = &c->out;
    const size_t begin = out->length;
    builder_append_text(out, c->is_markdown ? "| `" : "  ");
    catalogue_name(c, component);
    builder_append_text(out, c->is_markdown ? "`" : "");
    while (!c->is_markdown && out->length < begin + 16)
        builder_append_character(out, ' ');
    builder_append_text(out, between);
    if (section == SECTION_PORTS) {
        catalogue_port(c, flat, v);
    } else {
        if (section == SECTION_PARAMETERS)
            catalogue_value(c, flat, v);
        else
            builder_append_text(out, catalogue_type(v));
        builder_append_format(out, "%s%s",
                              section == SECTION_PARAMETERS && !c->is_markdown ? " " : between,
                              catalogue_unit(v));
    }
    while (!c->is_markdown && out->length < begin + 36)
        builder_append_character(out, ' ');
    builder_append_text(out, between);
    const String description = component->declared->description;
    if (description.text)
        catalogue_put(c, description.text, description.length);
    builder_append_text(out, c->is_markdown ? " |\n" : "\n");
}

// One row for each component that is in the section.
static void catalogue_section(Catalogue *c, const FlatModel *flat, CatalogueSection section)
{
    static const char *const heads[] = {"| parameter | default | unit | |\n|---|---|---|---|\n",
                                        "| port | | |\n|---|---|---|\n",
                                        "| variable | type | unit | |\n|---|---|---|---|\n"};
    const FlatComponent *last = NULL;
    for (uint32_t i = 0; i < flat->variable_count; i++) {
        const FlatVariable *v = flat->variables[i];
        const FlatComponent *top = catalogue_top(flat, v);
        if (top == last || !top->name || !catalogue_belongs(flat, v, section))
            continue;
        if (!last && c->is_markdown)
            builder_append_format(&c->out, "\n%s", heads[section]);
        else if (!last)
            builder_append_format(&c->out, "%s\n", section_titles[section]);
        catalogue_row(c, flat, v, section);
        last = top;
    }
}

static void catalogue_heading(Catalogue *c, const FlattenExample *e, int level)
{
    if (c->is_markdown)
        builder_append_format(&c->out, "\n%.*s %s\n\n", level, "######", e->name);
    else
        builder_append_format(&c->out, "%s", e->name);
    if (e->description.text) {
        builder_append_text(&c->out, c->is_markdown ? "" : ": ");
        catalogue_put(c, e->description.text, e->description.length);
    }
    builder_append_text(&c->out, c->is_markdown ? (e->description.text ? ".\n" : "") : "\n");
}

// A model or block: it is flattened as if it were to be used.
static void catalogue_model(Catalogue *c, const FlattenExample *e, int level, bool is_alone)
{
    LoadedDef def = *c->def;
    def.model = e->name;
    def.is_flat = true;
    Loaded *l = loaded_create(&def);
    if (!l)
        c->status = options_out_of_memory(&describe_table);
    catalogue_heading(c, e, level);
    if (l && l->flat) {
        catalogue_section(c, l->flat, SECTION_PARAMETERS);
        catalogue_section(c, l->flat, SECTION_PORTS);
        catalogue_section(c, l->flat, SECTION_VARIABLES);
    } else {
        c->status = l && is_alone ? EXIT_MODEL_WRONG : c->status;
        if (l && is_alone)
            model_print_messages(l->compilation, &(ModelOptions){0});
        if (!is_alone) // such as a model with a replaceable part that has to be given
            builder_append_text(&c->out, "(It cannot be described by itself.)\n");
    }
    loaded_destroy(l);
}

// ---------------------------------------------------------------------------
// Packages
// ---------------------------------------------------------------------------

static bool catalogue_is_model(const FlattenExample *e)
{
    return !e->is_partial && (strcmp(e->kind, "model") == 0 || strcmp(e->kind, "block") == 0 ||
                              strcmp(e->kind, "class") == 0);
}

static void catalogue_list(Catalogue *c, size_t count, const FlattenExample *const *classes)
{
    size_t width = 0;
    for (size_t i = 1; i < count; i++) {
        const size_t length = strlen(classes[i]->name);
        width = length > width ? length : width;
    }
    catalogue_heading(c, classes[0], 1);
    for (size_t i = 1; i < count; i++) {
        const FlattenExample *e = classes[i];
        builder_append_format(&c->out, "  %-*s  %s%s%s", (int)width, e->name,
                              e->is_partial ? "partial " : "", e->kind,
                              e->description.text ? ": " : "");
        if (e->description.text)
            catalogue_put(c, e->description.text, e->description.length);
        builder_append_character(&c->out, '\n');
    }
}

static int catalogue_depth(const char *name)
{
    int depth = 0;
    for (; *name; name++)
        depth += *name == '.';
    return depth;
}

static void catalogue_page(Catalogue *c, size_t count, const FlattenExample *const *classes)
{
    const int base = catalogue_depth(classes[0]->name);
    for (size_t i = 0; i < count; i++) {
        const FlattenExample *e = classes[i];
        const int level = 2 + catalogue_depth(e->name) - base; // below a title
        if (i == 0)
            builder_append_format(&c->out, "<!-- Written by: saltus describe --markdown %s -->\n",
                                  e->name);
        if (strcmp(e->kind, "package") == 0)
            catalogue_heading(c, e, level < 6 ? level : 6);
        else if (catalogue_is_model(e))
            catalogue_model(c, e, level < 6 ? level : 6, false);
    }
}

// ---------------------------------------------------------------------------
// The command
// ---------------------------------------------------------------------------

static ExitStatus catalogue_describe(const ListingCommand *command, Compilation *compilation,
                                     const LoadedDef *def)
{
    FlattenOptions options = flatten_default_options();
    const FlattenExample *const *classes;
    jmp_buf exhaustion;
    if (setjmp(exhaustion) != 0) {
        fputs("saltus describe: out of memory\n", stderr);
        return EXIT_RUN_FAILED;
    }
    arena_on_exhaustion(compilation->arena, &exhaustion);
    if (def->library_path)
        options.library_path = def->library_path;
    const size_t count =
        flatten_classes(compilation, def->file_count, def->files, def->model, &options, &classes);
    model_print_messages(compilation, &command->model);
    if (!count || compilation->diagnostics->error_count)
        return EXIT_MODEL_WRONG;
    Catalogue c = {
        .def = def, .is_markdown = command->markdown, .out = builder_create(compilation->arena)};
    if (command->markdown)
        catalogue_page(&c, count, classes);
    else if (count == 1 && catalogue_is_model(classes[0]))
        catalogue_model(&c, classes[0], 1, true);
    else
        catalogue_list(&c, count, classes);
    fputs(builder_string(&c.out).text, stdout);
    return c.status;
}

ExitStatus catalogue_run(int argc, char **argv)
{
    ListingCommand command = {0};
    ModelArguments arguments;
    ExitStatus status;
    if (!options_parse(&describe_table, &argc, argv, &command, &status))
        return status;
    status = EXIT_USAGE;
    if (model_arguments(&describe_table, argc, argv, &command.model, NULL, NULL, &arguments)) {
        Compilation *c = loaded_compilation(&arguments.def);
        status = c ? catalogue_describe(&command, c, &arguments.def)
                   : options_out_of_memory(&describe_table);
        compilation_destroy(c);
    }
    model_arguments_free(&arguments);
    return status;
}
