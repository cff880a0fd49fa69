// SPDX-License-Identifier: MIT

#include "instant/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_relation(const ModelHold *hold)
{
    return hold->kind != HOLD_TIME && !hold->is_muted && hold->op >= OPERATOR_LESS &&
           hold->op <= OPERATOR_NOT_EQUAL;
}

// The numbers of the held relations; how many there are.
static uint32_t list_relations(const Mode *m, uint32_t numbers[SEARCH_MOST_CONDITIONS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->hold_count; i++) {
        if (!is_relation(&m->holds[i]))
            continue;
        if (count < SEARCH_MOST_CONDITIONS)
            numbers[count] = m->holds[i].number;
        count++;
    }
    return count;
}

bool search_conditions(const Search *s)
{
    uint32_t numbers[SEARCH_MOST_CONDITIONS];
    const uint32_t count = list_relations(s->mode, numbers);
    const uint32_t all = s->mode->model->held_count;
    double *before = count <= SEARCH_MOST_CONDITIONS ? calloc(all + 1u, sizeof *before) : NULL;
    if (!before)
        return false;
    memcpy(before, s->held, all * sizeof *before);
    bool is_found = false;
    for (uint32_t c = 0; c < 1u << count && !is_found; c++) {
        memcpy(s->held, before, all * sizeof *before);
        for (uint32_t i = 0; i < count; i++)
            s->held[numbers[i]] = (c >> i & 1u) != (before[numbers[i]] != 0.0);
        is_found = s->agrees(s->user);
    }
    if (!is_found)
        memcpy(s->held, before, all * sizeof *before);
    free(before);
    return is_found;
}

void search_describe(const Mode *m, const double *before, const double *held, char *text,
                     size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < m->hold_count && length < size / 2; i++) {
        const ModelHold *hold = &m->holds[i];
        if (before[hold->number] == held[hold->number])
            continue;
        const SourcePlace at = sources_locate(m->model->diagnostics->sources, hold->span.begin);
        snprintf(text + length, size - length, "%s%.80s", length ? ", " : "", hold->text);
        length = strlen(text);
        if (at.file && span_is_known(hold->span))
            snprintf(text + length, size - length, " (%.80s, line %u)", at.file->name, at.line);
        length = strlen(text);
    }
}
