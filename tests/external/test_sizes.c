// SPDX-License-Identifier: MIT
//
// Calls of LAPACK with arrays that are too short: they are refused with a message, whichever it is,
// since nothing may be read or written behind an array. Each function is called once as it should
// be.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "external/functions.h"
#include "external/hand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A call: words 'N are texts, numbers themselves, v2, p2 (pivots), z2 (zeros) and m2x2 arrays. '~'
// behind one says that it may be shorter: workspace, which is not used, or what sizes are taken
// from.
typedef struct Call {
    const char *name, *arguments;
} Call;

static const Call calls[] = {
    {"dgesv", "2 1 m2x2 2 v2 m2x1 2 0"},
    {"dgetrf", "2 2 m2x2~ 2 v2 0"},
    {"dgetrs", "'N 2 1 m2x2 2 p2 m2x1 2 0"},
    {"dgetri", "2 m2x2 2 p2 v2~ 2 0"},
    {"dgelsy", "2 2 1 m2x2~ 2 m2x1 2 v2~ 0.1 0 v9~ 9 0"},
    {"dpotrf", "'U 2 m2x2 2 0"},
    {"dgeev", "'N 'V 2 m2x2 2 v2 v2 m2x2~ 2 m2x2 2 v9~ 9 0"},
    {"dgesvd", "'A 'A 2 2 m2x2~ 2 v2 m2x2 2 m2x2 2 v20~ 20 0"},
    {"dgesdd", "'A 2 2 m2x2~ 2 v2 m2x2 2 m2x2 2 v40~ 40 v16~ 0"},
    {"dgeqp3", "2 2 m2x2~ 2 z2 v2 v9~ 9 0"},
    {"dgeqrf", "2 2 m2x2~ 2 v2 v9~ 9 0"},
    {"dorgqr", "2 2 2 m2x2 2 v2 v9~ 9 0"},
    {"dgtsv", "2 1 v1 v2 v1 m2x1 2 0"},
    {"dgecon", "'1 2 m2x2 2 1 0 v8~ v2~ 0"},
    {"dgbsv", "2 1 1 1 m4x2 4 v2 m2x1 2 0"},
    {"dgehrd", "2 1 2 m2x2 2 v1 v9~ 9 0"},
    {"dorghr", "2 1 2 m2x2 2 v1 v9~ 9 0"},
    {"dgees", "'V 'N v2~ 2 m2x2 2 0 v2 v2 m2x2 2 v9~ 9 v2~ 0"},
    {"dhseqr", "'S 'I 2 1 2 m2x2 2 v2 v2 m2x2 2 v9~ 9 0"},
    {"dtrsyl", "'N 'N 1 2 2 m2x2 2 m2x2 2 m2x2 2 0 0"},
    {"dtrsen", "'E 'V v2 2 m2x2 2 m2x2 2 v2 v2 0 0 0 v9~ 9 v9~ 9 0"},
    {"dgglse", "2 2 1 m2x2~ 2 m1x2~ 1 v2 v1 v2 v9~ 9 0"},
    {"dgels", "'N 2 2 1 m2x2~ 2 m2x1 2 v9~ 9 0"},
    {"dgeevx", "'N 'V 'V 'E 2 m2x2 2 v2 v2 m2x2 2 m2x2 2 0 0 v2 0 v2 v2~ v40~ 40 v9~ 0"},
    {"dggev", "'V 'V 2 m2x2 2 m2x2 2 v2 v2 v2 m2x2 2 m2x2 2 v40~ 40 0"},
    {"dhgeqz", "'E 'N 'N 2 1 2 m2x2 2 m2x2 2 v2 v2 v2 m2x2~ 2 m2x2~ 2 v9~ 9 0"},
};

// Gives the arguments; that with the number `small`, an array, is one row shorter. Returns whether
// it is one that is not too large.
static bool give(const char *arguments, int small)
{
    static const double values[] = {4.0, 1.0, 1.0, 3.0, 1.0, 1.0, 1.0, 1.0}, pivots[] = {1.0, 2.0};
    bool is_needed = false;
    int number = 0;
    char text[200], *rest = text;
    snprintf(text, sizeof text, "%s", arguments);
    hand_begin(NULL);
    for (char *word; (word = strtok_r(rest, " ", &rest)); number++) {
        unsigned rows = 0, columns = 0;
        if (*word == '\'') {
            static const char *const texts[] = {"N", "V", "A", "U", "1", "S", "I", "E"};
            size_t k = 0;
            while (texts[k][0] != word[1])
                k++;
            hand_text(texts[k]);
        } else if (sscanf(word, "m%ux%u", &rows, &columns) == 2 ||
                   sscanf(word, "%*[pvz]%u", &rows) == 1) {
            hand_array(number == small ? rows - 1 : rows, columns,
                       *word == 'p'               ? pivots
                       : *word == 'z' || rows > 4 ? NULL
                                                  : values);
            is_needed |= number == small && word[strlen(word) - 1] != '~';
        } else {
            hand_number(strtod(word, NULL));
        }
    }
    return is_needed;
}

static void short_arrays_are_refused(void **state)
{
    (void)state;
    int failures = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        give(calls[i].arguments, -1);
        const int count = (int)hand.call.count;
        if (!hand_run(calls[i].name))
            fail_msg("%s: %s", calls[i].name, hand.call.message);
        for (int small = 0; small < count; small++) {
            if (!give(calls[i].arguments, small))
                continue;
            if (hand_run(calls[i].name)) {
                print_error("%s: argument %d is too short, but taken\n", calls[i].name, small + 1);
                failures++;
            } else if (!hand.call.message[0]) {
                fail_msg("%s: no message", calls[i].name);
            }
        }
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_arrays_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
