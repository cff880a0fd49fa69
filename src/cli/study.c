// SPDX-License-Identifier: MIT
//
// What sweep, solve and compare share: see study.h.

#include "cli/study.h"

#include "code/sha256.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

StudyOptions study_default_options(void)
{
    return (StudyOptions){.settings = settings_default()};
}

static ExitStatus set_options(StudyFiles *f, const StudyOptions *c)
{
    const FlatExperiment *e = &study_flat(f->study)->experiment;
    SaltusOptions *o = &f->options;
    *o = saltus_default_options();
    settings_apply(&c->settings, e, o, &f->stop_time);
    const double span = f->stop_time - o->start_time;
    settings_apply_steps(&c->settings, span, span / 500.0, &o->method);
    if (!(f->stop_time >= o->start_time))
        return options_complain(f->table, "the stop time is before the start time");
    study_set_options(f->study, o, f->stop_time);
    return EXIT_FINE;
}

// --start x=2 as the modification (x(start = 2)).
static ExitStatus read_starts(StudyFiles *f, const OptionList *starts)
{
    size_t room = 4;
    for (size_t i = 0; i < starts->count; i++)
        room += strlen(starts->items[i]) + sizeof "(start = ), ";
    if (starts->count == 0)
        return EXIT_FINE;
    f->modification = calloc(room, 1);
    if (!f->modification)
        return EXIT_RUN_FAILED;
    size_t length = 0;
    for (size_t i = 0; i < starts->count; i++) {
        const char *text = starts->items[i], *equals = strchr(text, '=');
        if (!equals)
            return options_complain(f->table, "--start needs NAME=VALUE, not '%s'", text);
        length += (size_t)snprintf(f->modification + length, room - length, "%s%.*s(start = %s)",
                                   i ? ", " : "(", (int)(equals - text), text, equals + 1);
    }
    snprintf(f->modification + length, room - length, ")");
    return EXIT_FINE;
}

// The names of what is varied.
static bool read_varied(StudyFiles *f, const OptionList *list)
{
    for (size_t i = 0; list && i < list->count; i++) {
        const size_t length = strcspn(list->items[i], "=");
        char *name = calloc(length + 1, 1);
        if (!name)
            return false;
        memcpy(name, list->items[i], length);
        f->varied[f->varied_count++] = name;
    }
    return true;
}

ExitStatus study_open(StudyFiles *f, const OptionTable *table, int argc, char **argv,
                      const StudyOptions *options, size_t count, const char *const *observations)
{
    *f = (StudyFiles){.table = table};
    if (!model_arguments(table, argc, argv, &f->arguments))
        return EXIT_USAGE;
    for (size_t i = 0; i < f->arguments.file_count; i++)
        if (access(f->arguments.files[i], R_OK) != 0)
            return options_complain(table, "cannot read '%s': %s", f->arguments.files[i],
                                    strerror(errno));
    ExitStatus status = read_starts(f, &options->starts);
    if (status != EXIT_FINE)
        return status;
    if (!read_varied(f, options->varied[0]) || !read_varied(f, options->varied[1]))
        return EXIT_RUN_FAILED;
    const StudyDef def = {.file_count = f->arguments.file_count,
                          .files = f->arguments.files,
                          .model = f->arguments.model,
                          .modification = f->modification,
                          .varied_count = f->varied_count,
                          .varied = (const char *const *)f->varied,
                          .observation_count = count,
                          .observations = observations,
                          .is_interrupted = progress_is_interrupted};
    f->study = study_create(&def);
    if (!f->study) {
        fprintf(stderr, "saltus %s: out of memory\n", table->command);
        return EXIT_RUN_FAILED;
    }
    model_print_messages(study_compilation(f->study), (ColourChoice)options->colour);
    if (!study_model(f->study))
        return EXIT_MODEL_WRONG;
    return study_observations(f->study) ? set_options(f, options) : EXIT_USAGE;
}

void study_close(StudyFiles *f)
{
    study_destroy(f->study);
    free(f->modification);
    for (size_t i = 0; i < f->varied_count; i++)
        free(f->varied[i]);
    model_arguments_free(&f->arguments);
}

static void hash_text(Sha256 *hash, const char *text)
{
    sha256_add(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

void study_hash(const StudyFiles *f, Sha256 *hash)
{
    const Sources *sources = study_compilation(f->study)->sources;
    const SaltusMethod *m = &f->options.method;
    char text[400];
    for (size_t i = 0; i < sources_count(sources); i++) {
        const SourceFile *file = sources_file(sources, i);
        sha256_add(hash, file->text, file->length);
        hash_text(hash, ";");
    }
    hash_text(hash, saltus_version());
    hash_text(hash, study_flat(f->study)->name);
    hash_text(hash, f->modification);
    snprintf(text, sizeof text, "%a %a %d %d %a %a %a %a %a %d", f->options.start_time,
             f->stop_time, (int)m->solver, (int)m->locate, m->relative_tolerance,
             m->absolute_tolerance, m->step, m->max_step, m->event_tolerance, (int)f->options.zeno);
    hash_text(hash, text);
}

bool study_next_part(const char **rest, char part[64])
{
    if (!*rest)
        return false;
    const size_t length = strcspn(*rest, ",");
    snprintf(part, 64, "%.*s", (int)(length < 64 ? length : 63), *rest);
    *rest = (*rest)[length] ? *rest + length + 1 : NULL;
    return true;
}

const char *study_status_text(SaltusStatus status)
{
    switch (status) {
    case SALTUS_OK:
        return "finished";
    case SALTUS_TERMINATED:
        return "terminated";
    case SALTUS_ZENO:
        return "zeno";
    case SALTUS_INTERRUPTED:
        return "interrupted";
    default:
        return "failed";
    }
}
