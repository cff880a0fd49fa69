// SPDX-License-Identifier: MIT

#include "plot/xml.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 64, LONGEST = 32 };

typedef struct Checker {
    const char *all, *s;
    char open[DEEPEST][LONGEST];
    size_t depth;
} Checker;

static void expect(const Checker *c, bool condition, const char *what)
{
    if (!condition)
        fail_msg("%s at byte %zu: %.60s", what, (size_t)(c->s - c->all), c->s);
}

static void read_name(Checker *c, char name[LONGEST])
{
    size_t n = 0;
    while (isalnum((unsigned char)*c->s) || *c->s == ':' || *c->s == '-') {
        expect(c, n + 1 < LONGEST, "long name");
        name[n++] = *c->s++;
    }
    name[n] = '\0';
    expect(c, n > 0, "no name");
}

static void read_character(Checker *c)
{
    const size_t length = utf8_length(c->s, strnlen(c->s, 4));
    expect(c, length > 0, "not UTF-8");
    expect(c, (unsigned char)*c->s >= 32 || *c->s == '\n' || *c->s == '\t', "control character");
    if (*c->s == '&') {
        static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
        bool is_known = false;
        for (size_t i = 0; i < 4; i++)
            is_known |= strncmp(c->s, entities[i], strlen(entities[i])) == 0;
        expect(c, is_known, "unknown entity");
    }
    c->s += length;
}

static void read_attributes(Checker *c)
{
    char names[32][LONGEST];
    size_t count = 0;
    while (*c->s == ' ') {
        c->s++;
        read_name(c, names[count]);
        for (size_t i = 0; i < count; i++)
            expect(c, strcmp(names[i], names[count]) != 0, "attribute twice");
        count++;
        expect(c, strncmp(c->s, "=\"", 2) == 0, "no value");
        for (c->s += 2; *c->s != '"';) {
            expect(c, *c->s && *c->s != '<', "bad value");
            read_character(c);
        }
        c->s++;
    }
}

static void read_tag(Checker *c)
{
    char name[LONGEST];
    if (c->s[1] == '/') {
        c->s += 2;
        read_name(c, name);
        expect(c, c->depth > 0 && strcmp(c->open[c->depth - 1], name) == 0, "wrong end tag");
        c->depth--;
    } else {
        c->s++;
        read_name(c, name);
        read_attributes(c);
        if (*c->s == '/') {
            c->s++;
        } else {
            expect(c, c->depth < DEEPEST, "too deep");
            memcpy(c->open[c->depth++], name, sizeof name);
        }
    }
    expect(c, *c->s == '>', "tag not closed");
    c->s++;
}

void assert_xml(const char *text, size_t length)
{
    static Checker checker;
    Checker *c = &checker;
    *c = (Checker){.all = text, .s = text};
    assert_int_equal(strlen(text), length);
    do {
        if (*c->s == '<')
            read_tag(c);
        else
            read_character(c);
    } while (c->depth > 0 && *c->s);
    expect(c, c->depth == 0, "element not closed");
    expect(c, strcmp(c->s, "\n") == 0, "text behind the element");
}

size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *s = text; (s = strstr(s, part)) != NULL; s += strlen(part))
        count++;
    return count;
}
