// SPDX-License-Identifier: MIT
//
// What always holds: entries have no dates of their own, so the same content makes the same bytes.

#include "fmi/archive.h"
#include "base/message.h"

#include <errno.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// An archive that a stranger made cannot fill the disk: the largest FMUs in use have some 100 MB.
static const unsigned long long archive_most_bytes = 4ull << 30;
enum { ARCHIVE_MOST_ENTRIES = 100000, ARCHIVE_NAME = 1024, ARCHIVE_PATH = 4096 };

// ---------------------------------------------------------------------------
// Writing
// ---------------------------------------------------------------------------

struct Archive {
    zipFile zip;
    char path[ARCHIVE_PATH], part[ARCHIVE_PATH]; // written, then renamed
    bool has_failed;
};

Archive *archive_create(const char *path)
{
    Archive *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    const int length = snprintf(a->part, sizeof a->part, "%s.part%ld", path, (long)getpid());
    if (length < 0 || length >= ARCHIVE_PATH) {
        errno = ENAMETOOLONG;
        free(a);
        return NULL;
    }
    snprintf(a->path, sizeof a->path, "%s", path);
    errno = 0;
    a->zip = zipOpen64(a->part, APPEND_STATUS_CREATE);
    if (a->zip)
        return a;
    if (!errno)
        errno = EIO;
    free(a);
    return NULL;
}

bool archive_add(Archive *a, const char *name, const void *bytes, size_t length, bool is_large)
{
    const zip_fileinfo info = {.dosDate = 1 << 21 | 1 << 16}; // 1980-01-01, the first that there is
    const int level = is_large ? 1 : 6;
    const char *rest = bytes;
    enum { PORTION = 1 << 30 };
    bool is_fine = zipOpenNewFileInZip64(a->zip, name, &info, NULL, 0, NULL, 0, NULL, Z_DEFLATED,
                                         level, length >= UINT32_MAX) == ZIP_OK;
    while (is_fine && length > 0) {
        const unsigned portion = length < PORTION ? (unsigned)length : PORTION;
        is_fine = zipWriteInFileInZip(a->zip, rest, portion) == ZIP_OK;
        rest += portion;
        length -= portion;
    }
    is_fine = is_fine && zipCloseFileInZip(a->zip) == ZIP_OK;
    a->has_failed |= !is_fine;
    return is_fine;
}

bool archive_close(Archive *a)
{
    const bool is_closed = zipClose(a->zip, NULL) == ZIP_OK;
    const bool is_fine = is_closed && !a->has_failed && rename(a->part, a->path) == 0;
    if (!is_fine)
        remove(a->part);
    free(a);
    return is_fine;
}

void archive_discard(Archive *a)
{
    a->has_failed = true;
    archive_close(a);
}

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

// Names that stay below the folder: no "..", no beginning with "/", no backslash.
static bool archive_is_inside(const char *name)
{
    if (name[0] == '/' || name[0] == '\0' || strchr(name, '\\'))
        return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        const size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.')
            return false;
    }
    return true;
}

// The folders above the last slash.
static bool archive_make_folders(char *path, size_t from)
{
    for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool is_fine = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!is_fine)
            return false;
    }
    return true;
}

// The bytes that were written; -1: it failed.
static long long archive_copy_out(unzFile zip, const char *path, unsigned long long most)
{
    enum { PORTION = 1 << 16 };
    char *bytes = malloc(PORTION);
    FILE *file = bytes && unzOpenCurrentFile(zip) == UNZ_OK ? fopen(path, "wb") : NULL;
    unsigned long long sum = 0;
    bool is_fine = file;
    for (int length = 1; is_fine && length > 0;) {
        length = unzReadCurrentFile(zip, bytes, PORTION);
        sum += length > 0 ? (unsigned)length : 0;
        is_fine =
            length >= 0 && sum <= most && fwrite(bytes, 1, (size_t)length, file) == (size_t)length;
    }
    if (file)
        is_fine = fclose(file) == 0 && is_fine;
    is_fine = unzCloseCurrentFile(zip) == UNZ_OK && is_fine; // the checksum
    free(bytes);
    return is_fine ? (long long)sum : -1;
}

// One entry; false with a message.
static bool archive_unpack_entry(unzFile zip, const char *folder, unsigned long long *left,
                                 char message[256])
{
    char name[ARCHIVE_NAME], path[ARCHIVE_PATH];
    unz_file_info64 info;
    if (unzGetCurrentFileInfo64(zip, &info, name, sizeof name, NULL, 0, NULL, 0) != UNZ_OK ||
        info.size_filename >= sizeof name || strlen(name) != info.size_filename) {
        snprintf(message, 256, "an entry has no usable name");
        return false;
    }
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!archive_is_inside(name) || length >= ARCHIVE_PATH) {
        message_write(message, 256, "the entry '%s' leads out of the archive", name);
        return false;
    }
    if (!archive_make_folders(path, strlen(folder) + 1)) {
        message_write(message, 256, "cannot make the folder of '%s': %s", name, strerror(errno));
        return false;
    }
    if (name[info.size_filename - 1] == '/')
        return true;
    const long long size = archive_copy_out(zip, path, *left);
    if (size < 0) {
        message_write(message, 256, "the entry '%s' is damaged or too large", name);
        return false;
    }
    *left -= (unsigned long long)size;
    return true;
}

bool archive_unpack(const char *path, const char *folder, char message[256])
{
    unzFile zip = unzOpen64(path);
    unz_global_info64 info;
    unsigned long long left = archive_most_bytes;
    if (!zip) {
        snprintf(message, 256, "it is no ZIP archive");
        return false;
    }
    bool is_fine = unzGetGlobalInfo64(zip, &info) == UNZ_OK && info.number_entry > 0 &&
                   info.number_entry <= ARCHIVE_MOST_ENTRIES && unzGoToFirstFile(zip) == UNZ_OK;
    if (!is_fine)
        snprintf(message, 256, "the archive is damaged, empty, or has too many entries");
    for (int code = UNZ_OK; is_fine && code == UNZ_OK;) {
        is_fine = archive_unpack_entry(zip, folder, &left, message);
        code = is_fine ? unzGoToNextFile(zip) : UNZ_OK;
        if (code != UNZ_OK && code != UNZ_END_OF_LIST_OF_FILE) {
            snprintf(message, 256, "the archive is damaged");
            is_fine = false;
        }
    }
    unzClose(zip);
    return is_fine;
}

bool archive_read(const char *path,
                  bool (*visit)(void *user, const char *name, const void *bytes, size_t length),
                  void *user, char message[256])
{
    char name[ARCHIVE_NAME];
    unz_file_info64 info;
    unzFile zip = unzOpen64(path);
    int code = zip ? unzGoToFirstFile(zip) : UNZ_ERRNO;
    while (code == UNZ_OK) {
        char *bytes = NULL;
        code = unzGetCurrentFileInfo64(zip, &info, name, sizeof name, NULL, 0, NULL, 0);
        if (code == UNZ_OK && info.uncompressed_size < INT32_MAX)
            bytes = malloc(info.uncompressed_size + 1);
        const unsigned size = bytes ? (unsigned)info.uncompressed_size : 0;
        const bool is_fine = bytes && unzOpenCurrentFile(zip) == UNZ_OK &&
                             unzReadCurrentFile(zip, bytes, size) == (int)size &&
                             unzCloseCurrentFile(zip) == UNZ_OK && visit(user, name, bytes, size);
        free(bytes);
        code = is_fine ? unzGoToNextFile(zip) : UNZ_ERRNO;
    }
    if (zip)
        unzClose(zip);
    if (code != UNZ_END_OF_LIST_OF_FILE)
        snprintf(message, 256, "'%.200s' cannot be read", path);
    return code == UNZ_END_OF_LIST_OF_FILE;
}
