// SPDX-License-Identifier: MIT

#include "cli/draw_machine.h"

#include "base/message.h"
#include "drawing/recording.h"
#include "flatten/print.h"
#include "structure/structure.h"

#include <setjmp.h>
#include <stdio.h>

enum { LABEL_WIDTH = 34, MOST_MODES = 60 };

typedef struct Machinist {
    Arena *arena;
    const FlatModel *flat;
    const Sources *sources;
    const Table *events;
    const TableColumn *from, *to, *condition;
    long **entries; // per machine and state
    long **taken;   // per machine and transition
} Machinist;

static bool find_columns(const Table *events, const TableColumn **from, const TableColumn **to,
                         const TableColumn **condition, char **message)
{
    *from = table_column(events, "from");
    *to = table_column(events, "to");
    *condition = table_column(events, "condition");
    const TableColumn *const columns[] = {*from, *to, *condition};
    for (size_t i = 0; i < 3; i++)
        if (!columns[i] || (columns[i]->heading.kind != TABLE_WORDS && events->row_count)) {
            message_set(message, "this is no event log: it needs the columns condition, from, to");
            return false;
        }
    return true;
}

// ---------------------------------------------------------------------------
// The path
// ---------------------------------------------------------------------------

static const FlatState *active_state(const FlatMachine *machine, const char *mode)
{
    for (uint32_t i = 0; i < machine->state_count; i++)
        if (recording_is_active(mode, machine->states[i]->name))
            return machine->states[i];
    return NULL;
}

// The transition that an event took: one between the two states, the one with the event's condition
// if there are several.
static long draw_machine_find_transition(Machinist *m, const FlatMachine *machine,
                                         const FlatState *from, const FlatState *to,
                                         const char *condition)
{
    long found = -1;
    for (uint32_t i = 0; i < machine->transition_count; i++) {
        const FlatTransition *t = &machine->transitions[i];
        if (t->from != from || t->to != to)
            continue;
        StringBuilder text = builder_create(m->arena);
        flat_print_expression(&text, t->condition);
        const char *shown = condition + strspn(condition, " "); // see writer_csv_field
        if (found < 0 || (text.text && *shown && strstr(text.text, shown)))
            found = (long)i;
    }
    return found;
}

static void draw_machine_follow(Machinist *m, const FlatMachine *machine)
{
    long *entries = m->entries[machine->index], *taken = m->taken[machine->index];
    for (size_t row = 0; row < m->events->row_count; row++) {
        const FlatState *before = active_state(machine, table_word(m->from, row));
        const FlatState *after = active_state(machine, table_word(m->to, row));
        if (row == 0 && before)
            entries[before->index]++;
        if (!after)
            continue;
        const long transition = before ? draw_machine_find_transition(m, machine, before, after,
                                                                      table_word(m->condition, row))
                                       : -1;
        if (before != after)
            entries[after->index]++;
        if (before != after && transition >= 0)
            taken[transition]++;
    }
}

// ---------------------------------------------------------------------------
// Machines
// ---------------------------------------------------------------------------

static const char *transition_text(Machinist *m, const FlatTransition *t, bool has_priority)
{
    StringBuilder b = builder_create(m->arena);
    String source = sources_text(m->sources, t->condition->span);
    StringBuilder printed = builder_create(m->arena);
    if (!source.text || source.length == 0) {
        flat_print_expression(&printed, t->condition);
        source = builder_string(&printed);
    }
    if (has_priority)
        builder_append_format(&b, "%lld: ", (long long)t->priority);
    for (size_t i = 0; i < source.length; i++) {
        const bool is_blank = strchr(" \t\r\n", source.text[i]) != NULL;
        if (!is_blank)
            builder_append_character(&b, source.text[i]);
        else if (i > 0 && !strchr(" \t\r\n", source.text[i - 1]))
            builder_append_character(&b, ' ');
    }
    const char *wrapped = diagram_wrap(m->arena, builder_string(&b).text, LABEL_WIDTH);
    StringBuilder out = builder_create(m->arena);
    builder_append_text(&out, wrapped);
    if (!t->is_immediate)
        builder_append_text(&out, "\n(delayed)");
    if (!t->is_reset)
        builder_append_text(&out, "\n(resumes)");
    if (t->is_synchronized)
        builder_append_text(&out, "\n(synchronized)");
    return out.text;
}

static size_t count_from(const FlatMachine *machine, const FlatState *state)
{
    size_t count = 0;
    for (uint32_t i = 0; i < machine->transition_count; i++)
        count += machine->transitions[i].from == state;
    return count;
}

static void draw_machine_build(Machinist *m, const FlatMachine *machine, Diagram *graph);

// The machines whose states exist only while `state` is active; NULL: those of the model itself.
static size_t build_inner(Machinist *m, const FlatState *state, const Diagram **graphs)
{
    const FlatModel *flat = m->flat;
    Diagram *built = ARENA_ARRAY(m->arena, flat->machine_count, Diagram);
    size_t count = 0;
    for (uint32_t i = 0; i < flat->machine_count; i++) {
        const FlatGuard *guard = flat->machines[i]->guard;
        if ((guard ? guard->state : NULL) == state)
            draw_machine_build(m, flat->machines[i], &built[count++]);
    }
    *graphs = built;
    return count;
}

// Names of inner states without the name of the state around them.
static const char *draw_machine_short_name(const FlatMachine *machine, const FlatState *state)
{
    const char *outer =
        machine->guard && machine->guard->state ? machine->guard->state->name : NULL;
    const size_t length = outer ? strlen(outer) : 0;
    if (outer && strncmp(state->name, outer, length) == 0 && state->name[length] == '.')
        return state->name + length + 1;
    return state->name;
}

static void draw_machine_build(Machinist *m, const FlatMachine *machine, Diagram *graph)
{
    DiagramNode *nodes = ARENA_ARRAY(m->arena, machine->state_count, DiagramNode);
    DiagramEdge *edges = ARENA_ARRAY(m->arena, machine->transition_count, DiagramEdge);
    for (uint32_t i = 0; i < machine->state_count; i++) {
        const FlatState *state = machine->states[i];
        nodes[i] = (DiagramNode){.label = draw_machine_short_name(machine, state),
                                 .key = state->name,
                                 .is_initial = i == 0,
                                 .count = m->events ? m->entries[machine->index][state->index] : 0};
        nodes[i].inner_count = build_inner(m, state, &nodes[i].inner);
    }
    for (uint32_t i = 0; i < machine->transition_count; i++) {
        const FlatTransition *t = &machine->transitions[i];
        edges[i] = (DiagramEdge){.from = t->from->index,
                                 .to = t->to->index,
                                 .label = transition_text(m, t, count_from(machine, t->from) > 1),
                                 .count = m->events ? m->taken[machine->index][i] : 0};
    }
    *graph =
        (Diagram){nodes, machine->state_count, edges, machine->transition_count, m->events != NULL};
}

static String draw_machines(Machinist *m)
{
    const FlatModel *flat = m->flat;
    m->entries = ARENA_ARRAY(m->arena, flat->machine_count, long *);
    m->taken = ARENA_ARRAY(m->arena, flat->machine_count, long *);
    for (uint32_t i = 0; i < flat->machine_count; i++) {
        const FlatMachine *machine = flat->machines[i];
        m->entries[i] = ARENA_ARRAY(m->arena, machine->state_count, long);
        m->taken[i] = ARENA_ARRAY(m->arena, machine->transition_count, long);
        if (m->events)
            draw_machine_follow(m, machine);
    }
    DiagramNode whole = {.label = flat->name};
    whole.inner_count = build_inner(m, NULL, &whole.inner);
    return diagram_svg(m->arena, &whole);
}

String machine_svg(Arena *arena, const FlatModel *flat, const Sources *sources, const Table *events,
                   char **message)
{
    Machinist m = {.arena = arena, .flat = flat, .sources = sources, .events = events};
    if (flat->machine_count == 0) {
        message_set(message, "%s has no state machine", flat->name);
        return (String){0};
    }
    if (events && !find_columns(events, &m.from, &m.to, &m.condition, message))
        return (String){0};
    const String svg = draw_machines(&m);
    if (!svg.text)
        message_set(message, "out of memory");
    return svg;
}

// ---------------------------------------------------------------------------
// Modes
// ---------------------------------------------------------------------------

typedef struct ModeGraph {
    Arena *arena;
    DiagramNode nodes[MOST_MODES];
    const char *names[MOST_MODES];
    size_t count;
    DiagramEdge *edges;
    size_t edge_count;
} ModeGraph;

// The number of a mode by its name, which is added if there is room; MOST_MODES otherwise.
static size_t draw_machine_find_mode(ModeGraph *g, const char *name)
{
    for (size_t i = 0; i < g->count; i++)
        if (strcmp(g->names[i], name) == 0)
            return i;
    if (g->count == MOST_MODES)
        return MOST_MODES;
    g->names[g->count] = name;
    g->nodes[g->count] = (DiagramNode){.label = diagram_wrap(g->arena, name, LABEL_WIDTH),
                                       .is_initial = g->count == 0};
    return g->count++;
}

static DiagramEdge *find_edge(ModeGraph *g, size_t from, size_t to)
{
    for (size_t i = 0; i < g->edge_count; i++)
        if (g->edges[i].from == from && g->edges[i].to == to)
            return &g->edges[i];
    g->edges[g->edge_count] = (DiagramEdge){.from = from, .to = to};
    return &g->edges[g->edge_count++];
}

// The modes of one part of the model.
static void add_known_modes(ModeGraph *g, const Model *model, uint32_t part)
{
    const uint32_t count = model_mode_count(model);
    for (uint32_t i = 0; i < count; i++) {
        const ModelMode mode = model_mode_info(model, i);
        if (mode.part != part)
            continue;
        const size_t place = draw_machine_find_mode(g, mode.name);
        if (place == MOST_MODES)
            return;
        StringBuilder note = builder_create(g->arena);
        if (mode.is_broken || !mode.structure)
            builder_append_text(&note, "cannot be entered");
        else
            builder_append_format(&note, "%u state%s, index %u",
                                  (unsigned)mode.structure->state_count,
                                  mode.structure->state_count == 1 ? "" : "s",
                                  (unsigned)mode.structure->offsets->index);
        g->nodes[place].note = note.text;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count && model_mode_info(model, i).part == part; k++)
            if (i != k && model_mode_follows(model, i, k))
                find_edge(g, draw_machine_find_mode(g, model_mode_info(model, i).name),
                          draw_machine_find_mode(g, model_mode_info(model, k).name));
}

// A condition joins those that led the same way before.
static void add_condition(ModeGraph *g, DiagramEdge *edge, const char *condition)
{
    const char *wrapped = diagram_wrap(g->arena, condition, LABEL_WIDTH);
    if (edge->label && strstr(edge->label, wrapped))
        return;
    StringBuilder b = builder_create(g->arena);
    if (edge->label)
        builder_append_format(&b, "%s\n", edge->label);
    builder_append_text(&b, wrapped);
    edge->label = b.text;
}

static void add_run(ModeGraph *g, const Table *events, const TableColumn *from,
                    const TableColumn *to, const TableColumn *condition)
{
    for (size_t row = 0; row < events->row_count; row++) {
        const size_t a = draw_machine_find_mode(g, table_word(from, row));
        const size_t b = draw_machine_find_mode(g, table_word(to, row));
        if (a == MOST_MODES || b == MOST_MODES)
            continue;
        if (row == 0)
            g->nodes[a].count++;
        if (a == b)
            continue;
        DiagramEdge *edge = find_edge(g, a, b);
        g->nodes[b].count++;
        edge->count++;
        add_condition(g, edge, table_word(condition, row));
    }
}

static ModeGraph *new_graph(Arena *arena)
{
    ModeGraph *g = ARENA_NEW(arena, ModeGraph);
    g->arena = arena;
    g->edges = ARENA_ARRAY(arena, MOST_MODES * MOST_MODES, DiagramEdge);
    return g;
}

// One graph for each part; a part that never changes is not shown beside others. A run goes through
// combinations, which are known by it alone.
String machine_modes_svg(Arena *arena, const Model *model, const Table *events, char **message)
{
    const TableColumn *from = NULL, *to = NULL, *condition = NULL;
    if (events && !find_columns(events, &from, &to, &condition, message))
        return (String){0};
    const uint32_t parts = model_part_count(model);
    Diagram *graphs = ARENA_ARRAY(arena, parts, Diagram);
    size_t count = 0;
    for (uint32_t part = 0; part < parts && (part == 0 || !events); part++) {
        ModeGraph *g = new_graph(arena);
        if (!events || parts == 1)
            add_known_modes(g, model, part);
        if (events)
            add_run(g, events, from, to, condition);
        if (g->count > 1 || parts == 1)
            graphs[count++] =
                (Diagram){g->nodes, g->count, g->edges, g->edge_count, events != NULL};
    }
    const DiagramNode whole = {.inner = graphs, .inner_count = count};
    const String svg = diagram_svg(arena, &whole);
    if (!svg.text)
        message_set(message, "out of memory");
    return svg;
}
