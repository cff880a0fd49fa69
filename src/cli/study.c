// SPDX-License-Identifier: MIT
//
// What sweep, solve and compare share: see study.h.

#include "cli/study.h"

#include "base/sha256.h"
#include "kernel/whole.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

StudyOptions study_default_options(void)
{
    return (StudyOptions){.settings = settings_default()};
}

static ExitStatus cli_study_set_options(StudyFiles *f, const StudyOptions *c)
{
    const FlatExperiment e = loaded_experiment(study_loaded(f->study));
    SaltusOptions *o = &f->options;
    *o = saltus_default_options();
    settings_apply(&c->settings, &e, o, &f->stop_time);
    if (c->data && isnan(c->settings.stop_time))
        f->stop_time = c->end; // no further than the last measured value
    const double span = f->stop_time - o->start_time;
    settings_apply_steps(&c->settings, span, span / 500.0, &o->method);
    if (!(f->stop_time >= o->start_time))
        return options_complain(f->table, "the stop time is before the start time");
    study_set_options(f->study, o, f->stop_time);
    if (!c->input)
        return EXIT_FINE;
    f->inputs = inputs_create(f->table, study_loaded(f->study), c->input,
                              (InputsKind)c->interpolate, o->start_time, c->quiet);
    study_set_inputs(f->study, inputs_signals(f->inputs));
    return f->inputs ? EXIT_FINE : EXIT_USAGE;
}

// The names of what is varied.
static void read_varied(StudyFiles *f, const OptionList *list, const char **varied)
{
    LoadedDef *def = &f->arguments.def;
    for (size_t i = 0; list && i < list->count; i++)
        varied[def->varied_count++] =
            arena_copy_text(f->arguments.arena, list->items[i], strcspn(list->items[i], "="));
    def->varied = varied;
}

ExitStatus study_open(StudyFiles *f, const OptionTable *table, int argc, char **argv,
                      const StudyOptions *options, size_t count, const char *const *observations)
{
    *f = (StudyFiles){.table = table, .says_backend = options->backend != 0 && !options->quiet};
    if (!model_arguments(table, argc, argv, &options->model, NULL, &options->starts, &f->arguments))
        return EXIT_USAGE;
    const char **varied = ARENA_ARRAY(f->arguments.arena, 2 * OPTION_LIST_LENGTH, const char *);
    if (!varied) {
        fprintf(stderr, "saltus %s: out of memory\n", table->command);
        return EXIT_RUN_FAILED;
    }
    f->arguments.def.has_live_inputs = options->input != NULL;
    f->arguments.def.is_whole = options->is_whole;
    f->arguments.def.backend = model_backend(options->backend);
    f->arguments.def.enable_whole = whole_enable;
    read_varied(f, options->varied[0], varied);
    read_varied(f, options->varied[1], varied);
    const StudyDef def = {.load = f->arguments.def,
                          .observation_count = count,
                          .observations = observations,
                          .data = options->data,
                          .is_interrupted = progress_is_interrupted};
    f->study = study_create(&def);
    if (!f->study) {
        fprintf(stderr, "saltus %s: out of memory\n", table->command);
        return EXIT_RUN_FAILED;
    }
    if (study_loaded(f->study)->refusal)
        return options_complain(table, "%s", study_loaded(f->study)->refusal);
    model_print_messages(study_compilation(f->study), &options->model);
    if (!study_model(f->study))
        return EXIT_MODEL_WRONG;
    return study_observations(f->study) ? cli_study_set_options(f, options) : EXIT_USAGE;
}

void study_close(StudyFiles *f)
{
    const Model *model = f->study ? study_model(f->study) : NULL;
    if (model && f->says_backend) {
        const char *reason;
        const bool is_compiled = model_is_compiled(model, &reason);
        model_print_backend(model, is_compiled, reason, false);
    }
    study_destroy(f->study);
    inputs_destroy(f->inputs);
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
    for (size_t i = 0; i < f->arguments.def.setting_count; i++) {
        hash_text(hash, f->arguments.def.settings[i].name);
        hash_text(hash, f->arguments.def.settings[i].text);
    }
    if (f->arguments.def.backend == BACKEND_WHOLE)
        hash_text(hash, "whole"); // the others compute the same bits
    snprintf(text, sizeof text, "%a %a %d %d %a %a %a %a %a %d", f->options.start_time,
             f->stop_time, (int)m->solver, (int)m->locate, m->relative_tolerance,
             m->absolute_tolerance, m->step, m->max_step, m->event_tolerance, (int)f->options.zeno);
    hash_text(hash, text);
    const EmbeddedSignals *in = inputs_signals(f->inputs);
    for (int i = 0; in && i < in->count; i++) {
        const SaltusSignal *signal = &in->signals[i];
        sha256_add(hash, &signal->input, sizeof signal->input);
        sha256_add(hash, signal->times, (size_t)signal->count * sizeof *signal->times);
        sha256_add(hash, signal->values, 4 * (size_t)signal->count * sizeof *signal->values);
    }
}

bool study_next_part(const char **rest, char part[64])
{
    if (!*rest)
        return false;
    const size_t length = strcspn(*rest, ",");
    snprintf(part, 64, "%.*s", length < 64 ? (int)length : 0, *rest);
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
