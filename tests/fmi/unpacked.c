// SPDX-License-Identifier: MIT

#include "unpacked.h"

#include "base/message.h"
#include "fmi/archive.h"
#include "fmi/export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1 << 22, 1);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 22) - 1, file) > 0);
    fclose(file);
    return text;
}

// The text of an attribute from `from` on.
static void read_attribute(const char *from, const char *name, char *text, size_t size)
{
    const char *begin = strstr(from, name);
    assert_non_null(begin);
    begin += strlen(name);
    const size_t length = strcspn(begin, "\"");
    assert_true(length < size);
    memcpy(text, begin, length);
    text[length] = '\0';
}

void unpacked_create(Unpacked *u, const char *file, const char *model, int version,
                     bool is_exchange)
{
    char path[512], *message = NULL, identifier[128];
    *u = (Unpacked){.folder = "/tmp/saltus-fmu-test-XXXXXX"};
    assert_non_null(mkdtemp(u->folder));
    snprintf(u->resources, sizeof u->resources, "%s/resources", u->folder);
    snprintf(u->location, sizeof u->location, "file://%s", u->resources);
    char source[512];
    snprintf(source, sizeof source, "%s%s%s", file[0] == '/' ? "" : SALTUS_SOURCE_DIR,
             file[0] == '/' ? "" : "/models/", file);
    const char *const files[] = {source};
    const LoadedDef def = {.file_count = 1,
                           .files = files,
                           .model = model,
                           .library_path = SALTUS_SOURCE_DIR "/models"};
    Loaded *loaded = loaded_create(&def);
    assert_non_null(loaded);
    assert_non_null(loaded->model);
    snprintf(path, sizeof path, "%s/model.fmu", u->folder);
    const FmuExport wanted = {.path = path,
                              .library = SALTUS_FMU_LIBRARY,
                              .def = &def,
                              .version = version,
                              .has_exchange = is_exchange,
                              .has_cosimulation = true};
    if (!export_fmu(loaded, &wanted, &message))
        fail_msg("%s", message_text(message));
    loaded_destroy(loaded);
    if (!archive_unpack(path, u->folder, &message))
        fail_msg("%s", message_text(message));
    snprintf(path, sizeof path, "%s/modelDescription.xml", u->folder);
    u->description = read_text(path);
    read_attribute(u->description, version == 3 ? "instantiationToken=\"" : "guid=\"", u->token,
                   sizeof u->token);
    read_attribute(u->description, "modelIdentifier=\"", identifier, sizeof identifier);
    snprintf(path, sizeof path, "%s/binaries/%s/%s.so", u->folder,
             version == 3 ? "x86_64-linux" : "linux64", identifier);
    if (!binary_open(&u->binary, path, version, is_exchange, &message))
        fail_msg("%s", message_text(message));
    free(message);
}

void unpacked_end(Unpacked *u)
{
    char command[128];
    binary_close(&u->binary);
    free(u->description);
    snprintf(command, sizeof command, "rm -rf '%s'", u->folder);
    assert_int_equal(system(command), 0);
}

unsigned unpacked_reference(const Unpacked *u, const char *name)
{
    char pattern[200], number[32];
    snprintf(pattern, sizeof pattern, "name=\"%s\" valueReference=\"", name);
    read_attribute(u->description, pattern, number, sizeof number);
    return (unsigned)strtoul(number, NULL, 10);
}
