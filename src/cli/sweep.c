// SPDX-License-Identifier: MIT
//
// saltus sweep: runs over a grid or a sample of parameter values, one row each.

#include "studies/sweep.h"
#include "base/message.h"
#include "base/number.h"
#include "base/sha256.h"
#include "cli/grid.h"
#include "cli/study.h"
#include "cli/watch.h"
#include "results/manifest.h"
#include "results/writer.h"
#include "studies/statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct SweepCommand {
    StudyCommand run;
    OptionList parameters, observations;
    const char *sample, *output, *statistics, *manifest, *device, *check, *source;
    double seed, jobs;
    bool resume;

    // What becomes of them.
    Axis axes[OPTION_LIST_LENGTH];
    size_t axis_count;
    SweepDef def;
    Sweep *sweep;
    char *journal;
    char key[SHA256_TEXT];
    Progress progress;
    TableHeading *headings;
    char **names; // of results
    size_t heading_count;
} SweepCommand;

static const Option sweep_options[] = {
    {.name = "parameter",
     .letter = 'p',
     .kind = OPTION_LIST,
     .value = "NAME=VALUES",
     .help = "5, or 1,2,5, or 0:1:11, or 1e4:1e8:log:30; x.start is the start value of x",
     .offset = offsetof(SweepCommand, parameters)},
    {.name = "observe",
     .kind = OPTION_LIST,
     .value = "NAME=EXPR",
     .help = "a column; see the manual, Observations",
     .offset = offsetof(SweepCommand, observations)},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "table: " TABLE_ENDINGS "- (default)",
     .offset = offsetof(SweepCommand, output)},
    {.name = "manifest",
     .kind = OPTION_TEXT,
     .value = "FILE.json",
     .help = "how the table was made, with units of columns",
     .offset = offsetof(SweepCommand, manifest)},
    {.name = "resume",
     .kind = OPTION_FLAG,
     .help = "continue an interrupted sweep into FILE",
     .offset = offsetof(SweepCommand, resume)},
    {.name = "sample",
     .kind = OPTION_TEXT,
     .value = "KIND:N",
     .help = "no grid: random:N, lhs:N, sobol:N, indices:N",
     .offset = offsetof(SweepCommand, sample)},
    {.name = "statistics",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "means, quantiles: " TABLE_ENDINGS "-",
     .offset = offsetof(SweepCommand, statistics)},
    {.name = "seed",
     .kind = OPTION_NUMBER,
     .value = "NUMBER",
     .help = "seed of the random sample (1)",
     .offset = offsetof(SweepCommand, seed)},
    STUDY_JOBS_OPTION(SweepCommand),
    {.name = "device",
     .kind = OPTION_TEXT,
     .value = "cpu|gpu|auto",
     .help = "run many points at once, as compiled code",
     .offset = offsetof(SweepCommand, device)},
    {.name = "check",
     .kind = OPTION_TEXT,
     .value = "PART",
     .help = "part of the points that is run both ways (0.1%)",
     .offset = offsetof(SweepCommand, check)},
    {.name = "keep-source",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "write the C text of --device to a file",
     .offset = offsetof(SweepCommand, source)},
    STUDY_METHOD_OPTIONS(SweepCommand, "(experiment annotation, or 1e-6)"),
    STUDY_OPTIONS(SweepCommand),
};

const OptionTable sweep_table = {
    .command = "sweep",
    .synopsis = "[options] FILE... [MODEL]",
    .description = "Run a model for many values of its parameters and write what is observed, one\n"
                   "row per point. Exit status: 0 fine (single points may have failed), 1 all\n"
                   "failed, 2 wrong usage, 3 errors in the model, 130 interrupted (--resume).",
    .options = sweep_options,
    .count = sizeof sweep_options / sizeof *sweep_options,
    .examples = "saltus sweep Ball.mo -p mu=0.5:0.9:9 --observe 'bounces = n'\n"
                "saltus sweep Ball.mo -p k=1e4:1e8:log:30 -p d=50,500 -o map.csv \\\n"
                "    --observe 't = time_of(x <= 0, 2)' --observe 'top = maximum(x, from = t0)'\n"
                "saltus sweep Ball.mo -p 'mu=normal(0.8,0.02)' --sample sobol:1024 -o r.csv \\\n"
                "    --observe 'top = maximum(x)' --statistics -\n",
};

// ---------------------------------------------------------------------------
// Options
// ---------------------------------------------------------------------------

static ExitStatus read_axes(SweepCommand *s)
{
    const OptionList *list = &s->parameters;
    for (size_t i = 0; i < list->count; i++) {
        char *message = NULL;
        Axis *axis = &s->axes[s->axis_count++];
        if (!axis_read(s->run.study, list->items[i], axis, &message))
            return options_complain_of(&sweep_table, message);
        for (size_t k = 0; k < i; k++)
            if (s->axes[k].parameter == axis->parameter)
                return options_complain(&sweep_table, "%s is given twice", axis->name);
    }
    return list->count ? EXIT_FINE
                       : options_complain(&sweep_table, "which parameter is to be varied? "
                                                        "-p NAME=VALUES says it");
}

static ExitStatus read_sample(SweepCommand *s)
{
    const char *text = s->sample, *colon = text ? strchr(text, ':') : NULL;
    double count = 0.0;
    if (!text)
        return EXIT_FINE;
    static const struct {
        const char *word;
        SweepSample sample;
    } kinds[] = {{"random", SWEEP_RANDOM},
                 {"lhs", SWEEP_HYPERCUBE},
                 {"sobol", SWEEP_SOBOL},
                 {"indices", SWEEP_INDICES}};
    for (size_t i = 0; colon && i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].word) == (size_t)(colon - text) &&
            strncmp(text, kinds[i].word, strlen(kinds[i].word)) == 0)
            s->def.sample = kinds[i].sample;
    if (s->def.sample == SWEEP_GRID || !colon ||
        !number_read(colon + 1, strlen(colon + 1), &count) || count != floor(count) ||
        !(count >= 1.0) || count > 1e8)
        return options_complain(
            &sweep_table, "--sample is random:N, lhs:N, sobol:N or indices:N, not '%s'", text);
    s->def.sample_count = (size_t)count;
    return EXIT_FINE;
}

// How points are run.
static ExitStatus read_device(SweepCommand *s)
{
    static const struct {
        const char *word;
        SweepDevice device;
    } devices[] = {{"cpu", SWEEP_CPU}, {"gpu", SWEEP_GPU}, {"auto", SWEEP_AUTO}};
    for (size_t i = 0; s->device && i < sizeof devices / sizeof *devices; i++)
        if (strcmp(s->device, devices[i].word) == 0)
            s->def.device = devices[i].device;
    if (s->device && s->def.device == SWEEP_RUNS)
        return options_complain(&sweep_table, "--device is cpu, gpu or auto, not '%s'", s->device);
    if (!s->device && (s->check || s->source))
        return options_complain(&sweep_table, "--check and --keep-source go with --device");
    s->def.checked = 0.001;
    if (!s->check)
        return EXIT_FINE;
    const size_t length = strlen(s->check);
    const bool is_percent = length > 0 && s->check[length - 1] == '%';
    if (!number_read(s->check, length - is_percent, &s->def.checked))
        s->def.checked = NAN;
    s->def.checked *= is_percent ? 0.01 : 1.0;
    if (!(s->def.checked >= 0.0 && s->def.checked <= 1.0))
        return options_complain(
            &sweep_table, "--check is a part of the points, 0.1%% or 0.001, not '%s'", s->check);
    return EXIT_FINE;
}

static bool sweep_is_whole(double value, double least, double most)
{
    return value == floor(value) && value >= least && value <= most;
}

static ExitStatus sweep_read_settings(SweepCommand *s)
{
    if (!sweep_is_whole(s->seed, 0.0, 0x1p53))
        return options_complain(&sweep_table, "--seed is a whole number from 0 on");
    if (!sweep_is_whole(s->jobs, 0.0, 256.0))
        return options_complain(&sweep_table, "--jobs is a whole number from 1 to 256");
    s->def.seed = (uint64_t)s->seed;
    s->def.jobs = (unsigned)s->jobs;
    if (s->resume && atomic_is_stream(s->output))
        return options_complain(&sweep_table, "--resume needs the file that was to be written: "
                                              "-o FILE");
    const ExitStatus status = read_device(s);
    return status == EXIT_FINE ? read_sample(s) : status;
}

// ---------------------------------------------------------------------------
// The journal
// ---------------------------------------------------------------------------

static void sweep_make_key(SweepCommand *s)
{
    Sha256 hash = sha256_begin();
    unsigned char digest[SHA256_SIZE];
    char text[100];
    study_hash(&s->run, &hash);
    for (size_t i = 0; i < s->parameters.count; i++)
        sha256_add(&hash, s->parameters.items[i], strlen(s->parameters.items[i]) + 1);
    for (size_t i = 0; i < s->observations.count; i++)
        sha256_add(&hash, s->observations.items[i], strlen(s->observations.items[i]) + 1);
    snprintf(text, sizeof text, "%d %zu %" PRIu64 " %d", (int)s->def.sample, s->def.sample_count,
             s->def.seed, (int)s->def.device);
    sha256_add(&hash, text, strlen(text));
    sha256_end(&hash, digest);
    sha256_text(digest, s->key);
}

static bool name_journal(SweepCommand *s)
{
    if (atomic_is_stream(s->output))
        return true;
    const size_t length = strlen(s->output) + sizeof ".journal";
    s->journal = malloc(length);
    if (s->journal)
        snprintf(s->journal, length, "%s.journal", s->output);
    return s->journal != NULL;
}

// ---------------------------------------------------------------------------
// The table
// ---------------------------------------------------------------------------

static bool name_results(SweepCommand *s)
{
    const Observations *o = study_observations(s->run.study);
    const size_t results = sweep_result_count(s->sweep);
    const Parameters p = model_list_parameters(study_model(s->run.study));
    s->headings = calloc(s->axis_count + results + 2, sizeof *s->headings);
    s->names = calloc(results, sizeof *s->names);
    if (!s->headings || !s->names)
        return false;
    for (size_t i = 0; i < s->axis_count; i++)
        s->headings[s->heading_count++] = (TableHeading){
            .name = s->axes[i].name, .unit = p.flat[s->axes[i].parameter]->attributes->unit};
    size_t k = 0;
    for (size_t i = 0; i < observations_count(o); i++) {
        const char *name = observations_name(o, i);
        for (long j = 1; j <= observations_length(o, i); j++, k++) {
            const size_t room = strlen(name) + 32;
            s->names[k] = malloc(room);
            if (!s->names[k])
                return false;
            if (observations_length(o, i) > 1)
                snprintf(s->names[k], room, "%s[%ld]", name, j);
            else
                snprintf(s->names[k], room, "%s", name);
            s->headings[s->heading_count++] = (TableHeading){.name = s->names[k]};
        }
    }
    s->headings[s->heading_count++] = (TableHeading){.name = "status", .kind = TABLE_WORDS};
    s->headings[s->heading_count++] = (TableHeading){.name = "message", .kind = TABLE_WORDS};
    return true;
}

static void write_rows(const SweepCommand *s, Writer *writer, double *values)
{
    for (size_t i = 0; i < sweep_count(s->sweep); i++) {
        const JournalRecord point = sweep_point(s->sweep, i);
        if (!point.count)
            continue;
        for (size_t k = 0; k < s->axis_count; k++)
            values[k] = sweep_value(s->sweep, i, k);
        memcpy(values + s->axis_count, point.values, point.count * sizeof *values);
        const char *words[] = {study_status_text((SaltusStatus)point.status), point.message};
        writer_row(writer, values, words);
    }
}

static bool sweep_write_manifest(const SweepCommand *s)
{
    const Sources *sources = study_compilation(s->run.study)->sources;
    const SaltusMethod *m = &s->run.options.method;
    const NamedSetting settings[] = {
        {"startTime", NULL, s->run.options.start_time},
        {"stopTime", NULL, s->run.stop_time},
        {"solver", saltus_solver_name(m->solver), 0.0},
        {"relativeTolerance", NULL, m->relative_tolerance},
        {"absoluteTolerance", NULL, m->absolute_tolerance},
        {"step", NULL, m->step},
        {"locate", saltus_locate_name(m->locate), 0.0},
        {"eventTolerance", NULL, m->event_tolerance},
    };
    if (!s->manifest)
        return true;
    Manifest manifest = {.path = s->manifest,
                         .table = s->output,
                         .columns = s->headings,
                         .column_count = s->heading_count,
                         .command = s->run.words,
                         .command_count = s->run.word_count,
                         .model = study_flat(s->run.study)->name,
                         .settings = settings,
                         .setting_count = sizeof settings / sizeof *settings,
                         .seed = s->def.sample != SWEEP_GRID ? &s->def.seed : NULL,
                         .status = "finished"};
    const SourceFile **texts = calloc(sources_count(sources) + 1, sizeof *texts);
    for (size_t i = 0; texts && i < sources_count(sources); i++) {
        const SourceFile *file = sources_file(sources, i);
        if (strcmp(file->name, "observation") != 0)
            texts[manifest.text_count++] = file;
    }
    manifest.texts = texts;
    char *message = NULL;
    const bool is_written = texts && manifest_write(&manifest, &message);
    if (!is_written)
        fprintf(stderr, "saltus sweep: %s\n", message_text(message));
    free(message);
    free(texts);
    return is_written;
}

static bool sweep_write_table(SweepCommand *s)
{
    char *message = NULL;
    TableFormat format = TABLE_CSV;
    if (!atomic_is_stream(s->output))
        table_format(s->output, &format);
    const WriterDef def = {.path = s->output,
                           .format = format,
                           .title = study_flat(s->run.study)->name,
                           .column_count = s->heading_count,
                           .columns = s->headings};
    double *values = calloc(s->heading_count, sizeof *values);
    Writer *writer = values ? writer_create(&def, &message) : NULL;
    bool is_written = writer != NULL;
    if (writer) {
        write_rows(s, writer, values);
        is_written = writer_close(writer, &message);
    }
    free(values);
    if (!is_written)
        fprintf(stderr, "saltus sweep: %s\n", message_text(message));
    free(message);
    return is_written && sweep_write_manifest(s);
}

// ---------------------------------------------------------------------------
// Statistics
// ---------------------------------------------------------------------------

// Columns of the statistics: moments and quantiles, then Sobol's indices of each axis, if there
// are.
static void name_statistics(const SweepCommand *s, Grid *g)
{
    static const char *const words[] = {"count",   "missing", "mean",   "standard deviation",
                                        "minimum", "5 %",     "25 %",   "50 %",
                                        "75 %",    "95 %",    "maximum"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        grid_add_column(g, "%g", "%s", words[i]);
    for (size_t i = 0; s->def.sample == SWEEP_INDICES && i < s->axis_count; i++)
        for (int total = 0; total < 2; total++)
            grid_add_column(g, "%g", total ? "total index of %s" : "first index of %s",
                            s->axes[i].name);
    grid_add_column(g, NULL, "name");
}

// The row of one result. `column` has room for all points.
static void fill_statistics(const SweepCommand *s, size_t result, double *column, double *values)
{
    const size_t results = sweep_result_count(s->sweep), all = sweep_count(s->sweep);
    const bool has_indices = s->def.sample == SWEEP_INDICES;
    const size_t base = has_indices ? s->def.sample_count : all,
                 used = has_indices ? 2 * base : all;
    const double *first = sweep_point(s->sweep, 0).values + result;
    size_t k = 0;
    for (size_t i = 0; i < used; i++)
        column[i] = first[i * results];
    const SampleSummary summary = statistics_summarize(column, used);
    values[k++] = (double)summary.count;
    values[k++] = (double)summary.missing;
    values[k++] = summary.mean;
    values[k++] = summary.deviation;
    values[k++] = summary.minimum;
    for (size_t i = 0; i < STATISTICS_QUANTILES; i++)
        values[k++] = summary.quantiles[i];
    values[k++] = summary.maximum;
    for (size_t i = 0; has_indices && i < s->axis_count; i++) {
        statistics_indices(first, first + base * results, first + (2 + i) * base * results, base,
                           results, values + k);
        k += 2;
    }
}

static bool write_statistics(const SweepCommand *s)
{
    enum { FIXED = 16 };
    const size_t results = sweep_result_count(s->sweep);
    double *column = calloc(sweep_count(s->sweep), sizeof *column);
    Grid g;
    if (grid_create(&g, FIXED + 2 * s->axis_count, results))
        name_statistics(s, &g);
    g.is_full |= !column;
    for (size_t i = 0; !g.is_full && i < results; i++) {
        fill_statistics(s, i, column, g.numbers + i * g.width);
        g.words[i * g.width + g.column_count - 1] = s->names[i];
    }
    const bool is_written = grid_write(&g, s->statistics, study_flat(s->run.study)->name, "sweep");
    grid_free(&g);
    free(column);
    return is_written;
}

// ---------------------------------------------------------------------------
// The sweep
// ---------------------------------------------------------------------------

static void sweep_show(void *user, size_t done, size_t failed, size_t total)
{
    SweepCommand *s = user;
    char note[80];
    snprintf(note, sizeof note, failed ? "%zu of %zu, %zu failed" : "%zu of %zu", done, total,
             failed);
    progress_show(&s->progress, (double)done / (double)total, note);
}

// What the kernel did, where there was to be one.
static void summarize_kernel(const SweepCommand *s)
{
    const SweepKernelReport r = sweep_kernel_report(s->sweep);
    if (s->def.device == SWEEP_RUNS || !r.reason)
        return;
    if (r.reason[0]) {
        fprintf(stderr, "saltus: note: all points were run as usual: %s\n", r.reason);
        return;
    }
    if (r.is_distrusted) {
        fputs("saltus: warning: all points were run as usual, for one was different: ", stderr);
        if (r.difference.point)
            fprintf(stderr,
                    "point %zu, result %zu: %.17g by the kernel, %.17g by the ordinary run\n",
                    r.difference.point, r.difference.result, r.difference.kernel,
                    r.difference.ordinary);
        else
            fputs("it did not finish\n", stderr);
    }
    fprintf(stderr, "%s, %u lane%s", r.device, r.lanes, r.lanes == 1 ? "" : "s");
    if (r.modes > 1)
        fprintf(stderr, ", %u modes", r.modes);
    fprintf(stderr, ": %zu points in %.3g s, %zu checked, %zu run as usual", r.finished + r.checked,
            r.seconds, r.checked, r.aside);
    fprintf(stderr, r.first_aside ? " (first: %s)\n" : "\n", r.first_aside);
}

// False: it cannot be written.
static bool sweep_keep_source(const SweepCommand *s)
{
    const SweepKernelReport r = sweep_kernel_report(s->sweep);
    const char *path = s->source;
    if (!path || !r.source)
        return true;
    AtomicFile file;
    char *message = NULL;
    bool is_written = atomic_open(&file, path, &message);
    if (is_written) {
        fwrite(r.source, 1, r.source_length, file.stream); // what fails is seen when it is closed
        is_written = atomic_commit(&file, &message);
    }
    if (!is_written)
        fprintf(stderr, "saltus sweep: %s\n", message_text(message));
    free(message);
    return is_written;
}

// Whether something observed has no value, or an infinite one.
static bool sweep_lacks(const JournalRecord *r)
{
    bool is_lacking = false;
    for (size_t i = 0; i < r->count; i++)
        is_lacking |= !isfinite(r->values[i]);
    return is_lacking;
}

static ExitStatus sweep_summarize(const SweepCommand *s, size_t begun_with, double seconds)
{
    const size_t count = sweep_count(s->sweep);
    size_t failed = 0, first = count, lacking = 0, first_lacking = count;
    for (size_t i = count; i > 0; i--) {
        const JournalRecord r = sweep_point(s->sweep, i - 1);
        if (r.status < 0) {
            failed++;
            first = i - 1;
        } else if (sweep_lacks(&r)) {
            lacking++;
            first_lacking = i - 1;
        }
    }
    if (!s->run.quiet) {
        fprintf(stderr, "%s: %zu points, %zu failed, %.3g s", study_flat(s->run.study)->name, count,
                failed, seconds);
        if (begun_with > 0)
            fprintf(stderr, ", %zu were there already", begun_with);
        fputc('\n', stderr);
        summarize_kernel(s);
    }
    if (failed > 0 && !s->run.quiet)
        fprintf(stderr, "saltus: warning: the first one that failed is row %zu: %s\n", first + 1,
                sweep_point(s->sweep, first).message);
    if (lacking > 0 && !s->run.quiet)
        fprintf(stderr,
                "saltus: note: %zu points lack a value, or have an infinite one; the first one is "
                "row %zu: %s\n",
                lacking, first_lacking + 1, sweep_point(s->sweep, first_lacking).message);
    return failed < count ? EXIT_FINE : EXIT_RUN_FAILED;
}

static ExitStatus interrupted(SweepCommand *s)
{
    size_t done = 0;
    for (size_t i = 0; i < sweep_count(s->sweep); i++)
        done += sweep_point(s->sweep, i).count > 0;
    const char *limit = watch_reason(), *reason = limit ? limit : "interrupted";
    if (s->journal)
        fprintf(stderr, "saltus: %s: %zu of %zu points are kept; --resume goes on\n", reason, done,
                sweep_count(s->sweep));
    else {
        sweep_write_table(s);
        fprintf(stderr, "saltus: %s after %zu of %zu points\n", reason, done,
                sweep_count(s->sweep));
    }
    return limit ? EXIT_STOPPED : EXIT_INTERRUPTED;
}

// No point comes to its end: what is finished stands in the journal.
static void sweep_give_up(void *user, const char *reason)
{
    const SweepCommand *s = user;
    fprintf(stderr, "saltus: %s: in the midst of a run%s\n", reason,
            s->journal ? "; the finished points are kept; --resume goes on" : "");
}

static ExitStatus run_sweep(SweepCommand *s)
{
    char *message = NULL;
    s->sweep = sweep_create(&s->def, &message);
    if (!s->sweep)
        return options_complain_of(&sweep_table, message);
    if (!name_results(s)) {
        fputs("saltus sweep: out of memory\n", stderr);
        return EXIT_RUN_FAILED;
    }
    const double begin = progress_clock();
    s->progress = progress_begin(study_flat(s->run.study)->name, !s->run.quiet);
    watch_begin(sweep_give_up, s);
    const SweepStatus status = sweep_run(s->sweep, &message);
    watch_end();
    progress_end(&s->progress);
    if (status == SWEEP_FAILED) {
        fprintf(stderr, "saltus sweep: %s\n", message_text(message));
        free(message);
        return EXIT_USAGE;
    }
    if (s->def.crew && !s->def.crew->leads)
        return EXIT_FINE; // who leads writes the results
    if (status == SWEEP_INTERRUPTED)
        return interrupted(s);
    if (!sweep_write_table(s) || !sweep_keep_source(s) || (s->statistics && !write_statistics(s)))
        return EXIT_RUN_FAILED; // the journal stays
    sweep_forget_journal(s->sweep);
    return sweep_summarize(s, sweep_resumed(s->sweep), progress_clock() - begin);
}

static ExitStatus sweep_prepare(SweepCommand *s)
{
    TableFormat format;
    const char *output = s->output;
    if (!atomic_is_stream(output) && !table_format(output, &format))
        return options_complain(&sweep_table, "'%s' should end in one of " TABLE_ENDINGS "or be -",
                                output);
    const char *statistics = s->statistics;
    if (statistics && !atomic_is_stream(statistics) && !table_format(statistics, &format))
        return options_complain(&sweep_table, "'%s' should end in one of " TABLE_ENDINGS "or be -",
                                statistics);
    ExitStatus status = read_axes(s);
    if (status == EXIT_FINE)
        status = sweep_read_settings(s);
    if (status != EXIT_FINE)
        return status;
    sweep_make_key(s);
    if (!name_journal(s)) {
        fputs("saltus sweep: out of memory\n", stderr);
        return EXIT_RUN_FAILED;
    }
    s->def.study = s->run.study;
    s->def.axes = s->axes;
    s->def.axis_count = s->axis_count;
    s->def.journal = s->journal;
    s->def.key = s->key;
    s->def.is_resumed = s->resume;
    s->def.is_interrupted = progress_is_interrupted;
    s->def.progress = sweep_show;
    s->def.user = s;
    return run_sweep(s);
}

static void sweep_close(SweepCommand *s)
{
    for (size_t i = 0; s->names && i < sweep_result_count(s->sweep); i++)
        free(s->names[i]);
    sweep_destroy(s->sweep);
    for (size_t i = 0; i < s->axis_count; i++)
        axis_free(&s->axes[i]);
    free(s->names);
    free(s->headings);
    free(s->journal);
    study_close(&s->run);
}

ExitStatus sweep_run_command(int argc, char **argv)
{
    return sweep_run_crew(argc, argv, NULL);
}

ExitStatus sweep_run_crew(int argc, char **argv, const SweepCrew *crew)
{
    // Options move arguments: the words are kept as they were.
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    SweepCommand *s = calloc(1, sizeof *s);
    ExitStatus status = EXIT_RUN_FAILED;
    for (int i = 0; words && i < argc; i++)
        words[i] = argv[i];
    if (s && words) {
        *s = (SweepCommand){.run = study_default_options(), .seed = 1.0};
        s->run.words = words;
        s->run.word_count = (size_t)argc;
    }
    if (!s || !words) {
        fputs("saltus sweep: out of memory\n", stderr);
    } else if (options_parse(&sweep_table, &argc, argv, s, &status)) {
        s->def.crew = crew;
        s->run.varied[0] = &s->parameters;
        s->run.is_whole = s->device != NULL;
        status = study_open(&s->run, &sweep_table, argc, argv, s->observations.count,
                            s->observations.items);
        if (status == EXIT_FINE &&
            !options_spare(&sweep_table, s, study_compilation(s->run.study)->sources))
            status = EXIT_USAGE;
        if (status == EXIT_FINE)
            status = sweep_prepare(s);
        sweep_close(s);
    }
    free(s);
    free(words);
    return status;
}
