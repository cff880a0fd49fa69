// SPDX-License-Identifier: MIT
//
// Curves in the terminal: dots where the values are, marks where events are, no byte beyond ASCII
// where there is no UTF-8.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/terminal.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 53, CURVE = WIDTH - 13 }; // 40 characters are 80 dots

static Arena *arena;

static char *draw(const char *csv, size_t name_count, const char *const *names, bool is_plain)
{
    char *message = NULL;
    Table *table = table_parse(csv, strlen(csv), "test", &message);
    if (!table)
        fail_msg("%s", message_text(message));
    const String text = terminal_draw(arena, table, names, name_count, WIDTH, is_plain);
    table_destroy(table);
    return arena_copy_text(arena, text.text, text.length);
}

// The character in a line and column, both from 0, as a code point.
static unsigned character(const char *text, int line, int column)
{
    while (line > 0 && *text)
        line -= *text++ == '\n';
    for (;; column--) {
        const unsigned char *c = (const unsigned char *)text;
        const int length = *c < 0x80 ? 1 : *c < 0xE0 ? 2 : 3;
        if (*c == '\0' || *c == '\n')
            return ' ';
        if (column == 0)
            return length == 1   ? c[0]
                   : length == 2 ? (c[0] & 31u) << 6 | (c[1] & 63u)
                                 : (c[0] & 15u) << 12 | (c[1] & 63u) << 6 | (c[2] & 63u);
        text += length;
    }
}

static int line_of(const char *text, const char *part)
{
    const char *found = strstr(text, part);
    assert_non_null(found);
    int line = 0;
    for (const char *c = text; c < found; c++)
        line += *c == '\n';
    return line;
}

// A diagonal has one dot in each of the four columns of dots of its corners, and nothing elsewhere.
static void straight_line(void **state)
{
    (void)state;
    const char *text = draw("time,x\n0,0\n1,5\n", 0, NULL, false);
    assert_int_equal(line_of(text, "x\n"), 0);
    assert_int_equal(line_of(text, "         5 "), 1);
    assert_int_equal(line_of(text, "         0 "), 6);
    const unsigned lower = character(text, 6, 12), upper = character(text, 1, 12 + CURVE - 1);
    assert_int_equal(lower & 0xFF00, 0x2800);
    assert_true(lower & 0x40); // the left dot at the bottom
    assert_int_equal(upper & 0xFF00, 0x2800);
    assert_true(upper & 0x08); // the right dot at the top
    assert_int_equal(character(text, 1, 12), ' ');
    assert_int_equal(character(text, 6, 12 + CURVE - 1), ' ');
    // 80 dots wide and 24 high: after half the way the curve is in the middle.
    assert_int_not_equal(character(text, 3, 12 + CURVE / 2) & 0xFF, 0);
    assert_int_equal(character(text, 3, 12 + CURVE / 2) & 0xFF00, 0x2800);
}

// A jump is no line, its event has a mark, its modes have their place.
static void jump(void **state)
{
    (void)state;
    const char *text = draw("time,x,mode\n0,0,low\n5,0,low\n5,1,high\n10,1,high\n", 0, NULL, false);
    assert_int_equal(character(text, 6, 12), 0x28C0); // both dots at the bottom
    assert_int_equal(character(text, 1, 12 + CURVE - 1), 0x2809);
    for (int line = 2; line <= 5; line++)
        for (int i = 0; i < CURVE; i++)
            assert_int_equal(character(text, line, 12 + i), ' ');
    const int events = line_of(text, "events"), modes = line_of(text, "mode ");
    int marks = 0;
    for (int i = 0; i < CURVE; i++)
        marks += character(text, events, 12 + i) == 0x25B4;
    assert_int_equal(marks, 1);
    assert_int_equal(character(text, events, 12 + (CURVE - 1) / 2), 0x25B4);
    assert_int_equal(character(text, modes, 12), 0x2502);
    assert_int_equal(character(text, modes, 13), 'l');
    assert_int_equal(character(text, modes, 12 + (CURVE - 1) / 2), 0x2502);
    assert_int_equal(character(text, modes, 13 + (CURVE - 1) / 2), 'h');
}

// The first three that change, each once; or those that are named.
static void choice(void **state)
{
    (void)state;
    static const char csv[] = "time,c,a,same,b,d,e\n0,7,0,0,1,5,0\n1,7,1,1,0,6,2\n";
    const char *text = draw(csv, 0, NULL, false);
    assert_int_equal(line_of(text, "a\n"), 0);
    assert_int_equal(line_of(text, "b\n"), 7);
    assert_int_equal(line_of(text, "d\n"), 14);
    assert_null(strstr(text, "\ne\n"));
    assert_non_null(
        strstr(text, "\nc                   7            7            7            7\n"));
    const char *const names[] = {"e", "c"};
    text = draw(csv, 2, names, false);
    assert_int_equal(line_of(text, "e\n"), 0);
    assert_int_equal(line_of(text, "c\n"), 7);
    assert_null(strstr(text, "variable"));
}

// Where time begins does not move the curve.
static void later(void **state)
{
    (void)state;
    const char *first = draw("time,x\n0,0\n1,5\n3,1\n", 0, NULL, false);
    const char *then = draw("time,x\n-20,0\n-19,5\n-17,1\n", 0, NULL, false);
    for (int line = 1; line < 7; line++)
        for (int column = 12; column < 12 + CURVE; column++)
            assert_int_equal(character(first, line, column), character(then, line, column));
    assert_non_null(strstr(then, "-20 "));
    assert_non_null(strstr(then, "-17"));
}

static void plain(void **state)
{
    (void)state;
    const char *text = draw("time,x,n\n0,1,0\n1,-3e-17,0\n2,nan,1\n3,0.25,2\n", 0, NULL, true);
    assert_string_equal(text, "variable        start        least         most          end\n"
                              "x                   1            0            1         0.25\n"
                              "n                   0            0            2            2\n");
    for (const char *c = text; *c; c++)
        assert_true((unsigned char)*c < 0x80);
}

// Nothing to draw, one row, nothing finite: a table, and no crash.
static void little(void **state)
{
    (void)state;
    assert_non_null(strstr(draw("time,x\n0,3\n", 0, NULL, false), "3"));
    assert_non_null(strstr(draw("time,x\n", 0, NULL, false), "variable"));
    assert_non_null(strstr(draw("time,x\n0,nan\n1,nan\n", 0, NULL, false), "nan"));
    assert_non_null(strstr(draw("time,x\n2,1\n2,2\n", 0, NULL, false), "x"));
    const char *const names[] = {"x"};
    assert_non_null(draw("time,x\n0,nan\n1,inf\n", 1, names, false));
}

static void unicode(void **state)
{
    (void)state;
    unsetenv("LC_ALL");
    unsetenv("LC_CTYPE");
    setenv("LANG", "de_AT.UTF-8", 1);
    assert_true(terminal_is_unicode());
    setenv("LC_CTYPE", "C", 1);
    assert_false(terminal_is_unicode());
    setenv("LC_ALL", "C.utf8", 1);
    assert_true(terminal_is_unicode());
    setenv("LC_ALL", "en_US.ISO-8859-1", 1);
    assert_false(terminal_is_unicode());
}

static int set_up(void **state)
{
    (void)state;
    arena = arena_create(NULL);
    return arena ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_line), cmocka_unit_test(jump),  cmocka_unit_test(choice),
        cmocka_unit_test(later),         cmocka_unit_test(plain), cmocka_unit_test(little),
        cmocka_unit_test(unicode),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
