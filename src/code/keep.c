// SPDX-License-Identifier: MIT
//
// What is kept of a finished module. Its nodes are gone: a module that is kept can be run and, if
// it is not lean, emitted, but not built further. A lean one takes a quarter of the memory.

#include "code/code.h"

#include <assert.h>

// A new member that points to something must be kept, too.
static_assert(sizeof(void *) != 8 || (sizeof(CodeModule) == 168 && sizeof(CodeBody) == 176),
              "code_keep must know all members");

static CodeBody *keep_body(const Keeper *k, const CodeBody *from, bool is_lean)
{
    CodeBody *body = keep_array(k, from, 1, sizeof *from);
    body->name = keep_text(k, from->name);
    KEEP(k, body->lowered.words, body->lowered.word_count);
    KEEP(k, body->lowered.constants, body->lowered.constant_count);
    if (is_lean) { // the count of instructions says how long it takes
        body->instructions = NULL;
        body->values = NULL;
        body->lists = NULL;
        body->outputs = NULL;
        body->value_count = body->list_count = body->output_count = 0;
        return body;
    }
    KEEP(k, body->instructions, body->instruction_count);
    KEEP(k, body->values, body->value_count);
    KEEP(k, body->lists, body->list_count);
    KEEP(k, body->arrays, body->array_count);
    KEEP(k, body->outputs, body->output_count);
    KEEP(k, body->inputs, body->input_count);
    KEEP(k, body->results, body->result_count);
    for (uint32_t i = 0; i < body->value_count; i++)
        if (body->values[i].kind != CODE_CONSTANT)
            body->values[i].name = keep_text(k, body->values[i].name);
    for (uint32_t i = 0; i < body->array_count; i++) {
        body->arrays[i].name = keep_text(k, body->arrays[i].name);
        KEEP(k, body->arrays[i].table, body->arrays[i].size);
    }
    return body;
}

static CodeBody **keep_bodies(const Keeper *k, CodeBody **from, uint32_t count, bool is_lean)
{
    CodeBody **bodies = keep_array(k, from, count, sizeof *from);
    for (uint32_t i = 0; i < count; i++)
        bodies[i] = keep_body(k, from[i], is_lean);
    return bodies;
}

const CodeModule *code_keep(const CodeModule *module, const Keeper *k, bool is_lean)
{
    CodeModule *m = keep_array(k, module, 1, sizeof *module);
    m->arena = k->to;
    m->layout.input_names = keep_texts(k, m->layout.input_names, m->layout.input_count);
    m->layout.output_names = keep_texts(k, m->layout.output_names, m->layout.output_count);
    m->layout.places = NULL; // for building only
    m->layout.place_count = 0;
    m->layout.arena = NULL;
    m->entries = keep_bodies(k, m->entries, m->entry_count, is_lean);
    m->functions = keep_bodies(k, m->functions, m->function_count, false);
    m->is_lean = is_lean;
    KEEP(k, m->places, m->place_count);
    for (uint32_t i = 0; i < m->place_count; i++) {
        m->places[i].function = keep_text(k, m->places[i].function);
        m->places[i].message = keep_text(k, m->places[i].message);
        KEEP(k, m->places[i].shown_as, m->places[i].shown_count);
    }
    KEEP(k, m->sites, m->site_count);
    KEEP(k, m->constants, m->constant_count);
    KEEP(k, m->slow, m->slow_count);
    return m;
}
