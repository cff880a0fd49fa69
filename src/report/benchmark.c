// SPDX-License-Identifier: MIT
//
// Benchmarks: see benchmark.h.

#include "report/benchmark.h"

#include "base/message.h"
#include "plot/diagram.h"
#include "results/writer.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

static const BenchmarkDef *const benchmarks[] = {&benchmark_c21, &benchmark_c7, &benchmark_c5};

const BenchmarkDef *benchmark_find(const char *name)
{
    for (size_t i = 0; i < COUNT(benchmarks); i++)
        if (strcmp(benchmarks[i]->name, name) == 0)
            return benchmarks[i];
    return NULL;
}

void benchmark_fail(Benchmark *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    builder_append_formatted(&b->failures, format, arguments);
    va_end(arguments);
    builder_append_character(&b->failures, '\n');
}

LabRun *benchmark_lab(Benchmark *b, const LabSetup *setup)
{
    LabRun *run = lab_run(b->lab, setup);
    if (!run) {
        LabRun *none = ARENA_NEW(b->arena, LabRun);
        *none = (LabRun){.status = SALTUS_ERROR_MEMORY, .message = "out of memory"};
        benchmark_fail(b, "%s: out of memory", setup->model);
        return none;
    }
    if (run->status < 0 && !setup->may_fail)
        benchmark_fail(b, "%s: %s", setup->model, run->message);
    if (b->run_count == b->run_room) {
        const size_t room = 2 * b->run_room + 64;
        LabRun **items = ARENA_ARRAY(b->arena, room, LabRun *);
        if (b->run_count)
            memcpy(items, b->runs, b->run_count * sizeof(LabRun *));
        b->runs = items;
        b->run_room = room;
    }
    b->runs[b->run_count++] = run;
    return run;
}

// ---------------------------------------------------------------------------
// For tasks
// ---------------------------------------------------------------------------

const double *benchmark_column(Benchmark *b, const LabRun *run, const char *name)
{
    const double *column = lab_column(run, name);
    if (column)
        return column;
    if (run->status >= 0)
        benchmark_fail(b, "there is no variable %s", name);
    double *none = ARENA_ARRAY(b->arena, run->row_count + 1, double);
    for (size_t i = 0; i <= run->row_count; i++)
        none[i] = NAN;
    return none;
}

PlotCurve benchmark_curve(Benchmark *b, const LabRun *run, const char *name, const char *label)
{
    return (PlotCurve){.label = label,
                       .x = run->time,
                       .y = benchmark_column(b, run, name),
                       .count = run->row_count};
}

PlotPanel benchmark_panel(const char *label, const char *unit, const PlotCurve *curves,
                          size_t count)
{
    return (PlotPanel){.x = {.label = "time", .unit = "s"},
                       .y = {.label = label, .unit = unit},
                       .curves = curves,
                       .curve_count = count,
                       .is_time = true};
}

void benchmark_listing(Benchmark *b, DocumentPlace place, const char *file, const char *model,
                       const char *caption)
{
    const String text = lab_listing(b->lab, file, model);
    if (text.text)
        document_listing(b->document, place, caption, text);
    else
        benchmark_fail(b, "%s has no class %s", file, model);
}

void benchmark_animation(Benchmark *b, BenchmarkAnimation animation, const char *caption)
{
    if (b->animation_count == BENCHMARK_MOST_ANIMATIONS)
        return;
    b->animations[b->animation_count++] = animation;
    document_frame(b->document, animation.id, caption);
}

// The node of a mode; a new one if there is none yet.
static size_t chart_node(DiagramNode *nodes, size_t *count, const char *mode)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(nodes[i].label, mode) == 0)
            return i;
    nodes[*count] = (DiagramNode){.label = mode, .is_initial = *count == 0, .count = 1};
    return (*count)++;
}

void benchmark_chart(Benchmark *b, DocumentPlace place, const LabRun *run, const char *id,
                     const char *caption)
{
    enum { EDGES_MOST = 32 };
    DiagramNode nodes[2 * EDGES_MOST + 1] = {0};
    DiagramEdge edges[EDGES_MOST];
    size_t node_count = 0, edge_count = 0;
    if (run->row_count)
        chart_node(nodes, &node_count, run->modes[0]);
    for (size_t i = 0; i < run->event_count; i++) {
        const LabEvent *event = &run->events[i];
        if (strcmp(event->from, event->to) == 0 || edge_count == EDGES_MOST)
            continue;
        const size_t from = chart_node(nodes, &node_count, event->from),
                     to = chart_node(nodes, &node_count, event->to);
        nodes[to].count++;
        size_t k = 0;
        while (k < edge_count && (edges[k].from != from || edges[k].to != to))
            k++;
        if (k == edge_count)
            edges[edge_count++] = (DiagramEdge){.from = from, .to = to, .label = event->condition};
        edges[k].count++;
    }
    const Diagram graph = {.nodes = nodes,
                           .node_count = node_count,
                           .edges = edges,
                           .edge_count = edge_count,
                           .has_run = true};
    document_picture(b->document, place, id, caption,
                     diagram_svg(b->arena, &(DiagramNode){.inner = &graph, .inner_count = 1}),
                     true);
}

static const char *describe_changes(Benchmark *b, const LabEvent *event)
{
    StringBuilder text = builder_create(b->arena);
    for (size_t i = 0; i < event->change_count; i++) {
        const SaltusChange *c = &event->changes[i];
        const double change = fabs(c->after - c->before);
        // What differs by rounding only, or is next to nothing before and after, is no change to
        // speak of; results and log have all digits.
        if (change <= 1e-9 * fmax(fabs(c->before), fabs(c->after)) || change <= 1e-12)
            continue;
        builder_append_format(&text, "%s`%s`: %.6g → %.6g", text.length ? ", " : "", c->name,
                              c->before, c->after);
    }
    return text.length ? builder_string(&text).text : "";
}

void benchmark_events(Benchmark *b, DocumentPlace place, const LabRun *run, size_t most,
                      const char *id, const char *caption)
{
    enum { COLUMNS = 5 };
    static const char *const columns[COLUMNS] = {"time in s", "event", "class", "mode", "changes"};
    const size_t rows = run->event_count < most ? run->event_count : most;
    const char **cells = ARENA_ARRAY(b->arena, rows * COLUMNS, const char *);
    for (size_t i = 0; i < rows; i++) {
        const LabEvent *event = &run->events[i];
        char classes[SALTUS_CLASSES_TEXT_SIZE];
        const char **cell = cells + COLUMNS * i;
        cell[0] = document_format(b->document, "%.10g", event->t);
        cell[1] = document_format(b->document, "`%s`", event->condition);
        cell[2] = document_format(b->document, "%s", saltus_classes_text(event->classes, classes));
        cell[3] = strcmp(event->from, event->to) == 0
                      ? document_format(b->document, "%s", event->to)
                      : document_format(b->document, "%s → %s", event->from, event->to);
        cell[4] = describe_changes(b, event);
    }
    document_table(b->document, place,
                   &(DocumentTable){.id = id,
                                    .caption = caption,
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = rows,
                                    .is_wide = true});
}

// ---------------------------------------------------------------------------
// Running
// ---------------------------------------------------------------------------

static bool benchmark_is_wanted(const BenchmarkTask *task, const BenchmarkOptions *o)
{
    if (!task->id || !o->tasks)
        return true;
    for (size_t i = 0; i < o->task_count; i++)
        if (strcmp(o->tasks[i], task->id) == 0)
            return true;
    return false;
}

static bool run_tasks(Benchmark *b, const BenchmarkDef *def, const BenchmarkOptions *o)
{
    for (size_t i = 0; i < def->task_count; i++) {
        const BenchmarkTask *task = &def->tasks[i];
        if (!benchmark_is_wanted(task, o))
            continue;
        if (o->progress && o->progress(o->user, task, i, def->task_count))
            return false;
        document_heading(b->document, DOCUMENT_BOTH, task->level,
                         task->id ? document_format(b->document, "%s  %s", task->id, task->title)
                                  : task->title);
        if (task->aim)
            document_text(b->document, DOCUMENT_BOTH, "%s", task->aim);
        const size_t before = b->findings.count;
        if (task->run)
            task->run(b);
        document_end_section(b->document);
        if (!task->id || b->findings.count == before)
            continue;
        findings_table(&b->findings, b->document, DOCUMENT_PAGE,
                       document_format(b->document, "%s.", task->id),
                       document_format(b->document, "%s.results", task->id),
                       document_format(b->document,
                                       "%s: numbers, and what they are checked against", task->id));
    }
    return true;
}

static bool benchmark_write_manifest(const Benchmark *b, const BenchmarkDef *def,
                                     const BenchmarkOptions *o, char **message)
{
    StringBuilder path = builder_create(b->arena);
    builder_append_format(&path, "%s/manifest.json", o->output);
    AtomicFile file;
    if (!atomic_open(&file, builder_string(&path).text, message))
        return false;
    fprintf(file.stream, "{\n  \"schema\": 1,\n  \"benchmark\": \"%s\",\n  \"saltus\": \"%s\",\n",
            def->name, saltus_version());
    fprintf(file.stream, "  \"findings\": %zu,\n  \"failed\": %zu,\n  \"seconds\": %.3f,\n",
            b->findings.count, findings_failed(&b->findings), b->seconds);
    fputs("  \"parameters\": {", file.stream);
    for (size_t i = 0; i < o->override_count; i++) {
        fputs(i ? ", " : "", file.stream);
        writer_json_string(file.stream, o->overrides[i].name);
        fputs(": ", file.stream);
        writer_json_number(file.stream, o->overrides[i].value);
    }
    fputs("}\n}\n", file.stream);
    return atomic_commit(&file, message);
}

// Version, compiler, machine and date: what a reader needs to judge the times by.
static const char *benchmark_made_with(Arena *arena)
{
    StringBuilder text = builder_create(arena);
    char line[256], date[32] = "", *colon;
    builder_append_format(&text, "Saltus %s, compiled with %s", saltus_version(),
#if defined __clang__
                          __VERSION__
#else
                          "gcc " __VERSION__
#endif
    );
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 && (colon = strchr(line, ':')) != NULL) {
            colon[strcspn(colon, "\n")] = '\0';
            builder_append_format(&text, "; %s", colon + 2);
            break;
        }
    if (file)
        fclose(file);
    struct utsname system;
    if (uname(&system) == 0)
        builder_append_format(&text, ", %s %s", system.sysname, system.machine);
    const time_t now = time(NULL);
    struct tm calendar;
    if (gmtime_r(&now, &calendar) && strftime(date, sizeof date, "%Y-%m-%d", &calendar))
        builder_append_format(&text, "; %s", date);
    return builder_string(&text).text;
}

// The models' texts, beside the report: whoever reads it can run them.
static bool benchmark_copy_models(const BenchmarkOptions *o, Arena *arena, char **message)
{
    DIR *folder = opendir(o->models);
    bool is_fine = true;
    for (struct dirent *entry; folder && is_fine && (entry = readdir(folder)) != NULL;) {
        const size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".mo") != 0)
            continue;
        StringBuilder from = builder_create(arena), to = builder_create(arena);
        builder_append_format(&from, "%s/%s", o->models, entry->d_name);
        builder_append_format(&to, "%s/%s", o->output, entry->d_name);
        FILE *source = fopen(from.text, "rb");
        AtomicFile file;
        is_fine = source && atomic_open(&file, to.text, NULL);
        char block[4096];
        for (size_t n; is_fine && (n = fread(block, 1, sizeof block, source)) > 0;)
            fwrite(block, 1, n, file.stream);
        is_fine = is_fine && atomic_commit(&file, NULL);
        if (!is_fine)
            message_set(message, "cannot copy %s to %s", from.text, to.text);
        if (source)
            fclose(source);
    }
    if (folder)
        closedir(folder);
    return is_fine;
}

static double benchmark_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void benchmark_write_all(Benchmark *b, const BenchmarkDef *def, const BenchmarkOptions *o)
{
    char *message = NULL;
    StringBuilder path = builder_create(b->arena);
    builder_append_format(&path, "%s/results.csv", o->output);
    b->is_written = document_write(b->document, o->output, &message) &&
                    findings_write(&b->findings, builder_string(&path).text, &message) &&
                    benchmark_copy_models(o, b->arena, &message) &&
                    benchmark_write_manifest(b, def, o, &message);
    if (!b->is_written)
        benchmark_fail(b, "%s", message_text(message));
    free(message);
}

Benchmark benchmark_run(const BenchmarkDef *def, const BenchmarkOptions *o, Arena *arena)
{
    const double begin = benchmark_now();
    Benchmark benchmark = {
        .arena = arena,
        .lab = lab_create(arena->exhaustion, o->models, o->overrides, o->override_count),
        .document = document_create(arena, def->title, def->subtitle),
        .findings = findings_create(arena),
        .failures = builder_create(arena)};
    Benchmark *b = &benchmark;
    if (!b->lab) {
        benchmark_fail(b, "out of memory");
        return benchmark;
    }
    document_abstract(b->document, def->abstract);
    document_authors(b->document, "The Saltus developers", benchmark_made_with(arena));
    if (def->keywords)
        document_keywords(b->document, def->keywords);
    for (size_t i = 0; i < def->source_count; i++)
        document_source(b->document, def->sources[i].key, def->sources[i].text,
                        def->sources[i].url);
    b->is_interrupted = !run_tasks(b, def, o);
    b->seconds = benchmark_now() - begin;
    benchmark_write_all(b, def, o);
    for (size_t i = 0; i < b->findings.count; i++) {
        const Finding *f = &b->findings.items[i];
        if (!finding_is_fine(f))
            benchmark_fail(b, "%s = %.12g deviates from %.12g (%s) by more than %.1e", f->key,
                           f->value, f->reference, f->source, f->bound);
    }
    if (!b->is_interrupted && lab_unused_override(b->lab))
        benchmark_fail(b, "no model of these tasks has a parameter '%s': it was not set",
                       lab_unused_override(b->lab));
    builder_append_text(&b->failures, lab_messages(b->lab));
    for (size_t i = 0; i < b->run_count; i++)
        lab_run_free(b->runs[i]);
    lab_destroy(b->lab);
    b->run_count = 0;
    b->lab = NULL;
    return benchmark;
}
