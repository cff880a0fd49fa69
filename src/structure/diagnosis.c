// SPDX-License-Identifier: MIT

#include "structure/diagnosis.h"

#include "structure/matching.h"

// Longer lists are cut.
enum { MOST_NAMES = 8, MOST_NOTES = 8 };

// ---------------------------------------------------------------------------
// Parts
// ---------------------------------------------------------------------------

// The edges inside one part: an equation of the part with its variables of the same part.
static Graph diagnosis_part_graph(Arena *arena, const Graph *graph, const MatchingParts *parts)
{
    uint32_t *start = ARENA_ARRAY(arena, graph->row_count + 1u, uint32_t);
    uint32_t *columns = ARENA_ARRAY(arena, graph->start[graph->row_count], uint32_t);
    uint32_t count = 0;
    for (uint32_t r = 0; r < graph->row_count; r++) {
        for (uint32_t e = graph->start[r]; e < graph->start[r + 1]; e++) {
            uint32_t c = graph->columns[e];
            if (parts->of_row[r] == parts->of_column[c] && parts->of_row[r] != MATCHING_SQUARE)
                columns[count++] = c;
        }
        start[r + 1] = count;
    }
    return (Graph){graph->row_count, graph->column_count, start, columns};
}

// Members of the components, without those of the square part: a row for each component.
static Graph diagnosis_list_members(Arena *arena, uint32_t components, uint32_t count,
                                    const uint32_t *component, const uint8_t *part)
{
    uint32_t *first = ARENA_ARRAY(arena, components + 2u, uint32_t);
    uint32_t *items = ARENA_ARRAY(arena, count, uint32_t);
    for (uint32_t v = 0; v < count; v++)
        first[component[v] + 2] += part[v] != MATCHING_SQUARE;
    for (uint32_t k = 0; k < components; k++)
        first[k + 2] += first[k + 1];
    for (uint32_t v = 0; v < count; v++) {
        if (part[v] != MATCHING_SQUARE)
            items[first[component[v] + 1]++] = v;
    }
    return (Graph){components, count, first, items};
}

Diagnosis diagnosis_find(Arena *arena, const Signature *s)
{
    Graph graph = signature_graph(arena, s);
    Matching m = matching_empty(arena, s->equation_count, s->variable_count);
    matching_maximum(arena, &graph, &m);
    MatchingParts parts = matching_parts(arena, &graph, &m);

    uint32_t *of_equation = ARENA_ARRAY(arena, s->equation_count, uint32_t);
    uint32_t *of_variable = ARENA_ARRAY(arena, s->variable_count, uint32_t);
    Graph inside = diagnosis_part_graph(arena, &graph, &parts);
    uint32_t count = graph_components(arena, &inside, of_equation, of_variable);
    const Graph equations =
        diagnosis_list_members(arena, count, s->equation_count, of_equation, parts.of_row);
    const Graph variables =
        diagnosis_list_members(arena, count, s->variable_count, of_variable, parts.of_column);

    DiagnosisPart *found = ARENA_ARRAY(arena, count, DiagnosisPart);
    Diagnosis diagnosis = {.parts = found};
    for (uint32_t k = 0; k < count; k++) {
        DiagnosisPart part = {.equation_count = equations.start[k + 1] - equations.start[k],
                              .variable_count = variables.start[k + 1] - variables.start[k],
                              .equations = equations.columns + equations.start[k],
                              .variables = variables.columns + variables.start[k]};
        if (part.equation_count + part.variable_count == 0)
            continue;
        part.is_over = part.equation_count > part.variable_count;
        part.surplus = part.is_over ? part.equation_count - part.variable_count
                                    : part.variable_count - part.equation_count;
        found[diagnosis.count++] = part;
    }
    return diagnosis;
}

// ---------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------

static const char *diagnosis_plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

// "x, y and 3 more"
static const char *name_list(Arena *arena, const Signature *s, const DiagnosisPart *part)
{
    StringBuilder b = builder_create(arena);
    uint32_t shown = part->variable_count <= MOST_NAMES ? part->variable_count : MOST_NAMES - 1;
    for (uint32_t k = 0; k < shown; k++) {
        bool is_last = k > 0 && k + 1 == part->variable_count;
        builder_append_text(&b, k == 0 ? "" : is_last ? " and " : ", ");
        builder_append_text(&b, s->variables[part->variables[k]].name);
    }
    if (shown < part->variable_count)
        builder_append_format(&b, " and %u more", part->variable_count - shown);
    return builder_string(&b).text;
}

// "a", "a and b", "a, b, c, d and others": the components whose equations these are. NULL:
// equations of the model itself are among them.
static const char *component_list(Arena *arena, const Signature *s, const DiagnosisPart *part)
{
    enum { SHOWN = 4 };
    const char *names[SHOWN + 1];
    uint32_t count = 0;
    for (uint32_t k = 0; k < part->equation_count; k++) {
        const char *name = s->equations[part->equations[k]].component;
        uint32_t i = 0;
        if (!name)
            return NULL;
        while (i < count && strcmp(names[i], name) != 0)
            i++;
        if (i == count && count <= SHOWN)
            names[count++] = name;
    }
    StringBuilder b = builder_create(arena);
    for (uint32_t i = 0; i < count && i < SHOWN; i++)
        builder_append_format(&b, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", names[i]);
    if (count > SHOWN)
        builder_append_text(&b, " and others");
    return builder_string(&b).text;
}

static void note_equations(const Signature *s, const DiagnosisPart *part, Diagnostics *d,
                           Diagnostic *error)
{
    uint32_t shown = part->equation_count <= MOST_NOTES ? part->equation_count : MOST_NOTES - 1;
    for (uint32_t k = 0; k < shown; k++) {
        const SignatureEquation *e = &s->equations[part->equations[k]];
        const char *text = e->text ? e->text : "this equation";
        if (e->open)
            diagnostics_note(d, error, e->span, "%s: nothing is connected to %s", text, e->open);
        else if (e->component)
            diagnostics_note(d, error, e->span, "%s: %s", e->component, text);
        else
            diagnostics_note(d, error, e->span, "%s", text);
    }
    if (shown < part->equation_count)
        diagnostics_note(d, error, (Span){0, 0}, "and %u more equations",
                         part->equation_count - shown);
}

static void note_variables(const Signature *s, const DiagnosisPart *part, Diagnostics *d,
                           Diagnostic *error)
{
    for (uint32_t k = 0; k < part->variable_count && k < MOST_NOTES; k++) {
        const SignatureVariable *v = &s->variables[part->variables[k]];
        diagnostics_note(d, error, v->span,
                         v->is_inside ? "%s is in this component" : "%s is declared here", v->name);
    }
}

static void report_over(const Signature *s, const DiagnosisPart *part, Diagnostics *d)
{
    const SignatureEquation *first = &s->equations[part->equations[0]];
    const char *components = component_list(d->arena, s, part);
    if (part->variable_count == 0) {
        const char *what = first->is_sum ? "the " : first->text ? "the equation " : "this equation";
        Diagnostic *error = diagnostics_error(
            d, first->span, "%s%s contains no unknown variable%s", what,
            first->text ? first->text : "",
            first->is_sum ? ": these equations say the same, or contradict each other" : "");
        if (first->open)
            diagnostics_note(d, error, first->span, "nothing is connected to %s: its flow is zero",
                             first->open);
        return;
    }
    Diagnostic *error = diagnostics_error(
        d, first->span, "too many equations: %u equations%s%s for %u variable%s, %s",
        part->equation_count, components ? " of " : "", components ? components : "",
        part->variable_count, diagnosis_plural(part->variable_count), name_list(d->arena, s, part));
    note_equations(s, part, d, error);
}

static void report_under(const Signature *s, const DiagnosisPart *part, Diagnostics *d)
{
    Span span = s->variables[part->variables[0]].span;
    const char *names = name_list(d->arena, s, part);
    Diagnostic *error;
    if (part->equation_count == 0)
        error = diagnostics_error(d, span, "no equation determines %s", names);
    else
        error = diagnostics_error(d, span, "too few equations: %u equation%s for %u variables, %s",
                                  part->equation_count, diagnosis_plural(part->equation_count),
                                  part->variable_count, names);
    note_equations(s, part, d, error);
    note_variables(s, part, d, error);
}

void diagnosis_report(const Signature *s, const Diagnosis *diagnosis, Diagnostics *d)
{
    for (uint32_t k = 0; k < diagnosis->count; k++) {
        if (diagnosis->parts[k].is_over)
            report_over(s, &diagnosis->parts[k], d);
        else
            report_under(s, &diagnosis->parts[k], d);
    }
}
