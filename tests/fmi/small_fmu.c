// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fmi/small_fmu.h"

#include "fmi/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void small_fmu_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

bool small_fmu_make(char path[64], const char *name, const char *description, const char *source)
{
    char folder[] = "/tmp/saltus-small-XXXXXX", command[256], file_name[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, 64, "%s/%s.fmu", folder, name);
    snprintf(file_name, sizeof file_name, "%s/source.c", folder);
    small_fmu_write(file_name, source);
    snprintf(command, sizeof command, "cc -shared -fPIC -o %s/library.so %s 2>/dev/null", folder,
             file_name);
    if (system(command) != 0) {
        small_fmu_remove(path);
        return false;
    }
    snprintf(file_name, sizeof file_name, "%s/library.so", folder);
    FILE *file = fopen(file_name, "rb");
    static char bytes[200000];
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    assert_true(size > 0 && size < sizeof bytes);
    fclose(file);
    Archive *archive = archive_create(path);
    assert_non_null(archive);
    assert_true(
        archive_add(archive, "modelDescription.xml", description, strlen(description), true));
    snprintf(file_name, sizeof file_name, "binaries/x86_64-linux/%s.so", name);
    assert_true(archive_add(archive, file_name, bytes, size, false));
    assert_true(archive_close(archive));
    return true;
}

void small_fmu_remove(const char *path)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%.*s'", (int)(strrchr(path, '/') - path), path);
    assert_int_equal(system(command), 0);
}
