// SPDX-License-Identifier: MIT
//
// External functions by their names, with a store: objects that are tables, with their derivatives
// and forward derivatives, files, generators, what is said instead of written.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "external/hand.h"
#include "external/random.h"
#include "support/hybrid.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double rounding = 1e-13;

#define TABLES "ModelicaStandardTables_"

static int begin_store(void **state)
{
    (void)state;
    hand.call.store = store_create();
    return hand.call.store ? 0 : -1;
}

static int end_store(void **state)
{
    (void)state;
    store_destroy(hand.call.store);
    hand.call.store = NULL;
    return 0;
}

static double last(void)
{
    return hand.numbers[hand.call.count - 1][0];
}

static void assert_fails(const char *name, const char *why)
{
    assert_false(hand_run(name));
    if (!strstr(hand.call.message, why))
        fail_msg("%s: '%s', expected '%s'", name, hand.call.message, why);
}

// name(arguments): all numbers, the first is the table's.
static double ask(const char *name, double table, int count, const double *arguments)
{
    hand_begin(NULL);
    hand_number(table);
    for (int i = 0; i < count; i++)
        hand_number(arguments[i]);
    hand_number(NAN);
    assert_true(hand_run(name));
    return last();
}

#define ASK(name, table, ...)                                                                      \
    ask(TABLES name, table, sizeof((double[]){__VA_ARGS__}) / sizeof(double),                      \
        (const double[]){__VA_ARGS__})

// ---- tables of one variable and of time ---------------------------------------------------------

// y = x^2 at 0, 1, 2, 3, 4, where Akima's slopes are exact, and so are the cubics.
static const double parabola[] = {0, 0, 1, 1, 2, 4, 3, 9, 4, 16};

static void give_one(double smoothness, double extrapolation, double column)
{
    hand_begin(NULL);
    hand_text("NoName");
    hand_text(" NoName");
    hand_array(5, 2, parabola);
    hand_number(5);
    hand_number(2);
    hand_array(1, 0, &column);
    hand_number(1);
    hand_number(smoothness);
    hand_number(extrapolation);
    hand_number(0);
    hand_number(NAN);
}

static void one_variable(void **state)
{
    (void)state;
    give_one(2, 2, 2); // continuous derivative, last two points
    assert_true(hand_run(TABLES "CombiTable1D_init2"));
    const double table = last();
    assert_close(ASK("CombiTable1D_getValue", table, 1, 2.5), 6.25, rounding);
    // d(x^2) = 2 x dx; d^2 = 2 dx^2 + 2 x d2x
    assert_close(ASK("CombiTable1D_getDerValue", table, 1, 2.5, 3.0), 15.0, rounding);
    assert_close(ASK("CombiTable1D_getDer2Value", table, 1, 2.5, 3.0, 0.5), 20.5, rounding);
    assert_close(ask(TABLES "CombiTable1D_minimumAbscissa", table, 0, NULL), 0.0, 0.0);
    assert_close(ask(TABLES "CombiTable1D_maximumAbscissa", table, 0, NULL), 4.0, 0.0);
    // Equal tables are one.
    give_one(2, 2, 2);
    assert_true(hand_run(TABLES "CombiTable1D_init2"));
    assert_close(last(), table, 0.0);
}

static void wrong_tables(void **state)
{
    (void)state;
    give_one(9, 2, 2);
    assert_fails(TABLES "CombiTable1D_init2", "unknown smoothness or extrapolation");
    give_one(1, 2, 0.5);
    assert_fails(TABLES "CombiTable1D_init2", "has no column 0.5");
    give_one(1, 2, 3);
    assert_fails(TABLES "CombiTable1D_init2", "has no column 3");
    give_one(1, 2, 2);
    hand.texts[1][0] = "curve";
    assert_fails(TABLES "CombiTable1D_init2", "table 'curve' has no file");
    give_one(1, 2, 2);
    hand.arguments[2].count = 0;
    assert_fails(TABLES "CombiTable1D_init2", "the table is empty");
    give_one(1, 2, 2);
    hand.numbers[2][5] = NAN;
    assert_fails(TABLES "CombiTable1D_init2", "not a number, in row 3");
    give_one(1, 2, 2);
    hand.dims[2][0] = 10, hand.dims[2][1] = 1;
    assert_fails(TABLES "CombiTable1D_init2", "has 10 rows and 1 columns");
    // One of a file is called by its name there.
    give_one(1, 2, 9);
    hand.texts[0][0] = "data.txt";
    hand.texts[1][0] = "m";
    assert_fails(TABLES "CombiTable1D_init2", "table 'm' of 'data.txt' has no column 9");
    give_one(1, 2, 2);
    hand.texts[0][0] = "data.txt";
    hand.texts[1][0] = "none";
    assert_fails(TABLES "CombiTable1D_init2", "'none'");
    // A table that is none, one that has one variable where two are asked for, another column.
    hand_begin(NULL);
    hand_number(77);
    hand_number(1);
    hand_number(0);
    hand_number(NAN);
    assert_fails(TABLES "CombiTable1D_getValue", "there is no table yet");
    give_one(1, 2, 2);
    assert_true(hand_run(TABLES "CombiTable1D_init2"));
    const double table = last();
    hand_begin(NULL);
    hand_number(table);
    hand_number(0);
    hand_number(0);
    hand_number(NAN);
    assert_fails(TABLES "CombiTable2D_getValue", "there is no table yet");
    hand_begin(NULL);
    hand_number(table);
    hand_number(2);
    hand_number(0);
    hand_number(NAN);
    assert_fails(TABLES "CombiTable1D_getValue", "is asked for number 2");
}

// Time: x = (t - 1)^2 behind a start at 0.5 and a shift of 1.
static void of_time(void **state)
{
    (void)state;
    hand_begin(NULL);
    hand_text("NoName");
    hand_text("NoName");
    hand_array(5, 2, parabola);
    hand_number(5);
    hand_number(2);
    hand_number(0.5);
    hand_array(1, 0, (const double[]){2});
    hand_number(1);
    hand_number(2);
    hand_number(2);
    hand_number(1.0);
    hand_number(3); // no events
    hand_number(0);
    hand_number(NAN);
    assert_true(hand_run(TABLES "CombiTimeTable_init2"));
    const double table = last();
    assert_close(ASK("CombiTimeTable_getValue", table, 1, 0.25, 9, 0), 0.0,
                 0.0); // before the start
    assert_close(ASK("CombiTimeTable_getValue", table, 1, 3.5, 9, 0), 6.25, rounding);
    assert_close(ASK("CombiTimeTable_getDerValue", table, 1, 3.5, 9, 0, 2.0), 10.0, rounding);
    assert_close(ASK("CombiTimeTable_getDer2Value", table, 1, 3.5, 9, 0, 2.0, 3.0), 23.0, rounding);
    assert_close(ask(TABLES "CombiTimeTable_minimumTime", table, 0, NULL), 0.0, 0.0);
    assert_close(ask(TABLES "CombiTimeTable_maximumTime", table, 0, NULL), 4.0, 0.0);
}

// Events of time at jumps alone: where a point stands twice with two values, and where steps
// change.
static double next_event(double smoothness, uint32_t rows, const double *values, double time)
{
    hand_begin(NULL);
    hand_text("NoName");
    hand_text("NoName");
    hand_array(rows, 2, values);
    hand_number(rows);
    hand_number(2);
    hand_number(0);
    hand_array(1, 0, (const double[]){2});
    hand_number(1);
    hand_number(smoothness);
    hand_number(1);
    hand_number(0.0);
    hand_number(2); // at jumps
    hand_number(0);
    hand_number(NAN);
    assert_true(hand_run(TABLES "CombiTimeTable_init2"));
    const double table = last();
    return ASK("CombiTimeTable_nextTimeEvent", table, time);
}

static void jumps(void **state)
{
    (void)state;
    const double line[] = {0, 0, 1, 1, 1, 3, 2, 3, 3, 5}, steps[] = {0, 1, 1, 1, 2, 5};
    assert_close(next_event(1, 5, line, 0.5), 1.0, 0.0);
    assert_close(next_event(1, 5, line, 1.5), DBL_MAX, 0.0);
    assert_close(next_event(3, 3, steps, 0.5), 2.0, 0.0); // not at 1, where it stays
}

// ---- tables of two variables --------------------------------------------------------------------

// z = x y: bilinear pieces are exact.
static double make_product(void)
{
    double values[16] = {0};
    for (int i = 1; i < 4; i++) {
        values[i] = 10.0 * i;
        values[4 * i] = i;
        for (int j = 1; j < 4; j++)
            values[4 * i + j] = 10.0 * i * j;
    }
    hand_begin(NULL);
    hand_text("");
    hand_text("");
    hand_array(4, 4, values);
    hand_number(4);
    hand_number(4);
    hand_number(1);
    hand_number(2);
    hand_number(0);
    hand_number(NAN);
    assert_true(hand_run(TABLES "CombiTable2D_init2"));
    return last();
}

static void two_variables(void **state)
{
    (void)state;
    const double table = make_product();
    assert_close(ASK("CombiTable2D_getValue", table, 1.5, 25.0), 37.5, rounding);
    // d = y dx + x dy; d^2 = 2 dx dy + y d2x + x d2y
    assert_close(ASK("CombiTable2D_getDerValue", table, 1.5, 25.0, 2.0, 3.0), 54.5, rounding);
    assert_close(ASK("CombiTable2D_getDer2Value", table, 1.5, 25.0, 2.0, 3.0, 4.0, 6.0), 121.0,
                 rounding);
    const char *const names[] = {TABLES "CombiTable2D_minimumAbscissa",
                                 TABLES "CombiTable2D_maximumAbscissa"};
    for (int k = 0; k < 2; k++) {
        hand_begin(NULL);
        hand_number(table);
        hand_array(2, 0, NULL);
        assert_true(hand_run(names[k]));
        assert_close(hand.numbers[1][0], k ? 3.0 : 1.0, 0.0);
        assert_close(hand.numbers[1][1], k ? 30.0 : 10.0, 0.0);
        hand_begin(NULL);
        hand_number(table);
        hand_array(3, 0, NULL);
        assert_fails(names[k], "two variables has two of them");
    }
}

// ---- derivatives forwards -----------------------------------------------------------------------

// The result of the forward derivative: numbers one after the other.
static double forwards(const char *name, int count, const double *arguments)
{
    const ExternalInfo *info = external_forward(external_find(name));
    assert_non_null(info);
    hand_begin(NULL);
    for (int i = 0; i < count; i++)
        hand_number(arguments[i]);
    hand_number(NAN);
    assert_int_equal(hand.call.count, external_argument_count(info->signature));
    assert_true(info->function(&hand.call));
    return last();
}

#define FORWARDS(name, ...)                                                                        \
    forwards(TABLES name, sizeof((double[]){__VA_ARGS__}) / sizeof(double),                        \
             (const double[]){__VA_ARGS__})

static void forward(void **state)
{
    (void)state;
    give_one(2, 2, 2);
    assert_true(hand_run(TABLES "CombiTable1D_init2"));
    const double table = last();
    // The derivative of getValue is getDerValue; that of y' dx along (a, b): y'' dx a + y' b.
    assert_close(FORWARDS("CombiTable1D_getValue", table, 1, 2.5, 3.0), 15.0, rounding);
    assert_close(FORWARDS("CombiTable1D_getDerValue", table, 1, 2.5, 3.0, 0.25, 0.5), 4.0,
                 rounding);
    const double product = make_product();
    assert_close(FORWARDS("CombiTable2D_getValue", product, 1.5, 25.0, 2.0, 3.0), 54.5, rounding);
    // of y dx + x dy along (a, b, da, db): dx b + dy a + y da + x db
    assert_close(
        FORWARDS("CombiTable2D_getDerValue", product, 1.5, 25.0, 2.0, 3.0, 7.0, 5.0, 0.5, 0.25),
        2.0 * 5.0 + 3.0 * 7.0 + 25.0 * 0.5 + 1.5 * 0.25, rounding);
}

// ---- files --------------------------------------------------------------------------------------

static char folder[] = "/tmp/saltus-calls-XXXXXX";

static int make_folder(void **state)
{
    FILE *file;
    if (!mkdtemp(folder) || chdir(folder) != 0 || !(file = fopen("data.txt", "w")))
        return -1;
    fputs("#1\ndouble m(2,3) # a matrix\r\n1 2 3\n4 5 6\n", file);
    fclose(file);
    return begin_store(state);
}

static int remove_folder(void **state)
{
    char command[64];
    end_store(state);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") != 0 || system(command) != 0;
}

static double kind_of(const char *name)
{
    hand_begin(NULL);
    hand_text(name);
    hand_number(0);
    assert_true(hand_run("ModelicaInternal_stat"));
    return last();
}

static const char *full_name(Arena *arena, const char *name)
{
    hand_begin(arena);
    hand_text(name);
    hand_text("");
    assert_true(hand_run("ModelicaInternal_fullPathName"));
    return hand.texts[1][0];
}

static void names(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    char expected[200];
    assert_close(kind_of("none"), 1.0, 0.0);
    assert_close(kind_of("data.txt"), 2.0, 0.0);
    assert_close(kind_of("."), 3.0, 0.0);
    assert_close(kind_of("/dev/null"), 4.0, 0.0);
    snprintf(expected, sizeof expected, "%s/data.txt", folder);
    assert_string_equal(full_name(arena, "./data.txt"), expected);
    snprintf(expected, sizeof expected, "%s/none", folder);
    assert_string_equal(full_name(arena, "none"), expected);
    assert_string_equal(full_name(arena, "/none/a"), "/none/a");
    hand_begin(NULL);
    hand_text("data.txt");
    hand_text("");
    assert_fails("ModelicaInternal_fullPathName", "cannot be made while the model runs");
    arena_destroy(arena);
}

static bool read_line(Arena *arena, double number)
{
    hand_begin(arena);
    hand_text("data.txt");
    hand_number(number);
    hand_number(0);
    hand_text("");
    assert_true(hand_run("ModelicaInternal_readLine"));
    return hand.numbers[2][0] == 0.0; // whether it is not behind the end
}

static void lines(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    hand_begin(arena);
    hand_text("data.txt");
    hand_number(0);
    assert_true(hand_run("ModelicaInternal_countLines"));
    assert_close(last(), 4.0, 0.0);
    assert_true(read_line(arena, 2));
    assert_string_equal(hand.texts[3][0], "double m(2,3) # a matrix");
    assert_true(read_line(arena, 4));
    assert_string_equal(hand.texts[3][0], "4 5 6");
    assert_false(read_line(arena, 5));
    hand_begin(arena);
    hand_text("data.txt");
    hand_texts(4);
    hand_number(4);
    assert_true(hand_run("ModelicaInternal_readFile"));
    assert_string_equal(hand.texts[1][0], "#1");
    assert_string_equal(hand.texts[1][3], "4 5 6");
    hand_begin(NULL);
    hand_text("data.txt");
    hand_texts(4);
    hand_number(4);
    assert_fails("ModelicaInternal_readFile", "cannot be made while the model runs");
    hand_begin(arena);
    hand_text("none.txt");
    hand_number(0);
    assert_fails("ModelicaInternal_countLines", "'none.txt' cannot be read: No such file");
    hand_begin(arena);
    hand_text("data.txt");
    assert_true(hand_run("ModelicaStreams_closeFile"));
    arena_destroy(arena);
}

static void give_matrix(uint32_t rows, uint32_t columns)
{
    hand_begin(NULL);
    hand_text("data.txt");
    hand_text("m");
    hand_array(rows, columns, NULL);
    hand_number(rows);
    hand_number(columns);
    hand_number(0);
}

static void matrices(void **state)
{
    (void)state;
    hand_begin(NULL);
    hand_text("data.txt");
    hand_text("m");
    hand_array(2, 0, NULL);
    assert_true(hand_run("ModelicaIO_readMatrixSizes"));
    assert_close(hand.numbers[2][0], 2.0, 0.0);
    assert_close(hand.numbers[2][1], 3.0, 0.0);
    give_matrix(2, 3);
    assert_true(hand_run("ModelicaIO_readRealMatrix"));
    for (int i = 0; i < 6; i++)
        assert_close(hand.numbers[2][i], i + 1.0, 0.0);
    give_matrix(3, 2);
    assert_fails("ModelicaIO_readRealMatrix", "'m' of 'data.txt' has 2 rows and 3 columns");
    hand_begin(NULL);
    hand_text("data.txt");
    hand_text("other");
    hand_array(2, 0, NULL);
    assert_fails("ModelicaIO_readMatrixSizes", "other");
    // As a table: y(x) by rows (1, 2), (4, 5); the delimiter and header lines of init3.
    hand_begin(NULL);
    hand_text("data.txt");
    hand_text("m");
    hand_array(1, 1, NULL);
    hand_number(1);
    hand_number(1);
    hand_array(1, 0, (const double[]){2});
    hand_number(1);
    hand_number(1);
    hand_number(2);
    hand_number(0);
    hand_text(",");
    hand_number(0);
    hand_number(NAN);
    assert_true(hand_run(TABLES "CombiTable1D_init3"));
    assert_close(ASK("CombiTable1D_getValue", last(), 1, 2.0), 3.0, rounding);
}

// What would write says so, and leaves the files as they are.
static void said(void **state)
{
    (void)state;
    uint32_t index = 0;
    ExternalMessage message;
    hand_begin(NULL);
    hand_text("none.txt");
    assert_true(hand_run("ModelicaInternal_removeFile"));
    assert_false(store_next_message(hand.call.store, &index, &message)); // nothing to remove
    hand_begin(NULL);
    hand_text("data.txt");
    assert_true(hand_run("ModelicaInternal_removeFile"));
    assert_true(store_next_message(hand.call.store, &index, &message));
    assert_true(message.is_warning);
    assert_non_null(strstr(message.text, "'data.txt' is not removed"));
    assert_int_equal(access("data.txt", R_OK), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0); // nobody writes: it is not waited for
    hand_begin(NULL);
    hand_text("pipe");
    assert_true(hand_run("ModelicaInternal_removeFile"));
    assert_true(store_next_message(hand.call.store, &index, &message));
    assert_int_equal(unlink("pipe"), 0);
    hand_begin(NULL);
    hand_text("out.mat");
    hand_text("m");
    hand_array(1, 1, (const double[]){1});
    hand_number(1);
    hand_number(1);
    hand_number(0);
    hand_text("4");
    hand_number(7);
    assert_true(hand_run("ModelicaIO_writeRealMatrix"));
    assert_close(last(), 0.0, 0.0); // no success
    assert_true(store_next_message(hand.call.store, &index, &message));
    assert_non_null(strstr(message.text, "'out.mat' is not written"));
    assert_int_equal(access("out.mat", F_OK), -1);
    hand_begin(NULL);
    hand_text("hello");
    hand_text("");
    assert_true(hand_run("ModelicaInternal_print"));
    assert_true(store_next_message(hand.call.store, &index, &message));
    assert_string_equal(message.text, "hello");
    assert_false(message.is_warning);
}

// ---- LAPACK: what external/functions does not have ----------------------------------------------

// P A = L U by dgetrf, then A x = b for x = 1, 2, 3; rows one after the other.
static void factors(void **state)
{
    (void)state;
    static const double matrix[] = {0, 2, 1, 1, 1, -1, 2, 0, 3}, right[] = {7, 0, 11};
    double lu[9], pivots[3];
    hand_begin(NULL);
    hand_number(3);
    hand_number(3);
    hand_array(3, 3, matrix);
    hand_number(3);
    hand_array(3, 0, NULL);
    hand_number(-1);
    assert_true(hand_run("dgetrf"));
    memcpy(lu, hand.numbers[2], sizeof lu);
    memcpy(pivots, hand.numbers[4], sizeof pivots);
    for (int k = 0; k < 3; k++) { // as it is, transposed, with a wrong pivot
        hand_begin(NULL);
        hand_text(k == 1 ? "T" : "N");
        hand_number(3);
        hand_number(1);
        hand_array(3, 3, lu);
        hand_number(3);
        hand_array(3, 0, pivots);
        hand_array(3, 0, right);
        hand_number(3);
        hand_number(-1);
        hand.numbers[5][1] = k == 2 ? 4 : pivots[1];
        if (k == 1)
            assert_fails("dgetrs", "only systems that are not transposed");
        else if (k == 2)
            assert_fails("dgetrs", "pivot 4 is not between 1 and 3");
        else
            assert_true(hand_run("dgetrs"));
        for (int i = 0; i < 3 && k == 0; i++)
            assert_close(hand.numbers[6][i], i + 1.0, 1e-14);
    }
}

// A = Q R: R^T R = A^T A, whatever the signs.
static void triangle(void **state)
{
    (void)state;
    static const double a[] = {1, 2, 3, 4, 5, 7};
    hand_begin(NULL);
    hand_number(3);
    hand_number(2);
    hand_array(3, 2, a);
    hand_number(3);
    hand_array(2, 0, NULL);
    hand_array(2, 0, NULL);
    hand_number(2);
    hand_number(-1);
    assert_true(hand_run("dgeqrf"));
    assert_close(last(), 0.0, 0.0);
    const double *r = hand.numbers[2]; // above the diagonal
    assert_close(r[0] * r[0], 35.0, 1e-13);
    assert_close(r[0] * r[1], 49.0, 1e-13);
    assert_close(r[1] * r[1] + r[3] * r[3], 69.0, 1e-13);
}

// A^T A of (3 0; 4 5) has the eigenvalues 45 and 5.
static void singular_values(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        hand_begin(NULL);
        hand_text(k ? "S" : "A");
        hand_number(2);
        hand_number(2);
        hand_array(2, 2, (const double[]){3, 0, 4, 5});
        hand_number(2);
        hand_array(2, 0, NULL);
        hand_array(2, 2, NULL);
        hand_number(2);
        hand_array(2, 2, NULL);
        hand_number(2);
        hand_array(20, 0, NULL);
        hand_number(20);
        hand_array(16, 0, NULL);
        hand_number(-1);
        if (k) {
            assert_fails("dgesdd", "only all singular vectors, or none");
            continue;
        }
        assert_true(hand_run("dgesdd"));
        assert_close(last(), 0.0, 0.0);
        const double *values = hand.numbers[5], *u = hand.numbers[6], *v = hand.numbers[8];
        assert_close(values[0], sqrt(45.0), 1e-14 * 10);
        assert_close(values[1], sqrt(5.0), 1e-14 * 10);
        // U S V^T is the matrix.
        assert_close(u[0] * values[0] * v[0] + u[1] * values[1] * v[2], 3.0, 1e-13);
        assert_close(u[2] * values[0] * v[1] + u[3] * values[1] * v[3], 5.0, 1e-13);
    }
}

// ---- random numbers -----------------------------------------------------------------------------

static double half(uint64_t word, int k)
{
    return (double)(int32_t)(uint32_t)(word >> (32 * k));
}

// States of Integers, before and after, against the recurrences themselves (external/functions
// has their numbers).
static void generators(void **state)
{
    (void)state;
    uint64_t two[] = {UINT64_C(0xfedcba9876543210), UINT64_C(0x0123456789abcdef)};
    hand_begin(NULL);
    hand_array(
        4, 0, (const double[]){half(two[0], 0), half(two[0], 1), half(two[1], 0), half(two[1], 1)});
    hand_array(4, 0, NULL);
    hand_number(0);
    assert_true(hand_run("ModelicaRandom_xorshift128plus"));
    assert_close(last(), random_unit(random_128plus(two)), 0.0);
    for (int i = 0; i < 4; i++)
        assert_close(hand.numbers[1][i], half(two[i / 2], i % 2), 0.0);
    RandomState wide = {.place = 3};
    double words[2 * RANDOM_WORDS + 1];
    for (int i = 0; i < RANDOM_WORDS; i++) {
        wide.words[i] = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(i + 1);
        words[2 * i] = half(wide.words[i], 0);
        words[2 * i + 1] = half(wide.words[i], 1);
    }
    words[2 * RANDOM_WORDS] = wide.place;
    hand_begin(NULL);
    hand_array(2 * RANDOM_WORDS + 1, 0, words);
    hand_array(2 * RANDOM_WORDS + 1, 0, NULL);
    hand_number(0);
    assert_true(hand_run("ModelicaRandom_xorshift1024star"));
    assert_close(last(), random_unit(random_1024star(&wide)), 0.0);
    for (int i = 0; i < 2 * RANDOM_WORDS; i++)
        assert_close(hand.numbers[1][i], half(wide.words[i / 2], i % 2), 0.0);
    assert_close(hand.numbers[1][2 * RANDOM_WORDS], wide.place, 0.0);
    const char *const wrong[] = {"ModelicaRandom_xorshift64star", "ModelicaRandom_xorshift128plus",
                                 "ModelicaRandom_xorshift1024star"};
    for (int i = 0; i < 3; i++) {
        hand_begin(NULL);
        hand_array(3, 0, NULL);
        hand_array(3, 0, NULL);
        hand_number(0);
        assert_fails(wrong[i], "the state of this generator has");
    }
    hand_begin(NULL);
    hand_number(0);
    hand_number(0);
    assert_true(hand_run("ModelicaRandom_automaticGlobalSeed"));
    assert_true(last() >= 0.0 && last() <= INT32_MAX && last() == floor(last()));
}

// Eigenvalues of a pencil of size 2 with all results; the array with that number has one element.
static void give_pencil(int small)
{
    static const double a[] = {1.0, 0.0, 0.0, 6.0}, b[] = {1.0, 0.0, 0.0, 2.0};
    hand_begin(NULL);
    hand_text("N");
    hand_text("V");
    hand_text("V");
    hand_text("E");
    hand_number(2.0);
    for (int k = 5; k < 29; k++) {
        const bool is_matrix = k == 5 || k == 7 || k == 12 || k == 14;
        const bool is_vector = (k >= 9 && k <= 11) || k == 18 || k == 19 || k == 22 || k == 23;
        if (k == small)
            hand_array(1, is_matrix ? 1 : 0, a);
        else if (is_matrix)
            hand_array(2, 2, k == 5 ? a : k == 7 ? b : NULL);
        else if (is_vector || k == 24 || k == 26 || k == 27)
            hand_array(is_vector ? 2 : 40, 0, NULL);
        else
            hand_number(k == 25 ? 40.0 : k == 6 || k == 8 || k == 13 || k == 15 ? 2.0 : 0.0);
    }
}

// Nothing is written beyond the arrays of results: one that is too short is refused.
static void room(void **state)
{
    (void)state;
    static const int results[] = {9, 10, 11, 12, 14, 18, 19, 22, 23};
    give_pencil(-1);
    assert_true(hand_run("dggevx"));
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        assert_close(hand.numbers[10][k], 0.0, 0.0);
        sum += hand.numbers[9][k] / hand.numbers[11][k];
        assert_close(hand.numbers[18][k] + hand.numbers[19][k], 2.0, 0.0); // scales: none
    }
    assert_close(sum, 1.0 + 3.0, 1e-12);
    assert_close(hand.numbers[28][0], 0.0, 0.0);
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        give_pencil(results[i]);
        assert_fails("dggevx", "there is too little room for the results");
    }
    give_pencil(7);
    assert_fails("dggevx", "the matrices are not square, or of different sizes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_variable),
        cmocka_unit_test(wrong_tables),
        cmocka_unit_test(of_time),
        cmocka_unit_test(jumps),
        cmocka_unit_test(factors),
        cmocka_unit_test(triangle),
        cmocka_unit_test(singular_values),
        cmocka_unit_test(two_variables),
        cmocka_unit_test(forward),
        cmocka_unit_test(names),
        cmocka_unit_test(lines),
        cmocka_unit_test(matrices),
        cmocka_unit_test(said),
        cmocka_unit_test(generators),
        cmocka_unit_test(room),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
