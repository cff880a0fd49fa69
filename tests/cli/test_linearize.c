// SPDX-License-Identifier: MIT
//
// saltus linearize as a user meets it; the numbers of Linearization are tests/studies' business.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *output; // of the command, or the file it made

static void assert_run(const char *arguments, int status, const char *expected)
{
    char line[1000];
    snprintf(line, sizeof line, "linearize %s 2>&1", arguments);
    output = command_expect(line, status, expected)->text;
}

// The number behind the first `name` in the output.
static double number_after(const char *name)
{
    const char *place = strstr(output, name);
    if (!place)
        fail_msg("'%.500s' lacks '%s'", output, name);
    return strtod(place + strlen(name), NULL);
}

// A ball that falls with drag -b v and bounces; in flight A = [0 1; 0 -b].
static const char *const ball = "model Ball\n"
                                "  parameter Real b = 0.5;\n"
                                "  parameter Real twice = 2*b;\n"
                                "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                                "  discrete Integer n(start = 0, fixed = true);\n"
                                "equation\n"
                                "  der(h) = v;\n"
                                "  der(v) = -9.81 - twice/2*v;\n"
                                "  when h <= 0 then\n"
                                "    reinit(v, -0.8*pre(v));\n"
                                "    n = pre(n) + 1;\n"
                                "  end when;\n"
                                "end Ball;\n";

static void places_test(void **state)
{
    (void)state;
    command_write("Ball.mo", ball);
    assert_run("Ball.mo --json", 0, "\"time\":0,");
    assert_run("Ball.mo --json --at 0.25", 0, "\"time\":0.25,");
    // Just after a bounce v is positive, and n has counted it.
    assert_run("Ball.mo --json --at-event 'h<=0:2' --stop-time 3 --variables n", 0,
               "{\"name\":\"n\",\"value\":2}");
    assert_true(number_after("\"v\",\"value\":") > 0.0);
    assert_run("Ball.mo --json --at-event 'h <= 0.0'", 0, "saltus-linearization");
    const double fall = number_after("\"time\":");
    // h = 1 - g/b (t - (1 - exp(-b t))/b) = 0
    const double g = 9.81, b = 0.5;
    assert_true(fabs(1.0 - g / b * (fall - (1.0 - exp(-b * fall)) / b)) < 1e-8);
}

static void inputs_test(void **state)
{
    (void)state;
    command_write("Ball.mo", ball);
    // What depends on b follows it: d(v')/db = -v.
    assert_run("Ball.mo -p b=0.25 --at 0.2 --input b --variables v -o a.csv", 0, "");
    output = command_read("a.csv");
    assert_non_null(output);
    const double v = -9.81 / 0.25 * (1.0 - exp(-0.25 * 0.2));
    assert_true(fabs(number_after("B,v,b,") + v) < 1e-7);
    assert_true(fabs(number_after("A,v,v,") + 0.25) < 1e-10);
    assert_true(fabs(number_after("C,v,v,") - 1.0) < 1e-10);
    assert_true(fabs(number_after("D,v,b,")) < 1e-10);
    assert_true(fabs(number_after("eigenvalue,2,real,") + 0.25) < 1e-10);
}

// Every element of a matrix has a row, named by the variables.
// The text has all matrices, with the names of their rows and columns.
static void text_test(void **state)
{
    (void)state;
    command_write("Ball.mo", ball);
    assert_run("Ball.mo -p b=0.25 --at 0.2 --input b --variables v", 0,
               "2 states, 1 input, 1 outp");
    assert_non_null(strstr(output, "\nA                   h              v\n"
                                   "  h                 0              1\n"
                                   "  v                 0          -0.25\n"));
    assert_non_null(strstr(output, "\nB                   b\n  h                 0\n"));
    assert_non_null(strstr(output, "\nC                   h              v\n"
                                   "  v                 0              1\n"));
    assert_non_null(strstr(output, "\nD                   b\n  v                 0\n"));
    assert_run("Ball.mo --at 0.2", 0, "2 states, 0 inputs");
    assert_null(strstr(output, "\nB "));
    assert_null(strstr(output, "\nD "));
}

static void csv_test(void **state)
{
    (void)state;
    command_write("Ball.mo", ball);
    assert_run("Ball.mo --variables h -o a.csv", 0, "");
    const char *text = command_read("a.csv");
    const char *rows = "matrix,row,column,value\nA,h,h,0\nA,h,v,1\nA,v,h,0\nA,v,v,";
    assert_int_equal(strncmp(text, rows, strlen(rows)), 0);
    assert_true(fabs(strtod(text + strlen(rows), NULL) + 0.5) < 1e-10); // by differences
    assert_non_null(strstr(text, "\nC,h,h,1\nC,h,v,0\n"));
}

// Whether a matrix of MATLAB v4 has this name: rows, columns, no imaginary part, its length.
static bool has_matrix(const char *bytes, size_t length, const char *name, int32_t rows)
{
    const size_t size = strlen(name) + 1;
    for (size_t i = 0; i + 20 + size <= length; i++) {
        int32_t header[5];
        memcpy(header, bytes + i, sizeof header);
        if (header[1] == rows && header[4] == (int32_t)size &&
            memcmp(bytes + i + sizeof header, name, size) == 0)
            return true;
    }
    return false;
}

// MATLAB v4: the header of A, then its columns.
static void mat_test(void **state)
{
    (void)state;
    command_write("Ball.mo", ball);
    assert_run("Ball.mo -o a.mat --variables 'h'", 0, "");
    char bytes[4096];
    FILE *file = fopen(command_path("a.mat"), "rb");
    assert_non_null(file);
    const size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    int32_t header[5];
    double a[4];
    assert_true(length > sizeof header + 2 + sizeof a);
    memcpy(header, bytes, sizeof header);
    memcpy(a, bytes + sizeof header + 2, sizeof a);
    const int32_t expected[5] = {0, 2, 2, 0, 2};
    assert_memory_equal(header, expected, sizeof header);
    assert_string_equal(bytes + sizeof header, "A");
    assert_true(fabs(a[2] - 1.0) < 1e-10); // A[1, 2]
    assert_true(fabs(a[3] + 0.5) < 1e-10);
    assert_true(has_matrix(bytes, length, "eigenvalues", 2));
    assert_true(has_matrix(bytes, length, "x_names", 2));
    assert_true(has_matrix(bytes, length, "u_names", 0));
    assert_true(has_matrix(bytes, length, "y_names", 1));
}

static void messages_test(void **state)
{
    (void)state;
    command_write("Ball.mo", ball);
    command_write("Bad.mo", "model Bad Real x; equation x = y; end Bad;");
    assert_run("", 2, "no file");
    assert_run("Ball.mo --at 1 --at-event 'h<=0'", 2, "not both");
    assert_run("Ball.mo --at -1", 2, "before the start");
    assert_run("Ball.mo --at-event 'h > 5'", 1, "'h > 5' happens 0 times until t = 1, not 1");
    assert_run("Ball.mo --at-event 'h > 5'", 1, "the model's conditions: 'h <= 0.0'");
    assert_run("Ball.mo --at-event 'hh <= 0'", 1, "did you mean 'h <= 0.0'?");
    assert_run("Ball.mo --at-event 'h<=0' --stop-time 0.1", 1, "--stop-time makes the run longer");
    assert_run("Ball.mo --at-event 'h <= 0:9'", 1, "happens 1 times until t = 1, not 9");
    assert_run("Ball.mo --input c", 2, "no input or parameter 'c'");
    assert_run("Ball.mo --variables 'q*'", 2, "no variable matches 'q*'");
    assert_run("Ball.mo -o a.txt", 2, "must end in .json, .csv, .mat");
    assert_run("Ball.mo -o no/where.csv", 2, "cannot write 'no/where.csv'");
    assert_run("Ball.mo -p c=1", 2, "'c'");
    assert_run("Bad.mo", 3, "y");
}

// The analysis ends at the point: terminal() is true there. Parameters may shape the model.
static void end_test(void **state)
{
    (void)state;
    command_write("End.mo",
                  "model End parameter Integer n = 1; Real x[n](each start = 1, each fixed "
                  "= true); equation der(x) = -{i for i in 1:n}.*x;\n"
                  "when terminal() then assert(x[1] > 0.5, \"too small\"); end when;\n"
                  "end End;\n");
    assert_run("End.mo --at 0.5 -p n=3", 0, "-3");
    assert_run("End.mo --at 1", 1, "too small");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_test), cmocka_unit_test(inputs_test),
        cmocka_unit_test(mat_test),    cmocka_unit_test(text_test),
        cmocka_unit_test(csv_test),    cmocka_unit_test(messages_test),
        cmocka_unit_test(end_test),
    };
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
