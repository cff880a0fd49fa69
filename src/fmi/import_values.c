// SPDX-License-Identifier: MIT
//
// Numbers of an FMU, of all types, as doubles.

#include "base/message.h"
#include "base/number.h"
#include "fmi/import_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// X(TYPE, C type, name of the functions of FMI 3.0).
#define IMPORT_TYPES(X)                                                                            \
    X(FLOAT64, double, Float64)                                                                    \
    X(FLOAT32, float, Float32)                                                                     \
    X(INT8, int8_t, Int8)                                                                          \
    X(UINT8, uint8_t, UInt8)                                                                       \
    X(INT16, int16_t, Int16)                                                                       \
    X(UINT16, uint16_t, UInt16)                                                                    \
    X(INT32, int32_t, Int32)                                                                       \
    X(UINT32, uint32_t, UInt32)                                                                    \
    X(INT64, int64_t, Int64)                                                                       \
    X(UINT64, uint64_t, UInt64)                                                                    \
    X(BOOLEAN, bool, Boolean)                                                                      \
    X(ENUMERATION, int64_t, Int64)

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

bool import_make_groups(ImportedFmu *import)
{
    const FmuDescription *d = import->description;
    ImportParts *p = import->parts;
    for (uint32_t c = 0; c < import->column_count; c++) {
        const uint32_t variable = import->columns[c].variable;
        ImportGroup *group = &p->groups[d->variables[variable].type];
        group->count += c == 0 || import->columns[c - 1].variable != variable;
        group->value_count++;
    }
    for (int t = 0; t < FMU_STRING; t++) {
        ImportGroup *group = &p->groups[t];
        group->references = ARENA_ARRAY(p->arena, group->count + 1u, uint32_t);
        group->columns = ARENA_ARRAY(p->arena, group->value_count + 1u, uint32_t);
        group->values = arena_allocate(p->arena, (group->value_count + 1u) * sizeof(double));
        if (!group->references || !group->columns || !group->values)
            return false;
        group->count = group->value_count = 0;
    }
    for (uint32_t c = 0; c < import->column_count; c++) {
        const uint32_t variable = import->columns[c].variable;
        ImportGroup *group = &p->groups[d->variables[variable].type];
        if (c == 0 || import->columns[c - 1].variable != variable)
            group->references[group->count++] = d->variables[variable].reference;
        group->columns[group->value_count++] = c;
    }
    return true;
}

static bool import_get_group_2(const ImportParts *p, FmuType type, double *values)
{
    const ImportGroup *g = &p->groups[type];
    const Fmi2Table *f = &p->binary.fmi2;
    const double *reals = g->values;
    const int *wholes = g->values;
    const bool is_real = type == FMU_FLOAT64;
    const Fmi2Status status = is_real ? f->GetReal(p->instance, g->references, g->count, g->values)
                              : type == FMU_BOOLEAN
                                  ? f->GetBoolean(p->instance, g->references, g->count, g->values)
                                  : f->GetInteger(p->instance, g->references, g->count, g->values);
    for (uint32_t i = 0; i < g->value_count; i++)
        values[g->columns[i]] = is_real ? reals[i] : wholes[i];
    return status <= FMI2_WARNING;
}

static bool import_get_group_3(const ImportParts *p, FmuType type, double *values)
{
    const ImportGroup *g = &p->groups[type];
    const Fmi3Table *f = &p->binary.fmi3;
    Fmi3Status status = FMI3_ERROR;
    switch (type) {
#define IMPORT_GET(TYPE, c_type, name)                                                             \
    case FMU_##TYPE: {                                                                             \
        c_type *found = g->values;                                                                 \
        if (f->Get##name)                                                                          \
            status = f->Get##name(p->instance, g->references, g->count, found, g->value_count);    \
        for (uint32_t i = 0; i < g->value_count; i++)                                              \
            values[g->columns[i]] = (double)found[i];                                              \
        break;                                                                                     \
    }
        IMPORT_TYPES(IMPORT_GET)
#undef IMPORT_GET
    default:
        break;
    }
    return status <= FMI3_WARNING;
}

bool import_get_values(ImportedFmu *import, double *values)
{
    const ImportParts *p = import->parts;
    bool is_fine = true;
    for (int t = 0; t < FMU_STRING && is_fine; t++)
        if (p->groups[t].count)
            is_fine = import->description->version == 3 ? import_get_group_3(p, (FmuType)t, values)
                                                        : import_get_group_2(p, (FmuType)t, values);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Setting
// ---------------------------------------------------------------------------

// The numbers in a text, with blanks between them. False: there are not as many.
static bool import_read_numbers(const char *text, double *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        text += strspn(text, " \t\n\r");
        const bool is_negative = *text == '-';
        text += is_negative || *text == '+';
        const size_t length = strcspn(text, " \t\n\r");
        if (length == 4 && strncmp(text, "true", 4) == 0)
            values[i] = 1.0;
        else if (length == 5 && strncmp(text, "false", 5) == 0)
            values[i] = 0.0;
        else if (!number_read(text, length, &values[i]))
            return false;
        values[i] = is_negative ? -values[i] : values[i];
        text += length;
    }
    return text[strspn(text, " \t\n\r")] == '\0';
}

static int import_set_2(const ImportParts *p, const FmuVariable *v, const double *value)
{
    const Fmi2Table *f = &p->binary.fmi2;
    const int whole = (int)*value;
    return (int)(v->type == FMU_FLOAT64   ? f->SetReal(p->instance, &v->reference, 1, value)
                 : v->type == FMU_BOOLEAN ? f->SetBoolean(p->instance, &v->reference, 1, &whole)
                                          : f->SetInteger(p->instance, &v->reference, 1, &whole));
}

static int import_set_3(const ImportParts *p, const FmuVariable *v, const double *values)
{
    const Fmi3Table *f = &p->binary.fmi3;
    int status = FMI3_ERROR;
    switch (v->type) {
#define IMPORT_SET(TYPE, c_type, name)                                                             \
    case FMU_##TYPE: {                                                                             \
        c_type *given = calloc(v->size, sizeof *given);                                            \
        for (uint32_t i = 0; given && i < v->size; i++)                                            \
            given[i] = (c_type)values[i];                                                          \
        if (f->Set##name && given)                                                                 \
            status = (int)f->Set##name(p->instance, &v->reference, 1, given, v->size);             \
        free(given);                                                                               \
        break;                                                                                     \
    }
        IMPORT_TYPES(IMPORT_SET)
#undef IMPORT_SET
    default:
        break;
    }
    return status;
}

static int import_set_text(const ImportedFmu *import, const FmuVariable *v, const char *text)
{
    const ImportParts *p = import->parts;
    if (import->description->version == 3)
        return p->binary.fmi3.SetString
                   ? (int)p->binary.fmi3.SetString(p->instance, &v->reference, 1, &text, 1)
                   : FMI3_ERROR;
    return p->binary.fmi2.SetString
               ? (int)p->binary.fmi2.SetString(p->instance, &v->reference, 1, &text)
               : FMI2_ERROR;
}

// What a value of the type must be for the conversion above to be defined.
static bool import_fits(const FmuVariable *v, const double *values)
{
    static const double limits[][2] = {
        [FMU_INT8] = {-128.0, 127.0},
        [FMU_UINT8] = {0.0, 255.0},
        [FMU_INT16] = {-32768.0, 32767.0},
        [FMU_UINT16] = {0.0, 65535.0},
        [FMU_INT32] = {-2147483648.0, 2147483647.0},
        [FMU_UINT32] = {0.0, 4294967295.0},
        [FMU_INT64] = {-9007199254740992.0, 9007199254740992.0},
        [FMU_UINT64] = {0.0, 9007199254740992.0},
        [FMU_BOOLEAN] = {0.0, 1.0},
        [FMU_ENUMERATION] = {-2147483648.0, 2147483647.0},
    };
    bool fits = true;
    for (uint32_t i = 0; i < v->size && v->type > FMU_FLOAT32 && fits; i++)
        fits = values[i] == floor(values[i]) && values[i] >= limits[v->type][0] &&
               values[i] <= limits[v->type][1];
    return fits;
}

int import_set_numbers(const ImportedFmu *import, const FmuVariable *v, const double *values)
{
    if (v->type >= FMU_STRING || !import_fits(v, values))
        return FMI2_ERROR;
    return import->description->version == 3 ? import_set_3(import->parts, v, values)
                                             : import_set_2(import->parts, v, values);
}

bool import_set(ImportedFmu *import, const ImportSetting *setting, char **message)
{
    const FmuDescription *d = import->description;
    const FmuVariable *v = NULL;
    for (uint32_t i = 0; i < d->variable_count && !v; i++)
        if (strcmp(d->variables[i].name, setting->name) == 0)
            v = &d->variables[i];
    if (!v)
        return message_set(message, "the FMU has no variable %s", setting->name);
    if (v->type == FMU_CLOCK && import->parts->def.is_scheduled && setting->value)
        return import_schedule_check(v, setting->value, message);
    int status = FMI2_ERROR;
    if (setting->numbers) {
        status = import_set_numbers(import, v, setting->numbers);
    } else if (v->type == FMU_STRING && v->size == 1) {
        status = import_set_text(import, v, setting->value);
    } else if (v->type < FMU_STRING) {
        double *values = calloc(v->size + 1u, sizeof *values);
        const bool is_read = values && import_read_numbers(setting->value, values, v->size) &&
                             import_fits(v, values);
        if (is_read)
            status = d->version == 3 ? import_set_3(import->parts, v, values)
                                     : import_set_2(import->parts, v, values);
        free(values);
        if (!is_read)
            return message_set(message, "'%s' is no value for %s", setting->value, v->name);
    }
    if (status <= FMI2_WARNING)
        return true;
    char number[NUMBER_LENGTH] = "";
    if (setting->numbers)
        number_print(setting->numbers[0], number);
    message_set(message, "the FMU refuses %s = %s", v->name,
                setting->numbers ? number : setting->value);
    import_add_said(import->parts, message);
    return false;
}
