// SPDX-License-Identifier: MIT
//
// What always holds in what is read: indices are those of variables that are there, names are not
// empty, sizes are below a bound. Document types, and with them entities, are refused: no
// description has them.

#include "fmi/description_read.h"

#include "base/message.h"
#include "base/number.h"

#include <expat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A million variables are beyond all models that there are; so are elements of an array.
enum { READ_MOST_VARIABLES = 1 << 20, READ_MOST_ELEMENTS = 1 << 20, READ_MOST_DEPTH = 64 };

typedef struct DescriptionReader {
    Arena *arena;
    XML_Parser parser;
    FmuDescription *description;
    char **message;
    int depth;
    bool has_failed;
    uint32_t variable_room, dimension_room, dimension_count;
    // A dimension of a variable: its size, or the reference of the structural parameter that has
    // it.
    struct {
        uint32_t variable, size, reference; // reference: FMU_NOTHING, or the size follows from it
    } * dimensions;
    bool is_scalar;        // inside of a ScalarVariable of FMI 2.0
    bool is_variables;     // inside of ModelVariables
    uint32_t current;      // the variable that is being read; FMU_NOTHING: none
    const char *list;      // of ModelStructure in FMI 2.0: "Outputs", "Derivatives"; NULL: another
    uint32_t *unknowns[3]; // outputs, derivatives, indicators: index (2.0, from 1) or reference
    uint32_t unknown_count[3], unknown_room[3];
} DescriptionReader;

static void read_fail(DescriptionReader *r, const char *format, const char *text)
{
    if (r->has_failed)
        return;
    r->has_failed = true;
    message_set(r->message, format, text);
    XML_StopParser(r->parser, XML_FALSE);
}

// Room for one more; the new pointer, or NULL after a failure.
static void *read_grow(DescriptionReader *r, void *list, uint32_t count, uint32_t *room,
                       size_t size)
{
    if (count < *room)
        return list;
    const uint32_t more = *room ? 2 * *room : 64;
    void *grown = count < 4u * READ_MOST_VARIABLES
                      ? arena_grow(r->arena, list, *room * size, more * size)
                      : NULL;
    if (!grown) {
        read_fail(r, "%s", "it has too many elements, or there is no memory");
        return NULL;
    }
    *room = more;
    return grown;
}

// ---------------------------------------------------------------------------
// Attributes
// ---------------------------------------------------------------------------

static const char *read_attribute(const char **attributes, const char *name)
{
    for (; attributes[0]; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

static const char *read_text(DescriptionReader *r, const char **attributes, const char *name)
{
    const char *text = read_attribute(attributes, name);
    char *copy = text ? arena_copy_text(r->arena, text, strlen(text)) : NULL;
    if (text && !copy)
        read_fail(r, "%s", "out of memory");
    return copy;
}

// NAN: it is not there, or no number.
static double read_to_number(const char *text)
{
    double value;
    if (!text)
        return NAN;
    while (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r')
        text++;
    const bool is_negative = *text == '-';
    text += is_negative || *text == '+';
    const size_t length = strcspn(text, " \t\n\r");
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return text[0] == 't';
    if (!number_read(text, length, &value))
        return NAN;
    return is_negative ? -value : value;
}

static double read_number(const char **attributes, const char *name)
{
    return read_to_number(read_attribute(attributes, name));
}

static bool read_flag(const char **attributes, const char *name)
{
    const char *text = read_attribute(attributes, name);
    return text && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}

// FMU_NOTHING: it is not there, or no such number.
static uint32_t description_reference(const char **attributes, const char *name)
{
    const char *text = read_attribute(attributes, name);
    char *end = NULL;
    const unsigned long long value = text ? strtoull(text, &end, 10) : UINT64_MAX;
    return text && end != text && *end == '\0' && text[0] != '-' && value < UINT32_MAX
               ? (uint32_t)value
               : FMU_NOTHING;
}

// The index of a word in a list; `otherwise` if it is not there.
static int read_word(const char **attributes, const char *name, const char *const *words, int count,
                     int otherwise)
{
    const char *text = read_attribute(attributes, name);
    for (int i = 0; text && i < count; i++)
        if (words[i] && strcmp(words[i], text) == 0)
            return i;
    return otherwise;
}

// ---------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------

#define READ_WORD(name, text) [FMU_##name] = text,
static const char *const read_types[] = {FMU_TYPES(READ_WORD)};
static const char *const read_causalities[] = {FMU_CAUSALITIES(READ_WORD)};
static const char *const read_variabilities[] = {FMU_VARIABILITIES(READ_WORD)};
static const char *const read_initials[] = {FMU_INITIALS(READ_WORD)};
static const char *const read_intervals[] = {FMU_INTERVALS(READ_WORD)};
#undef READ_WORD
#define READ_COUNT(list) (int)(sizeof(list) / sizeof *(list))

static void description_root(DescriptionReader *r, const char *element, const char **attributes)
{
    FmuDescription *d = r->description;
    const char *version = read_attribute(attributes, "fmiVersion");
    if (strcmp(element, "fmiModelDescription") != 0 || !version) {
        read_fail(r, "it has no fmiModelDescription but %s", element);
        return;
    }
    d->version = strcmp(version, "2.0") == 0 ? 2 : strncmp(version, "3.", 2) == 0 ? 3 : 0;
    if (d->version == 0) {
        read_fail(r, "it is of FMI %s; 2.0 and 3.0 are known", version);
        return;
    }
    d->name = read_text(r, attributes, "modelName");
    d->text = read_text(r, attributes, "description");
    d->tool = read_text(r, attributes, "generationTool");
    d->token = read_text(r, attributes, d->version == 3 ? "instantiationToken" : "guid");
    const uint32_t indicators = description_reference(attributes, "numberOfEventIndicators");
    d->indicator_count = indicators == FMU_NOTHING ? 0 : indicators;
    if (!d->name || !d->token)
        read_fail(r, "%s", "it has no name, or no token");
    if (d->indicator_count > READ_MOST_VARIABLES)
        read_fail(r, "%s", "it has too many event indicators");
}

// The library's name must be an identifier: it becomes part of a path.
static const char *read_identifier(DescriptionReader *r, const char **attributes)
{
    const char *text = read_text(r, attributes, "modelIdentifier");
    bool is_fine = text && text[0];
    for (const char *c = text; is_fine && *c; c++)
        is_fine = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' ||
                  (*c >= '0' && *c <= '9');
    if (!is_fine)
        read_fail(r, "its model identifier is no identifier: '%s'", text ? text : "");
    return text;
}

static void read_interface(DescriptionReader *r, const char *element, const char **attributes)
{
    FmuDescription *d = r->description;
    if (strcmp(element, "ModelExchange") == 0)
        d->exchange = read_identifier(r, attributes);
    else if (strcmp(element, "CoSimulation") == 0) {
        d->cosimulation = read_identifier(r, attributes);
        d->has_event_mode = read_flag(attributes, "hasEventMode");
    } else if (strcmp(element, "ScheduledExecution") == 0) {
        d->scheduled = read_identifier(r, attributes);
    }
    if (strcmp(element, "ModelExchange") == 0 || strcmp(element, "CoSimulation") == 0) {
        d->can_keep_state |= read_flag(attributes, "canGetAndSetFMUstate") ||
                             read_flag(attributes, "canGetAndSetFMUState");
    } else if (strcmp(element, "DefaultExperiment") == 0) {
        d->start_time = read_number(attributes, "startTime");
        d->stop_time = read_number(attributes, "stopTime");
        d->tolerance = read_number(attributes, "tolerance");
        d->step = read_number(attributes, "stepSize");
    }
}

static FmuVariable *read_add(DescriptionReader *r)
{
    FmuDescription *d = r->description;
    FmuVariable *list =
        read_grow(r, d->variables, d->variable_count, &r->variable_room, sizeof *list);
    if (!list)
        return NULL;
    d->variables = list;
    if (d->variable_count >= READ_MOST_VARIABLES) {
        read_fail(r, "%s", "it has too many variables");
        return NULL;
    }
    r->current = d->variable_count++;
    list[r->current] = (FmuVariable){FMU_VARIABLE_PLAIN};
    return &list[r->current];
}

static void description_variable(DescriptionReader *r, const char **attributes)
{
    FmuVariable *v = read_add(r);
    if (!v)
        return;
    v->name = read_text(r, attributes, "name");
    v->text = read_text(r, attributes, "description");
    v->reference = description_reference(attributes, "valueReference");
    v->causality = (FmuCausality)read_word(attributes, "causality", read_causalities,
                                           READ_COUNT(read_causalities), FMU_LOCAL);
    v->variability = (FmuVariability)read_word(attributes, "variability", read_variabilities,
                                               READ_COUNT(read_variabilities), FMU_CONTINUOUS);
    v->initial = (FmuInitial)read_word(attributes, "initial", read_initials,
                                       READ_COUNT(read_initials), FMU_NO_INITIAL);
    if (!v->name || !v->name[0] || v->reference == FMU_NOTHING)
        read_fail(r, "a variable has no name or no value reference: '%s'", v->name ? v->name : "");
}

static void read_values(DescriptionReader *r, const char **attributes)
{
    FmuVariable *v = &r->description->variables[r->current];
    v->unit = read_text(r, attributes, "unit");
    v->nominal = read_number(attributes, "nominal");
    v->start_text = read_text(r, attributes, "start");
    v->start = read_to_number(v->start_text);
    v->state = description_reference(attributes, "derivative");
}

// A number, or a counter by the resolution.
static double read_time(const char **attributes, const char *decimal, const char *counter)
{
    const double time = read_number(attributes, decimal);
    const double ticks = read_number(attributes, counter);
    const double resolution = read_number(attributes, "resolution");
    return isnan(time) && resolution > 0.0 ? ticks / resolution : time;
}

static void read_clock(DescriptionReader *r, const char **attributes)
{
    FmuVariable *v = &r->description->variables[r->current];
    const uint32_t priority = description_reference(attributes, "priority");
    v->interval_kind = (FmuInterval)read_word(attributes, "intervalVariability", read_intervals,
                                              READ_COUNT(read_intervals), FMU_INTERVAL_TRIGGERED);
    v->interval = read_time(attributes, "intervalDecimal", "intervalCounter");
    v->shift = read_time(attributes, "shiftDecimal", "shiftCounter");
    v->priority = priority == FMU_NOTHING ? 0 : priority;
}

static void read_type_2(DescriptionReader *r, const char *element, const char **attributes)
{
    static const struct {
        const char *name;
        FmuType type;
    } types[] = {{"Real", FMU_FLOAT64},
                 {"Integer", FMU_INT32},
                 {"Boolean", FMU_BOOLEAN},
                 {"String", FMU_STRING},
                 {"Enumeration", FMU_ENUMERATION}};
    for (size_t i = 0; i < sizeof types / sizeof *types && r->current != FMU_NOTHING; i++) {
        if (strcmp(element, types[i].name) != 0)
            continue;
        r->description->variables[r->current].type = types[i].type;
        read_values(r, attributes);
    }
}

static void read_dimension(DescriptionReader *r, const char **attributes)
{
    void *grown =
        read_grow(r, r->dimensions, r->dimension_count, &r->dimension_room, sizeof *r->dimensions);
    if (!grown)
        return;
    r->dimensions = grown;
    const uint32_t i = r->dimension_count++;
    r->dimensions[i].variable = r->current;
    r->dimensions[i].size = description_reference(attributes, "start");
    r->dimensions[i].reference = description_reference(attributes, "valueReference");
}

// Inside of a variable of FMI 3.0.
static void read_inside_3(DescriptionReader *r, const char *element, const char **attributes)
{
    if (strcmp(element, "Dimension") == 0) {
        read_dimension(r, attributes);
    } else if (strcmp(element, "Start") == 0) {
        const char *text = read_text(r, attributes, "value");
        if (text && !r->description->variables[r->current].start_text)
            r->description->variables[r->current].start_text = text;
    } else if (strcmp(element, "Alias") == 0) {
        const uint32_t of = r->current;
        FmuVariable *v = read_add(r);
        if (!v)
            return;
        *v = r->description->variables[of];
        v->name = read_text(r, attributes, "name");
        v->text = read_text(r, attributes, "description");
        v->alias = of;
        r->current = of;
        if (!v->name || !v->name[0])
            read_fail(r, "%s", "an alias has no name");
    }
}

static void read_variables(DescriptionReader *r, const char *element, const char **attributes)
{
    if (r->description->version == 2) {
        if (r->depth == 2 && strcmp(element, "ScalarVariable") == 0)
            description_variable(r, attributes);
        else if (r->depth == 3)
            read_type_2(r, element, attributes);
        return;
    }
    if (r->depth == 3 && r->current != FMU_NOTHING)
        read_inside_3(r, element, attributes);
    for (int i = 0; i < READ_COUNT(read_types) && r->depth == 2; i++) {
        if (strcmp(element, read_types[i]) != 0)
            continue;
        description_variable(r, attributes);
        if (r->has_failed)
            return;
        FmuVariable *v = &r->description->variables[r->current];
        v->type = (FmuType)i;
        if (!read_attribute(attributes, "variability") && v->type != FMU_FLOAT64 &&
            v->type != FMU_FLOAT32)
            v->variability = FMU_DISCRETE;
        read_values(r, attributes);
        if (v->type == FMU_CLOCK)
            read_clock(r, attributes);
    }
}

static void read_unknown(DescriptionReader *r, int kind, const char **attributes)
{
    const uint32_t value = description_reference(
        attributes, r->description->version == 3 ? "valueReference" : "index");
    uint32_t *list = read_grow(r, r->unknowns[kind], r->unknown_count[kind], &r->unknown_room[kind],
                               sizeof *list);
    if (!list)
        return;
    r->unknowns[kind] = list;
    list[r->unknown_count[kind]++] = value;
}

static void read_structure(DescriptionReader *r, const char *element, const char **attributes)
{
    static const char *const lists_2[] = {"Outputs", "Derivatives"};
    static const char *const names_3[] = {"Output", "ContinuousStateDerivative", "EventIndicator"};
    if (r->description->version == 2 && r->depth == 2)
        r->list = strcmp(element, lists_2[0]) == 0   ? lists_2[0]
                  : strcmp(element, lists_2[1]) == 0 ? lists_2[1]
                                                     : NULL;
    else if (r->description->version == 2 && r->depth == 3 && r->list)
        read_unknown(r, r->list == lists_2[1], attributes);
    for (int i = 0; i < 3 && r->description->version == 3 && r->depth == 2; i++)
        if (strcmp(element, names_3[i]) == 0)
            read_unknown(r, i, attributes);
}

static void XMLCALL read_begin(void *user, const char *element, const char **attributes)
{
    DescriptionReader *r = user;
    if (r->has_failed)
        return;
    if (r->depth == 0)
        description_root(r, element, attributes);
    else if (r->depth == 1)
        r->is_variables = strcmp(element, "ModelVariables") == 0;
    if (r->depth == 1 && !r->has_failed)
        read_interface(r, element, attributes);
    else if (r->depth > 1 && r->is_variables)
        read_variables(r, element, attributes);
    else if (r->depth > 1)
        read_structure(r, element, attributes);
    if (++r->depth > READ_MOST_DEPTH)
        read_fail(r, "%s", "its elements are nested too deeply");
}

static void XMLCALL read_end(void *user, const char *element)
{
    DescriptionReader *r = user;
    (void)element;
    r->depth--;
    if (r->depth == 2 && r->is_variables)
        r->current = FMU_NOTHING;
}

static void XMLCALL read_doctype(void *user, const char *name, const char *system,
                                 const char *public, int has_internal)
{
    (void)name, (void)system, (void)public, (void)has_internal;
    read_fail(user, "%s", "it has a document type");
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// Places of variables: the reference, then the index, so that numbers are in the order of both.
static int compare_places(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

// The first variable of a reference; FMU_NOTHING: there is none.
static uint32_t read_find(const uint64_t *places, uint32_t count, uint32_t reference)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (places[middle] >> 32 < reference)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && places[low] >> 32 == reference ? (uint32_t)places[low] : FMU_NOTHING;
}

static void read_sizes(DescriptionReader *r, const uint64_t *places)
{
    FmuDescription *d = r->description;
    for (uint32_t i = 0; i < r->dimension_count; i++) {
        const uint32_t reference = r->dimensions[i].reference;
        FmuVariable *v = &d->variables[r->dimensions[i].variable];
        const uint32_t by = read_find(places, d->variable_count, reference);
        const double size = reference == FMU_NOTHING ? (double)r->dimensions[i].size
                            : by == FMU_NOTHING      ? NAN
                                                     : d->variables[by].start;
        if (!(size >= 0.0) || !(size * v->size <= READ_MOST_ELEMENTS)) {
            read_fail(r, "the size of the array %s is not known, or too large", v->name);
            return;
        }
        v->size *= (uint32_t)size;
    }
}

// Of the structure: indices, or references of FMI 3.0, become indices of variables.
static const uint32_t *read_resolve(DescriptionReader *r, int kind, const uint64_t *places,
                                    uint32_t *count)
{
    const FmuDescription *d = r->description;
    uint32_t *list = r->unknowns[kind];
    *count = r->unknown_count[kind];
    for (uint32_t i = 0; i < *count; i++) {
        list[i] = d->version == 3 ? read_find(places, d->variable_count, list[i])
                  : list[i] == 0  ? FMU_NOTHING
                                  : list[i] - 1;
        if (list[i] >= d->variable_count) {
            read_fail(r, "%s", "its structure names a variable that is not there");
            return NULL;
        }
    }
    return list;
}

static void read_finish(DescriptionReader *r)
{
    FmuDescription *d = r->description;
    uint64_t *places = calloc(d->variable_count + 1u, sizeof *places);
    if (!places) {
        read_fail(r, "%s", "out of memory");
        return;
    }
    for (uint32_t i = 0; i < d->variable_count; i++)
        places[i] = (uint64_t)d->variables[i].reference << 32 | i;
    qsort(places, d->variable_count, sizeof *places, compare_places);
    read_sizes(r, places);
    d->outputs = read_resolve(r, 0, places, &d->output_count);
    d->derivatives = read_resolve(r, 1, places, &d->derivative_count);
    if (d->version == 3)
        d->indicators = read_resolve(r, 2, places, &d->indicator_count);
    for (uint32_t i = 0; i < d->variable_count; i++) {
        FmuVariable *v = &d->variables[i];
        if (v->state == FMU_NOTHING)
            continue;
        v->state = d->version == 3 ? read_find(places, d->variable_count, v->state) : v->state - 1;
        if (v->state >= d->variable_count)
            v->state = FMU_NOTHING;
    }
    free(places);
}

FmuDescription *description_read(Arena *arena, const char *text, size_t length, char **message)
{
    FmuDescription *d = ARENA_NEW(arena, FmuDescription);
    DescriptionReader r = {.arena = arena,
                           .parser = XML_ParserCreate(NULL),
                           .description = d,
                           .message = message,
                           .current = FMU_NOTHING};
    if (!d || !r.parser || length > INT32_MAX) {
        message_set(message, "out of memory");
        if (r.parser)
            XML_ParserFree(r.parser);
        return NULL;
    }
    *d = (FmuDescription){.start_time = NAN, .stop_time = NAN, .tolerance = NAN, .step = NAN};
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, read_begin, read_end);
    XML_SetStartDoctypeDeclHandler(r.parser, read_doctype);
    const bool is_parsed = XML_Parse(r.parser, text, (int)length, 1) == XML_STATUS_OK;
    if (!is_parsed)
        read_fail(&r, "%s", XML_ErrorString(XML_GetErrorCode(r.parser)));
    else if (!r.has_failed)
        read_finish(&r);
    if (!r.has_failed && !d->exchange && !d->cosimulation && !d->scheduled)
        read_fail(&r, "%s",
                  "it has neither model exchange nor co-simulation nor scheduled execution");
    XML_ParserFree(r.parser);
    return r.has_failed ? NULL : d;
}
