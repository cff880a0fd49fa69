// SPDX-License-Identifier: MIT
//
// Deflate is undone, and the matrices of MATLAB files are read, as zlib and SciPy wrote them; what
// is damaged is refused and never read beyond its end.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/inflate.h"
#include "base/mat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// By zlib at its best compression: dynamic codes, matches over a long distance.
static const uint8_t packed[] = {
    237, 208, 185, 13,  128, 80,  16,  3,   209, 86,  92,  0,   1,   230, 166, 28,  132,
    64,  34,  250, 104, 5,   162, 125, 40,  96,  82,  178, 77,  95,  228, 113, 148, 71,
    181, 202, 174, 69,  231, 177, 94,  119, 108, 149, 226, 51,  131, 53,  96,  45,  88,
    7,   214, 131, 13,  96,  35,  216, 4,   54,  211, 102, 12,  161, 18,  83,  138, 169,
    197, 20,  99,  170, 49,  229, 228, 181, 121, 109, 94,  251, 247, 181, 47};

// Inflates the deflated bytes, as a stream of zlib with the checksum of what is expected.
static bool inflate(const uint8_t *bytes, size_t length, const char *expected, size_t size,
                    uint8_t *out)
{
    uint8_t *stream = malloc(length + 6); // of its own, so that sanitizers see its end
    uint32_t a = 1, b = 0;
    assert_non_null(stream);
    for (size_t i = 0; expected[i]; i++) {
        a = (a + (uint8_t)expected[i]) % 65521;
        b = (b + a) % 65521;
    }
    memcpy(stream, (const uint8_t[]){0x78, 0x9c}, 2);
    memcpy(stream + 2, bytes, length);
    memcpy(stream + 2 + length,
           (const uint8_t[]){(uint8_t)(b >> 8), (uint8_t)b, (uint8_t)(a >> 8), (uint8_t)a}, 4);
    const bool is_fine = inflate_zlib(stream, length + 6, out, size);
    free(stream);
    return is_fine;
}

static void test_deflate_is_undone(void **state)
{
    (void)state;
    char expected[2000] = "";
    for (int i = 0; i < 60; i++)
        snprintf(expected + strlen(expected), 40, "row %d of a picture, ", i % 17);
    uint8_t out[2000];
    const size_t size = strlen(expected);
    assert_true(inflate(packed, sizeof packed, expected, size, out));
    assert_memory_equal(out, expected, size);
    assert_false(inflate(packed, sizeof packed, expected, size - 1, out));
    assert_false(inflate(packed, sizeof packed, expected, size + 1, out));
    expected[3] = 'X';
    assert_false(inflate(packed, sizeof packed, expected, size, out)); // by its checksum
    static const uint8_t stored[] = {1, 3, 0, 252, 255, 'a', 'b', 'c'};
    assert_true(inflate(stored, sizeof stored, "abc", 3, out));
    assert_memory_equal(out, "abc", 3);
    static const uint8_t fixed[] = {0x4b, 0x4c, 0x4a, 0x06, 0x00};
    assert_true(inflate(fixed, sizeof fixed, "abc", 3, out));
    assert_memory_equal(out, "abc", 3);
}

// What its beginning is, whatever follows.
static bool inflate_damaged(const uint8_t *bytes, size_t length, uint8_t *out, size_t size)
{
    uint8_t *stream = malloc(length + 2);
    assert_non_null(stream);
    memcpy(stream, (const uint8_t[]){0x78, 0x9c}, 2);
    memcpy(stream + 2, bytes, length);
    const bool is_fine = inflate_zlib_begin(stream, length + 2, out, size);
    free(stream);
    return is_fine;
}

// Whatever is damaged is refused, or has other content; it is never read beyond its end.
static void test_damaged_deflate_is_refused(void **state)
{
    (void)state;
    uint8_t out[2000];
    char expected[2000] = "";
    for (int i = 0; i < 60; i++)
        snprintf(expected + strlen(expected), 40, "row %d of a picture, ", i % 17);
    const size_t size = strlen(expected);
    assert_true(inflate_damaged(packed, sizeof packed, out, size));
    // The last byte holds the end of the last block alone.
    for (size_t length = 0; length + 1 < sizeof packed; length++)
        assert_false(inflate_damaged(packed, length, out, size));
    uint8_t damaged[sizeof packed];
    for (size_t bit = 0; bit < 8 * sizeof packed; bit++) {
        memcpy(damaged, packed, sizeof packed);
        damaged[bit / 8] ^= (uint8_t)(1u << bit % 8);
        inflate_damaged(damaged, sizeof damaged, out, size);
    }
    // 288 codes of lengths and 32 of distances, which is more than there are.
    static const uint8_t too_many[] = {0xfd, 0xff, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb};
    assert_false(inflate_damaged(too_many, sizeof too_many, out, size));
}

// "abc" by zlib.compress of Python.
static const uint8_t stream[] = {0x78, 0x9c, 0x4b, 0x4c, 0x4a, 0x06, 0, 0x02, 0x4d, 0x01, 0x27};

static void test_streams_of_zlib(void **state)
{
    (void)state;
    uint8_t out[4] = {0}, wrong[sizeof stream];
    assert_true(inflate_zlib(stream, sizeof stream, out, 3));
    assert_memory_equal(out, "abc", 3);
    assert_true(inflate_zlib_begin(stream, sizeof stream, out, 2));
    assert_false(inflate_zlib(stream, sizeof stream, out, 2));
    assert_false(inflate_zlib_begin(stream, sizeof stream, out, 4));
    // No bit of its head, its checksum or its content can change without being noticed, except the
    // level of compression, which goes with a check of its own.
    for (size_t bit = 0; bit < 8 * sizeof stream; bit++) {
        memcpy(wrong, stream, sizeof stream);
        wrong[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (inflate_zlib(wrong, sizeof wrong, out, 3))
            assert_memory_equal(out, "abc", 3);
    }
    for (size_t length = 0; length < sizeof stream; length++)
        assert_false(inflate_zlib(stream, length, out, 3));
}

// By scipy.io.savemat(..., do_compression=True), what follows the text of its header:
//   other = int16 [-1, 0, 1], s.t = [0.5, 1.5, 2.5; 3.5, 4.5, 5.5], s.deep.i = int8 [7, -8],
//   z = 1 + 2i, name = 'abc', tab = s.t
static const uint8_t saved[] = {
    0,   0,   0,   0,   0,   0,   0,   0,   0,   1,   73,  77,  15,  0,   0,   0,   45,  0,   0,
    0,   120, 156, 227, 99,  96,  96,  112, 0,   98,  54,  32,  230, 0,   98,  46,  6,   8,   96,
    133, 242, 25,  129, 152, 25,  74,  131, 196, 242, 75,  50,  82,  139, 160, 98,  32,  61,  255,
    255, 67,  228, 0,   92,  186, 4,   168, 15,  0,   0,   0,   124, 0,   0,   0,   120, 156, 227,
    99,  96,  96,  208, 96,  100, 96,  96,  3,   210, 28,  64,  204, 196, 0,   1,   172, 80,  62,
    35,  28,  51,  50,  20,  131, 197, 89,  192, 114, 32,  49,  46,  32,  46,  1,   41,  78,  73,
    77,  45,  128, 234, 227, 3,   226, 4,   6,   132, 121, 108, 104, 230, 129, 204, 103, 134, 234,
    7,   1,   78,  32,  54,  96,  128, 129, 7,   246, 16,  154, 199, 1,   66,  255, 128, 242, 133,
    160, 124, 22,  40,  45,  230, 0,   178, 167, 128, 129, 24,  119, 195, 196, 89,  192, 106, 24,
    129, 100, 38,  212, 157, 6,   72,  250, 57,  176, 232, 103, 66,  210, 15,  210, 199, 254, 131,
    129, 1,   0,   1,   24,  9,   207, 15,  0,   0,   0,   43,  0,   0,   0,   120, 156, 227, 99,
    96,  96,  240, 0,   98,  54,  32,  230, 0,   209, 32,  2,   8,   88,  161, 124, 70,  56,  102,
    100, 168, 2,   210, 156, 80,  113, 8,   248, 96,  143, 202, 103, 112, 0,   0,   78,  33,  2,
    143, 15,  0,   0,   0,   43,  0,   0,   0,   120, 156, 227, 99,  96,  96,  48,  0,   98,  54,
    32,  230, 0,   98,  22,  6,   8,   96,  133, 242, 25,  129, 152, 25,  76,  179, 48,  228, 37,
    230, 166, 10,  0,   121, 137, 73,  201, 12,  0,   39,  104, 3,   65,  15,  0,   0,   0,   59,
    0,   0,   0,   120, 156, 227, 99,  96,  96,  72,  0,   98,  54,  32,  230, 128, 210, 32,  192,
    10,  229, 51,  1,   49,  51,  16,  51,  2,   201, 146, 196, 36,  6,   78,  32,  219, 128, 1,
    6,   30,  216, 67,  104, 30,  7,   8,   253, 3,   202, 23,  130, 242, 89,  160, 180, 152, 3,
    0,   236, 227, 5,   151};
enum { TEXT_OF_HEADER = 116 };

static size_t saved_file(uint8_t *to)
{
    memset(to, ' ', TEXT_OF_HEADER);
    memcpy(to, "MATLAB 5.0 MAT-file", 19);
    memcpy(to + TEXT_OF_HEADER, saved, sizeof saved);
    return TEXT_OF_HEADER + sizeof saved;
}

// Puts "name rows x columns: a b ...\n" behind the text, as many as fit.
static bool note(void *data, const MatMatrix *m)
{
    char *text = data;
    const size_t size = 1000;
    size_t at = strlen(text);
    at += (size_t)snprintf(text + at, size - at, "%s%s%s %zux%zu:", m->name,
                           m->is_text ? " text" : "", m->is_complex ? " complex" : "", m->rows,
                           m->columns);
    for (size_t i = 0; i < m->rows; i++)
        for (size_t k = 0; k < m->columns && at < size; k++)
            at += (size_t)snprintf(text + at, size - at, " %g", mat_element(m, i, k));
    if (at < size)
        snprintf(text + at, size - at, "\n");
    return strlen(text) < size - 1;
}

static void test_compressed_matrices(void **state)
{
    (void)state;
    uint8_t bytes[TEXT_OF_HEADER + sizeof saved];
    char text[1000] = "";
    const char *message;
    assert_true(mat_each(bytes, saved_file(bytes), note, text, &message));
    assert_string_equal(text, "other 1x3: -1 0 1\n"
                              "s.t 2x3: 0.5 1.5 2.5 3.5 4.5 5.5\n"
                              "s.deep.i 1x2: 7 -8\n"
                              "z complex 1x1: 1\n"
                              "name text 1x3: 97 98 99\n"
                              "tab 2x3: 0.5 1.5 2.5 3.5 4.5 5.5\n");
    bytes[125] = 2;
    assert_false(mat_each(bytes, sizeof bytes, note, text, &message));
    assert_string_equal(message, "a .mat file of version 7.3, which is HDF5: save it with -v7");
}

// The checksum of zlib notices every change inside of a compressed matrix.
static void test_damaged_matrices(void **state)
{
    (void)state;
    enum { SIZE = TEXT_OF_HEADER + sizeof saved };
    uint8_t bytes[SIZE];
    const size_t length = saved_file(bytes);
    char right[1000] = "";
    const char *message;
    mat_each(bytes, length, note, right, &message);
    for (size_t i = 128; i < length; i++) {
        char text[1000] = "";
        uint8_t *copy = malloc(length); // of its own, so that sanitizers see its end
        memcpy(copy, bytes, length);
        copy[i] ^= 0x10;
        if (mat_each(copy, length, note, text, &message)) {
            // Only what is no matrix any more can be missing: the rest is as it was.
            for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
                assert_non_null(strstr(right, line));
        } else {
            assert_non_null(message);
        }
        text[0] = '\0';
        mat_each(copy, i, note, text, &message);
        free(copy);
    }
}

// Of level 4: both orders of bytes, a text, single precision.
static void test_level_4(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {
        0,  0, 0x03, 0xf2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 'f', 0, 0x3f, 0x80,
        0,  0, 0xc0, 0x20, 0, 0, // big endian, float: 1, -2.5
        51, 0, 0,    0,    2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 't', 0, 'h',  'i',
    };
    char text[1000] = "";
    const char *message;
    assert_true(mat_each(bytes, sizeof bytes, note, text, &message));
    assert_string_equal(text, "f 1x2: 1 -2.5\nt text 2x1: 104 105\n");
    assert_false(mat_each(bytes, sizeof bytes - 1, note, text, &message));
    assert_string_equal(message, "the file ends in the middle of a matrix");
    // Nothing is in it, but it says that it has 2^32 - 1 columns.
    static const uint8_t empty[] = {51,  0, 0, 0, 0, 0, 0, 0, 255, 255, 255,
                                    255, 0, 0, 0, 0, 2, 0, 0, 0,   't', 0};
    assert_false(mat_each(empty, sizeof empty, note, text, &message));
    assert_string_equal(message, "an empty matrix with too many rows or columns");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deflate_is_undone), cmocka_unit_test(test_damaged_deflate_is_refused),
        cmocka_unit_test(test_streams_of_zlib),   cmocka_unit_test(test_compressed_matrices),
        cmocka_unit_test(test_damaged_matrices),  cmocka_unit_test(test_level_4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
