// SPDX-License-Identifier: MIT

#include "instant/chance.h"

#include "support/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

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

const char *outcome_name(Outcome outcome)
{
    static const char *const names[] = {"right", "refused", "WRONG", "HANGS"};
    return names[outcome];
}

// What a child says through its pipe.
typedef struct Said {
    Outcome outcome;
    char reason[REASON_SIZE];
} Said;

// Seconds of processor time, to end what hangs; the slowest case needs 1.1, with sanitizers 10.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { LIMIT = 60 };
#else
enum { LIMIT = 6 };
#endif

static const struct itimerval limit = {.it_value = {.tv_sec = LIMIT}};

static void be_child(int pipe_end, OutcomeTry try, const void *data, const char *text)
{
    Said said = {.reason = ""};
    setitimer(ITIMER_PROF, &limit, NULL); // its signal ends the process
    said.outcome = try(data, text, said.reason);
    _exit(write(pipe_end, &said, sizeof said) == (ssize_t)sizeof said ? 0 : 1);
}

Outcome outcome_in_child(OutcomeTry try, const void *data, const char *text,
                         char reason[REASON_SIZE])
{
    int ends[2];
    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        be_child(ends[1], try, data, text);
    close(ends[1]);
    Said said = {OUTCOME_HANGS, "no answer"};
    Said heard;
    if (read(ends[0], &heard, sizeof heard) == (ssize_t)sizeof heard)
        said = heard;
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (said.outcome == OUTCOME_HANGS && WIFSIGNALED(status))
        snprintf(said.reason, REASON_SIZE, "ended by signal %d", WTERMSIG(status));
    memcpy(reason, said.reason, REASON_SIZE);
    return said.outcome;
}

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

static int number_of(const char *name)
{
    const char *given = getenv(name);
    return given ? atoi(given) : 0;
}

static bool is_known(const Requirement *r, int seed)
{
    for (int k = 0; k < KNOWN_MAX && r->known[k]; k++)
        if (r->known[k] == seed)
            return true;
    return false;
}

static int cases_of(const Requirement *r)
{
    return cases_asked(r->cases);
}

bool tally_next(const Tally *t, int *seed)
{
    const Requirement *r = t->requirement;
    const int alone = number_of("SALTUS_SEED");
    if (alone > 0) {
        *seed = alone;
        return t->cases == 0;
    }
    const int cases = cases_of(r);
    *seed = t->cases + 1;
    if (t->cases < cases)
        return true;
    int skipped = t->cases - cases; // how many of the known ones have been tried by now
    for (int k = 0; k < KNOWN_MAX && r->known[k]; k++)
        if (r->known[k] > cases && skipped-- == 0) {
            *seed = r->known[k];
            return true;
        }
    for (int k = 0; k < KNOWN_MAX && r->also[k]; k++)
        if (r->also[k] > cases && skipped-- == 0) {
            *seed = r->also[k];
            return true;
        }
    return false;
}

void tally_try(Tally *t, int seed, OutcomeTry try, const void *data, const char *text)
{
    char reason[REASON_SIZE];
    const Outcome outcome = outcome_in_child(try, data, text, reason);
    const bool known = is_known(t->requirement, seed);
    const bool is_bad = outcome == OUTCOME_WRONG || outcome == OUTCOME_HANGS;
    t->cases++;
    if (!known || !is_bad)
        t->count[outcome]++;
    if (known && outcome == OUTCOME_RIGHT) {
        t->closed++;
        printf("%s, seed %d: now right: close it\n", t->requirement->family, seed);
    }
    if (is_bad || (outcome == OUTCOME_REFUSED && getenv("SALTUS_FAILING")))
        printf("%s, seed %d: %s%s: %s\n", t->requirement->family, seed, outcome_name(outcome),
               known ? ", as known" : "", reason);
    if (outcome != OUTCOME_RIGHT)
        keep_text(t, seed, reason, text);
}

void tally_end(const Tally *t)
{
    const Requirement *r = t->requirement;
    const int refused = t->count[OUTCOME_REFUSED], wrong = t->count[OUTCOME_WRONG],
              hanging = t->count[OUTCOME_HANGS];
    int known = 0;
    while (known < KNOWN_MAX && r->known[known])
        known++;
    printf("%s: %d of %d right, %d refused (at most %d, target %d), %d wrong, %d hanging, besides "
           "%d known\n",
           r->family, t->count[OUTCOME_RIGHT], t->cases, refused, r->refused_today,
           r->refused_target, wrong, hanging, known);
    if (wrong + hanging > 0)
        fail_msg("%s: %d wrong, %d hanging", r->family, wrong, hanging);
    if (t->closed > 0)
        fail_msg("%s: %d known ones are now right: close them", r->family, t->closed);
    if (cases_of(r) == r->cases && refused > r->refused_today)
        fail_msg("%s: %d refused", r->family, refused);
}
