// SPDX-License-Identifier: MIT
//
// Clients with an event_update of their own: one call per iteration with everything that fired,
// again as long as they ask for it, told what arming turned, restarted only if they changed
// something, with time events among the rest.

#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// A clock with three relations: x > 1, x > 1 again in other words, x > 2; and what was told
// ---------------------------------------------------------------------------

static int clock_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)x, (void)z;
    const double *rate = c->memory;
    dx[0] = 1.0 + rate[0];
    return 0;
}

static int relations(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 1.0;
    h[1] = 1.0 - x[0];
    h[2] = x[0] - 2.0;
    return 0;
}

static const SaltusEventDef three[3] = {
    {.name = "a", .condition = "x > 1"}, {.name = "b", .condition = "x < 1"}, {.name = "c"}};

typedef struct Told {
    char text[2048]; // one line per call
    unsigned answer; // of calls with something fired
    int again;       // so many times
} Told;

// "t occasions [fired] (times)"
static void write_down(SaltusEvent *event)
{
    Told *told = event->user;
    size_t length = strlen(told->text), size = sizeof told->text;
    length += (size_t)snprintf(told->text + length, size - length, "%.6g %s%s%s%s%s%s%d", event->t,
                               event->occasion & SALTUS_AT_START ? "start " : "",
                               event->occasion & SALTUS_AT_CROSSING ? "crossing " : "",
                               event->occasion & SALTUS_AT_TIME ? "time " : "",
                               event->occasion & SALTUS_AT_ARMING ? "arming " : "",
                               event->occasion & SALTUS_AT_ITERATION ? "again " : "",
                               event->occasion & SALTUS_AT_ENTRY ? "entry " : "", event->iteration);
    for (int i = 0; i < event->fired_count; i++)
        length += (size_t)snprintf(told->text + length, size - length, " %c%c",
                                   "abcdef"[event->fired[i].event],
                                   event -> fired[i].direction > 0 ? '+' : '-');
    for (int i = 0; i < event->time_count; i++)
        length += (size_t)snprintf(told->text + length, size - length, " #%d", event->time_ids[i]);
    snprintf(told->text + length, size - length, "\n");
}

static unsigned update(SaltusEvent *event)
{
    Told *told = event->user;
    write_down(event);
    if (event->fired_count > 0)
        return told->answer;
    return told->again-- > 0 ? SALTUS_AGAIN : SALTUS_NOTHING_CHANGED;
}

static SaltusSystemDef clock_system(const SaltusModeDef *mode, Told *told, SaltusEventUpdate how)
{
    SaltusSystemDef def = hybrid_system(1, mode);
    def.user = told;
    def.event_update = how;
    def.memory.size = sizeof(double);
    return def;
}

static const double zero[] = {0.0};

static void test_one_call_with_all_that_fired(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("clock", 1, zero, clock_rhs, 3, three, relations);
    Told told = {.text = ""};
    SaltusSystemDef def = clock_system(&mode, &told, update);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_OK);
    assert_string_equal(told.text, "0 start 0\n1 crossing 0 a+ b-\n2 crossing 0 c+\n");
    assert_int_equal(saltus_run_event_count(hybrid.run), 2);
    SaltusStatistics statistics = saltus_run_statistics(hybrid.run);
    assert_int_equal(statistics.restarts, 1); // nothing changed: the steps go on
    hybrid_end(&hybrid);
}

static void test_again(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("clock", 1, zero, clock_rhs, 3, three, relations);
    Told told = {.text = "", .answer = SALTUS_AGAIN, .again = 0};
    SaltusSystemDef def = clock_system(&mode, &told, update);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    told.again = 2;
    assert_int_equal(saltus_run_advance(hybrid.run, 1.5), SALTUS_OK);
    assert_string_equal(told.text,
                        "0 start 0\n1 crossing 0 a+ b-\n1 again 1\n1 again 2\n1 again 3\n");
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.iterations, 4);
    assert_int_equal(entry.fired_count, 2);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// What the client says it changed
// ---------------------------------------------------------------------------

// Bookkeeping in client memory changes nothing for the solver, unless the client says so.
static unsigned keep_books(SaltusEvent *event)
{
    double *memory = event->memory;
    Told *told = event->user;
    if (event->fired_count > 0)
        memory[0] += 1.0;
    return event->fired_count > 0 ? told->answer : SALTUS_NOTHING_CHANGED;
}

static void test_memory(void **state)
{
    (void)state;
    SaltusEventDef events[3] = {three[0], three[1], three[2]};
    SaltusModeDef mode = hybrid_mode("clock", 1, zero, clock_rhs, 3, events, relations);
    Told told = {.text = "", .answer = SALTUS_RHS_CHANGED};
    SaltusSystemDef def = clock_system(&mode, &told, keep_books);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 2);
    assert_int_equal(saltus_run_event(hybrid.run, 0).classes, SALTUS_SE_F);
    // 1 second at speed 1, half a second at speed 2 up to x = 2, then speed 3.
    assert_close(saltus_run_event(hybrid.run, 1).t, 1.5, 1e-12);
    assert_close(saltus_run_states(hybrid.run)[0], 2.0 + 0.5 * 3.0, 1e-12);
    assert_int_equal(saltus_run_statistics(hybrid.run).restarts, 3);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// Arming
// ---------------------------------------------------------------------------

static int fall_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[1];
    dx[1] = -9.81;
    return 0;
}

static int floor_contact(const SaltusContext *c, double t, const double *x, const double *z,
                         double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0];
    return 0;
}

// A relation x <= 0 that the client keeps: true by decree at the contact, false again after the
// bounce, which arming tells.
static unsigned bounce(SaltusEvent *event)
{
    write_down(event);
    for (int i = 0; i < event->fired_count; i++) {
        assert_int_equal(event->sign[0], event->fired[i].direction);
        if (event->fired[i].direction < 0)
            event->x[1] *= -0.5;
    }
    return SALTUS_NOTHING_CHANGED;
}

static void test_arming_is_told(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "a", .condition = "x <= 0"};
    SaltusModeDef mode =
        hybrid_mode("ball", 2, (double[]){4.905, 0.0}, fall_rhs, 1, &event, floor_contact);
    Told told = {.text = ""};
    SaltusSystemDef def = clock_system(&mode, &told, bounce);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.6), SALTUS_OK);
    // Contacts at 1, 1 + 1, 1 + 1 + 1/2.
    assert_string_equal(told.text, "0 start 0\n"
                                   "1 crossing 0 a-\n1 arming 1 a+\n"
                                   "2 crossing 0 a-\n2 arming 1 a+\n"
                                   "2.5 crossing 0 a-\n2.5 arming 1 a+\n");
    hybrid_end(&hybrid);
}

// A relation that is zero at the start is told with the sign it takes.
static void test_arming_at_the_start(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "a", .condition = "x <= 0"};
    SaltusModeDef mode =
        hybrid_mode("ball", 2, (double[]){0.0, 4.905}, fall_rhs, 1, &event, floor_contact);
    Told told = {.text = ""};
    SaltusSystemDef def = clock_system(&mode, &told, bounce);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_string_equal(told.text, "0 start 0\n0 arming 1 a+\n");
    assert_int_equal(saltus_run_event_count(hybrid.run), 0); // to be told is no event
    told.text[0] = '\0';
    assert_int_equal(saltus_run_advance(hybrid.run, 1.25), SALTUS_OK);
    assert_string_equal(told.text, "1 crossing 0 a-\n1 arming 1 a+\n");
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// Time events among the rest
// ---------------------------------------------------------------------------

// Samples every quarter of a second; the next one is scheduled in the update.
static unsigned sample(SaltusEvent *event)
{
    if (event->time_count > 0 || event->fired_count > 0)
        write_down(event);
    if (event->occasion & (SALTUS_AT_START | SALTUS_AT_TIME))
        saltus_schedule(event, 7, event->t + 0.25);
    return SALTUS_NOTHING_CHANGED;
}

static void test_time_events(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("clock", 1, zero, clock_rhs, 3, three, relations);
    Told told = {.text = ""};
    SaltusSystemDef def = clock_system(&mode, &told, sample);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.25), SALTUS_OK);
    assert_string_equal(told.text, "0.25 time 0 #7\n0.5 time 0 #7\n0.75 time 0 #7\n"
                                   "1 crossing time 0 a+ b- #7\n1.25 time 0 #7\n");
    assert_int_equal(saltus_run_statistics(hybrid.run).restarts, 1);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// Modes by an update
// ---------------------------------------------------------------------------

static int away(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 2.0;
    h[1] = 5.0 - x[0];
    return 0;
}

static unsigned change_mode(SaltusEvent *event)
{
    write_down(event);
    if (event->mode == 0 && event->fired_count > 0)
        saltus_switch_mode(event, 1);
    return SALTUS_NOTHING_CHANGED;
}

// Called once more in the mode it entered, to see the signs there.
static void test_mode(void **state)
{
    (void)state;
    SaltusModeDef modes[2] = {hybrid_mode("one", 1, zero, clock_rhs, 3, three, relations),
                              hybrid_mode("two", 1, NULL, clock_rhs, 2, three, away)};
    Told told = {.text = ""};
    SaltusSystemDef def = clock_system(modes, &told, change_mode);
    def.mode_count = 2;
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_OK);
    assert_string_equal(told.text, "0 start 0\n1 crossing 0 a+ b-\n1 entry 1\n2 crossing 0 a+\n");
    assert_int_equal(saltus_run_event(hybrid.run, 0).classes, SALTUS_SE_F);
    assert_int_equal(saltus_run_event(hybrid.run, 1).from, 1);
    hybrid_end(&hybrid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_call_with_all_that_fired),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_arming_is_told),
        cmocka_unit_test(test_arming_at_the_start),
        cmocka_unit_test(test_time_events),
        cmocka_unit_test(test_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
