// SPDX-License-Identifier: MIT
//
// Runs that pass through very many modes: results, memory, and what an action sees of modes that
// the run has let go of since.

#include "hybrid/contest.h"
#include "support/hybrid.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// What a run keeps at most (src/hybrid/instance.c), and the room that one of the instances below
// takes at most.
enum { KEPT = 64, INSTANCE_BYTES = 16384 };

// ---------------------------------------------------------------------------
// Memory that is counted
// ---------------------------------------------------------------------------

typedef struct Heap {
    size_t in_use, peak;
} Heap;

typedef union Header {
    size_t size;
    max_align_t align;
} Header;

static void *reallocate(void *user, void *block, size_t size)
{
    Heap *heap = user;
    Header *header = block ? (Header *)block - 1 : NULL;
    heap->in_use -= header ? header->size : 0;
    if (size == 0) {
        free(header);
        return NULL;
    }
    header = realloc(header, sizeof *header + size);
    if (!header)
        return NULL;
    header->size = size;
    heap->in_use += size;
    heap->peak = heap->in_use > heap->peak ? heap->in_use : heap->peak;
    return header + 1;
}

// ---------------------------------------------------------------------------
// A tour: x' = slope of the mode, for one second in each
// ---------------------------------------------------------------------------

enum { SLOPES = 7, OUTPUTS = 20 };
static const double slopes[SLOPES] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};

typedef struct Tour {
    int modes;     // those with smaller numbers are visited in turn
    int most_work; // of live_work, ever
    int live_work; // working memory that is not destroyed yet
    int made_work; // that ever was
} Tour;

static int tour_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0;
    dx[1] = *(const double *)c->data;
    return 0;
}

static int tour_functions(const SaltusContext *c, double t, const double *x, const double *z,
                          double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 1.0;
    return 0;
}

static int tour_outputs(const SaltusContext *c, double t, const double *x, const double *z,
                        double *y)
{
    UNUSED_ARGUMENTS;
    for (int i = 0; i < OUTPUTS; i++)
        y[i] = x[1] + i;
    return 0;
}

// Through all modes before one comes again: a linear congruential generator of full period (Hull
// and Dobell) for numbers of modes that are products of 2 and 5, at least 20.
static int tour_next(const Tour *tour, int mode)
{
    return (int)((21L * mode + 7919L) % tour->modes);
}

static void tour_on(SaltusEvent *event)
{
    saltus_switch_mode(event, tour_next(event->user, event->mode));
    event->x[0] = 0.0;
}

static void *tour_work(const SaltusContext *c)
{
    Tour *tour = c->user;
    Tour **work = malloc(sizeof *work);
    assert_non_null(work);
    *work = tour;
    tour->live_work++;
    tour->made_work++;
    tour->most_work = tour->live_work > tour->most_work ? tour->live_work : tour->most_work;
    return work;
}

static void tour_work_end(void *work)
{
    (*(Tour **)work)->live_work--;
    free(work);
}

// All texts stand in arrays that the next call overwrites, as the header allows.
static int tour_provide(void *user, int mode, SaltusModeDef *def, SaltusMessage *message)
{
    const Tour *tour = user;
    static char name[32], texts[OUTPUTS][32];
    static const char *outputs[OUTPUTS];
    static const char *const states[] = {"clock", "x"};
    static const double start[] = {0.0, 0.0};
    static SaltusEventDef full;
    if (mode >= tour->modes) {
        saltus_say(message, "beyond the tour");
        return 1;
    }
    full = (SaltusEventDef){
        .name = "full", .condition = "clock > 1", .direction = SALTUS_RISING, .action = tour_on};
    snprintf(name, sizeof name, "mode %d", mode);
    for (int i = 0; i < OUTPUTS; i++) {
        snprintf(texts[i], sizeof texts[i], "output.number[%d]", i);
        outputs[i] = texts[i];
    }
    def->name = name;
    def->data = &slopes[mode % SLOPES];
    def->state_count = 2;
    def->state_names = states;
    def->start = start;
    def->rhs = tour_rhs;
    def->event_count = 1;
    def->events = &full;
    def->event_functions = tour_functions;
    def->output_count = OUTPUTS;
    def->output_names = outputs;
    def->outputs = tour_outputs;
    def->work.create = tour_work;
    def->work.destroy = tour_work_end;
    return 0;
}

static SaltusSystemDef tour_system(Tour *tour, Heap *heap)
{
    SaltusSystemDef def = saltus_default_system();
    def.user = tour;
    def.provider = tour_provide;
    if (heap)
        def.allocator = (SaltusAllocator){.reallocate = reallocate, .user = heap};
    return def;
}

// x after whole seconds from mode 0 on.
static double tour_x(const Tour *tour, int seconds)
{
    double x = 0.0;
    for (int i = 0, mode = 0; i < seconds; i++, mode = tour_next(tour, mode))
        x += slopes[mode % SLOPES];
    return x;
}

static SaltusOptions no_rows(void)
{
    SaltusOptions options = saltus_default_options();
    options.record = SALTUS_RECORD_NOTHING;
    return options;
}

// A run over so many seconds (and a half, which is in the last mode), checked; the bytes that it
// takes in the end.
static size_t run_tour(const SaltusSystem *system, Tour *tour, Heap *heap, int seconds)
{
    SaltusOptions options = no_rows();
    SaltusRun *run = NULL;
    size_t before = heap->in_use;
    tour->most_work = 0;
    heap->peak = before;
    assert_int_equal(saltus_run_create(system, &options, &run, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_advance(run, seconds + 0.5), SALTUS_OK);
    int mode = saltus_run_mode(run);
    double expected = tour_x(tour, seconds) + 0.5 * slopes[mode % SLOPES];
    // Constant slopes are integrated exactly; each event is late by a few roundings of time.
    assert_close(saltus_run_states(run)[1], expected,
                 8.0 * DBL_EPSILON * seconds * seconds * slopes[SLOPES - 1]);
    SaltusStatistics statistics = saltus_run_statistics(run);
    assert_int_equal(statistics.mode_changes, seconds);
    assert_int_equal(statistics.modes_entered,
                     seconds + 1 < tour->modes ? seconds + 1 : tour->modes);
    assert_true(tour->most_work <= KEPT);
    size_t taken = heap->in_use - before;
    // Nothing that is given back in the end either; arrays that grow are there twice for a moment.
    assert_true(heap->peak - before <= 2 * taken);
    saltus_run_destroy(run);
    assert_int_equal(tour->live_work, 0);
    assert_true(heap->in_use >= before);
    return taken;
}

static void test_fifty_thousand_modes(void **state)
{
    (void)state;
    enum { MODES = 50000, AGAIN = 10000, FEW = 40 };
    Heap heap = {0};
    Tour tour = {.modes = MODES}, short_tour = {.modes = FEW};
    SaltusSystemDef def = tour_system(&tour, &heap), short_def = tour_system(&short_tour, &heap);
    SaltusSystem *system = NULL, *short_system = NULL;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    assert_int_equal(saltus_system_create(&short_def, &short_system, NULL), SALTUS_OK);
    size_t nothing = heap.in_use;
    run_tour(system, &tour, &heap, MODES);
    // Of each mode: the definition, its name, its entries in tables; nothing that others have, too.
    assert_true(heap.in_use - nothing <= MODES * (sizeof(SaltusModeDef) + 128));
    // A second run finds its modes there. Its log is as long as that of a run through few modes;
    // what it takes more is a few numbers for each mode, what `auto` knows of it (so that results
    // do not depend on which modes were let go of; twice, as tables grow by doubling), and the
    // instances that are kept.
    size_t defined = heap.in_use;
    size_t many = run_tour(system, &tour, &heap, AGAIN);
    assert_int_equal(heap.in_use, defined);
    size_t few = run_tour(short_system, &short_tour, &heap, AGAIN);
    assert_true(many <= few + AGAIN * (96 + 2 * sizeof(Contest)) + KEPT * (size_t)INSTANCE_BYTES);
    saltus_system_destroy(system);
    saltus_system_destroy(short_system);
    assert_int_equal(heap.in_use, 0);
}

// Rows and log refer to modes that the run has let go of.
static void test_results_stay(void **state)
{
    (void)state;
    enum { MODES = 200 };
    Tour tour = {.modes = MODES};
    SaltusSystemDef def = tour_system(&tour, NULL);
    SaltusOptions options = saltus_default_options();
    options.record = SALTUS_RECORD_EVENTS;
    Hybrid hybrid = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, MODES - 0.5), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), MODES - 1);
    for (int i = 0, mode = 0; i < MODES - 1; i++, mode = tour_next(&tour, mode)) {
        SaltusLogEntry entry = saltus_run_event(hybrid.run, i);
        assert_int_equal(entry.from, mode);
        assert_int_equal(entry.to, tour_next(&tour, mode));
        assert_int_equal(entry.change_count, 1);
        assert_string_equal(entry.changes[0].name, "clock");
        char name[32];
        snprintf(name, sizeof name, "mode %d", mode);
        const SaltusModeDef *left = saltus_system_mode(hybrid.system, mode);
        assert_string_equal(left->name, name);
        assert_string_equal(left->events[0].condition, "clock > 1");
        SaltusRow row = saltus_run_row(hybrid.run, 1 + 2 * i);
        assert_int_equal(row.mode, mode);
        assert_int_equal(row.y_count, OUTPUTS);
        assert_true(row.y[OUTPUTS - 1] == row.x[1] + (OUTPUTS - 1));
        assert_string_equal(left->output_names[OUTPUTS - 1], "output.number[19]");
        // What is the same in all modes is there once.
        const SaltusModeDef *first = saltus_system_mode(hybrid.system, 0);
        assert_ptr_equal(left->output_names, first->output_names);
        assert_ptr_equal(left->events, first->events);
    }
    hybrid_end(&hybrid);
}

// A checkpoint knows the same modes, and goes on with the same bits.
static void test_checkpoint(void **state)
{
    (void)state;
    Tour tour = {.modes = 100};
    SaltusSystemDef def = tour_system(&tour, NULL);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    SaltusRun *copy = NULL;
    assert_int_equal(saltus_run_advance(hybrid.run, 90.25), SALTUS_OK);
    assert_int_equal(saltus_run_copy(hybrid.run, &copy, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_statistics(copy).modes_entered, 91);
    assert_int_equal(saltus_run_advance(hybrid.run, 250.5), SALTUS_OK);
    assert_int_equal(saltus_run_advance(copy, 250.5), SALTUS_OK);
    assert_int_equal(saltus_run_statistics(copy).modes_entered, 100);
    assert_memory_equal(saltus_run_states(copy), saltus_run_states(hybrid.run), 2 * sizeof(double));
    SaltusStatistics a = saltus_run_statistics(copy), b = saltus_run_statistics(hybrid.run);
    assert_int_equal(a.f_evaluations, b.f_evaluations);
    assert_int_equal(a.steps, b.steps);
    saltus_run_destroy(copy);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// Many modes in one event
// ---------------------------------------------------------------------------

enum { PASSED = 3 * KEPT };

// Through very many modes at once: what was left, first and last, can still be seen.
static void pass_through(SaltusEvent *event)
{
    double clock = event->x[0], x = event->x[1];
    int left = event->mode, before = left;
    for (int i = 1; i <= PASSED; i++) {
        assert_int_equal(saltus_switch_mode(event, i), SALTUS_OK);
        assert_int_equal(event->left.mode, left);
        assert_true(event->left.x[0] == clock && event->left.x[1] == x);
        assert_int_equal(event->before.mode, before);
        assert_true(event->before.x[1] == x + (i - 1));
        assert_true(event->x[0] == clock && event->x[1] == x + (i - 1));
        event->x[1] = x + i;
        before = i;
    }
}

static void pass_and_fail(SaltusEvent *event)
{
    pass_through(event);
    // That there is no such mode changes nothing in what can be seen.
    assert_int_equal(saltus_switch_mode(event, 100000), SALTUS_ERROR_MODE);
    assert_int_equal(event->before.mode, PASSED - 1);
    assert_true(event->before.x[1] == event->left.x[1] + (PASSED - 1));
}

static void test_many_modes_in_one_event(void **state)
{
    (void)state;
    Tour tour = {.modes = 1000};
    SaltusSystemDef def = tour_system(&tour, NULL);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 0.5), SALTUS_OK);
    assert_int_equal(saltus_run_apply(hybrid.run, pass_through), SALTUS_OK);
    assert_true(tour.most_work <= KEPT);
    assert_int_equal(saltus_run_mode(hybrid.run), PASSED);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.from, 0);
    assert_int_equal(entry.to, PASSED);
    assert_int_equal(entry.change_count, 1);
    assert_close(entry.changes[0].after - entry.changes[0].before, PASSED, 1e-12);
    assert_int_equal(saltus_run_advance(hybrid.run, 0.75), SALTUS_OK);
    // x' is 1 in mode 0 and 4 in mode 192.
    assert_close(saltus_run_states(hybrid.run)[1], 0.5 + PASSED + 0.25 * slopes[PASSED % SLOPES],
                 1e-12);
    // An event that fails is undone: the mode that was active before it is there.
    const double before = saltus_run_states(hybrid.run)[1];
    assert_int_equal(saltus_run_apply(hybrid.run, pass_and_fail), SALTUS_ERROR_MODE);
    assert_int_equal(saltus_run_mode(hybrid.run), PASSED);
    assert_true(saltus_run_states(hybrid.run)[1] == before);
    assert_contains(saltus_run_error(hybrid.run)->message, "beyond the tour");
    hybrid_end(&hybrid);
    assert_int_equal(tour.live_work, 0);
}

// At the start there is no solver yet. The modes' own start values hold.
static void pass_at_start(SaltusEvent *event)
{
    const double x = event->left.x[1];
    event->x[1] = 7.0;
    for (int i = 1; i <= PASSED; i++) {
        assert_int_equal(saltus_switch_mode(event, i), SALTUS_OK);
        assert_int_equal(event->left.mode, 0);
        assert_true(event->left.x[1] == x);
        assert_true(event->before.x[1] == (i == 1 ? 7.0 : i - 1.0));
        event->x[1] = i;
    }
}

static void test_many_modes_at_the_start(void **state)
{
    (void)state;
    Tour tour = {.modes = 1000};
    SaltusSystemDef def = tour_system(&tour, NULL);
    def.start = pass_at_start;
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_true(tour.most_work <= KEPT);
    assert_int_equal(saltus_run_mode(hybrid.run), PASSED);
    assert_int_equal(saltus_run_statistics(hybrid.run).modes_entered, PASSED + 1);
    assert_int_equal(saltus_run_advance(hybrid.run, 0.5), SALTUS_OK);
    assert_close(saltus_run_states(hybrid.run)[1], PASSED + 0.5 * slopes[PASSED % SLOPES], 1e-12);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// Variables in another order in each mode
// ---------------------------------------------------------------------------

// All orders of four variables: more than an instance keeps maps for. Every second mode is the
// hub, mode 0, which is entered from each of them.
enum { NAMES = 4, ORDERS = 24 };
static const char *const names[NAMES] = {"clock", "x", "a", "b"};

typedef struct Order {
    int at[NAMES]; // of each name
    double slope;
} Order;
static Order orders[ORDERS];

static int order_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    const Order *order = c->data;
    for (int i = 0; i < NAMES; i++)
        dx[i] = 0.0;
    dx[order->at[0]] = 1.0;
    dx[order->at[1]] = order->slope;
    return 0;
}

static int order_functions(const SaltusContext *c, double t, const double *x, const double *z,
                           double *h)
{
    UNUSED_ARGUMENTS;
    const Order *order = c->data;
    h[0] = x[order->at[0]] - 1.0;
    return 0;
}

// From the hub to the next mode, and back.
static void order_on(SaltusEvent *event)
{
    int *visited = event->memory;
    const Order *order = NULL;
    saltus_switch_mode(event, event->mode == 0 ? 1 + (*visited)++ : 0);
    order = event->data;
    event->x[order->at[0]] = 0.0;
}

static int order_provide(void *user, int mode, SaltusModeDef *def, SaltusMessage *message)
{
    (void)user, (void)message;
    static char name[32];
    static const char *states[NAMES];
    static const SaltusEventDef full = {
        .name = "full", .direction = SALTUS_RISING, .action = order_on};
    static double start[NAMES];
    Order *order = &orders[mode % ORDERS];
    for (int i = 0; i < NAMES; i++)
        states[i] = NULL;
    for (int i = 0, rest = mode % ORDERS; i < NAMES; i++) { // digits of the factorial base
        int skip = rest % (NAMES - i), place = 0;
        rest /= NAMES - i;
        while (states[place] || skip-- > 0)
            place++;
        states[place] = names[i];
        order->at[i] = place;
    }
    order->slope = 1.0 + mode % ORDERS;
    for (int i = 0; i < NAMES; i++)
        start[order->at[i]] = i < 2 ? 0.0 : 10.0 * i;
    snprintf(name, sizeof name, "mode %d", mode);
    def->name = name;
    def->data = order;
    def->state_count = NAMES;
    def->state_names = states;
    def->start = start;
    def->rhs = order_rhs;
    def->event_count = 1;
    def->events = &full;
    def->event_functions = order_functions;
    return 0;
}

static void test_variables_in_any_order(void **state)
{
    (void)state;
    enum { VISITED = 240 };
    SaltusSystemDef def = saltus_default_system();
    def.provider = order_provide;
    def.memory.size = sizeof(int);
    SaltusOptions options = no_rows();
    Hybrid hybrid = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0 * VISITED + 0.5), SALTUS_OK);
    assert_int_equal(saltus_run_mode(hybrid.run), 0);
    assert_int_equal(saltus_run_statistics(hybrid.run).modes_entered, VISITED + 1);
    const double *x = saltus_run_states(hybrid.run);
    const int *at = orders[0].at;
    // Half of the time with slope 1; in the other half the slopes 1 to 24 ten times each.
    assert_close(x[at[1]], VISITED + 0.5 + VISITED / ORDERS * 0.5 * ORDERS * (ORDERS + 1), 1e-8);
    assert_true(x[at[2]] == 20.0 && x[at[3]] == 30.0); // carried over, bit by bit
    for (long i = 0; i < saltus_run_event_count(hybrid.run); i++) {
        SaltusLogEntry entry = saltus_run_event(hybrid.run, i);
        assert_int_equal(entry.change_count, 1);
        assert_string_equal(entry.changes[0].name, "clock");
    }
    hybrid_end(&hybrid);
}

// Modes that differ in their algebraic variables only: hub with "y", one with "u", one with both.
static int constant_evaluate(const SaltusContext *c, double t, const double *x,
                             const double *z_guess, const SaltusValues *out)
{
    (void)t, (void)x, (void)z_guess;
    const double *values = c->data;
    if (out->dx)
        out->dx[0] = 0.0;
    for (int i = 0; out->z && values[i] > 0.0; i++)
        out->z[i] = values[i];
    return 0;
}

static void visit_both(SaltusEvent *event)
{
    for (int i = 0; i < 2; i++) {
        saltus_switch_mode(event, 1);
        saltus_switch_mode(event, 0);
        assert_true(event->z[0] == (i == 0 ? 1.0 : 9.0)); // nothing to carry over
        saltus_switch_mode(event, 2);
        event->z[1] = 9.0;
        saltus_switch_mode(event, 0);
        assert_true(event->z[0] == 9.0);
    }
}

static void test_other_algebraic_variables(void **state)
{
    (void)state;
    static const double values[3][3] = {{1.0}, {2.0}, {3.0, 4.0}}, start[3] = {0.0};
    static const char *const states[] = {"x"}, *const lists[3][2] = {{"y"}, {"u"}, {"u", "y"}};
    SaltusModeDef modes[3];
    for (int i = 0; i < 3; i++) {
        modes[i] = saltus_default_mode();
        modes[i].name = "m";
        modes[i].data = values[i];
        modes[i].state_count = 1;
        modes[i].state_names = states;
        modes[i].algebraic_count = i == 2 ? 2 : 1;
        modes[i].algebraic_names = lists[i];
        modes[i].start = start;
        modes[i].evaluate = constant_evaluate;
    }
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 3;
    def.modes = modes;
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_apply(hybrid.run, visit_both), SALTUS_OK);
    assert_true(saltus_run_algebraics(hybrid.run)[0] == 1.0);
    hybrid_end(&hybrid);
}

// The same array with another text in it is another list of names.
static void test_texts_are_compared(void **state)
{
    (void)state;
    static char text[8] = "one";
    static const char *list[1] = {text};
    SaltusModeDef modes[3];
    SaltusSystemDef def = saltus_default_system();
    static const double start[] = {0.0};
    SaltusSystem *system = NULL;
    for (int i = 0; i < 3; i++) {
        modes[i] = saltus_default_mode();
        modes[i].name = "m";
        modes[i].state_count = 1;
        modes[i].start = start;
        modes[i].rhs = tour_rhs;
        modes[i].state_names = list;
    }
    modes[1].state_names = (const char *[]){"two"};
    modes[2].state_names = (const char *[]){"one"};
    def.mode_count = 3;
    def.modes = modes;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    text[0] = 0; // the system has its own
    const SaltusModeDef *first = saltus_system_mode(system, 0);
    assert_string_equal(first->state_names[0], "one");
    assert_string_equal(saltus_system_mode(system, 1)->state_names[0], "two");
    assert_ptr_equal(saltus_system_mode(system, 2)->state_names, first->state_names);
    saltus_system_destroy(system);
}

// ---------------------------------------------------------------------------
// What a mode is entered with again
// ---------------------------------------------------------------------------

// An oscillator with the period 1, which is the stay in each mode: all stays are alike.
static int turn_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    const double omega = 6.283185307179586;
    dx[0] = 1.0;
    dx[1] = omega * x[2];
    dx[2] = -omega * x[1];
    return 0;
}

static int turn_provide(void *user, int mode, SaltusModeDef *def, SaltusMessage *message)
{
    static const double start[] = {0.0, 1.0, 0.0};
    int status = tour_provide(user, mode, def, message);
    def->state_count = 3;
    def->state_names = NULL;
    def->start = start;
    def->rhs = turn_rhs;
    return status;
}

// Steps of two tours that lead through all modes again.
static long steps_of_second_visits(int modes)
{
    Tour tour = {.modes = modes};
    SaltusSystemDef def = tour_system(&tour, NULL);
    def.provider = turn_provide;
    SaltusOptions options = no_rows();
    // (`auto` learns more of a mode the more often it comes.)
    options.method.solver = SALTUS_SOLVER_DOPRI5;
    Hybrid hybrid = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, modes + 0.5), SALTUS_OK);
    long before = saltus_run_statistics(hybrid.run).steps;
    assert_int_equal(saltus_run_advance(hybrid.run, modes + 0.5 + 200.0), SALTUS_OK);
    long steps = saltus_run_statistics(hybrid.run).steps - before;
    hybrid_end(&hybrid);
    return steps;
}

// The step that a mode begins with is remembered of all modes.
static void test_steps_are_remembered(void **state)
{
    (void)state;
    const long kept = steps_of_second_visits(50), made_again = steps_of_second_visits(100);
    // Rounding decides about single steps at most.
    assert_in_range(made_again, kept - 2, kept + 2);
}

// z^2 = 4: the guess decides.
static int root_algebraic(const SaltusContext *c, double t, const double *x, const double *z,
                          double *g)
{
    UNUSED_ARGUMENTS;
    g[0] = z[0] * z[0] - 4.0;
    return 0;
}

static int root_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0;
    dx[1] = z[0];
    return 0;
}

// Mode 0 has an algebraic variable that no other mode has.
static int root_provide(void *user, int mode, SaltusModeDef *def, SaltusMessage *message)
{
    static const double start[] = {0.0, 0.0, 1.0};
    int status = tour_provide(user, mode, def, message);
    if (mode > 0)
        return status;
    def->rhs = root_rhs;
    def->algebraic = root_algebraic;
    def->algebraic_count = 1;
    def->start = start;
    return status;
}

static void choose_other_root(SaltusEvent *event)
{
    event->z[0] = -1.0;
}

static int modes_between; // before mode 0 is entered again

static void leave_and_come_back(SaltusEvent *event)
{
    for (int i = 1; i <= modes_between; i++)
        saltus_switch_mode(event, i);
    saltus_switch_mode(event, 0);
}

static void leave(SaltusEvent *event)
{
    for (int i = 1; i <= modes_between; i++)
        saltus_switch_mode(event, i);
}

static void come_back(SaltusEvent *event)
{
    saltus_switch_mode(event, 0);
}

static double root_after(int between)
{
    Tour tour = {.modes = 1000};
    SaltusSystemDef def = tour_system(&tour, NULL);
    def.provider = root_provide;
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_close(saltus_run_algebraics(hybrid.run)[0], 2.0, 1e-9);
    assert_int_equal(saltus_run_apply(hybrid.run, choose_other_root), SALTUS_OK);
    assert_close(saltus_run_algebraics(hybrid.run)[0], -2.0, 1e-9);
    modes_between = between;
    // In one event mode 0 is the one left, and stays.
    assert_int_equal(saltus_run_apply(hybrid.run, leave_and_come_back), SALTUS_OK);
    assert_close(saltus_run_algebraics(hybrid.run)[0], -2.0, 1e-9);
    assert_int_equal(saltus_run_apply(hybrid.run, leave), SALTUS_OK);
    assert_int_equal(saltus_run_apply(hybrid.run, leave), SALTUS_OK);
    assert_int_equal(saltus_run_apply(hybrid.run, come_back), SALTUS_OK);
    const double root = saltus_run_algebraics(hybrid.run)[0];
    hybrid_end(&hybrid);
    return root;
}

// Guesses are those of the last stay, or, after very many other modes, those of the start.
static void test_guesses(void **state)
{
    (void)state;
    assert_close(root_after(10), -2.0, 1e-9);
    assert_close(root_after(2 * KEPT), 2.0, 1e-9);
}

// ---------------------------------------------------------------------------
// Events that accumulate
// ---------------------------------------------------------------------------

static int ball_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[1];
    dx[1] = -10.0;
    return 0;
}

static int ball_functions(const SaltusContext *c, double t, const double *x, const double *z,
                          double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0];
    return 0;
}

// Every third bounce is in mode 0, all others in new modes.
static void bounce(SaltusEvent *event)
{
    int *bounces = event->memory;
    ++*bounces;
    saltus_switch_mode(event, *bounces % 3 == 0 ? 0 : *bounces);
    event->x[1] *= -0.9;
}

static int ball_provide(void *user, int mode, SaltusModeDef *def, SaltusMessage *message)
{
    static const SaltusEventDef floor = {
        .name = "bounce", .direction = SALTUS_FALLING, .action = bounce};
    static const double start[] = {5.0, 0.0};
    int status = tour_provide(user, mode, def, message);
    def->state_names = NULL;
    def->start = start;
    def->rhs = ball_rhs;
    def->events = &floor;
    def->event_functions = ball_functions;
    return status;
}

// A mode that is entered again and again stays, however many others are entered between, and so
// does what its guard has seen.
static void test_accumulation_between_new_modes(void **state)
{
    (void)state;
    Tour tour = {.modes = 1000};
    SaltusSystemDef def = tour_system(&tour, NULL);
    def.provider = ball_provide;
    def.memory.size = sizeof(int);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 30.0), SALTUS_ZENO);
    // Falls for 1 s, then flies for 2 (0.9 + 0.81 + ...) s.
    assert_close(saltus_run_time(hybrid.run), 19.0, 1e-6);
    assert_contains(saltus_run_error(hybrid.run)->message, "accumulate at t = 19");
    long entered = saltus_run_statistics(hybrid.run).modes_entered;
    assert_true(entered > KEPT + 10);
    assert_int_equal(tour.made_work, entered); // none twice
    hybrid_end(&hybrid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fifty_thousand_modes),
        cmocka_unit_test(test_results_stay),
        cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_many_modes_in_one_event),
        cmocka_unit_test(test_many_modes_at_the_start),
        cmocka_unit_test(test_variables_in_any_order),
        cmocka_unit_test(test_other_algebraic_variables),
        cmocka_unit_test(test_texts_are_compared),
        cmocka_unit_test(test_steps_are_remembered),
        cmocka_unit_test(test_guesses),
        cmocka_unit_test(test_accumulation_between_new_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
