// SPDX-License-Identifier: MIT
//
// The flattener from end to end: see flatten.h, and context.h for its stages.

#include "flatten/flatten.h"

#include "flatten/balance.h"
#include "flatten/clock.h"
#include "flatten/connect.h"
#include "flatten/examples.h"
#include "flatten/finish.h"
#include "flatten/library.h"
#include "flatten/live.h"
#include "flatten/lookup.h"
#include "flatten/machine.h"
#include "flatten/pack.h"
#include "flatten/rules.h"
#include "flatten/setting.h"
#include "flatten/subtype.h"
#include "flatten/units.h"
#include "flatten/variability.h"

#include <ctype.h>
#include <stdlib.h>

FlattenOptions flatten_default_options(void)
{
    const char *path = getenv("MODELICAPATH");
    if (!path || !*path)
        path = getenv("OPENMODELICALIBRARY");
    return (FlattenOptions){.library_path = path,
                            .standard_libraries = true,
                            .check_units = true,
                            .memory_maximum = (size_t)8 << 30,
                            .step_maximum = 20 * 1000 * 1000};
}

// ---------------------------------------------------------------------------
// Set-up
// ---------------------------------------------------------------------------

static void know_names(Flattener *f)
{
#define X(name) f->known.name = names_intern_text(f->names, #name);
    KNOWN_NAME_LIST(X)
#undef X
    for (int op = 0; op < OPERATION_COUNT; op++) {
        const OperationInfo *info = operation_info((Operation)op);
        const bool is_callable = isalpha((unsigned char)info->text[0]) &&
                                 !operation_precedence((Operation)op) && op != OPERATION_TO_REAL &&
                                 op != OPERATION_IF && op != OPERATION_TIME;
        if (is_callable)
            map_set(f->arena, &f->operations, names_intern_text(f->names, info->text),
                    (void *)info);
    }
}

static bool create_arenas(Flattener *f, const SaltusAllocator *allocator, size_t maximum)
{
    f->scratch = arena_create(allocator);
    f->frames = arena_create(allocator);
    f->passing = arena_create(allocator);
    f->selecting = arena_create(allocator);
    if (!f->scratch || !f->frames || !f->passing || !f->selecting)
        return false;
    arena_set_maximum(f->scratch, maximum / 4);
    arena_set_maximum(f->frames, maximum / 4);
    arena_set_maximum(f->passing, maximum);
    arena_set_maximum(f->selecting, maximum / 4);
    return true;
}

static void find_predefined(Flattener *f)
{
    Class *root = library_root(f->library);
    f->state_select = lookup_class_in(f, root, f->known.StateSelect);
    f->assertion_level = lookup_class_in(f, root, f->known.AssertionLevel);
}

// ---------------------------------------------------------------------------
// The model's class
// ---------------------------------------------------------------------------

static void report_no_model(Flattener *f)
{
    const ClassDefinition *class = library_last_class(f);
    if (!class || !class->name)
        report_error(f, (Span){0, 0}, "there is no model to be simulated in the files%s",
                     class ? "" : ": they have no class at all");
    else
        report_error(f, class->name_span, "there is no model to be simulated: '%s' is a %s%s",
                     class->name->text, class->is_partial ? "partial " : "",
                     class_kind_text(class->kind));
}

// Of the top level, what is there may be of help.
static void report_no_class(Flattener *f, Class *in, const Name *name, bool is_package)
{
    const ClassDefinition *class = library_last_class(f);
    if (in == library_root(f->library) && is_package && !lookup_nearest_member(f, in, name))
        library_note_missing(f,
                             report_error(f, (Span){0, 0}, "there is no package '%s'", name->text),
                             name, (Span){0, 0});
    else if (in != library_root(f->library) || !class || !class->name ||
             lookup_nearest_member(f, in, name))
        lookup_report_unknown(f, in, name, (Span){0, 0}, "class");
    else
        report_error(f, (Span){0, 0}, "there is no class '%s'; the last one of the files is '%s'",
                     name->text, class->name->text);
}

static Class *flatten_find_model(Flattener *f, const char *name)
{
    if (!name) {
        Class *last = library_last_model(f);
        if (!last)
            report_no_model(f);
        return last;
    }
    Class *c = library_root(f->library);
    const char *end = name + strlen(name);
    for (const char *text = name; text == name || text < end;) {
        const size_t rest = (size_t)(end - text);
        const size_t length = text_identifier(text);
        const bool is_last = length == rest;
        if (length == 0 || (!is_last && (text[length] != '.' || length + 1 == rest))) {
            report_error(f, (Span){0, 0}, "'%s' is not the name of a class", name);
            return NULL;
        }
        StringBuilder plain = builder_create(f->arena); // \" and \? are the bare characters
        for (size_t i = 0; i < length; i++) {
            const bool is_escape = text[i] == '\\' && i + 1 < length;
            if (is_escape && text[i + 1] != '"' && text[i + 1] != '?')
                builder_append_character(&plain, text[i]);
            i += is_escape;
            builder_append_character(&plain, text[i]);
        }
        const String meant = builder_string(&plain);
        const Name *part = names_intern(f->names, meant.text, meant.length);
        Class *in = c;
        c = lookup_class_in(f, in, part);
        if (!c) {
            if (f->diagnostics->error_count == 0)
                report_no_class(f, in, part, !is_last);
            return NULL;
        }
        text += length + !is_last;
    }
    return c;
}

static bool flatten_check_model(Flattener *f, Class *c)
{
    const ClassKind kind = class_kind(f, c);
    if (c->is_broken)
        return false;
    if (class_is_partial(c)) {
        report_error(f, c->definition->name_span, "'%s' is partial and cannot be simulated",
                     class_name(f, c));
        return false;
    }
    if (!class_is_model(f, c)) {
        report_error(f, c->definition ? c->definition->name_span : (Span){0, 0},
                     "'%s' is a %s; only a model or a block can be simulated", class_name(f, c),
                     class_kind_text(kind));
        return false;
    }
    return true;
}

// "(a = 1)" as a modification: that of the short class `model M = N(a = 1)`.
static const Layer *read_modification(Flattener *f, const char *text)
{
    if (!text)
        return NULL;
    StringBuilder whole = builder_create(f->arena);
    builder_append_format(&whole, "model Modified = Model%s;", text);
    const String s = builder_string(&whole);
    const SourceFile *file;
    if (sources_add(f->compilation->sources, "options", s.text, s.length, &file) != SOURCE_OK)
        return NULL;
    const size_t errors = f->diagnostics->error_count;
    const StoredDefinition *stored = parser_parse(f->compilation, file);
    if (!stored || f->diagnostics->error_count != errors || stored->count != 1 ||
        stored->classes[0]->form != FORM_SHORT)
        return NULL;
    return layer_create(f, stored->classes[0]->alias.modification, library_root(f->library), NULL,
                        NULL);
}

// ---------------------------------------------------------------------------
// Stages
// ---------------------------------------------------------------------------

static const Layer *flatten_layers(Flattener *f, const FlattenOptions *options)
{
    return layer_create(f, settings_modification(f, options->setting_count, options->settings),
                        library_root(f->library), NULL,
                        read_modification(f, options->modification));
}

static FlatModel *flatten_class(Flattener *f, Class *c, const FlattenOptions *options)
{
    const Layer *layers = flatten_layers(f, options);
    class_expand(f, c);
    if (!flatten_check_model(f, c))
        return NULL;
    if (layers)
        layers_check(f, layers, c, true);
    FlatModel *m = f->model = ARENA_NEW(f->arena, FlatModel);
    m->externals = f->compilation->externals;
    m->name = class_name(f, c);
    m->description = c->definition->description;
    m->span = c->definition->name_span;
    f->top = instance_create_top(f, class_modified(f, c, layers), layers);
    m->root = f->top->flat;
    connections_collect(f, f->top);
    equations_collect(f, f->top);
    for (uint32_t i = 0; i < f->made.missing.count; i++)
        equations_collect(f, f->made.missing.items[i]);
    if (f->limits.has_overflowed)
        return NULL;
    connections_finish(f, f->top);
    machines_finish(f);
    clocks_lower(f);
    finish_model(f);
    variability_check(f);
    subtypes_check(f);
    if (f->diagnostics->error_count)
        return NULL;
    balance_check(f);
    rules_check_model(f);
    if (options->check_units)
        units_check(f);
    for (size_t i = 0; i < options->varied_count; i++)
        settings_vary(f, options->varied[i]);
    if (options->has_live_inputs)
        live_inputs(f);
    if (f->equations && !f->diagnostics->error_count)
        flat_pack(m, f->arena, f->equations, f->passing);
    return f->diagnostics->error_count ? NULL : m;
}

// What is to be flattened.
typedef struct Task {
    size_t count;
    const char *const *paths;
    const char *model;
    const FlattenOptions *options;
    List *examples;      // only they are wanted; NULL: the flat model is
    bool are_all;        // of the examples: all classes
    FlattenVisit *visit; // likewise this; NULL: it is not
    void *user;          // for it
    bool is_whole;       // the flat model is made first
    bool *is_visited;
} Task;

static bool flatten_add_text(Flattener *f, const char *text)
{
    const SourceFile *file;
    if (sources_add(f->compilation->sources, "text", text, strlen(text), &file) != SOURCE_OK) {
        diagnostics_out_of_memory(f->diagnostics);
        return false;
    }
    const StoredDefinition *definition = parser_parse(f->compilation, file);
    if (!definition || f->diagnostics->error_count)
        return false;
    library_add_definition(f, definition);
    return true;
}

// What is not whole may be partial, or a connector: it is only looked at.
static void flatten_show(Flattener *f, Class *c, const Task *task)
{
    if (task->is_whole) {
        if (!flatten_class(f, c, task->options))
            return;
    } else {
        const Layer *layers = flatten_layers(f, task->options);
        class_expand(f, c);
        if (c->is_broken || f->diagnostics->error_count)
            return;
        f->model = ARENA_NEW(f->arena, FlatModel);
        f->model->externals = f->compilation->externals;
        f->model->name = class_name(f, c);
        f->top = instance_create_top(f, class_modified(f, c, layers), layers);
        f->model->root = f->top->flat;
    }
    task->visit(f, f->top, task->user);
    *task->is_visited = true;
}

static FlatModel *flatten_task(Flattener *f, const Task *task)
{
    know_names(f);
    library_create(f, task->options->library_path, task->options->standard_libraries);
    find_predefined(f);
    bool is_read = true;
    for (size_t i = 0; i < task->count; i++)
        library_search_beside(f, task->paths[i]);
    for (size_t i = 0; i < task->count; i++)
        is_read = library_add(f, task->paths[i]) && is_read;
    if (is_read && task->options->text)
        is_read = flatten_add_text(f, task->options->text);
    if (!is_read || f->diagnostics->error_count)
        return NULL;
    Class *c = task->examples && !task->model ? NULL : flatten_find_model(f, task->model);
    if (task->examples && (c || !task->model))
        examples_find(f, c, task->are_all, task->examples);
    if (c && task->visit)
        flatten_show(f, c, task);
    return c && !task->examples && !task->visit ? flatten_class(f, c, task->options) : NULL;
}

// Beyond the limit, or the last block before it, there may still be memory, which the messages
// need.
static void flatten_say_exhausted(Flattener *f, size_t maximum)
{
    const size_t taken = f->equations ? f->equations->taken : 0;
    const bool is_limit =
        maximum > 0 && (f->arena->taken > maximum - maximum / 8 || taken > maximum - maximum / 8);
    arena_set_maximum(f->arena, 0);
    diagnostics_out_of_memory(f->diagnostics);
    if (!is_limit)
        return;
    f->diagnostics->exhaustion.span = f->at;
    f->diagnostics->exhaustion.message =
        "out of memory: the model is too large, flattening it takes more than is allowed";
}

// What was packed goes; what could not be stays as long as the compilation.
static void flatten_end_equations(Flattener *f, FlatModel *model)
{
    if (!f->equations)
        return;
    arena_on_exhaustion(f->equations, NULL);
    if (!model || model->packed)
        arena_destroy(f->equations);
}

static FlatModel *flatten(Compilation *compilation, const Task *task)
{
    Flattener *f = ARENA_NEW(compilation->arena, Flattener);
    jmp_buf exhaustion;
    if (!f)
        return NULL;
    *f = (Flattener){.arena = compilation->arena,
                     .nodes = compilation->arena,
                     .compilation = compilation,
                     .names = compilation->names,
                     .diagnostics = compilation->diagnostics,
                     .limits.step_maximum = task->options->step_maximum};
    const size_t maximum = task->options->memory_maximum;
    FlatModel *volatile model = NULL;
    jmp_buf *before = arena_on_exhaustion(f->arena, &exhaustion);
    if (create_arenas(f, &f->arena->allocator, maximum)) {
        arena_set_maximum(f->arena, maximum);
        arena_on_exhaustion(f->scratch, &exhaustion);
        arena_on_exhaustion(f->frames, &exhaustion);
        arena_on_exhaustion(f->passing, &exhaustion);
        arena_on_exhaustion(f->selecting, &exhaustion);
        if (setjmp(exhaustion) == 0) {
            if (task->options->packs_equations)
                f->equations = arena_child(f->arena);
            model = flatten_task(f, task);
        } else {
            flatten_say_exhausted(f, maximum);
        }
    } else {
        diagnostics_out_of_memory(compilation->diagnostics);
    }
    arena_on_exhaustion(f->arena, before);
    flatten_end_equations(f, model);
    arena_destroy(f->scratch);
    arena_destroy(f->frames);
    arena_destroy(f->passing);
    arena_destroy(f->selecting);
    return model;
}

const FlatModel *flatten_files(Compilation *compilation, size_t count, const char *const *paths,
                               const char *model, const FlattenOptions *options)
{
    const Task task = {.count = count, .paths = paths, .model = model, .options = options};
    return flatten(compilation, &task);
}

bool flatten_visit(Compilation *compilation, size_t count, const char *const *paths,
                   const char *model, const FlattenOptions *options, bool is_whole,
                   FlattenVisit *visit, void *user)
{
    bool is_visited = false;
    const Task task = {.count = count,
                       .paths = paths,
                       .model = model,
                       .options = options,
                       .visit = visit,
                       .user = user,
                       .is_whole = is_whole,
                       .is_visited = &is_visited};
    flatten(compilation, &task);
    return is_visited;
}

static size_t flatten_list(Compilation *compilation, Task task,
                           const FlattenExample *const **examples)
{
    List found = {0};
    task.examples = &found;
    flatten(compilation, &task);
    *examples = (const FlattenExample *const *)(void *)found.items;
    return found.count;
}

size_t flatten_examples(Compilation *compilation, size_t count, const char *const *paths,
                        const char *package, const FlattenOptions *options,
                        const FlattenExample *const **examples)
{
    const Task task = {.count = count, .paths = paths, .model = package, .options = options};
    return flatten_list(compilation, task, examples);
}

size_t flatten_classes(Compilation *compilation, size_t count, const char *const *paths,
                       const char *package, const FlattenOptions *options,
                       const FlattenExample *const **classes)
{
    const Task task = {
        .count = count, .paths = paths, .model = package, .options = options, .are_all = true};
    return flatten_list(compilation, task, classes);
}
