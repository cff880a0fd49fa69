// SPDX-License-Identifier: MIT

#include "instant/chance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Chance: SplitMix64 (Steele, Lea, Flood 2014)
// ---------------------------------------------------------------------------

static uint64_t next(Chance *c)
{
    uint64_t z = (c->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

Chance chance_from(uint64_t seed)
{
    return (Chance){seed};
}

double chance_between(Chance *c, double low, double high)
{
    return low + (high - low) * (double)(next(c) >> 11) * 0x1p-53;
}

int chance_below(Chance *c, int limit)
{
    return (int)chance_between(c, 0.0, (double)limit);
}

bool chance_is(Chance *c, double probability)
{
    return chance_between(c, 0.0, 1.0) < probability;
}

double chance_rounded(Chance *c, double low, double high)
{
    return round(100.0 * chance_between(c, low, high)) / 100.0;
}

int chance_cases(int usual)
{
    const char *given = getenv("SALTUS_RANDOM");
    const int cases = given ? atoi(given) : 0;
    return cases > 0 ? cases : usual;
}

// ---------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------

void writing_clear(Writing *w)
{
    w->length = 0;
    w->text[0] = '\0';
}

void writing_add(Writing *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int room = WRITING_SIZE - w->length;
    const int length = vsnprintf(w->text + w->length, (size_t)room, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && length < room);
    w->length += length;
}

// ---------------------------------------------------------------------------
// Outcomes
// ---------------------------------------------------------------------------

Tally tally_begin(const Requirement *requirement)
{
    return (Tally){.requirement = requirement};
}

static void keep_text(const Tally *t, int seed, const char *reason, const char *text)
{
    const char *folder = getenv("SALTUS_FAILING");
    if (!folder)
        return;
    char path[512];
    snprintf(path, sizeof path, "%s/%s-%d.mo", folder, t->requirement->family, seed);
    for (char *c = path + strlen(folder); *c; c++)
        if (*c == ' ' || *c == ',')
            *c = '_';
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fprintf(file, "// %s\n%s", reason, text);
    fclose(file);
}

void tally_add(Tally *t, Outcome outcome, int seed, const char *reason, const char *text)
{
    t->cases++;
    if (outcome == OUTCOME_RIGHT) {
        t->right++;
        return;
    }
    *(outcome == OUTCOME_WRONG ? &t->wrong : &t->refused) += 1;
    if (outcome == OUTCOME_WRONG || getenv("SALTUS_FAILING"))
        printf("%s, seed %d: %s: %s\n", t->requirement->family, seed,
               outcome == OUTCOME_WRONG ? "WRONG" : "refused", reason);
    keep_text(t, seed, reason, text);
}

void tally_end(const Tally *t)
{
    const Requirement *r = t->requirement;
    printf("%s: %d of %d right, %d refused (at most %d, target %d), %d wrong\n", r->family,
           t->right, t->cases, t->refused, r->refused_today, r->refused_target, t->wrong);
    if (t->wrong > 0)
        fail_msg("%s: %d wrong", r->family, t->wrong);
    if (t->cases == r->cases && t->refused > r->refused_today)
        fail_msg("%s: %d refused", r->family, t->refused);
}
