// SPDX-License-Identifier: MIT

#include "fmi/compiled.h"

#include "base/message.h"
#include "modes/model.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Of the run: what it has not met by then is interpreted.
enum { COMPILED_MOST_STEPS = 20000, COMPILED_MOST_EVENTS = 5000 };

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

// How it ends does not matter.
static void compiled_run(const Loaded *live)
{
    const FlatExperiment e = loaded_experiment(live);
    SaltusOptions o = saltus_default_options();
    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    o.start_time = e.start_time;
    if (!isnan(e.tolerance)) {
        o.method.relative_tolerance = e.tolerance;
        o.method.absolute_tolerance = 1e-3 * e.tolerance;
    }
    o.method.max_step = (e.stop_time - e.start_time) / 50.0;
    o.record = SALTUS_RECORD_NOTHING;
    o.max_steps = COMPILED_MOST_STEPS;
    o.max_events = COMPILED_MOST_EVENTS;
    if (loaded_system(live, NULL, 0, &system, NULL) == SALTUS_OK)
        loaded_run(live, system, &o, e.stop_time, &run, NULL);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// KEY.c of all modes, KEY.so of those that were compiled.
static void compiled_list(CompiledModes *modes, Arena *arena)
{
    enum { MOST_MODES = 1000 };
    modes->keys = ARENA_ARRAY(arena, MOST_MODES, char *);
    DIR *folder = opendir(modes->folder.path);
    for (struct dirent *e; folder && modes->count < MOST_MODES && (e = readdir(folder));) {
        const char *dot = strrchr(e->d_name, '.');
        if (!dot || strncmp(e->d_name, "source-", 7) == 0)
            continue;
        if (strcmp(dot, ".c") == 0)
            modes->keys[modes->count++] =
                arena_copy_text(arena, e->d_name, (size_t)(dot - e->d_name));
    }
    if (folder)
        closedir(folder);
    qsort(modes->keys, modes->count, sizeof *modes->keys, compare_keys);
}

// The file of a mode; NULL: there is none. To be freed.
static char *compiled_read(const CompiledModes *modes, uint32_t mode, const char *suffix,
                           size_t *length)
{
    char path[192];
    snprintf(path, sizeof path, "%s/%s%s", modes->folder.path, modes->keys[mode], suffix);
    return disk_read(path, LONG_MAX, length);
}

// Begins to compile the text of a mode. NULL: there is none, or no memory.
static Native *compiled_start(const CompiledModes *modes, uint32_t mode)
{
    static const char *const none[] = {NULL};
    const NativeOptions options = {.cache = modes->folder.path, .store = NATIVE_FILLED};
    size_t length = 0;
    char *text = compiled_read(modes, mode, ".c", &length);
    const String source = {text, length};
    Native *native = text ? native_start_text(source, "c", none, none, &options) : NULL;
    free(text);
    return native;
}

// Waits for a mode that compiled_start gave, and keeps why there is no code of it.
static void compiled_finish(CompiledModes *modes, Native *native)
{
    const bool is_ready = native && native_poll(native, true) == NATIVE_READY;
    if (!is_ready)
        message_set(&modes->reason, "%s", native ? native_reason(native) : "out of memory");
    native_destroy(native);
}

// As many at once as there are processors.
static void compiled_compile(CompiledModes *modes)
{
    enum { MOST_AT_ONCE = 16 };
    Native *natives[MOST_AT_ONCE];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const uint32_t at_once = processors < 1              ? 1
                             : processors < MOST_AT_ONCE ? (uint32_t)processors
                                                         : MOST_AT_ONCE;
    for (uint32_t i = 0; i < modes->count + at_once; i++) {
        if (i >= at_once)
            compiled_finish(modes, natives[i % at_once]);
        natives[i % at_once] = i < modes->count ? compiled_start(modes, i) : NULL;
    }
}

CompiledModes compiled_make(const Loaded *live, Arena *arena)
{
    CompiledModes modes = {0};
    if (!disk_make(&modes.folder, "modes")) {
        message_set(&modes.reason, "there is no folder for compiled code");
        return modes;
    }
    // Now the texts alone, then the code, one mode beside the other.
    const NativeOptions options = {
        .compiler = "/nowhere", .cache = modes.folder.path, .store = NATIVE_FILLED};
    model_set_backend(live->model, BACKEND_C, &options);
    compiled_run(live);
    model_set_backend(live->model, BACKEND_INTERPRET, NULL);
    compiled_list(&modes, arena);
    compiled_compile(&modes);
    return modes;
}

void compiled_end(CompiledModes *modes)
{
    disk_remove(&modes->folder);
    free(modes->reason);
}

// ---------------------------------------------------------------------------
// Into the FMU
// ---------------------------------------------------------------------------

bool compiled_add_code(const CompiledModes *modes, Archive *archive, const char *platform,
                       Arena *arena)
{
    bool is_fine = true;
    for (uint32_t i = 0; i < modes->count && is_fine; i++) {
        size_t length = 0;
        char *bytes = compiled_read(modes, i, ".so", &length);
        StringBuilder name = builder_create(arena);
        builder_append_format(&name, "binaries/%s/modes/%s.so", platform, modes->keys[i]);
        is_fine = !bytes || archive_add(archive, builder_string(&name).text, bytes, length, false);
        free(bytes);
    }
    return is_fine;
}

// The names of the entries in the order of the module: each is defined at the beginning of a line.
static void compiled_append_entries(StringBuilder *out, const char *text, const char *format,
                                    unsigned number)
{
    static const char begin[] = "\nint saltus_";
    for (const char *c = strstr(text, begin); c; c = strstr(c, begin)) {
        c += sizeof begin - 1;
        const int length = (int)strcspn(c, "(");
        const String name = {c, (size_t)length};
        builder_append_format(out, format, (int)name.length, name.text, number, (int)name.length,
                              name.text);
    }
}

// Functions have names that no other mode has, and stand in a table.
static void compiled_write_source(StringBuilder *out, const char *text, unsigned number)
{
    compiled_append_entries(out, text, "#define saltus_%.*s saltus_mode_%u_%.*s\n", number);
    builder_append_format(out, "#define past saltus_mode_%u_past\n", number);
    builder_append_text(out, text);
    builder_append_format(out,
                          "\nint (*const saltus_mode_%u[])(const double *const *, double *const *, "
                          "Run *) = {\n",
                          number);
    compiled_append_entries(out, text, "    saltus_%.*s, // of mode %u: %.*s\n", number);
    builder_append_text(out, "};\n");
}

bool compiled_add_sources(const CompiledModes *modes, Archive *archive, Arena *arena)
{
    StringBuilder list = builder_create(arena), table = builder_create(arena);
    bool is_fine = true;
    builder_append_text(&list, "// The modes that were compiled into this FMU.\n\n"
                               "#include \"fmu/built_in.h\"\n\n");
    for (uint32_t i = 0; i < modes->count && is_fine; i++) {
        size_t length = 0;
        char *text = compiled_read(modes, i, ".c", &length);
        StringBuilder source = builder_create(arena), name = builder_create(arena);
        builder_append_format(&name, "sources/compiled/mode_%u.c", i + 1);
        if (text)
            compiled_write_source(&source, text, i + 1);
        is_fine = text && archive_add(archive, builder_string(&name).text,
                                      builder_string(&source).text, source.length, false);
        free(text);
        builder_append_format(&list, "extern const CodeFunction saltus_mode_%u[];\n", i + 1);
        builder_append_format(&table, "    {\"%s\", saltus_mode_%u},\n", modes->keys[i], i + 1);
    }
    builder_append_text(&list, "\nconst NativeBuiltIn fmu_built_in[] = {\n");
    builder_append(&list, table.text, table.length);
    builder_append_text(&list, "    {NULL, NULL},\n};\n");
    return is_fine && archive_add(archive, "sources/fmu/built_in.c", builder_string(&list).text,
                                  list.length, false);
}
