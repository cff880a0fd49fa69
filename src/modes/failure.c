// SPDX-License-Identifier: MIT
//
// A failure is a number on its way through the engine, which knows nothing of models, and becomes
// words again here. With n = PROGRAM_STATUS_COUNT, a status s and the number f of a stage or of a
// place in the code it is 1 + n f + s; programs that were joined put the number of the part that
// failed into it (failure_of_part). Zero: nothing failed. Below zero: loops and calls without end,
// after which no other point of the step is tried.
//
// Names and equations in the texts are whole, lists of them end after a few.

#include "modes/failure.h"

#include "base/message.h"
#include "equations/convert.h"
#include "external/external.h"
#include "flatten/arithmetic.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int failure_code(const CodeModule *module, ProgramStatus status, uint32_t number)
{
    if (status == PROGRAM_FINE)
        return 0;
    const int code = 1 + (int)PROGRAM_STATUS_COUNT * (int)number + (int)status;
    if (status != PROGRAM_FAILED)
        return code;
    const CodeFailureKind kind = module->places[number].kind;
    return kind == CODE_FAILED_STEPS || kind == CODE_FAILED_DEPTH ? -code : code;
}

// Of the failure number f of part k of n: (n + 1) f + k, from 1 on, with the sign that it has. What
// observes the parts is number n.
int failure_of_part(const Program *p, PartNumber part, int code)
{
    const int64_t joined = ((int64_t)abs(code) - 1) * ((int64_t)p->joined.count + 1) + part + 1;
    const int within = joined <= INT_MAX ? (int)joined : 1; // a failure without words
    return code < 0 ? -within : within;
}

// Adds " (Ball.mo, line 3)", if the place is known.
static void add_place(const Sources *sources, Span span, char **text)
{
    const SourcePlace at = sources_locate(sources, span.begin);
    if (at.file && span_is_known(span))
        message_add(text, " (%s, line %u)", at.file->name, at.line);
}

// Adds the message of a check with its numbers in it.
static void describe_check(const CodeFailurePlace *place, const double *shown, char **text)
{
    Arena *arena = place->shown_count && shown ? arena_create(NULL) : NULL;
    jmp_buf exhausted;
    if (arena && setjmp(exhausted) == 0) {
        arena_on_exhaustion(arena, &exhausted);
        StringBuilder out = builder_create(arena);
        uint32_t hole = 0;
        for (const char *c = place->message; *c; c++)
            if (*c == PROCEDURE_HOLE && hole < place->shown_count) {
                builder_append_text(&out,
                                    arithmetic_shown(arena, place->shown_as[hole], shown[hole]));
                hole++;
            } else {
                builder_append(&out, c, 1);
            }
        message_add(text, "%s", builder_string(&out).text);
    } else {
        message_add(text, "%s", place->message);
    }
    arena_destroy(arena);
}

// What happened in a function, and where.
static void describe_function(const CodeFailurePlace *place, const double *shown,
                              const Sources *sources, char **text)
{
    const bool is_loop = place->function && strcmp(place->function, CONVERT_LOOP_NAME) == 0;
    if (!place->function || strcmp(place->function, CONVERT_SUBSCRIPT_NAME) == 0) {
        message_set(text, "%s", place->message);
        add_place(sources, place->span, text);
        return;
    }
    const bool is_deep = place->kind == CODE_FAILED_DEPTH;
    message_set(text, "%s%s%s", is_deep ? "" : "in ", is_loop ? "a " : "function ",
                place->function);
    add_place(sources, place->span, text);
    message_add(text, is_deep ? " " : ": ");
    switch (place->kind) {
    case CODE_FAILED_CHECK:
        describe_check(place, shown, text);
        break;
    case CODE_FAILED_WHOLE:
        message_add(text, "%s", place->message);
        break;
    case CODE_FAILED_SUBSCRIPT:
        message_add(text, "a subscript of %s is out of bounds", place->message);
        break;
    case CODE_FAILED_EXTERNAL: {
        char *message = NULL;
        external_site_message(place->site, &message);
        message_add(text, "%s", message_text(message));
        free(message);
        break;
    }
    case CODE_FAILED_STEPS:
        message_add(text, "%s does not end (%d repetitions)",
                    is_loop           ? "it"
                    : place->span.end ? "a loop"
                                      : "it calls itself, or is called in a loop, which",
                    CODE_MOST_STEPS);
        break;
    case CODE_FAILED_DEPTH:
        message_add(text, "calls itself without end (%d calls deep)", CODE_DEEPEST_CALL);
        break;
    }
}

// The equations that the residuals come from, as they are known, with their places.
static void describe_equations(const Sources *sources, const Stage *stage, char **text)
{
    const char *separator = ":";
    for (uint32_t i = 0; i < stage->equation_count && i < PROGRAM_SHOWN; i++) {
        const StageEquation *e = &stage->equations[i];
        if (!e->text)
            continue;
        message_add(text, "%s %s", separator, e->text);
        separator = ";";
        add_place(sources, e->span, text);
    }
    if (stage->size > PROGRAM_SHOWN)
        message_add(text, "; ...");
}

static void append_unknowns(const Stage *stage, char **text)
{
    enum { SHOWN = 12 };
    for (uint32_t i = 0; i < stage->size && i < SHOWN; i++)
        message_add(text, "%s %s", i ? "," : "", stage->names[i]);
    if (stage->size > SHOWN)
        message_add(text, ", ...");
}

// The stage whose unknowns, and rows, include this one.
static const Stage *stage_of_row(const Program *p, uint32_t place)
{
    uint32_t k = 0;
    while (k + 1 < p->stage_count && p->stages[k].first + p->stages[k].size <= place)
        k++;
    return &p->stages[k];
}

static void describe_contradiction(const Program *p, const Sources *sources, uint32_t place,
                                   char **text)
{
    const Stage *stage = stage_of_row(p, place);
    const uint32_t row = place - stage->first;
    const StageEquation *e = row < stage->equation_count ? &stage->equations[row] : NULL;
    message_set(text, "contradicting equations for");
    append_unknowns(stage, text);
    if (!e || !e->text)
        return;
    message_add(text, ": %s", e->text);
    add_place(sources, e->span, text);
    message_add(text, " does not hold with the others");
}

static void failure_describe_stage(const Sources *sources, ProgramStatus status, const Stage *stage,
                                   char **text)
{
    message_set(text, "%s for",
                status == PROGRAM_SINGULAR    ? "singular equations"
                : status == PROGRAM_NO_MEMORY ? "out of memory"
                                              : "Newton's method does not converge");
    append_unknowns(stage, text);
    if (status != PROGRAM_NO_MEMORY)
        describe_equations(sources, stage, text);
}

bool failure_text(const Program *p, const Sources *sources, const ProgramScratch *s, int code,
                  char **text)
{
    if (p->joined.parts) {
        const uint32_t joined = (uint32_t)(abs(code) - 1), part = joined % (p->joined.count + 1);
        const bool is_part = part < p->joined.count;
        return failure_text(is_part ? p->joined.parts[part].program : p->joined.observer, sources,
                            !s        ? NULL
                            : is_part ? s->parts[part]
                                      : s->observer,
                            (int)(joined / (p->joined.count + 1)) + 1, text);
    }
    const uint32_t number = (uint32_t)(abs(code) - 1) / PROGRAM_STATUS_COUNT;
    const ProgramStatus status = (ProgramStatus)((abs(code) - 1) % (int)PROGRAM_STATUS_COUNT);
    if (status == PROGRAM_FAILED && number < p->module->place_count)
        describe_function(&p->module->places[number], s ? s->run.shown : NULL, sources, text);
    else if (status == PROGRAM_CONTRADICTION && number < p->unknown_count)
        describe_contradiction(p, sources, number, text);
    else if (status != PROGRAM_FINE && status != PROGRAM_FAILED && number < p->stage_count)
        failure_describe_stage(sources, status, &p->stages[number], text);
    else
        message_set(text, "%s", "");
    return status == PROGRAM_DIVERGED || status == PROGRAM_SINGULAR;
}

static void describe_excess(const Program *p, const Sources *sources, const ProgramScratch *s,
                            char **text)
{
    const uint32_t number = (uint32_t)(abs(s->code) - 1) / PROGRAM_STATUS_COUNT;
    const ProgramStatus status = (ProgramStatus)((abs(s->code) - 1) % (int)PROGRAM_STATUS_COUNT);
    if (s->excess == 0.0)
        return;
    if (status == PROGRAM_CONTRADICTION)
        message_add(text, ", by %g", s->excess);
    if (status != PROGRAM_DIVERGED || !p->is_start || number >= p->stage_count ||
        s->excess_row >= p->stages[number].equation_count)
        return;
    const StageEquation *e = &p->stages[number].equations[s->excess_row];
    if (p->stages[number].size > 1) {
        message_add(text, "; %s", e->text ? e->text : "one");
        add_place(sources, e->span, text);
    }
    message_add(text, " is left over by %g", s->excess);
}

void failure_explain(const Program *p, const Sources *sources, const ProgramScratch *s, char **text)
{
    if (s->code && p->joined.parts) {
        const PartNumber part = (uint32_t)(abs(s->code) - 1) % (p->joined.count + 1);
        if (part < p->joined.count) {
            failure_explain(p->joined.parts[part].program, sources, s->parts[part], text);
            return;
        }
    }
    failure_text(p, sources, s, s->code, text);
    if (s->code && !p->joined.parts)
        describe_excess(p, sources, s, text);
}
