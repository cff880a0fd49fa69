// SPDX-License-Identifier: MIT
//
// What always holds: the same model and library make the same bytes, the token included, which is
// a hash of what is in the FMU.

#include "fmi/export.h"

#include "base/message.h"
#include "base/number.h"
#include "flatten/library_path.h"
#include "fmi/archive.h"
#include "fmi/compiled.h"
#include "fmi/describe.h"
#include "fmi/description_write.h"
#include "fmi/disk.h"
#include "fmi/packed.h"
#include "fmi/states.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Exporter {
    const Loaded *loaded;
    const FmuExport *wanted;
    Arena *arena;
    StringBuilder manifest;   // of the model
    StringBuilder references; // and of the value references
    uint32_t count;           // of the sources that are packed
    const SourceFile **sources;
    const char **places; // where they are, "modelica/Ball.mo"
    CompiledModes modes;
    PackedSources code; // what it can be built from
} Exporter;

// ---------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------

static const char *export_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Files of packages keep their place in the package; others stand side by side.
static const char *export_place(Arena *arena, const char *path)
{
    char *real = realpath(path, NULL);
    const char *whole = real ? arena_copy_text(arena, real, strlen(real)) : path;
    free(real);
    const char *package = path_package(arena, whole);
    size_t begin = package ? strlen(package) : 0;
    const bool is_inside = package && strncmp(whole, package, begin) == 0;
    StringBuilder place = builder_create(arena);
    builder_append_text(&place, "modelica/");
    while (begin > 0 && package[begin - 1] == '/')
        begin--;
    while (begin > 0 && package[begin - 1] != '/')
        begin--;
    builder_append_text(&place, is_inside ? whole + begin : export_base_name(whole));
    return builder_string(&place).text;
}

static bool export_collect(Exporter *e, char **message)
{
    const Sources *sources = e->loaded->compilation->sources;
    const size_t count = sources_count(sources);
    e->sources = ARENA_ARRAY(e->arena, count + 1, const SourceFile *);
    e->places = ARENA_ARRAY(e->arena, count + 1, const char *);
    for (size_t i = 0; i < count; i++) {
        const SourceFile *file = sources_file(sources, i);
        if (!path_is_file(file->name))
            continue; // of the program itself
        const char *place = export_place(e->arena, file->name);
        const size_t length = strlen(place);
        if (length > 4 && strcmp(place + length - 4, ".fmu") == 0)
            return message_set(message, "the model has an FMU in it, '%s', which cannot be packed",
                               file->name);
        bool is_new = true;
        for (uint32_t k = 0; k < e->count && is_new; k++) {
            is_new = strcmp(e->places[k], place) != 0;
            if (!is_new && strcmp(e->sources[k]->name, file->name) != 0)
                return message_set(message, "the files '%s' and '%s' have the same name",
                                   e->sources[k]->name, file->name);
        }
        if (!is_new)
            continue;
        e->sources[e->count] = file;
        e->places[e->count++] = place;
    }
    return true;
}

// Files of data, which parameters name: those of packages are packed with them.
static bool export_add_data(const Exporter *e, Archive *archive, char **message)
{
    const FlatModel *flat = e->loaded->flat;
    for (uint32_t i = 0; i < flat->variable_count; i++) {
        const FlatVariable *v = flat->variables[i];
        if (FLAT_TYPE(v)->kind != FLAT_TYPE_STRING || !v->is_evaluated || !v->value.string ||
            !strchr(v->value.string, '/') || !path_is_file(v->value.string))
            continue;
        const char *path = v->value.string;
        if (!path_package(e->arena, path))
            return message_set(
                message,
                "%s names the file '%s', which would not be in the FMU: only files of "
                "packages are, by modelica://",
                v->name, path);
        StringBuilder name = builder_create(e->arena);
        builder_append_format(&name, "resources/%s", export_place(e->arena, path));
        size_t length;
        char *bytes = disk_read(path, LONG_MAX, &length);
        const bool is_fine =
            bytes && archive_add(archive, builder_string(&name).text, bytes, length, false);
        free(bytes);
        if (!is_fine)
            return message_set(message, "cannot read '%s': %s", path, strerror(errno));
    }
    return true;
}

// ---------------------------------------------------------------------------
// The manifest
// ---------------------------------------------------------------------------

static void export_line(Exporter *e, const char *word, const char *text)
{
    builder_append_format(&e->manifest, "%s ", word);
    for (; *text; text++) {
        if (*text == '\n' || *text == '\\')
            builder_append_character(&e->manifest, '\\');
        builder_append_character(&e->manifest, *text == '\n' ? 'n' : *text);
    }
    builder_append_character(&e->manifest, '\n');
}

// (n = 3, x(start = 2)): settings that shape the model.
static void export_shape(Exporter *e)
{
    const Loaded *l = e->loaded;
    StringBuilder out = builder_create(e->arena);
    for (uint32_t i = 0; i < l->shape_count; i++) {
        const FlattenSetting *s = &l->shape[i];
        builder_append_format(&out, "%s%s%s = ", i ? ", " : "(", s->name,
                              s->is_start ? "(start" : "");
        if (s->text)
            builder_append_text(&out, s->text);
        else if (s->type && s->type->kind == FLAT_TYPE_BOOLEAN)
            builder_append_text(&out, s->value != 0.0 ? "true" : "false");
        else if (s->type && s->type->kind == FLAT_TYPE_ENUMERATION)
            builder_append_format(&out, "%s.%s", s->type->name,
                                  s->type->literals[(uint32_t)s->value - 1]->text);
        else
            builder_append_format(&out, "%.17g", s->value);
        builder_append_text(&out, s->is_start ? ")" : "");
    }
    if (l->shape_count == 0)
        return;
    builder_append_text(&out, ")");
    export_line(e, "modification", builder_string(&out).text);
}

static void export_manifest(Exporter *e, const FmuDescription *d)
{
    const Loaded *l = e->loaded;
    const Parameters p = model_list_parameters(l->model);
    builder_append_text(&e->manifest, "saltus-fmu 1\n");
    export_line(e, "token", d->token);
    builder_append_format(&e->manifest, "indicators %u\n", d->indicator_count);
    export_line(e, "model", l->flat->name);
    for (size_t i = 0; i < e->wanted->def->file_count; i++)
        export_line(e, "file", export_place(e->arena, e->wanted->def->files[i]));
    export_shape(e);
    for (uint32_t i = 0; i < l->given_count; i++) {
        char number[NUMBER_LENGTH];
        number_print(l->given[i].value, number);
        builder_append_format(&e->manifest, "set %s", number);
        export_line(e, "", p.names[l->given[i].number]);
    }
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// A C identifier, which the library in the FMU is named by (FMI 2.0.4, section 2.2.1).
static const char *export_identifier(Arena *arena, const char *name)
{
    char *text = arena_copy_text(arena, name, strlen(name));
    for (char *c = text; *c; c++) {
        const bool is_letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        const bool is_digit = *c >= '0' && *c <= '9';
        if (!is_letter && !(is_digit && c != text))
            *c = '_';
    }
    return text;
}

static void hash_bytes(uint64_t hash[2], const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) { // FNV-1a, from two beginnings
        hash[0] = (hash[0] ^ (unsigned char)bytes[i]) * 1099511628211u;
        hash[1] = (hash[1] ^ (unsigned char)bytes[i]) * 1099511628211u;
    }
}

static const char *export_token(const Exporter *e, const FmuDescription *d)
{
    uint64_t hash[2] = {14695981039346656037u, 7809847782465536322u};
    StringBuilder text = builder_create(e->arena);
    description_write(&text, d);
    hash_bytes(hash, text.text, text.length);
    hash_bytes(hash, e->references.text, e->references.length);
    for (uint32_t i = 0; i < e->count; i++)
        hash_bytes(hash, e->sources[i]->text, e->sources[i]->length);
    char *token = arena_allocate(e->arena, 40);
    snprintf(token, 40, "%08x-%04x-%04x-%04x-%012llx", (unsigned)(hash[0] >> 32),
             (unsigned)(hash[0] >> 16) & 0xffffu, (unsigned)hash[0] & 0xffffu,
             (unsigned)(hash[1] >> 48), (unsigned long long)(hash[1] & 0xffffffffffffu));
    return token;
}

// The folder of the library below binaries/.
static const char *export_platform(const Exporter *e)
{
    return e->wanted->version == 3 ? "x86_64-linux" : "linux64";
}

static bool export_add_library(const Exporter *e, Archive *archive, const char *identifier,
                               char **message)
{
    size_t size;
    char *bytes = disk_read(e->wanted->library, LONG_MAX, &size);
    if (!bytes)
        return message_set(message, "cannot read the library of FMUs, '%s': %s", e->wanted->library,
                           strerror(errno));
    StringBuilder name = builder_create(e->arena);
    builder_append_format(&name, "binaries/%s/%s.so", export_platform(e), identifier);
    const bool is_fine = archive_add(archive, builder_string(&name).text, bytes, size, true);
    free(bytes);
    return is_fine;
}

static bool export_add_text(Archive *archive, const char *name, const StringBuilder *text)
{
    return archive_add(archive, name, builder_string(text).text, text->length, false);
}

static bool export_write(Exporter *e, const FmuDescription *d, const char *identifier,
                         char **message)
{
    StringBuilder xml = builder_create(e->arena);
    Archive *archive = archive_create(e->wanted->path);
    if (!archive)
        return message_set(message, "cannot write '%s': %s", e->wanted->path, strerror(errno));
    description_write(&xml, d);
    builder_append(&e->manifest, e->references.text, e->references.length);
    bool is_fine = export_add_text(archive, "modelDescription.xml", &xml);
    is_fine = export_add_library(e, archive, identifier, message) && is_fine;
    is_fine = compiled_add_code(&e->modes, archive, export_platform(e), e->arena) && is_fine;
    if (d->sources)
        is_fine = packed_add(&e->code, &e->modes, d, archive, e->arena) && is_fine;
    is_fine = export_add_text(archive, "resources/model.txt", &e->manifest) && is_fine;
    for (uint32_t i = 0; i < e->count; i++) {
        StringBuilder name = builder_create(e->arena);
        builder_append_format(&name, "resources/%s", e->places[i]);
        is_fine = archive_add(archive, builder_string(&name).text, e->sources[i]->text,
                              e->sources[i]->length, false) &&
                  is_fine;
    }
    is_fine = export_add_data(e, archive, message) && is_fine;
    if (!is_fine) {
        archive_discard(archive);
        if (!*message)
            message_set(message, "cannot write '%s': %s", e->wanted->path, strerror(errno));
        return false;
    }
    is_fine = archive_close(archive);
    if (!is_fine)
        message_set(message, "cannot write '%s': %s", e->wanted->path, strerror(errno));
    return is_fine;
}

// Opens the model as the FMU will: start values as settings, inputs that change. NULL: it cannot be
// opened so; the reason is in the message.
static Loaded *export_open(const Exporter *e, const FmuDescription *d, char **message)
{
    const FmuExport *wanted = e->wanted;
    NamedSetting *settings =
        ARENA_ARRAY(e->arena, d->variable_count + wanted->def->setting_count + 1u, NamedSetting);
    LoadedDef def = *wanted->def;
    def.setting_count = 0;
    for (size_t i = 0; i < wanted->def->setting_count; i++)
        settings[def.setting_count++] = wanted->def->settings[i];
    for (uint32_t i = 0; i < d->variable_count; i++) {
        const FmuVariable *v = &d->variables[i];
        if (v->initial != FMU_EXACT || v->variability != FMU_CONTINUOUS)
            continue;
        StringBuilder name = builder_create(e->arena);
        builder_append_format(&name, "%s.start", v->name);
        settings[def.setting_count++] =
            (NamedSetting){.name = builder_string(&name).text, .value = v->start};
    }
    def.settings = settings;
    def.has_live_inputs = true;
    def.model = e->loaded->flat->name;
    Loaded *l = loaded_create(&def);
    if (l && !l->refusal && l->model)
        return l;
    message_set(message, "%s", l ? loaded_first_error(l) : "out of memory");
    loaded_destroy(l);
    return NULL;
}

static FmuDescription *export_describe(Exporter *e, bool has_starts, const DescribeStates *states,
                                       char **message)
{
    e->references = builder_create(e->arena);
    return describe_model(e->loaded, e->wanted->version, has_starts, states, &e->references,
                          message);
}

// With start values that can be set, or else without. The model as the FMU has it is in *live.
static FmuDescription *export_find(Exporter *e, Loaded **live, char **message)
{
    DescribeStates states;
    bool has_starts = true;
    FmuDescription *d = export_describe(e, true, NULL, message);
    *live = d ? export_open(e, d, message) : NULL;
    if (d && !*live && !strstr(message_text(*message), "out of memory")) {
        has_starts = false;
        d = export_describe(e, false, NULL, message);
        *live = d ? export_open(e, d, message) : NULL;
    }
    if (!*live)
        return NULL;
    free(*message);
    *message = NULL;
    if (!e->wanted->has_exchange)
        return d;
    return states_find(*live, &states, message) ? export_describe(e, has_starts, &states, message)
                                                : NULL;
}

static bool export_all(Exporter *e, FmuDescription *d, char **message)
{
    const FmuExport *wanted = e->wanted;
    if (!export_collect(e, message))
        return false;
    const char *identifier = export_identifier(e->arena, d->name);
    StringBuilder tool = builder_create(e->arena);
    builder_append_format(&tool, "Saltus %s", saltus_version());
    d->tool = builder_string(&tool).text;
    d->exchange = wanted->has_exchange ? identifier : NULL;
    d->cosimulation = wanted->has_cosimulation ? identifier : NULL;
    d->can_keep_state = d->can_serialize_state = true;
    d->has_event_mode = d->can_return_early = true;
    d->has_derivatives = true;
    if (wanted->sources) {
        if (!packed_read(&e->code, wanted->sources, e->arena, message))
            return false;
        packed_list(&e->code, &e->modes, d, e->arena);
    }
    d->token = "";
    d->token = export_token(e, d);
    export_manifest(e, d);
    return export_write(e, d, identifier, message);
}

bool export_fmu(const Loaded *l, const FmuExport *wanted, char **message)
{
    Arena *arena = l->compilation->arena;
    Exporter e = {.loaded = l, .wanted = wanted, .arena = arena, .manifest = builder_create(arena)};
    Loaded *live;
    FmuDescription *d = export_find(&e, &live, message);
    if (d)
        e.modes = compiled_make(live, arena);
    const bool is_fine = d && export_all(&e, d, message);
    if (is_fine && e.modes.reason)
        message_set(message, "%s: the FMU interprets equations of the model", e.modes.reason);
    compiled_end(&e.modes);
    loaded_destroy(live);
    return is_fine;
}
