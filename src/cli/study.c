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

StudyCommand study_default_options(void)
{
    return (StudyCommand){.settings = settings_default()};
}

static ExitStatus cli_study_set_options(StudyCommand *c)
{
    const FlatExperiment e = loaded_experiment(study_loaded(c->study));
    SaltusOptions *o = &c->options;
    *o = saltus_default_options();
    settings_apply(&c->settings, &e, o, &c->stop_time);
    if (c->data && isnan(c->settings.stop_time))
        c->stop_time = c->end; // no further than the last measured value
    const double span = c->stop_time - o->start_time;
    settings_apply_steps(&c->settings, span, span / 500.0, &o->method);
    if (!(c->stop_time >= o->start_time))
        return options_complain(c->table, "the stop time is before the start time");
    study_set_options(c->study, o, c->stop_time);
    if (!c->input)
        return EXIT_FINE;
    c->inputs = inputs_create(c->table, study_loaded(c->study), c->input,
                              (InputsKind)c->interpolate, o->start_time, c->quiet);
    study_set_inputs(c->study, inputs_signals(c->inputs));
    return c->inputs ? EXIT_FINE : EXIT_USAGE;
}

// The names of what is varied.
static void read_varied(StudyCommand *c, const OptionList *list, const char **varied)
{
    LoadedDef *def = &c->arguments.def;
    for (size_t i = 0; list && i < list->count; i++)
        varied[def->varied_count++] =
            arena_copy_text(c->arguments.arena, list->items[i], strcspn(list->items[i], "="));
    def->varied = varied;
}

ExitStatus study_open(StudyCommand *c, const OptionTable *table, int argc, char **argv,
                      size_t count, const char *const *observations)
{
    c->table = table;
    if (!model_arguments(table, argc, argv, &c->model, NULL, &c->starts, &c->arguments))
        return EXIT_USAGE;
    const char **varied = ARENA_ARRAY(c->arguments.arena, 2 * OPTION_LIST_LENGTH, const char *);
    if (!varied) {
        fprintf(stderr, "saltus %s: out of memory\n", table->command);
        return EXIT_RUN_FAILED;
    }
    c->arguments.def.has_live_inputs = c->input != NULL;
    c->arguments.def.is_whole = c->is_whole;
    c->arguments.def.backend = model_backend(c->backend);
    c->arguments.def.enable_whole = whole_enable;
    read_varied(c, c->varied[0], varied);
    read_varied(c, c->varied[1], varied);
    const StudyDef def = {.load = c->arguments.def,
                          .observation_count = count,
                          .observations = observations,
                          .data = c->data,
                          .is_interrupted = progress_is_interrupted};
    c->study = study_create(&def);
    if (!c->study) {
        fprintf(stderr, "saltus %s: out of memory\n", table->command);
        return EXIT_RUN_FAILED;
    }
    if (study_loaded(c->study)->refusal)
        return options_complain(table, "%s", study_loaded(c->study)->refusal);
    model_print_messages(study_compilation(c->study), &c->model);
    if (!study_model(c->study))
        return EXIT_MODEL_WRONG;
    return study_observations(c->study) ? cli_study_set_options(c) : EXIT_USAGE;
}

void study_close(StudyCommand *c)
{
    const Model *model = c->study ? study_model(c->study) : NULL;
    if (model && c->backend != 0 && !c->quiet) { // why it is not as was asked for
        const char *reason;
        const bool is_compiled = model_is_compiled(model, &reason);
        model_print_backend(model, is_compiled, reason, false);
    }
    study_destroy(c->study);
    inputs_destroy(c->inputs);
    model_arguments_free(&c->arguments);
}

static void hash_text(Sha256 *hash, const char *text)
{
    sha256_add(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

void study_hash(const StudyCommand *c, Sha256 *hash)
{
    const Sources *sources = study_compilation(c->study)->sources;
    const SaltusMethod *m = &c->options.method;
    char text[400];
    for (size_t i = 0; i < sources_count(sources); i++) {
        const SourceFile *file = sources_file(sources, i);
        sha256_add(hash, file->text, file->length);
        hash_text(hash, ";");
    }
    hash_text(hash, saltus_version());
    hash_text(hash, study_flat(c->study)->name);
    for (size_t i = 0; i < c->arguments.def.setting_count; i++) {
        hash_text(hash, c->arguments.def.settings[i].name);
        hash_text(hash, c->arguments.def.settings[i].text);
    }
    if (c->arguments.def.backend == BACKEND_WHOLE)
        hash_text(hash, "whole"); // the others compute the same bits
    snprintf(text, sizeof text, "%a %a %d %d %a %a %a %a %a %d", c->options.start_time,
             c->stop_time, (int)m->solver, (int)m->locate, m->relative_tolerance,
             m->absolute_tolerance, m->step, m->max_step, m->event_tolerance, (int)c->options.zeno);
    hash_text(hash, text);
    const EmbeddedSignals *in = inputs_signals(c->inputs);
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
