// SPDX-License-Identifier: MIT

#include "drawing/recording.h"

#include <math.h>

bool recording_is_active(const char *mode, const char *state)
{
    const size_t length = strlen(state);
    for (const char *part = mode; part; part = strstr(part, ", ")) {
        if (part != mode)
            part += 2;
        const char after = strncmp(part, state, length) == 0 ? part[length] : 'x';
        if (after == '\0' || after == ',' || after == '.')
            return true;
    }
    return false;
}

enum { MOST_NUMBERS = 40 * 1000 * 1000, MOST_EVENTS = 20 * 1000 };

static void recording_grow(Recording *r)
{
    const size_t n = r->table.row_count, room = 2 * r->room + 256;
    for (size_t i = 0; i < r->table.column_count; i++) {
        double *values = ARENA_ARRAY(r->arena, room, double);
        if (n)
            memcpy(values, r->table.columns[i].values, n * sizeof *values);
        r->table.columns[i].values = values;
    }
    bool *is_event = ARENA_ARRAY(r->arena, room, bool);
    if (n)
        memcpy(is_event, r->is_event, n);
    r->is_event = is_event;
    r->room = room;
}

// The number of a word in a column of words, which it is added to.
static size_t recording_word(Arena *arena, TableColumn *column, const char *word)
{
    for (size_t i = column->word_count; i-- > 0;)
        if (strcmp(column->words[i], word) == 0)
            return i;
    const char **words = ARENA_ARRAY(arena, column->word_count + 1, const char *);
    if (column->word_count)
        memcpy(words, column->words, column->word_count * sizeof *words);
    words[column->word_count] = arena_copy_text(arena, word, strlen(word));
    column->words = words;
    return column->word_count++;
}

static int recording_row(void *user, const SaltusRow *row)
{
    Recording *r = user;
    Table *table = &r->table;
    const size_t k = table->row_count, variable_count = table->column_count - 2;
    const bool is_event =
        row->kind == SALTUS_ROW_BEFORE_EVENT || row->kind == SALTUS_ROW_AFTER_EVENT;
    if (row->kind == SALTUS_ROW_END && k && table->columns[0].values[k - 1] == row->t)
        return 0;
    // Output intervals are as many as were asked for; events as many as there are.
    if (is_event && k >= MOST_NUMBERS / table->column_count) {
        r->left_out++;
        return 0;
    }
    if (k == r->room)
        recording_grow(r);
    table->columns[0].values[k] = row->t;
    for (size_t i = 0; i < variable_count; i++)
        table->columns[i + 1].values[k] = (int)i < row->y_count ? row->y[i] : NAN;
    const SaltusModeDef *mode = saltus_system_use_mode(r->system, row->mode);
    TableColumn *modes = &table->columns[variable_count + 1];
    modes->values[k] =
        (double)recording_word(r->arena, modes, mode && mode->name ? mode->name : "");
    if (mode)
        saltus_system_leave_mode(r->system, row->mode);
    r->is_event[k] = is_event;
    table->row_count++;
    return 0;
}

static void recording_fired(void *user, const char *text, int direction)
{
    StringBuilder *out = user;
    (void)direction;
    builder_append_text(out, out->length ? "; " : "");
    builder_append_text(out, text);
}

static void recording_events(Recording *r, const SaltusRun *run)
{
    const LogSource source = {.system = r->system, .run = run};
    const long count = saltus_run_event_count(run);
    r->event_count = (size_t)(count < MOST_EVENTS ? count : MOST_EVENTS);
    r->events = ARENA_ARRAY(r->arena, r->event_count + 1, PlotMark);
    for (size_t i = 0; i < r->event_count; i++) {
        const SaltusLogEntry entry = saltus_run_event(run, (long)i);
        StringBuilder words = builder_create(r->arena);
        log_conditions(&source, &entry, recording_fired, &words);
        r->events[i] = (PlotMark){entry.t, builder_string(&words).text};
    }
}

static void recording_columns(Recording *r)
{
    Table *t = &r->table;
    const FlatVariable *const *variables = model_output_variables(r->loaded->model);
    const size_t variable_count = model_output_count(r->loaded->model);
    t->column_count = variable_count + 2;
    t->columns = ARENA_ARRAY(r->arena, t->column_count, TableColumn);
    t->columns[0].heading = (TableHeading){.name = "time", .unit = "s"};
    for (size_t i = 0; i < variable_count; i++) {
        const char *unit = variables[i]->attributes->unit;
        t->columns[i + 1].heading =
            (TableHeading){.name = variables[i]->name,
                           .unit = unit && *unit ? unit : NULL,
                           .is_boolean = variables[i]->reference.type->kind == FLAT_TYPE_BOOLEAN};
    }
    t->columns[variable_count + 1].heading = (TableHeading){.name = "mode", .kind = TABLE_WORDS};
    t->title = r->loaded->flat->name;
    t->allocator = memory_default();
    recording_grow(r);
}

// With what the initialization has found.
static void recording_parameters(Recording *r, const SaltusRun *run)
{
    Table *t = &r->table;
    const Parameters p = model_list_parameters(r->loaded->model);
    const double *values = saltus_run_parameters(run);
    t->constants = ARENA_ARRAY(r->arena, p.count + 1u, TableConstant);
    for (uint32_t i = 0; values && i < p.count; i++)
        t->constants[t->constant_count++] = (TableConstant){{.name = p.names[i]}, values[i]};
}

Recording *recording_create(Arena *arena, const Loaded *l, const SaltusOptions *options,
                            double stop_time, SaltusError *error)
{
    Recording *r = ARENA_NEW(arena, Recording);
    SaltusOptions o = *options;
    SaltusRun *run = NULL;
    r->arena = arena;
    r->loaded = l;
    if (loaded_system(l, NULL, 0, &r->system, error) != SALTUS_OK)
        return NULL;
    recording_columns(r);
    o.row = recording_row;
    o.user = r;
    r->status = loaded_run(l, r->system, &o, stop_time, &run, error);
    if (run) {
        recording_parameters(r, run);
        recording_events(r, run);
        saltus_run_destroy(run);
    }
    saltus_system_destroy(r->system);
    r->system = NULL;
    return run && r->table.row_count ? r : NULL;
}
