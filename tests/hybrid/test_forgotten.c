// SPDX-License-Identifier: MIT
//
// A run through many provided modes whose system keeps few of them, and whose log is handed over:
// it is the run that keeps everything, and it takes no more memory the longer it is.
//
// x' = 1; at each whole number the mode changes, through all of them and round again.

#include "support/hybrid.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MODES = 20, KEPT = 3 };

typedef struct Client {
    int provided, present, most_present; // modes that were asked for, that are there
    size_t bytes;
    int data[MODES];
    char name[16];
} Client;

// ---------------------------------------------------------------------------
// The system
// ---------------------------------------------------------------------------

static int evaluate(const SaltusContext *c, double t, const double *x, const double *z_guess,
                    const SaltusValues *out)
{
    (void)t, (void)z_guess;
    if (out->dx)
        out->dx[0] = 1.0;
    if (out->h)
        out->h[0] = x[0] - *(const double *)c->memory;
    return 0;
}

static int provide(void *user, int mode, SaltusModeDef *def, SaltusMessage *message)
{
    static const char *const names[] = {"x"};
    static const double start[] = {0.5};
    static const SaltusEventDef event = {.name = "next", .direction = SALTUS_RISING};
    Client *client = user;
    (void)message;
    snprintf(client->name, sizeof client->name, "m%d", mode);
    def->name = client->name; // is copied
    def->data = &client->data[mode];
    def->state_count = 1;
    def->state_names = names;
    def->start = start;
    def->evaluate = evaluate;
    def->event_count = 1;
    def->events = &event;
    client->provided++;
    client->present++;
    if (client->present > client->most_present)
        client->most_present = client->present;
    return 0;
}

static void release(void *user, const void *data)
{
    Client *client = user;
    assert_in_range((const int *)data - client->data, 0, MODES - 1);
    client->present--;
}

static void start(SaltusEvent *event)
{
    *(double *)event->memory = 1.0;
    saltus_switch_mode(event, 0);
}

static unsigned update(SaltusEvent *event)
{
    if (!(event->occasion & SALTUS_AT_CROSSING) || event->iteration > 0)
        return 0;
    *(double *)event->memory += 1.0;
    saltus_record(event, "passed", event->t);
    saltus_switch_mode(event, (event->mode + 1) % MODES);
    return 0;
}

typedef union Header {
    size_t size;
    max_align_t alignment;
} Header;

static void *reallocate(void *user, void *block, size_t size)
{
    Client *client = user;
    Header *old = block ? (Header *)block - 1 : NULL;
    client->bytes -= old ? old->size : 0;
    if (size == 0) {
        free(old);
        return NULL;
    }
    Header *header = realloc(old, sizeof *header + size);
    assert_non_null(header);
    header->size = size;
    client->bytes += size;
    return header + 1;
}

static SaltusSystemDef definition(Client *client, int most_modes)
{
    SaltusSystemDef def = saltus_default_system();
    def.user = client;
    def.provider = provide;
    def.release = release;
    def.most_modes = most_modes;
    def.initial_mode = -1;
    def.start = start;
    def.event_update = update;
    def.memory.size = sizeof(double);
    def.allocator = (SaltusAllocator){reallocate, client};
    return def;
}

// ---------------------------------------------------------------------------
// Tests
// ---------------------------------------------------------------------------

static void test_modes_are_provided_again(void **state)
{
    (void)state;
    Client all = {0}, few = {0};
    SaltusSystemDef a = definition(&all, 0), b = definition(&few, KEPT);
    Hybrid x = hybrid_begin(&a, NULL), y = hybrid_begin(&b, NULL);
    assert_int_equal(saltus_run_advance(x.run, 100.0), SALTUS_OK);
    assert_int_equal(saltus_run_advance(y.run, 100.0), SALTUS_OK);
    assert_int_equal(all.provided, MODES);
    assert_true(few.provided > 5 * MODES - KEPT);
    // Those of the event in progress, and those that are kept.
    assert_true(few.most_present <= KEPT + 3);
    // The rows and the log are the same, and tell modes that are gone.
    assert_int_equal(saltus_run_row_count(x.run), saltus_run_row_count(y.run));
    for (long i = 0; i < saltus_run_row_count(x.run); i++) {
        const SaltusRow p = saltus_run_row(x.run, i), q = saltus_run_row(y.run, i);
        assert_memory_equal(&p.t, &q.t, sizeof p.t);
        assert_int_equal(p.mode, q.mode);
        assert_int_equal(p.x_count, q.x_count);
        assert_memory_equal(p.x, q.x, sizeof *p.x);
    }
    const SaltusLogEntry entry = saltus_run_event(y.run, 1);
    assert_int_equal(entry.from, 1);
    const SaltusModeDef *mode = saltus_system_mode(y.system, entry.from);
    assert_string_equal(mode->name, "m1");
    const SaltusModeDef *used = saltus_system_use_mode(y.system, 2);
    assert_string_equal(used->name, "m2");
    // Both stay while the run goes on, the first for ever.
    assert_int_equal(saltus_run_advance(y.run, 150.0), SALTUS_OK);
    assert_string_equal(used->name, "m2");
    assert_ptr_equal(saltus_system_use_mode(y.system, 2), used);
    saltus_system_leave_mode(y.system, 2);
    saltus_system_leave_mode(y.system, 2);
    assert_ptr_equal(saltus_system_mode(y.system, 1), mode);
    assert_string_equal(mode->name, "m1");
    assert_null(saltus_system_use_mode(y.system, MODES));
    hybrid_end(&x);
    hybrid_end(&y);
    assert_int_equal(all.present, 0);
    assert_int_equal(few.present, 0);
    assert_int_equal(few.bytes, 0);
}

typedef struct Seen {
    long count;
    double last;
} Seen;

static int logged(void *user, const SaltusLogEntry *entry)
{
    Seen *seen = user;
    assert_int_equal(entry->record_count, 1);
    assert_string_equal(entry->records[0].name, "passed");
    assert_memory_equal(&entry->records[0].after, &entry->t, sizeof entry->t);
    assert_int_equal(entry->from, seen->count % MODES);
    assert_int_equal(entry->to, (seen->count + 1) % MODES);
    assert_true(entry->t > seen->last);
    seen->last = entry->t;
    return ++seen->count == 3000; // interrupts
}

static void test_the_log_is_handed_over(void **state)
{
    (void)state;
    Client client = {0};
    Seen seen = {0};
    SaltusOptions options = saltus_default_options();
    options.record = SALTUS_RECORD_NOTHING;
    options.logged = logged;
    options.user = &seen;
    SaltusSystemDef def = definition(&client, KEPT);
    Hybrid h = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(h.run, 100.0), SALTUS_OK);
    assert_int_equal(seen.count, 100);
    const size_t bytes = client.bytes;
    assert_int_equal(saltus_run_advance(h.run, 2000.0), SALTUS_OK);
    assert_int_equal(seen.count, 2000);
    assert_int_equal(saltus_run_event_count(h.run), 0);
    // The same modes are there; arrays have grown to their largest size long before.
    assert_true(client.bytes <= bytes);
    assert_int_equal(saltus_run_advance(h.run, 4000.0), SALTUS_INTERRUPTED);
    assert_int_equal(seen.count, 3000);
    hybrid_end(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes_are_provided_again),
        cmocka_unit_test(test_the_log_is_handed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
