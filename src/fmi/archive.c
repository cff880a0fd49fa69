// SPDX-License-Identifier: MIT
//
// What always holds: entries have no dates of their own, so the same content makes the same bytes.

#define ZLIB_CONST // what zlib reads is const

#include "fmi/archive.h"
#include "base/message.h"
#include "results/atomic.h"

#include <errno.h>
#include <minizip/unzip.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

// An archive that a stranger made cannot fill the disk: the largest FMUs in use have some 100 MB.
static const unsigned long long archive_most_bytes = 4ull << 30;
enum { ARCHIVE_MOST_ENTRIES = 100000, ARCHIVE_NAME = 1024, ARCHIVE_PATH = 4096 };

// ---------------------------------------------------------------------------
// Writing
// ---------------------------------------------------------------------------

// Written here with zlib alone: minizip's writer does not look whether it got its memory. Numbers
// of sections are those of PKWARE's APPNOTE.TXT 6.3; there is no ZIP64, 4 GiB are enough.
struct Archive {
    AtomicFile file;
    FILE *directory; // 4.3.12: a header for each entry, in memory until the end
    char *headers;   // its bytes
    size_t headers_size, count;
    size_t headers_wanted; // as many as there must be: a stream in memory may lose them in silence
    uint64_t offset;       // what was written to the file
    int reason;            // of errno, why it has failed; 0: it has not
};

enum {
    ARCHIVE_VERSION = 20, // 4.4.3.2: deflated entries in folders
    ARCHIVE_UTF8 = 1 << 11,
    ARCHIVE_DEFLATED = 8,
    ARCHIVE_DATE = 1 << 5 | 1, // 1980-01-01, the first that there is
};

// A little-endian number of 2 or 4 bytes.
static void archive_put(FILE *file, uint64_t number, int size)
{
    for (int i = 0; i < size; i++)
        fputc((int)(number >> (8 * i) & 0xff), file);
}

Archive *archive_create(const char *path)
{
    Archive *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    errno = 0;
    a->directory = open_memstream(&a->headers, &a->headers_size);
    if (a->directory && atomic_open(&a->file, path, NULL))
        return a;
    const int code = errno ? errno : EIO;
    if (a->directory)
        fclose(a->directory);
    free(a->headers);
    free(a);
    errno = code;
    return NULL;
}

// All of the bytes, deflated without a header of zlib's; NULL: no memory.
static unsigned char *archive_deflate(const void *bytes, size_t length, int level, size_t *size)
{
    z_stream z = {.next_in = bytes, .avail_in = (uInt)length};
    if (deflateInit2(&z, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    const uLong room = deflateBound(&z, (uLong)length);
    unsigned char *packed = room <= UINT32_MAX ? malloc(room) : NULL;
    z.next_out = packed;
    z.avail_out = (uInt)room;
    const bool is_fine = packed && deflate(&z, Z_FINISH) == Z_STREAM_END;
    *size = (size_t)z.total_out;
    deflateEnd(&z);
    if (!is_fine)
        free(packed);
    return is_fine ? packed : NULL;
}

// What the headers of an entry have in common, 4.4.2 to 4.4.11.
static void archive_put_header(FILE *file, const char *name, uint32_t sum, size_t packed,
                               size_t length)
{
    bool is_ascii = true;
    for (const char *c = name; *c; c++)
        is_ascii = is_ascii && (unsigned char)*c < 0x80;
    archive_put(file, ARCHIVE_VERSION, 2);
    archive_put(file, is_ascii ? 0 : ARCHIVE_UTF8, 2);
    archive_put(file, ARCHIVE_DEFLATED, 2);
    archive_put(file, 0, 2); // midnight
    archive_put(file, ARCHIVE_DATE, 2);
    archive_put(file, sum, 4);
    archive_put(file, packed, 4);
    archive_put(file, length, 4);
    archive_put(file, strlen(name), 2);
    archive_put(file, 0, 2); // no extra field
}

bool archive_add(Archive *a, const char *name, const void *bytes, size_t length, bool is_large)
{
    enum { LOCAL_HEADER = 30, DIRECTORY_HEADER = 46 };
    size_t size = 0;
    const size_t name_length = strlen(name);
    unsigned char *packed = length < UINT32_MAX && name_length < UINT16_MAX
                                ? archive_deflate(bytes, length, is_large ? 1 : 6, &size)
                                : NULL;
    if (!packed && !a->reason)
        a->reason = ENOMEM;
    if ((a->count + 1 >= UINT16_MAX || a->offset + size >= UINT32_MAX / 2) && !a->reason)
        a->reason = EFBIG;
    if (!a->reason) {
        const uint32_t sum = (uint32_t)crc32_z(0, bytes, length);
        archive_put(a->file.stream, 0x04034b50, 4);
        archive_put_header(a->file.stream, name, sum, size, length);
        fwrite(name, 1, name_length, a->file.stream);
        if (fwrite(packed, 1, size, a->file.stream) != size)
            a->reason = errno;

        archive_put(a->directory, 0x02014b50, 4);
        archive_put(a->directory, ARCHIVE_VERSION, 2); // made by
        archive_put_header(a->directory, name, sum, size, length);
        archive_put(a->directory, 0, 4); // no comment, the first disk
        archive_put(a->directory, 0, 2); // 4.4.14, 4.4.15: attributes
        archive_put(a->directory, 0, 4);
        archive_put(a->directory, a->offset, 4);
        fwrite(name, 1, name_length, a->directory);
        a->headers_wanted += DIRECTORY_HEADER + name_length;
        a->offset += LOCAL_HEADER + name_length + size;
        a->count++;
    }
    free(packed);
    return !a->reason;
}

bool archive_close(Archive *a)
{
    const bool has_failed = ferror(a->directory), is_closed = fclose(a->directory) == 0;
    if ((has_failed || !is_closed || a->headers_size != a->headers_wanted) && !a->reason)
        a->reason = ENOMEM;
    const int reason = a->reason;
    bool is_fine = !reason;
    if (is_fine) {
        FILE *file = a->file.stream;
        fwrite(a->headers, 1, a->headers_size, file);
        archive_put(file, 0x06054b50, 4); // 4.3.16
        archive_put(file, 0, 4);          // one disk
        archive_put(file, a->count, 2);
        archive_put(file, a->count, 2);
        archive_put(file, a->headers_size, 4);
        archive_put(file, a->offset, 4);
        archive_put(file, 0, 2); // no comment
        is_fine = atomic_commit(&a->file, NULL);
    } else {
        atomic_discard(&a->file);
    }
    free(a->headers);
    free(a);
    if (reason)
        errno = reason;
    return is_fine;
}

void archive_discard(Archive *a)
{
    if (!a->reason)
        a->reason = ECANCELED;
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
                                 char **message)
{
    char name[ARCHIVE_NAME], path[ARCHIVE_PATH];
    unz_file_info64 info;
    if (unzGetCurrentFileInfo64(zip, &info, name, sizeof name, NULL, 0, NULL, 0) != UNZ_OK ||
        info.size_filename >= sizeof name || strlen(name) != info.size_filename)
        return message_set(message, "an entry has no usable name");
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!archive_is_inside(name) || length >= ARCHIVE_PATH)
        return message_set(message, "the entry '%s' leads out of the archive", name);
    if (!archive_make_folders(path, strlen(folder) + 1))
        return message_set(message, "cannot make the folder of '%s': %s", name, strerror(errno));
    if (name[info.size_filename - 1] == '/')
        return true;
    const long long size = archive_copy_out(zip, path, *left);
    if (size < 0)
        return message_set(message, "the entry '%s' is damaged or too large", name);
    *left -= (unsigned long long)size;
    return true;
}

bool archive_unpack(const char *path, const char *folder, char **message)
{
    unzFile zip = unzOpen64(path);
    unz_global_info64 info;
    unsigned long long left = archive_most_bytes;
    if (!zip)
        return message_set(message, "it is no ZIP archive");
    bool is_fine = unzGetGlobalInfo64(zip, &info) == UNZ_OK && info.number_entry > 0 &&
                   info.number_entry <= ARCHIVE_MOST_ENTRIES && unzGoToFirstFile(zip) == UNZ_OK;
    if (!is_fine)
        message_set(message, "the archive is damaged, empty, or has too many entries");
    for (int code = UNZ_OK; is_fine && code == UNZ_OK;) {
        is_fine = archive_unpack_entry(zip, folder, &left, message);
        code = is_fine ? unzGoToNextFile(zip) : UNZ_OK;
        if (code != UNZ_OK && code != UNZ_END_OF_LIST_OF_FILE) {
            message_set(message, "the archive is damaged");
            is_fine = false;
        }
    }
    unzClose(zip);
    return is_fine;
}

bool archive_read(const char *path,
                  bool (*visit)(void *user, const char *name, const void *bytes, size_t length),
                  void *user, char **message)
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
        message_set(message, "'%s' cannot be read", path);
    return code == UNZ_END_OF_LIST_OF_FILE;
}
