// SPDX-License-Identifier: MIT

#include "external/foreign.h"

#include "base/process.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FOREIGN_MOST_SECONDS = 600 }; // of the compiler

struct Foreign {
    struct Foreign *next;
    char *key;                  // the text of its library, with what it is linked with
    void *library;              // of dlopen
    ExternalInfo info, forward; // without a function: there is none
    char *name, *signature, *forward_signature;
};

// ---------------------------------------------------------------------------
// The text of the library
// ---------------------------------------------------------------------------

// What C code of Modelica libraries may call (section 12.9.6). Errors leave the function.
static const char utilities_header[] = "#ifndef SALTUS_MODELICA_UTILITIES_H\n"
                                       "#define SALTUS_MODELICA_UTILITIES_H\n"
                                       "#include <stdarg.h>\n"
                                       "#include <stddef.h>\n"
                                       "void ModelicaMessage(const char *);\n"
                                       "void ModelicaFormatMessage(const char *, ...);\n"
                                       "void ModelicaVFormatMessage(const char *, va_list);\n"
                                       "void ModelicaWarning(const char *);\n"
                                       "void ModelicaFormatWarning(const char *, ...);\n"
                                       "void ModelicaVFormatWarning(const char *, va_list);\n"
                                       "void ModelicaError(const char *);\n"
                                       "void ModelicaFormatError(const char *, ...);\n"
                                       "void ModelicaVFormatError(const char *, va_list);\n"
                                       "char *ModelicaAllocateString(size_t);\n"
                                       "char *ModelicaAllocateStringWithErrorReturn(size_t);\n"
                                       "#endif\n";

static const char utilities_code[] =
    "#include <setjmp.h>\n"
    "#include <stdint.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <pthread.h>\n"
    "#include \"ModelicaUtilities.h\"\n"
    "static _Thread_local jmp_buf *saltus_exit;\n"
    "static _Thread_local char **saltus_message, *saltus_unread;\n"
    "static _Thread_local void *saltus_texts;\n"
    "void ModelicaVFormatMessage(const char *f, va_list a) { vfprintf(stderr, f, a); }\n"
    "void ModelicaVFormatWarning(const char *f, va_list a) { vfprintf(stderr, f, a); }\n"
    "static void saltus_fail(char *t)\n"
    "{ free(*saltus_message); *saltus_message = t; longjmp(*saltus_exit, 1); }\n"
    "void ModelicaVFormatError(const char *f, va_list a)\n"
    "{ va_list b; va_copy(b, a); const int n = vsnprintf(NULL, 0, f, b); va_end(b);\n"
    "  char *t = n < 0 ? NULL : malloc((size_t)n + 1);\n"
    "  if (t) vsnprintf(t, (size_t)n + 1, f, a);\n"
    "  saltus_fail(t); }\n"
    "void ModelicaMessage(const char *t) { fputs(t, stderr); }\n"
    "void ModelicaWarning(const char *t) { fputs(t, stderr); }\n"
    "void ModelicaError(const char *t)\n"
    "{ char *s = malloc(strlen(t) + 1); saltus_fail(s ? strcpy(s, t) : NULL); }\n"
    "#define SALTUS_FORMAT(n) void Modelica##Format##n(const char *f, ...)\\\n"
    "{ va_list a; va_start(a, f); ModelicaVFormat##n(f, a); va_end(a); }\n"
    "SALTUS_FORMAT(Message)\nSALTUS_FORMAT(Warning)\nSALTUS_FORMAT(Error)\n"
    "char *ModelicaAllocateStringWithErrorReturn(size_t n)\n"
    "{ void **p = malloc(sizeof *p + n + 1); if (!p) return NULL; *p = saltus_texts;\n"
    "  saltus_texts = p; ((char *)(p + 1))[n] = 0; return (char *)(p + 1); }\n"
    "char *ModelicaAllocateString(size_t n)\n"
    "{ char *t = ModelicaAllocateStringWithErrorReturn(n);\n"
    "  if (!t) ModelicaError(\"there is no memory left\"); return t; }\n"
    "static void saltus_begin(void)\n"
    "{ while (saltus_texts) { void **p = saltus_texts; saltus_texts = *p; free(p); } }\n"
    "typedef struct { uint32_t rank; const uint32_t *dims; uint32_t count; double *numbers;\n"
    "  const char **texts; } SaltusArgument;\n"
    "typedef struct { void *store; SaltusArgument *arguments; uint32_t count; void *arena;\n"
    "  char **printed; char *message; } SaltusCall;\n"
    "static int *saltus_integers(const SaltusArgument *a)\n"
    "{ int *p = ModelicaAllocateString(a->count * sizeof *p);\n"
    "  for (uint32_t i = 0; i < a->count; i++) p[i] = (int)a->numbers[i]; return p; }\n"
    "static void saltus_return(const SaltusArgument *a, const int *p)\n"
    "{ for (uint32_t i = 0; i < a->count; i++) a->numbers[i] = p[i]; }\n";

// Objects: one for equal arguments.
static const char objects_code[] =
    "typedef struct SaltusObject { struct SaltusObject *next; void *object; size_t size;\n"
    "  char key[]; } SaltusObject;\n"
    "static SaltusObject *saltus_objects;\n"
    "static pthread_mutex_t saltus_lock = PTHREAD_MUTEX_INITIALIZER;\n"
    "static SaltusObject *saltus_key(const SaltusCall *c)\n"
    "{ size_t size = 0; SaltusObject *o;\n"
    "  for (int pass = 0;; pass++) {\n"
    "    char *at = pass ? o->key : NULL;\n"
    "    for (uint32_t i = 0; i + 1 < c->count; i++) {\n"
    "      const SaltusArgument *a = &c->arguments[i];\n"
    "      for (uint32_t k = 0; k < a->count; k++) {\n"
    "        const void *p = a->texts ? (void *)a->texts[k] : (void *)&a->numbers[k];\n"
    "        size_t n = a->texts ? strlen(a->texts[k]) + 1 : sizeof(double);\n"
    "        if (at) { memcpy(at, p, n); at += n; } else size += n;\n"
    "      } }\n"
    "    if (pass) return o;\n"
    "    o = calloc(1, sizeof *o + size); if (!o) return NULL; o->size = size;\n"
    "  } }\n";

// The derivative forwards, as external_forward has it, by a central difference along the direction:
// arguments move by the cube root of the rounding, relative to their size or 1.
static const char forward_code[] =
    "_Bool saltus_forward(SaltusCall *c)\n"
    "{ enum { N = sizeof saltus_letters - 1 };\n"
    "  SaltusArgument a[N + 1]; const SaltusArgument *d[N + 1] = {0};\n"
    "  SaltusCall in = {c->store, a, N, c->arena, NULL};\n"
    "  uint32_t next = N - SALTUS_RESULT; size_t total = 1; double most = 0.0;\n"
    "  for (int i = 0; i < N; i++) {\n"
    "    if (saltus_letters[i] == 'r' || saltus_letters[i] == 'R') d[i] = &c->arguments[next++];\n"
    "    a[i] = i < N - SALTUS_RESULT ? c->arguments[i] : *d[i];\n"
    "    total += a[i].numbers ? a[i].count : 0;\n"
    "    for (uint32_t k = 0; d[i] && saltus_written[i] == '0' && k < a[i].count; k++) {\n"
    "      double x = a[i].numbers[k], r = d[i]->numbers[k] / (x > 1 ? x : x < -1 ? -x : 1.0);\n"
    "      most = r > most ? r : -r > most ? -r : most; } }\n"
    "  const double h = most > 0.0 ? 6e-6 / most : 1.0;\n"
    "  double *all = malloc(2 * total * sizeof *all); if (!all) return 0;\n"
    "  for (int side = 0; side < 2; side++) {\n"
    "    double *at = all + side * total;\n"
    "    for (int i = 0; i < N; i++) {\n"
    "      const double *x = i < N - SALTUS_RESULT ? c->arguments[i].numbers : d[i]->numbers;\n"
    "      if (!x) continue;\n"
    "      a[i].numbers = at;\n"
    "      for (uint32_t k = 0; k < a[i].count; k++)\n"
    "        *at++ = d[i] && saltus_written[i] == '0' ?\n"
    "          x[k] + (side ? -h : h) * d[i]->numbers[k] : x[k]; }\n"
    "    if (!saltus_call(&in)) {\n"
    "      c->message = in.message; free(all); return 0; } }\n"
    "  size_t at = 0;\n"
    "  for (int i = 0; i < N; i++) {\n"
    "    for (uint32_t k = 0; a[i].numbers && k < a[i].count; k++, at++)\n"
    "      if (d[i] && saltus_written[i] == '1')\n"
    "        d[i]->numbers[k] = most > 0.0 ? (all[at] - all[total + at]) / (2.0 * h) : 0.0; }\n"
    "  free(all); return 1; }\n";

// A matrix by columns, and back.
static const char turn_code[] =
    "static void saltus_turn(const SaltusArgument *a, int is_back)\n"
    "{ if (a->rank != 2 || !a->count) return;\n"
    "  const size_t m = a->dims[0], n = a->dims[1];\n"
    "  double *t = (double *)(void *)ModelicaAllocateString(m * n * sizeof *t), *x = a->numbers;\n"
    "  memcpy(t, x, m * n * sizeof *t);\n"
    "  for (size_t i = 0; i < m; i++) for (size_t k = 0; k < n; k++)\n"
    "    if (is_back) x[i * n + k] = t[k * m + i]; else x[k * m + i] = t[i * n + k]; }\n";

static bool is_member(const ForeignDef *def, uint32_t i)
{
    return def->members && def->members[i] == 'm';
}

static bool is_returned(const ForeignDef *def, uint32_t i)
{
    return def->members && def->members[i] == 'r';
}

static bool is_first_member(const ForeignDef *def, uint32_t i)
{
    return is_returned(def, i) || (def->members && def->members[i] == 'b');
}

// Of the record that is the result, its first member; `count`: it is none.
static uint32_t foreign_returned(const ForeignDef *def, uint32_t count)
{
    uint32_t i = 0;
    while (i < count && !is_returned(def, i))
        i++;
    return i;
}

static void foreign_put_struct(StringBuilder *out, const ForeignDef *def, uint32_t first,
                               uint32_t count)
{
    bool is_written;
    builder_append_text(out, "{");
    for (uint32_t k = first; k < count && (k == first || is_member(def, k)); k++)
        builder_append_format(
            out,
            external_letter(def->signature, k, &is_written) == 'r' ? " double m%u;" : " int m%u;",
            (unsigned)k);
    builder_append_text(out, " }");
}

// Where the function gets a pointer to ints of its own.
static bool has_integers(const ForeignDef *def, uint32_t i, char letter, bool is_written)
{
    if (is_member(def, i) || is_first_member(def, i))
        return false;
    return letter == 'I' || (letter == 'i' && (is_written || def->is_fortran));
}

static const char *foreign_type(char letter, bool is_written)
{
    switch (letter) {
    case 'r':
        return is_written ? "double *" : "double";
    case 'R':
        return "double *";
    case 's':
        return is_written ? "const char **" : "const char *";
    case 'S':
        return "const char **";
    case 'o':
        return "void *";
    case 'i': // an Integer may be an int or, as the size of an array, a size_t: both find theirs
        return is_written ? "int *" : "intptr_t";
    default:
        return "int *";
    }
}

// As the C function takes argument `i`.
static void foreign_put_argument(StringBuilder *out, const ForeignDef *def, char letter,
                                 bool is_written, uint32_t i)
{
    if (is_first_member(def, i))
        builder_append_format(out, "(void *)&s%u", i);
    else if (letter == 'o')
        builder_append_format(out, "(void *)(uintptr_t)a[%u].numbers[0]", i);
    else if (letter == 'r')
        builder_append_format(
            out, is_written || def->is_fortran ? "&a[%u].numbers[0]" : "a[%u].numbers[0]", i);
    else if (letter == 'R')
        builder_append_format(out, "a[%u].numbers", i);
    else if (letter == 's')
        builder_append_format(out, is_written ? "&a[%u].texts[0]" : "a[%u].texts[0]", i);
    else if (letter == 'S')
        builder_append_format(out, "a[%u].texts", i);
    else if (!has_integers(def, i, letter, is_written))
        builder_append_format(out, "(intptr_t)a[%u].numbers[0]", i);
    else
        builder_append_format(out, "x%u", i);
}

// Without Include the function is declared here.
static void foreign_put_prototype(StringBuilder *out, const ForeignDef *def, uint32_t count)
{
    bool is_written;
    const char result = external_has_result(def->signature)
                            ? external_letter(def->signature, count, &is_written)
                            : 0;
    const char *type = !result ? "void" : result == 'i' ? "int" : foreign_type(result, false);
    const uint32_t returned = foreign_returned(def, count);
    builder_append_text(out, "extern ");
    if (returned < count) {
        builder_append_text(out, "struct SaltusResult ");
        foreign_put_struct(out, def, returned, count);
    } else {
        builder_append_text(out, type);
    }
    builder_append_format(out, " %s%s(", def->name, def->is_fortran ? "_" : "");
    for (uint32_t i = 0; i < returned; i++) {
        const char letter = external_letter(def->signature, i, &is_written);
        if (!is_member(def, i))
            builder_append_format(out, "%s%s", i ? ", " : "",
                                  is_first_member(def, i)
                                      ? "void *"
                                      : foreign_type(letter, is_written || def->is_fortran));
    }
    builder_append_text(out, returned ? ");\n" : "void);\n");
    if (def->destructor)
        builder_append_format(out, "extern void %s(void *);\n", def->destructor);
}

// The structs that records are to C.
static void foreign_put_records(StringBuilder *out, const ForeignDef *def, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool is_written;
        uint32_t end = i + 1;
        if (!is_first_member(def, i))
            continue;
        while (end < count && is_member(def, end))
            end++;
        builder_append_text(out, "  struct ");
        foreign_put_struct(out, def, i, count);
        builder_append_format(out, " s%u = {", (unsigned)i);
        for (uint32_t k = i; k < end; k++) {
            const char letter = external_letter(def->signature, k, &is_written);
            builder_append_format(
                out, letter == 'r' ? "%s a[%u].numbers[0]" : "%s (int)a[%u].numbers[0]",
                k > i ? "," : "", (unsigned)k);
        }
        builder_append_text(out, " };\n");
    }
}

static void foreign_put_turns(StringBuilder *out, const ForeignDef *def, uint32_t count,
                              bool is_back)
{
    for (uint32_t i = 0; def->is_fortran && i < count; i++) {
        bool is_written;
        const char letter = external_letter(def->signature, i, &is_written);
        if (letter == 'R' || letter == 'I')
            builder_append_format(out, "  saltus_turn(&a[%u], %d);\n", (unsigned)i, is_back);
    }
}

static void foreign_put_call(StringBuilder *out, const ForeignDef *def, uint32_t count)
{
    bool is_written;
    const bool has_result = external_has_result(def->signature);
    const char result = has_result ? external_letter(def->signature, count, &is_written) : 0;
    const uint32_t returned = foreign_returned(def, count);
    if (result == 'o')
        builder_append_text(out, "  o->object = (void *)");
    else if (result)
        builder_append_format(
            out, result == 's' ? "  a[%u].texts[0] = " : "  a[%u].numbers[0] = ", (unsigned)count);
    else
        builder_append_text(out, returned < count ? "  __auto_type returned = " : "  ");
    builder_append_format(out, "%s%s(", def->name, def->is_fortran ? "_" : "");
    for (uint32_t i = 0; i < count; i++) {
        const char letter = external_letter(def->signature, i, &is_written);
        if (is_member(def, i) || i >= returned)
            continue;
        builder_append_text(out, i ? ", " : "");
        foreign_put_argument(out, def, letter, is_written, i);
    }
    builder_append_text(out, ");\n");
    if (returned < count)
        builder_append_format(
            out,
            "  _Static_assert(sizeof returned == sizeof s%u, \"the record and the "
            "struct differ\");\n  memcpy(&s%u, &returned, sizeof s%u);\n",
            (unsigned)returned, (unsigned)returned, (unsigned)returned);
    for (uint32_t i = 0, record = 0; i < count; i++) {
        const char letter = external_letter(def->signature, i, &is_written);
        if (is_written && is_first_member(def, i))
            record = i;
        if (is_written && (is_first_member(def, i) || is_member(def, i)))
            builder_append_format(out, "  a[%u].numbers[0] = s%u.m%u;\n", (unsigned)i,
                                  (unsigned)record, (unsigned)i);
        else if (is_written && (letter == 'i' || letter == 'I'))
            builder_append_format(out, "  saltus_return(&a[%u], x%u);\n", (unsigned)i, (unsigned)i);
    }
    foreign_put_turns(out, def, count, true);
}

static void foreign_put_forward(StringBuilder *out, const ForeignDef *def)
{
    const uint32_t count = external_argument_count(def->signature);
    bool is_written;
    builder_append_format(out, "#define SALTUS_RESULT %d\nstatic const char saltus_letters[] = \"",
                          external_has_result(def->signature));
    for (uint32_t i = 0; i < count; i++)
        builder_append_character(out, external_letter(def->signature, i, &is_written));
    builder_append_text(out, "\", saltus_written[] = \"");
    for (uint32_t i = 0; i < count; i++) {
        external_letter(def->signature, i, &is_written);
        builder_append_character(out, is_written ? '1' : '0');
    }
    builder_append_format(out, "\";\n%s", forward_code);
}

// The signature of the derivative: the arguments, then derivatives of Reals.
static String foreign_forward_signature(Arena *arena, const ForeignDef *def)
{
    StringBuilder out = builder_create(arena);
    const uint32_t count = external_argument_count(def->signature);
    const bool has_result = external_has_result(def->signature);
    bool is_written;
    for (uint32_t i = 0; i + has_result < count; i++)
        builder_append_character(&out, external_letter(def->signature, i, &is_written));
    for (uint32_t i = 0; i < count; i++) {
        const char letter = external_letter(def->signature, i, &is_written);
        if (letter != 'r' && letter != 'R')
            continue;
        if (is_written)
            builder_append_character(&out, has_result && i == count - 1 ? '>' : '&');
        builder_append_character(&out, letter);
    }
    return builder_string(&out);
}

static String foreign_text(Arena *arena, const ForeignDef *def)
{
    StringBuilder out = builder_create(arena);
    const uint32_t count =
        external_argument_count(def->signature) - external_has_result(def->signature);
    builder_append_text(&out, utilities_code);
    builder_append_text(&out, def->is_fortran ? turn_code : "");
    if (def->destructor)
        builder_append_text(&out, objects_code);
    for (uint32_t i = 0; i < def->includes.count; i++)
        builder_append_format(&out, "%s\n", def->includes.items[i]);
    if (!def->includes.count)
        foreign_put_prototype(&out, def, count);
    builder_append_text(&out, "_Bool saltus_call(SaltusCall *c)\n"
                              "{\n  SaltusArgument *a = c->arguments;\n  jmp_buf leave;\n"
                              "  saltus_begin();\n");
    if (def->destructor)
        builder_append_text(
            &out, "  pthread_mutex_lock(&saltus_lock);\n  SaltusObject *o = saltus_key(c), *s;\n"
                  "  if (!o) { pthread_mutex_unlock(&saltus_lock); return 0; }\n"
                  "  for (s = saltus_objects; s; s = s->next)\n"
                  "    if (s->size == o->size && memcmp(s->key, o->key, o->size) == 0) {\n"
                  "      free(o); a[c->count - 1].numbers[0] = (double)(uintptr_t)s->object;\n"
                  "      pthread_mutex_unlock(&saltus_lock); return 1; }\n");
    builder_append_format(&out,
                          "  saltus_exit = &leave;\n  saltus_message = &c->message;\n"
                          "  if (setjmp(leave)) { %sreturn 0; }\n",
                          def->destructor ? "free(o); pthread_mutex_unlock(&saltus_lock); " : "");
    foreign_put_turns(&out, def, count, false);
    foreign_put_records(&out, def, count);
    for (uint32_t i = 0; i < count; i++) {
        bool is_written;
        const char letter = external_letter(def->signature, i, &is_written);
        if (has_integers(def, i, letter, is_written))
            builder_append_format(&out, "  int *x%u = saltus_integers(&a[%u]);\n", (unsigned)i,
                                  (unsigned)i);
    }
    foreign_put_call(&out, def, count);
    if (def->destructor)
        builder_append_text(&out, "  o->next = saltus_objects; saltus_objects = o;\n"
                                  "  a[c->count - 1].numbers[0] = (double)(uintptr_t)o->object;\n"
                                  "  pthread_mutex_unlock(&saltus_lock);\n");
    builder_append_text(&out, "  return 1;\n}\n");
    if (def->destructor)
        builder_append_format(&out,
                              "void saltus_end(void)\n{\n  jmp_buf leave;\n"
                              "  saltus_exit = &leave;\n"
                              "  saltus_message = &saltus_unread;\n"
                              "  while (saltus_objects) {\n    SaltusObject *o = saltus_objects;\n"
                              "    saltus_objects = o->next;\n"
                              "    if (!setjmp(leave)) %s(o->object);\n    free(o);\n  }\n"
                              "  free(saltus_unread); saltus_unread = NULL;\n}\n",
                              def->destructor);
    else
        foreign_put_forward(&out, def);
    return builder_string(&out);
}

// ---------------------------------------------------------------------------
// The compiler
// ---------------------------------------------------------------------------

static bool foreign_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    const bool is_written = fputs(text, file) >= 0;
    return fclose(file) == 0 && is_written;
}

static void foreign_add_word(Arena *arena, char **arguments, int *count, const char *prefix,
                             const char *text)
{
    StringBuilder word = builder_create(arena);
    builder_append_text(&word, prefix);
    builder_append_text(&word, text);
    arguments[(*count)++] = (char *)(uintptr_t)builder_string(&word).text;
}

// A library by its name, or by its file.
static void foreign_add_library(Arena *arena, char **arguments, int *count, const char *name)
{
    const size_t length = strlen(name);
    const bool is_file = strchr(name, '/') ||
                         (length > 2 && strcmp(name + length - 2, ".a") == 0) ||
                         (length > 2 && strcmp(name + length - 2, ".o") == 0) ||
                         (length > 3 && strcmp(name + length - 3, ".so") == 0);
    foreign_add_word(arena, arguments, count, is_file ? "" : "-l", name);
}

static const char *foreign_output(Arena *arena, const char *path)
{
    enum { PIECE = 1024, MOST = 16 * PIECE };
    char piece[PIECE];
    StringBuilder all = builder_create(arena);
    FILE *file = fopen(path, "r");
    size_t length = 1;
    while (file && length > 0 && all.length < MOST) {
        length = fread(piece, 1, sizeof piece, file);
        builder_append(&all, piece, length);
    }
    if (file)
        fclose(file);
    if (all.length >= MOST)
        builder_append_text(&all, "...");
    return all.length ? builder_string(&all).text : "the C compiler failed";
}

// Compiles FOLDER/call.c; NULL, or what the compiler says.
static const char *foreign_compile(Arena *arena, const ForeignDef *def, const char *folder)
{
    char *arguments[8 + 6 * FOREIGN_MOST];
    int count = 0;
    foreign_add_word(arena, arguments, &count, "cc", "");
    static const char *const flags[] = {"-O2", "-shared", "-fPIC", "-w", "-pthread"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        foreign_add_word(arena, arguments, &count, flags[i], "");
    foreign_add_word(arena, arguments, &count, "-I", folder);
    for (uint32_t i = 0; i < def->folders.count; i++)
        foreign_add_word(arena, arguments, &count, "-I", def->folders.items[i]);
    StringBuilder source = builder_create(arena), library = builder_create(arena);
    StringBuilder log = builder_create(arena);
    builder_append_format(&source, "%s/call.c", folder);
    builder_append_format(&library, "%s/call.so", folder);
    builder_append_format(&log, "%s/log", folder);
    foreign_add_word(arena, arguments, &count, builder_string(&source).text, "");
    foreign_add_word(arena, arguments, &count, "-o", builder_string(&library).text);
    for (uint32_t i = 0; i < def->paths.count; i++) {
        foreign_add_word(arena, arguments, &count, "-L", def->paths.items[i]);
        foreign_add_word(arena, arguments, &count, "-Wl,-rpath,", def->paths.items[i]);
    }
    for (uint32_t i = 0; i < def->libraries.count; i++)
        foreign_add_library(arena, arguments, &count, def->libraries.items[i]);
    foreign_add_word(arena, arguments, &count, "-Wl,-z,defs", "");
    foreign_add_word(arena, arguments, &count, "-lm", "");
    arguments[count] = NULL;
    const char *output = builder_string(&log).text, *reason = NULL;
    bool is_fine = false;
    Process child = process_start(arguments, output, &reason);
    if (!child.id)
        return reason;
    if (!process_ends_in_time(&child, FOREIGN_MOST_SECONDS, &is_fine))
        return "the C compiler does not end";
    return is_fine ? NULL : foreign_output(arena, output);
}

static void foreign_remove(Arena *arena, const char *folder)
{
    static const char *const names[] = {"call.c", "call.so", "log", "ModelicaUtilities.h"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        StringBuilder path = builder_create(arena);
        builder_append_format(&path, "%s/%s", folder, names[i]);
        unlink(builder_string(&path).text);
    }
    rmdir(folder);
}

// The library as dlopen's; NULL: *message says why.
static void *foreign_make(Arena *arena, const ForeignDef *def, String text, const char **message)
{
    const char *temporary = getenv("TMPDIR");
    StringBuilder name = builder_create(arena);
    builder_append_format(&name, "%s/saltus-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    char *folder = (char *)(uintptr_t)builder_string(&name).text;
    if (!mkdtemp(folder)) {
        *message = "there is no place for temporary files";
        return NULL;
    }
    StringBuilder source = builder_create(arena), header = builder_create(arena);
    StringBuilder library = builder_create(arena);
    builder_append_format(&source, "%s/call.c", folder);
    builder_append_format(&header, "%s/ModelicaUtilities.h", folder);
    builder_append_format(&library, "%s/call.so", folder);
    void *handle = NULL;
    if (!foreign_write(builder_string(&source).text, text.text) ||
        !foreign_write(builder_string(&header).text, utilities_header))
        *message = "a temporary file cannot be written";
    else
        *message = foreign_compile(arena, def, folder);
    if (!*message) {
        handle = dlopen(builder_string(&library).text, RTLD_NOW | RTLD_LOCAL);
        const char *reason = handle ? NULL : dlerror();
        *message = reason ? arena_copy_text(arena, reason, strlen(reason)) : NULL;
    }
    foreign_remove(arena, folder);
    return handle;
}

// ---------------------------------------------------------------------------
// Loading
// ---------------------------------------------------------------------------

static void foreign_add_key(StringBuilder *key, const ForeignList *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        builder_append_format(key, "\n// %s", list->items[i]);
}

const ExternalInfo *foreign_load(ExternalStore *store, Arena *arena, const ForeignDef *def,
                                 const char **message)
{
    const String text = foreign_text(arena, def);
    StringBuilder key = builder_create(arena);
    builder_append(&key, text.text, text.length);
    foreign_add_key(&key, &def->folders);
    foreign_add_key(&key, &def->libraries);
    foreign_add_key(&key, &def->paths);
    *message = NULL;
    Foreign **list = store_foreign(store);
    for (const Foreign *known = *list; known; known = known->next)
        if (strcmp(known->key, builder_string(&key).text) == 0)
            return &known->info;
    void *library = foreign_make(arena, def, text, message);
    if (!library)
        return NULL;
    Foreign *made = calloc(1, sizeof *made);
    void *function = dlsym(library, "saltus_call");
    if (made) {
        made->key = strdup(builder_string(&key).text);
        made->name = strdup(def->name);
        made->signature = strdup(def->signature);
        made->library = library;
        made->info = (ExternalInfo){.name = made->name, .signature = made->signature};
        memcpy(&made->info.function, &function, sizeof function);
        made->forward_signature = strdup(foreign_forward_signature(arena, def).text);
        made->forward = (ExternalInfo){.name = made->name, .signature = made->forward_signature};
        function = dlsym(library, "saltus_forward");
        memcpy(&made->forward.function, &function, sizeof function);
        made->info.forward = function && def->signature[0] != '!' ? &made->forward : NULL;
        made->next = *list;
        *list = made;
    }
    if (!made || !made->key || !made->name || !made->signature || !made->forward_signature) {
        *message = "there is no memory left";
        return NULL;
    }
    return &made->info;
}

void foreign_free(Foreign *list)
{
    while (list) {
        Foreign *next = list->next;
        void *end = dlsym(list->library, "saltus_end");
        void (*call)(void) = NULL;
        memcpy(&call, &end, sizeof end);
        if (call)
            call();
        dlclose(list->library);
        free(list->key);
        free(list->name);
        free(list->signature);
        free(list->forward_signature);
        free(list);
        list = next;
    }
}
