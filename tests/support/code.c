// SPDX-License-Identifier: MIT

#include "support/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/number.h"
#include "code/body.h"

#include <assert.h>
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char cache_folder[64];

int harness_make_cache(void **state)
{
    (void)state;
    snprintf(cache_folder, sizeof cache_folder, "/tmp/saltus-test-XXXXXX");
    return mkdtemp(cache_folder) ? 0 : -1;
}

int harness_remove_cache(void **state)
{
    (void)state;
    DIR *folder = opendir(cache_folder);
    char path[512];
    for (struct dirent *e; folder && (e = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", cache_folder, e->d_name);
        if (e->d_name[0] != '.')
            unlink(path);
    }
    if (folder)
        closedir(folder);
    return rmdir(cache_folder);
}

const char *harness_cache(void)
{
    return cache_folder;
}

Harness harness_begin(Dag *dag, uint32_t outputs)
{
    static const char *const inputs[] = {"x", "held"};
    static const char *const names[] = {"y0", "y1", "y2", "y3"};
    CodePlace *places = ARENA_ARRAY(dag->arena, dag->variable_count, CodePlace);
    for (uint32_t v = 0; v < dag->variable_count; v++)
        places[v] = (CodePlace){0, v};
    const CodeLayout layout = {.input_count = 2,
                               .output_count = outputs,
                               .input_names = inputs,
                               .output_names = names,
                               .held = 1,
                               .places = places,
                               .place_count = dag->variable_count};
    return (Harness){.module = code_create(dag, &layout)};
}

uint32_t harness_add(Harness *h, const char *name, const CodeOutput *outputs, uint32_t count,
                     bool is_held)
{
    const char *reason = NULL;
    const CodeEntryDef def = {
        .name = name, .outputs = outputs, .output_count = count, .is_held = is_held};
    const uint32_t entry = code_add_entry(h->module, &def, &reason);
    if (entry == CODE_NONE)
        fail_msg("%s", reason);
    return entry;
}

void harness_finish(Harness *h)
{
    code_finish(h->module);
    h->run = calloc(1, sizeof *h->run);
    h->run->frame = calloc(h->module->frame_size + 1, sizeof(double));
    code_init_frame(h->module, NULL, h->run->frame);
    const NativeOptions options = {.cache = cache_folder};
    h->native = native_start(h->module, "test", &options);
    const NativeStatus status = native_poll(h->native, true);
    if (status != NATIVE_READY && status != NATIVE_NO_COMPILER)
        fail_msg("%s", native_reason(h->native));
}

CodeRun *harness_run(const Harness *h)
{
    return h->run;
}

void harness_end(Harness *h)
{
    native_destroy(h->native);
    free(h->run->frame);
    free(h->run);
}

bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

// ---------------------------------------------------------------------------
// The code as text, one instruction per line
// ---------------------------------------------------------------------------

static const char *const op_texts[] = {
#define X(name, text) text,
    CODE_LIST(X)
#undef X
};

static const char *code_op_text(uint32_t op)
{
    if (op >= CODE_FIRST_WHOLE)
        return whole_info((WholeOperator)(op - CODE_FIRST_WHOLE))->text;
    return body_is_operator(op) ? operator_info((Operator)op)->text : op_texts[op - OPERATOR_COUNT];
}

static void print_value(const CodeModule *m, const CodeBody *body, uint32_t value,
                        StringBuilder *out)
{
    if (value == CODE_NONE) {
        builder_append_text(out, "_");
        return;
    }
    const CodeValue *v = &body->values[value];
    char text[NUMBER_LENGTH];
    switch (v->kind) {
    case CODE_CONSTANT:
        if (v->is_whole)
            builder_append_format(out, "%" PRId64, body_whole_of(v->number));
        else if (isfinite(v->number))
            builder_append(out, text, number_write(v->number, text));
        else
            builder_append_text(out, isnan(v->number) ? "nan" : v->number > 0.0 ? "inf" : "-inf");
        break;
    case CODE_INPUT:
        builder_append_format(out, "%s[%u]", m->layout.input_names[v->vector], v->index);
        break;
    case CODE_TEMPORARY:
        builder_append_format(out, "r%u", value);
        break;
    case CODE_LOCAL:
        builder_append_format(out, "%s", v->name);
        break;
    }
}

static void code_print_call(const CodeModule *m, const CodeBody *body, uint32_t list,
                            StringBuilder *out)
{
    const CodeBody *f = m->functions[body->lists[list]];
    const uint32_t length = body_list_length(m, body, list);
    for (uint32_t k = f->input_scalars + 1; k < length; k++) {
        builder_append_text(out, k > f->input_scalars + 1 ? ", " : "");
        print_value(m, body, body->lists[list + k], out);
    }
    builder_append_format(out, " = %s(", f->name);
    for (uint32_t k = 1; k <= f->input_scalars; k++) {
        builder_append_text(out, k > 1 ? ", " : "");
        print_value(m, body, body->lists[list + k], out);
    }
    builder_append_text(out, ")");
}

static void print_instruction(const CodeModule *m, const CodeBody *body, const CodeInstruction *in,
                              StringBuilder *out)
{
    if (in->op == CODE_CALL) {
        code_print_call(m, body, in->a, out);
        return;
    }
    if (in->op == CODE_STORE) {
        const CodeOutput *o = &body->outputs[in->d];
        builder_append_format(out, "%s[%u] = ", m->layout.output_names[o->vector], o->index);
    } else if (in->op == CODE_WRITE) {
        builder_append_format(out, "%s", body->arrays[in->b].name);
    } else if (body_writes(in)) {
        print_value(m, body, in->d, out);
        builder_append_text(out, " = ");
    }
    const bool is_plain = in->op == CODE_STORE || in->op == CODE_COPY || in->op == CODE_WRITE;
    builder_append_text(out, is_plain              ? ""
                             : in->op == CODE_READ ? body->arrays[in->b].name
                                                   : code_op_text(in->op));
    const uint32_t operands[] = {in->a, in->b, in->c};
    const uint32_t count = body_operands(in);
    assert(count <= 3);
    for (uint32_t k = 0; k < count; k++) {
        builder_append_text(out, in->op == CODE_READ || in->op == CODE_WRITE ? "["
                                 : k                                         ? ", "
                                 : is_plain                                  ? ""
                                                                             : " ");
        print_value(m, body, operands[k], out);
    }
    if (in->op == CODE_READ || in->op == CODE_WRITE)
        builder_append_text(out, "]");
    if (in->op == CODE_WRITE) {
        builder_append_text(out, " = ");
        print_value(m, body, in->d, out);
    }
}

static void print_body(const CodeModule *m, const CodeBody *body, StringBuilder *out)
{
    size_t depth = 1;
    for (uint32_t i = 0; i < body->instruction_count; i++) {
        const CodeInstruction *in = &body->instructions[i];
        if (in->op == CODE_ELSE || in->op == CODE_END || in->op == CODE_REPEAT)
            depth--;
        builder_append_repeated(out, ' ', 2 * depth);
        print_instruction(m, body, in, out);
        builder_append_text(out, "\n");
        if (in->op == CODE_GUARD || in->op == CODE_ELSE || in->op == CODE_LOOP)
            depth++;
    }
}

const char *harness_text(const Harness *h)
{
    const CodeModule *m = h->module;
    StringBuilder b = builder_create(m->arena), *out = &b;
    for (uint32_t i = 0; i < m->function_count; i++) {
        builder_append_format(out, "function %s\n", m->functions[i]->name);
        print_body(m, m->functions[i], out);
    }
    for (uint32_t i = 0; i < m->entry_count; i++) {
        builder_append_format(out, "entry %s\n", m->entries[i]->name);
        print_body(m, m->entries[i], out);
    }
    return builder_string(out).text;
}
