// SPDX-License-Identifier: MIT
//
// Result files: what is written can be read back to the last bit, also by SciPy; damaged files
// are refused with a message; a file appears as a whole or not at all.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "results/table.h"
#include "results/writer.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/saltus-table-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int count_files(void)
{
    DIR *entries = opendir(folder);
    int count = -2; // . and ..
    while (readdir(entries))
        count++;
    closedir(entries);
    return count;
}

static const TableHeading headings[] = {
    {"time", "s", NULL, TABLE_NUMBERS, false},
    {"ball.h", "m", "height, \"above\" ground", TABLE_NUMBERS, false},
    {"a[1,2]", NULL, NULL, TABLE_NUMBERS, false},
    {"mode", NULL, "active mode", TABLE_WORDS, false}};
static const TableConstant constants[] = {{{"g", "m/s2", "gravity", TABLE_NUMBERS, false}, 9.81},
                                          {{"flag", NULL, NULL, TABLE_NUMBERS, false}, 1.0}};
static const double rows[4][4] = {
    {0.0, 1.0 / 3.0, -0.0}, {0.5, 1e-310, NAN}, {0.5, -1e300, 5.0}, {1.0, INFINITY, 0.1}};
static const char *const modes[4] = {"falling", "falling", "on, \"ground\"", "falling"};

static bool write_table(const char *path, TableFormat format, char **message)
{
    const WriterDef def = {path, format, "Ball", 4, headings, 2, constants};
    Writer *writer = writer_create(&def, message);
    if (!writer)
        return false;
    for (int i = 0; i < 4; i++)
        writer_row(writer, rows[i], &modes[i]);
    return writer_close(writer, message);
}

static void assert_same(double a, double b)
{
    if (isnan(a) && isnan(b))
        return;
    assert_memory_equal(&a, &b, sizeof a); // all bits
}

static void assert_values(const Table *t)
{
    assert_int_equal(t->column_count, 4);
    assert_int_equal(t->row_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(t->columns[i].heading.name, headings[i].name);
        assert_int_equal(t->columns[i].heading.kind, headings[i].kind);
    }
    for (size_t row = 0; row < 4; row++) {
        for (size_t i = 0; i < 3; i++)
            assert_same(t->columns[i].values[row], rows[row][i]);
        assert_string_equal(table_word(&t->columns[3], row), modes[row]);
    }
    assert_int_equal(t->columns[3].word_count, 2);
}

static void csv_round_trip(void **state)
{
    (void)state;
    char *message = NULL;
    const char *path = in_folder("round.csv");
    assert_true(write_table(path, TABLE_CSV, &message));
    Table *t = table_read(path, &message);
    assert_non_null(t);
    assert_values(t);
    assert_int_equal(t->constant_count, 0);
    assert_ptr_equal(table_column(t, "ball.h"), &t->columns[1]);
    assert_null(table_column(t, "ball.v"));
    assert_string_equal(table_nearest(t, "bal.h"), "ball.h");
    table_destroy(t);
}

static void mat_round_trip(void **state)
{
    (void)state;
    char *message = NULL;
    const char *path = in_folder("round.mat");
    assert_true(write_table(path, TABLE_MAT, &message));
    Table *t = table_read(path, &message);
    assert_non_null(t);
    assert_values(t);
    assert_string_equal(t->columns[0].heading.unit, "s");
    assert_null(t->columns[0].heading.description);
    assert_string_equal(t->columns[1].heading.unit, "m");
    assert_string_equal(t->columns[1].heading.description, headings[1].description);
    assert_null(t->columns[2].heading.unit);
    assert_int_equal(t->constant_count, 2);
    assert_same(table_constant(t, "g")->value, 9.81);
    assert_string_equal(table_constant(t, "g")->heading.unit, "m/s2");
    table_destroy(t);
}

static char *read_text(const char *path)
{
    static char text[65536];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

// What the initialization finds is known after the writer is made.
static void constants_that_are_known_late(void **state)
{
    (void)state;
    const TableFormat formats_with_constants[] = {TABLE_MAT, TABLE_JSON};
    for (size_t i = 0; i < 2; i++) {
        char *message = NULL;
        TableConstant late[] = {constants[0], constants[1]};
        const char *path = in_folder(i ? "late.json" : "late.mat");
        const WriterDef def = {path, formats_with_constants[i], "Ball", 4, headings, 2, late};
        Writer *writer = writer_create(&def, &message);
        assert_non_null(writer);
        writer_row(writer, rows[0], &modes[0]);
        late[0].value = 1.62;
        assert_true(writer_close(writer, &message));
        Table *t = table_read(path, &message);
        assert_non_null(t);
        assert_same(table_constant(t, "g")->value, 1.62);
        assert_same(table_constant(t, "flag")->value, 1.0);
        table_destroy(t);
    }
}

// JSON has no infinity: that becomes "nothing was there".
static void json_round_trip(void **state)
{
    (void)state;
    char *message = NULL;
    const char *path = in_folder("back.json");
    assert_true(write_table(path, TABLE_JSON, &message));
    Table *t = table_read(path, &message);
    assert_null(message);
    assert_non_null(t);
    assert_true(isnan(t->columns[1].values[3]));
    t->columns[1].values[3] = INFINITY;
    assert_values(t);
    assert_string_equal(t->title, "Ball");
    assert_string_equal(t->columns[1].heading.description, headings[1].description);
    assert_same(table_constant(t, "g")->value, 9.81);
    table_destroy(t);
}

static void damaged_json(void **state)
{
    (void)state;
#define TABLE(rest) "{\"schema\":\"saltus-table\",\"version\":1," rest "}"
#define COLUMNS "\"columns\":[{\"name\":\"time\"},{\"name\":\"m\",\"kind\":\"word\"}]"
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"schema\":", "a.json: this is no valid JSON"},
        {"{\"schema\":\"saltus-run\"}", "a.json: no table: the schema is 'saltus-run'"},
        {"{\"schema\":\"saltus-table\",\"version\":2}",
         "a.json: version 1 of the schema was expected"},
        {"{\"schema\":\"saltus-table\"}", "a.json: version 1 of the schema was expected"},
        {"{\"schema\":\"saltus-table\",\"version\":\"1\"}",
         "a.json: version 1 of the schema was expected"},
        {TABLE("\"rows\":[]"), "a.json: the table has no columns"},
        {TABLE("\"columns\":[{}]"), "a.json: column 1 has no name"},
        {TABLE(COLUMNS ",\"rows\":[[0]]"), "a.json: row 1 has 1 values instead of 2"},
        {TABLE(COLUMNS ",\"rows\":[[0,\"a\",1]]"), "a.json: row 1 has more than 2 values"},
        {TABLE(COLUMNS ",\"rows\":[[0,\"a\"],[0,1]]"), "a.json: row 2: m must be a string"},
        {TABLE(COLUMNS ",\"rows\":[[\"a\",\"a\"]]"), "a.json: row 1: time must be a number"},
        {TABLE(COLUMNS ",\"rows\":[7]"), "a.json: row 1 has 0 values instead of 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *message = NULL;
        assert_null(table_parse(cases[i].text, strlen(cases[i].text), "a.json", &message));
        assert_string_equal(message, cases[i].message);
        free(message);
    }
}

static void json_text(void **state)
{
    (void)state;
    char *message = NULL;
    const char *path = in_folder("round.json");
    assert_true(write_table(path, TABLE_JSON, &message));
    const char *text = read_text(path);
    assert_non_null(strstr(text, "{\"schema\":\"saltus-table\",\"version\":1,\"model\":\"Ball\""));
    assert_non_null(strstr(text, "{\"name\":\"ball.h\",\"unit\":\"m\",\"description\":\"height, "
                                 "\\\"above\\\" ground\",\"kind\":\"number\"}"));
    assert_non_null(strstr(text, "{\"name\":\"g\",\"unit\":\"m/s2\",\"description\":\"gravity\","
                                 "\"value\":9.8100000000000005}"));
    assert_non_null(strstr(text, "[1,null,0.10000000000000001,\"falling\"]],\n\"constants\":["));
}

// An independent reader of the format, with the layout as DyMat and others expect it.
static void mat_in_scipy(void **state)
{
    (void)state;
    if (system("/usr/bin/python3 -c 'import scipy.io' 2>/dev/null") != 0)
        skip(); // SciPy is not installed
    char *message = NULL, script[1024];
    snprintf(script, sizeof script, "%s", in_folder("check.py"));
    assert_true(write_table(in_folder("scipy.mat"), TABLE_MAT, &message));
    FILE *file = fopen(script, "w");
    assert_non_null(file);
    fputs("import scipy.io, sys, math\n"
          "m = scipy.io.loadmat(sys.argv[1], chars_as_strings=False)\n"
          "across = lambda a: [''.join(c).rstrip() for c in zip(*a)]\n"
          "assert [''.join(r).rstrip() for r in m['Aclass']] == "
          "['Atrajectory', '1.1', '', 'binTrans']\n"
          "assert across(m['name']) == ['time', 'ball.h', 'a[1,2]', 'mode', 'g', 'flag']\n"
          "assert across(m['description'])[1] == 'height, \"above\" ground [m]'\n"
          "assert m['dataInfo'].tolist() == "
          "[[0, 2, 2, 2, 1, 1], [1, 2, 3, 4, 2, 3], [0] * 6, [-1, -1, -1, -1, 0, 0]]\n"
          "assert m['data_1'].tolist() == [[0, 1], [9.81, 9.81], [1, 1]]\n"
          "assert m['data_2'].shape == (4, 4)\n"
          "assert m['data_2'][0].tolist() == [0, 0.5, 0.5, 1]\n"
          "assert m['data_2'][1].tolist() == [1 / 3, 1e-310, -1e300, math.inf]\n"
          "assert m['data_2'][3].tolist() == [0, 0, 1, 0]\n"
          "assert across(m['text_4']) == ['falling', 'on, \"ground\"']\n",
          file);
    fclose(file);
    char line[2048];
    snprintf(line, sizeof line, "/usr/bin/python3 '%s' '%s'", script, in_folder("scipy.mat"));
    assert_int_equal(system(line), 0);
    unlink(script);
}

// ---------------------------------------------------------------------------
// Other people's files
// ---------------------------------------------------------------------------

static Table *parse(const char *text, char **message)
{
    return table_parse(text, strlen(text), "a.csv", message);
}

static void foreign_csv(void **state)
{
    (void)state;
    char *message = NULL;
    // Byte order mark, CRLF, quoted names, spaces, empty fields, no last line break, empty lines.
    Table *t = parse("\xef\xbb\xbf\"time\",\"x, y\"\r\n 0 , +1e-3\r\n\r\n1,\r\n2,-inf", &message);
    assert_non_null(t);
    assert_int_equal(t->row_count, 3);
    assert_string_equal(t->columns[1].heading.name, "x, y");
    assert_same(t->columns[1].values[0], 1e-3);
    assert_true(isnan(t->columns[1].values[1]));
    assert_same(t->columns[1].values[2], -INFINITY);
    table_destroy(t);
    // Modes that look like numbers are words; a header alone is a table without rows.
    t = parse("time,mode\n0,1\n1,2\n", &message);
    assert_non_null(t);
    assert_string_equal(table_word(&t->columns[1], 1), "2");
    table_destroy(t);
    t = parse("time,x\n", &message);
    assert_non_null(t);
    assert_int_equal(t->row_count, 0);
    table_destroy(t);
}

// A column may have as many words as rows; reading stays fast (a quadratic search would take
// minutes).
static void many_words(void **state)
{
    (void)state;
    enum { ROWS = 200000 };
    char *text = malloc(20 * ROWS), *message = NULL;
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "k,reason\n");
    for (int i = 0; i < ROWS; i++)
        n += (size_t)sprintf(text + n, "%d,w%d\n", i, i / 2);
    Table *t = table_parse(text, n, "a.csv", &message);
    free(text);
    assert_non_null(t);
    assert_int_equal(t->columns[1].word_count, ROWS / 2);
    assert_string_equal(table_word(&t->columns[1], ROWS - 1), "w99999");
    table_destroy(t);
}

static void damaged_csv(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "a.csv: the file is empty"},
        {"0,1\n1,2\n", "a.csv:1: the first line must have the names of the columns, not numbers"},
        {"time,x\n0,1\n1\n", "a.csv:3: 1 fields instead of 2"},
        {"time,x\n0,1,2\n", "a.csv:2: 3 fields instead of 2"},
        {"time,,x\n", "a.csv:1: column 2 has no name"},
        {",x\n", "a.csv:1: column 1 has no name"},
        {"\n", "a.csv:1: column 1 has no name"},
        {"time,x\n0,\"1\n", "a.csv:3: a quote is not closed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *message = NULL;
        assert_null(parse(cases[i].text, &message));
        assert_string_equal(message, cases[i].message);
        free(message);
    }
    char *message = NULL;
    assert_null(table_parse("time\0", 5, "a.csv", &message));
    assert_string_equal(message,
                        "a.csv: this is neither CSV, JSON, nor a .mat file of a known kind");
    assert_null(table_read(in_folder("none.csv"), &message));
    assert_non_null(strstr(message, "none.csv': No such file or directory"));
    assert_null(table_read(folder, &message));
    assert_non_null(strstr(message, "Is a directory"));
    free(message);
}

// A matrix of version 5, little endian: flags, sizes, name, data. The bytes end at the result.
static size_t put_mat5(unsigned char *to, uint32_t class, uint32_t height, uint32_t width,
                       const char *name, uint32_t type, const void *data, uint32_t size)
{
    const uint32_t length = (uint32_t)strlen(name);
    const uint32_t padded_name = (length + 7) / 8 * 8, padded = (size + 7) / 8 * 8;
    const uint32_t head[] = {
        14, 48 + padded_name + padded, 6, 8, class, 0, 5, 8, height, width, 1, length};
    unsigned char *at = to;
    memcpy(at, head, sizeof head);
    at += sizeof head;
    memset(at, 0, padded_name + padded + 8);
    memcpy(at, name, length);
    at += padded_name;
    memcpy(at, &type, 4);
    memcpy(at + 4, &size, 4);
    memcpy(at + 8, data, size);
    return (size_t)(at - to) + 8 + padded;
}

// What MATLAB and SciPy save: vectors in rows or columns, a matrix, other types, a scalar, a text.
// Cut anywhere it is refused or read, as is any change of a byte.
static void variables_of_mat5(void **state)
{
    (void)state;
    enum { DOUBLES = 6, CHARS = 4, BYTES = 9, LOGICAL = 0x200 };
    static const double time[] = {0, 0.5, 1}, pair[] = {1, 2, 3, 4, 5, 6}, k = 2.5;
    static const unsigned char flags[] = {0, 1, 1};
    static const int16_t small[] = {-3, 4, 5};
    unsigned char bytes[2000] = "MATLAB 5.0 MAT-file";
    memcpy(bytes + 124, "\0\1IM", 4);
    size_t length = 128;
    length += put_mat5(bytes + length, DOUBLES, 2, 3, "pair", 9, pair, sizeof pair);
    length += put_mat5(bytes + length, CHARS, 1, 3, "text", 2, "abc", 3);
    length += put_mat5(bytes + length, DOUBLES, 1, 3, "time", 9, time, sizeof time);
    length += put_mat5(bytes + length, BYTES | LOGICAL, 3, 1, "on", 2, flags, sizeof flags);
    length += put_mat5(bytes + length, DOUBLES, 3, 1, "small", 3, small, sizeof small);
    length += put_mat5(bytes + length, DOUBLES, 1, 1, "k", 9, &k, sizeof k);
    char *message = NULL;
    Table *t = table_parse((const char *)bytes, length, "a.mat", &message);
    assert_null(message);
    assert_non_null(t);
    assert_int_equal(t->row_count, 3);
    assert_int_equal(t->column_count, 5);
    assert_string_equal(t->columns[0].heading.name, "time");
    assert_true(table_column(t, "time")->values[1] == 0.5);
    assert_true(table_column(t, "pair[2]")->values[2] == 6.0);
    assert_true(table_column(t, "small")->values[0] == -3.0);
    assert_true(table_column(t, "on")->heading.is_boolean);
    assert_true(table_constant(t, "k")->value == 2.5);
    table_destroy(t);
    for (size_t i = 0; i < length; i++) {
        unsigned char *copy = malloc(length); // exactly so long, for the sanitizers
        memcpy(copy, bytes, length);
        t = table_parse((const char *)copy, i, "a.mat", &message);
        table_destroy(t);
        copy[i] ^= 0xff;
        t = table_parse((const char *)copy, length, "a.mat", &message);
        table_destroy(t);
        free(copy);
    }
    memcpy(bytes + 124, "\0\2IM", 4);
    assert_null(table_parse((const char *)bytes, length, "a.mat", &message));
    assert_non_null(strstr(message, "save it with -v7"));
    free(message);
}

// Small files that would take much memory: a million columns of a row, a compressed matrix of
// 2^27 zeros (130 kB).
static void bombs_of_mat5(void **state)
{
    (void)state;
    enum { WIDTH = 1000 * 1000 };
    static const double zero = 0.0;
    char *message = NULL, line[1000];
    unsigned char *bytes = calloc(1, WIDTH + 1000), *numbers = calloc(1, WIDTH);
    memcpy(bytes, "MATLAB 5.0 MAT-file", 19);
    memcpy(bytes + 124, "\0\1IM", 4);
    size_t length = 128;
    length += put_mat5(bytes + length, 6, 1, 1, "time", 9, &zero, sizeof zero);
    length += put_mat5(bytes + length, 6, 1, WIDTH, "x", 2, numbers, WIDTH);
    assert_null(table_parse((const char *)bytes, length, "a.mat", &message));
    assert_string_equal(message, "a.mat: 1000001 columns of a length of 1: there can be 1000000");
    free(numbers);
    free(bytes);
    snprintf(line, sizeof line,
             "/usr/bin/python3 -c \"import struct, zlib; n = 2**27 + 8; "
             "m = struct.pack('<IIIIIIIIIIHHII', 14, n + 48, 6, 8, 6, 0, 5, 8, 1, n, 1, 1, 120, "
             "2) + struct.pack('<I', n) + bytes(n); z = zlib.compress(m, 9); "
             "open('%s', 'wb').write(b'MATLAB 5.0 MAT-file'.ljust(124) + b'\\0\\1IM' + "
             "struct.pack('<II', 15, len(z)) + z)\"",
             in_folder("bomb.mat"));
    if (system(line) != 0)
        skip(); // no Python
    assert_null(table_read(in_folder("bomb.mat"), &message));
    assert_non_null(strstr(message, "it has more than 134217728 numbers"));
    free(message);
}

// Every byte of a .mat file changed, and the file cut at every place: refused or read, never more
// than that (the sanitizers watch).
static void damaged_mat(void **state)
{
    (void)state;
    char *message = NULL;
    assert_true(write_table(in_folder("whole.mat"), TABLE_MAT, &message));
    FILE *file = fopen(in_folder("whole.mat"), "rb");
    char bytes[4096];
    const size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(length > 500 && length < sizeof bytes);
    size_t refused = 0;
    for (size_t cut = 0; cut < length; cut++) {
        Table *t = table_parse(bytes, cut, "a.mat", &message);
        refused += !t;
        table_destroy(t);
    }
    assert_true(refused >= length - 1); // without the last matrix, of words, it is a whole file
    for (size_t i = 0; i < length; i++)
        for (int bit = 0; bit < 8; bit += 7) {
            bytes[i] = (char)(bytes[i] ^ (1 << bit));
            table_destroy(table_parse(bytes, length, "a.mat", &message));
            bytes[i] = (char)(bytes[i] ^ (1 << bit));
        }
    free(message);
}

// Variables that are the same row of a file share their words, as they do their values: n names of
// one row with n words would take n^2 of memory.
static void shared_words(void **state)
{
    (void)state;
    static const char file[] = "\x33\0\0\0\4\0\0\0\x0b\0\0\0\0\0\0\0\7\0\0\0Aclass\0"
                               "A1 bt. ir1 na  Tj  re  ac  nt  so   r   y   "
                               "\x33\0\0\0\1\0\0\0\3\0\0\0\0\0\0\0\5\0\0\0name\0tab"
                               "\x32\0\0\0\2\0\0\0\3\0\0\0\0\0\0\0\x09\0\0\0dataInfo\0"
                               "\0\1\2\2\2\2"
                               "\x32\0\0\0\2\0\0\0\2\0\0\0\0\0\0\0\7\0\0\0data_2\0\0\1\1\0"
                               "\x33\0\0\0\1\0\0\0\2\0\0\0\0\0\0\0\7\0\0\0text_2\0uv";
    char *message = NULL;
    Table *t = table_parse(file, sizeof file - 1, "a.mat", &message);
    assert_null(message);
    assert_non_null(t);
    assert_int_equal(t->column_count, 3);
    assert_string_equal(table_word(&t->columns[1], 0), "v");
    assert_string_equal(table_word(&t->columns[2], 1), "u");
    assert_ptr_equal(t->columns[1].words, t->columns[2].words);
    table_destroy(t);
}

// Big endian, single precision, not transposed, an alias with the sign changed.
static void foreign_mat(void **state)
{
    (void)state;
    unsigned char bytes[1024];
    size_t n = 0;
#define PUT32(v)                                                                                   \
    (bytes[n] = (unsigned char)((uint32_t)(v) >> 24), bytes[n + 1] = (unsigned char)((v) >> 16),   \
     bytes[n + 2] = (unsigned char)((v) >> 8), bytes[n + 3] = (unsigned char)(v), n += 4)
#define HEADER(type, rows, columns, name)                                                          \
    (PUT32(type), PUT32(rows), PUT32(columns), PUT32(0), PUT32((int)sizeof name),                  \
     memcpy(bytes + n, name, sizeof name), n += sizeof name)
    HEADER(1051, 4, 11, "Aclass");
    // column by column: row 1 "Atrajectory", row 2 "1.1", row 3 empty, row 4 "binNormal"
    const char *class_rows[] = {"Atrajectory", "1.1        ", "           ", "binNormal  "};
    for (int k = 0; k < 11; k++)
        for (int i = 0; i < 4; i++)
            bytes[n++] = (unsigned char)class_rows[i][k];
    HEADER(1051, 3, 4, "name");
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++)
            bytes[n++] = (unsigned char)((const char *[]){"time", "x   ", "y   "}[i][k]);
    HEADER(1020, 3, 4, "dataInfo");
    const int info[4][3] = {{0, 2, 2}, {1, 2, -2}, {0, 0, 0}, {-1, -1, -1}};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++)
            PUT32(info[k][i]);
    HEADER(1010, 2, 2, "data_2"); // floats: time 0, 1; x 2, -0.5
    PUT32(0);
    PUT32(0x3f800000);
    PUT32(0x40000000);
    PUT32(0xbf000000);
    char *message = NULL;
    Table *t = table_parse((const char *)bytes, n, "a.mat", &message);
    assert_null(message);
    assert_non_null(t);
    assert_int_equal(t->row_count, 2);
    assert_same(t->columns[0].values[1], 1.0);
    assert_same(t->columns[1].values[0], 2.0);
    assert_same(t->columns[2].values[1], 0.5);
    table_destroy(t);
}

// ---------------------------------------------------------------------------
// Whole or not at all
// ---------------------------------------------------------------------------

static void failures_keep_the_old_file(void **state)
{
    (void)state;
    char *message = NULL;
    const int before = count_files();
    assert_false(write_table(in_folder("no/such/folder.csv"), TABLE_CSV, &message));
    assert_non_null(strstr(message, "folder.csv': No such file or directory"));
    assert_false(write_table(folder, TABLE_CSV, &message));
    assert_non_null(strstr(message, "Is a directory"));
    assert_false(write_table("-", TABLE_MAT, &message));
    assert_non_null(strstr(message, "standard output"));
    if (access("/dev/full", W_OK) == 0) {
        assert_false(write_table("/dev/full", TABLE_CSV, &message));
        assert_non_null(strstr(message, "'/dev/full': No space left on device"));
    }
    free(message);
    message = NULL;
    assert_int_equal(count_files(), before);

    // While a writer is at work, and after it gave up, the old file is there.
    const char *path = in_folder("old.csv");
    assert_true(write_table(path, TABLE_CSV, &message));
    const WriterDef def = {path, TABLE_CSV, NULL, 1, headings, 0, NULL};
    Writer *writer = writer_create(&def, &message);
    assert_non_null(writer);
    writer_row(writer, rows[0], NULL);
    assert_int_equal(strncmp(read_text(path), "time,ball.h", 11), 0);
    assert_int_equal(count_files(), before + 2);
    writer_discard(writer);
    assert_int_equal(count_files(), before + 1);
    assert_int_equal(strncmp(read_text(path), "time,ball.h", 11), 0);
}

// A link stays a link, and a file has the rights that the user's mask gives.
static void links_and_rights(void **state)
{
    (void)state;
    char *message = NULL, target[256];
    snprintf(target, sizeof target, "%s", in_folder("target.csv"));
    const mode_t mask = umask(027);
    assert_true(write_table(target, TABLE_CSV, &message));
    umask(mask);
    struct stat info;
    assert_int_equal(stat(target, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(symlink(target, in_folder("link.csv")), 0);
    assert_true(write_table(in_folder("link.csv"), TABLE_CSV, &message));
    assert_int_equal(lstat(in_folder("link.csv"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

static void formats(void **state)
{
    (void)state;
    TableFormat format;
    assert_true(table_format("a/b.mat", &format) && format == TABLE_MAT);
    assert_true(table_format("b.csv", &format) && format == TABLE_CSV);
    assert_true(table_format("b.json", &format) && format == TABLE_JSON);
    assert_false(table_format("b.txt", &format));
    assert_false(table_format(".mat", &format));
}

// Compressed, as MATLAB does it by default.
static void mat5_of_scipy(void **state)
{
    (void)state;
    char line[512], *message = NULL;
    snprintf(line, sizeof line,
             "/usr/bin/python3 -c \"import numpy, scipy.io; scipy.io.savemat('%s', {'t': "
             "numpy.arange(1000) / 8, 'u': numpy.arange(1000) ** 2.0}, do_compression=True)\" "
             "2>/dev/null",
             in_folder("packed.mat"));
    if (system(line) != 0)
        skip(); // no SciPy
    Table *t = table_read(in_folder("packed.mat"), &message);
    assert_non_null(t);
    assert_int_equal(t->row_count, 1000);
    assert_true(t->columns[0].values[999] == 999.0 / 8.0);
    assert_true(table_column(t, "u")->values[999] == 999.0 * 999.0);
    table_destroy(t);
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    char line[256];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_round_trip),
        cmocka_unit_test(mat_round_trip),
        cmocka_unit_test(json_round_trip),
        cmocka_unit_test(damaged_json),
        cmocka_unit_test(json_text),
        cmocka_unit_test(mat_in_scipy),
        cmocka_unit_test(foreign_csv),
        cmocka_unit_test(many_words),
        cmocka_unit_test(damaged_csv),
        cmocka_unit_test(damaged_mat),
        cmocka_unit_test(foreign_mat),
        cmocka_unit_test(variables_of_mat5),
        cmocka_unit_test(bombs_of_mat5),
        cmocka_unit_test(shared_words),
        cmocka_unit_test(mat5_of_scipy),
        cmocka_unit_test(failures_keep_the_old_file),
        cmocka_unit_test(links_and_rights),
        cmocka_unit_test(formats),
        cmocka_unit_test(constants_that_are_known_late),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
