// SPDX-License-Identifier: MIT

#include "fmi/packed.h"

#include "fmi/description_write.h"

#include <stdio.h>
#include <string.h>

// What the sources of Saltus are linked with.
static const char *const packed_libraries[] = {
    "sundials_cvode",
    "sundials_ida",
    "sundials_kinsol",
    "sundials_sunlinsolklu",
    "sundials_sunlinsoldense",
    "sundials_sunmatrixsparse",
    "sundials_sunmatrixdense",
    "sundials_sunnonlinsolnewton",
    "sundials_sunnonlinsolfixedpoint",
    "sundials_nvecserial",
    "sundials_generic",
    "klu",
    "m",
};

static bool packed_visit(void *user, const char *name, const void *bytes, size_t length)
{
    static const char *const roots[] = {"src/", "include/", "cmake/fmu/"};
    PackedSources *s = user;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strncmp(name, roots[i], strlen(roots[i])) == 0) {
            name += strlen(roots[i]);
            break;
        }
    if (s->count == s->room)
        return false;
    s->names[s->count] = arena_copy_text(s->arena, name, strlen(name));
    s->texts[s->count++] = (String){arena_copy_text(s->arena, bytes, length), length};
    return true;
}

bool packed_read(PackedSources *s, const char *path, Arena *arena, char **message)
{
    enum { MOST_SOURCES = 2000 };
    *s = (PackedSources){.arena = arena,
                         .room = MOST_SOURCES,
                         .names = ARENA_ARRAY(arena, MOST_SOURCES, const char *),
                         .texts = ARENA_ARRAY(arena, MOST_SOURCES, String)};
    return archive_read(path, packed_visit, s, message);
}

void packed_list(const PackedSources *s, const CompiledModes *modes, FmuDescription *d,
                 Arena *arena)
{
    const char **names = ARENA_ARRAY(arena, s->count + modes->count + 1u, const char *);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const char *dot = strrchr(s->names[i], '.');
        if (dot && strcmp(dot, ".c") == 0)
            names[count++] = s->names[i];
    }
    names[count++] = "fmu/built_in.c";
    for (uint32_t i = 0; i < modes->count; i++) {
        StringBuilder name = builder_create(arena);
        builder_append_format(&name, "compiled/mode_%u.c", i + 1);
        names[count++] = builder_string(&name).text;
    }
    d->sources = names;
    d->source_count = count;
}

static void packed_build_description(StringBuilder *out, const FmuDescription *d)
{
    builder_append_format(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<fmiBuildDescription fmiVersion=\"3.0\">\n"
        "  <BuildConfiguration modelIdentifier=\"%s\" description=\"SUNDIALS 6.4 or later and KLU "
        "must be installed\">\n"
        "    <SourceFileSet language=\"C17\" compilerOptions=\"-O2 -ffp-contract=off\">\n",
        d->cosimulation ? d->cosimulation : d->exchange);
    for (uint32_t i = 0; i < d->source_count; i++)
        builder_append_format(out, "      <SourceFile name=\"%s\"/>\n", d->sources[i]);
    builder_append_text(out,
                        "      <PreprocessorDefinition name=\"_XOPEN_SOURCE\" value=\"700\"/>\n"
                        "      <IncludeDirectory name=\".\"/>\n"
                        "    </SourceFileSet>\n");
    for (size_t i = 0; i < sizeof packed_libraries / sizeof *packed_libraries; i++)
        builder_append_format(out, "    <Library name=\"%s\" external=\"true\"/>\n",
                              packed_libraries[i]);
    builder_append_text(out, "  </BuildConfiguration>\n</fmiBuildDescription>\n");
}

bool packed_add(const PackedSources *s, const CompiledModes *modes, const FmuDescription *d,
                Archive *archive, Arena *arena)
{
    bool is_fine = compiled_add_sources(modes, archive, arena);
    for (uint32_t i = 0; i < s->count && is_fine; i++) {
        StringBuilder name = builder_create(arena);
        builder_append_format(&name, "sources/%s", s->names[i]);
        is_fine = archive_add(archive, builder_string(&name).text, s->texts[i].text,
                              s->texts[i].length, false);
    }
    if (d->version == 2 || !is_fine)
        return is_fine;
    StringBuilder xml = builder_create(arena);
    packed_build_description(&xml, d);
    return archive_add(archive, "sources/buildDescription.xml", builder_string(&xml).text,
                       xml.length, false);
}
