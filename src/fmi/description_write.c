// SPDX-License-Identifier: MIT
//
// Elements and attributes stand in the order of the standard's schema. What always holds: a start
// value is written where the standard wants one, and nowhere else.

#include "fmi/description_write.h"

#include "base/number.h"
#include "flatten/flat.h"

#include <math.h>

static const char *const type_names[] = {
#define TYPE_NAME(name, text) [FMU_##name] = text,
    FMU_TYPES(TYPE_NAME)
#undef TYPE_NAME
};

#define WORD(name, text) [FMU_##name] = text,
static const char *const causality_names[] = {FMU_CAUSALITIES(WORD)};
static const char *const variability_names[] = {FMU_VARIABILITIES(WORD)};
static const char *const initial_names[] = {FMU_INITIALS(WORD)};
#undef WORD

// ---------------------------------------------------------------------------
// Attributes
// ---------------------------------------------------------------------------

// Line ends and tabs would become blanks in an attribute (XML 1.0, section 3.3.3).
static void xml_attribute(StringBuilder *out, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\n\t\r");
        text_escape_xml(out, text, length);
        text += length;
        if (*text)
            builder_append_format(out, "&#%d;", *text++);
    }
}

static void xml_text(StringBuilder *out, const char *name, const char *text)
{
    if (!text)
        return;
    builder_append_format(out, " %s=\"", name);
    xml_attribute(out, text);
    builder_append_character(out, '"');
}

static void xml_flag(StringBuilder *out, const char *name, bool value)
{
    if (value)
        builder_append_format(out, " %s=\"true\"", name);
}

// xs:double has INF and NaN, which no attribute of a model needs: not given.
static void xml_number(StringBuilder *out, const char *name, double value, bool is_whole)
{
    char text[NUMBER_LENGTH];
    if (!isfinite(value))
        return;
    if (is_whole) {
        builder_append_format(out, " %s=\"%.0f\"", name, value);
        return;
    }
    number_write(value, text);
    builder_append_format(out, " %s=\"%s\"", name, text);
}

// ---------------------------------------------------------------------------
// What is said once
// ---------------------------------------------------------------------------

static void write_interface(StringBuilder *out, const FmuDescription *d, bool is_exchange)
{
    const bool is_new = d->version == 3;
    const char *identifier = is_exchange ? d->exchange : d->cosimulation;
    if (!identifier)
        return;
    builder_append_text(out, is_exchange ? "  <ModelExchange" : "  <CoSimulation");
    xml_text(out, "modelIdentifier", identifier);
    xml_flag(out, is_new ? "canGetAndSetFMUState" : "canGetAndSetFMUstate", d->can_keep_state);
    xml_flag(out, is_new ? "canSerializeFMUState" : "canSerializeFMUstate", d->can_serialize_state);
    xml_flag(out, is_new ? "providesDirectionalDerivatives" : "providesDirectionalDerivative",
             d->has_derivatives);
    if (is_new)
        xml_flag(out, "providesAdjointDerivatives", d->has_derivatives);
    if (is_new && is_exchange)
        xml_flag(out, "needsCompletedIntegratorStep", true); // signs, and other states: exchange.c
    if (!is_new)
        xml_flag(out, "canNotUseMemoryManagementFunctions", true);
    if (!is_exchange) {
        xml_flag(out, "canHandleVariableCommunicationStepSize", true);
        if (is_new) {
            xml_flag(out, "canReturnEarlyAfterIntermediateUpdate", d->can_return_early);
            xml_flag(out, "providesIntermediateUpdate", d->can_return_early);
            xml_flag(out, "hasEventMode", d->has_event_mode);
        } else {
            xml_flag(out, "canInterpolateInputs", true);
        }
    }
    if (is_new || !d->sources) {
        builder_append_text(out, "/>\n");
        return;
    }
    builder_append_text(out, ">\n    <SourceFiles>\n");
    for (uint32_t i = 0; i < d->source_count; i++)
        builder_append_format(out, "      <File name=\"%s\"/>\n", d->sources[i]);
    builder_append_text(out, is_exchange ? "    </SourceFiles>\n  </ModelExchange>\n"
                                         : "    </SourceFiles>\n  </CoSimulation>\n");
}

static bool is_first_unit(const FmuDescription *d, uint32_t variable)
{
    const char *unit = d->variables[variable].unit;
    bool is_first = unit;
    for (uint32_t i = 0; i < variable && is_first; i++)
        is_first = !d->variables[i].unit || strcmp(d->variables[i].unit, unit) != 0;
    return is_first;
}

static void write_units(StringBuilder *out, const FmuDescription *d)
{
    bool is_open = false;
    for (uint32_t i = 0; i < d->variable_count; i++) {
        if (!is_first_unit(d, i))
            continue;
        builder_append_text(out, is_open ? "    <Unit" : "  <UnitDefinitions>\n    <Unit");
        xml_text(out, "name", d->variables[i].unit);
        builder_append_text(out, "/>\n");
        is_open = true;
    }
    if (is_open)
        builder_append_text(out, "  </UnitDefinitions>\n");
}

static void write_enumerations(StringBuilder *out, const FmuDescription *d)
{
    const bool is_new = d->version == 3;
    if (d->enumeration_count == 0)
        return;
    builder_append_text(out, "  <TypeDefinitions>\n");
    for (uint32_t i = 0; i < d->enumeration_count; i++) {
        const FlatType *e = d->enumerations[i];
        builder_append_text(out, is_new ? "    <EnumerationType" : "    <SimpleType");
        xml_text(out, "name", e->name);
        builder_append_text(out, is_new ? ">\n" : "><Enumeration>\n");
        for (uint32_t k = 0; k < e->count; k++) {
            builder_append_text(out, "      <Item");
            xml_text(out, "name", e->literals[k]->text);
            builder_append_format(out, " value=\"%u\"/>\n", k + 1);
        }
        builder_append_text(out, is_new ? "    </EnumerationType>\n"
                                        : "    </Enumeration></SimpleType>\n");
    }
    builder_append_text(out, "  </TypeDefinitions>\n");
}

static void write_experiment(StringBuilder *out, const FmuDescription *d)
{
    builder_append_text(out, "  <LogCategories>\n");
#define WRITE_CATEGORY(name, what)                                                                 \
    builder_append_text(out, "    <Category name=\"" name "\" description=\"" what "\"/>\n");
    FMU_LOG_CATEGORIES(WRITE_CATEGORY)
#undef WRITE_CATEGORY
    builder_append_text(out, "  </LogCategories>\n  <DefaultExperiment");
    xml_number(out, "startTime", d->start_time, false);
    xml_number(out, "stopTime", d->stop_time, false);
    xml_number(out, "tolerance", d->tolerance, false);
    xml_number(out, "stepSize", d->step, false);
    builder_append_text(out, "/>\n");
}

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

static bool description_has_start(const FmuVariable *v)
{
    return v->variability == FMU_CONSTANT || v->causality == FMU_PARAMETER ||
           v->causality == FMU_INPUT || v->initial == FMU_EXACT || v->initial == FMU_APPROX;
}

static void write_start(StringBuilder *out, const FmuVariable *v)
{
    if (!description_has_start(v))
        return;
    if (v->type == FMU_BOOLEAN)
        xml_text(out, "start", v->start != 0.0 ? "true" : "false");
    else
        xml_number(out, "start", isnan(v->start) ? 0.0 : v->start, v->type != FMU_FLOAT64);
}

static void write_kind(StringBuilder *out, const FmuVariable *v)
{
    builder_append_format(out, " valueReference=\"%u\"", v->reference);
    xml_text(out, "description", v->text);
    xml_text(out, "causality", causality_names[v->causality]);
    xml_text(out, "variability", variability_names[v->variability]);
    if (v->initial != FMU_NO_INITIAL)
        xml_text(out, "initial", initial_names[v->initial]);
}

static void description_write_range(StringBuilder *out, const FmuVariable *v)
{
    const bool is_whole = v->type != FMU_FLOAT64;
    if (v->type == FMU_BOOLEAN || v->type == FMU_STRING)
        return;
    if (v->type != FMU_ENUMERATION)
        xml_text(out, "quantity", v->quantity);
    if (v->type == FMU_FLOAT64)
        xml_text(out, "unit", v->unit);
    xml_number(out, "min", v->minimum, is_whole);
    xml_number(out, "max", v->maximum, is_whole);
    if (v->type == FMU_FLOAT64)
        xml_number(out, "nominal", v->nominal, false);
}

static void write_variable_2(StringBuilder *out, const FmuVariable *v)
{
    static const char *const names[] = {
        [FMU_FLOAT64] = "Real",    [FMU_INT32] = "Integer",           [FMU_INT64] = "Integer",
        [FMU_BOOLEAN] = "Boolean", [FMU_ENUMERATION] = "Enumeration", [FMU_STRING] = "String"};
    builder_append_text(out, "    <ScalarVariable");
    xml_text(out, "name", v->name);
    write_kind(out, v);
    builder_append_format(out, "><%s", names[v->type]);
    if (v->type == FMU_ENUMERATION)
        xml_text(out, "declaredType", v->enumeration);
    description_write_range(out, v);
    if (v->type == FMU_STRING && description_has_start(v))
        xml_text(out, "start", v->start_text ? v->start_text : "");
    else
        write_start(out, v);
    if (v->state != FMU_NOTHING)
        builder_append_format(out, " derivative=\"%u\"", v->state + 1);
    xml_flag(out, "reinit", v->is_reinit);
    builder_append_text(out, "/></ScalarVariable>\n");
}

static void write_variable_3(StringBuilder *out, const FmuDescription *d, uint32_t index)
{
    const FmuVariable *v = &d->variables[index];
    if (v->alias != FMU_NOTHING)
        return; // it stands in the other one
    builder_append_format(out, "    <%s", type_names[v->type]);
    xml_text(out, "name", v->name);
    write_kind(out, v);
    if (v->type == FMU_CLOCK)
        xml_text(out, "intervalVariability", "triggered");
    if (v->type == FMU_ENUMERATION)
        xml_text(out, "declaredType", v->enumeration);
    description_write_range(out, v);
    if (v->type != FMU_STRING)
        write_start(out, v);
    if (v->state != FMU_NOTHING)
        builder_append_format(out, " derivative=\"%u\"", d->variables[v->state].reference);
    xml_flag(out, "reinit", v->is_reinit);
    builder_append_text(out, ">");
    if (v->type == FMU_STRING && description_has_start(v)) {
        builder_append_text(out, "<Start");
        xml_text(out, "value", v->start_text ? v->start_text : "");
        builder_append_text(out, "/>");
    }
    for (uint32_t i = index + 1; i < d->variable_count; i++) {
        if (d->variables[i].alias != index)
            continue;
        builder_append_text(out, "<Alias");
        xml_text(out, "name", d->variables[i].name);
        xml_text(out, "description", d->variables[i].text);
        builder_append_text(out, "/>");
    }
    builder_append_format(out, "</%s>\n", type_names[v->type]);
}

// ---------------------------------------------------------------------------
// Structure
// ---------------------------------------------------------------------------

static void write_unknown(StringBuilder *out, const FmuDescription *d, const char *name,
                          uint32_t variable)
{
    if (d->version == 2)
        builder_append_format(out, "      <Unknown index=\"%u\"/>\n", variable + 1);
    else
        builder_append_format(out, "    <%s valueReference=\"%u\"/>\n", name,
                              d->variables[variable].reference);
}

static void write_unknowns(StringBuilder *out, const FmuDescription *d, const char *list,
                           const char *name, const uint32_t *variables, uint32_t count)
{
    if (count == 0)
        return;
    if (d->version == 2)
        builder_append_format(out, "    <%s>\n", list);
    for (uint32_t i = 0; i < count; i++)
        write_unknown(out, d, name, variables[i]);
    if (d->version == 2)
        builder_append_format(out, "    </%s>\n", list);
}

static bool is_among(const uint32_t *list, uint32_t count, uint32_t variable)
{
    bool is_found = false;
    for (uint32_t i = 0; i < count && !is_found; i++)
        is_found = list[i] == variable;
    return is_found;
}

// Outputs, calculated parameters, states and their derivatives that the initialization computes
// (FMI 2.0.4, section 2.2.8; FMI 3.0, section 2.4.8).
static bool is_initial_unknown(const FmuDescription *d, uint32_t index)
{
    const FmuVariable *v = &d->variables[index];
    if (v->alias != FMU_NOTHING && d->version == 3)
        return false;
    if (v->causality == FMU_CALCULATED_PARAMETER)
        return true;
    if (v->initial != FMU_CALCULATED && v->initial != FMU_APPROX)
        return false;
    bool is_state = false;
    for (uint32_t i = 0; i < d->derivative_count && !is_state; i++)
        is_state = d->variables[d->derivatives[i]].state == index;
    return v->causality == FMU_OUTPUT || is_state ||
           is_among(d->derivatives, d->derivative_count, index);
}

static void write_structure(StringBuilder *out, const FmuDescription *d)
{
    bool is_open = false;
    builder_append_text(out, "  <ModelStructure>\n");
    write_unknowns(out, d, "Outputs", "Output", d->outputs, d->output_count);
    write_unknowns(out, d, "Derivatives", "ContinuousStateDerivative", d->derivatives,
                   d->derivative_count);
    for (uint32_t i = 0; i < d->variable_count; i++) {
        if (!is_initial_unknown(d, i))
            continue;
        if (!is_open && d->version == 2)
            builder_append_text(out, "    <InitialUnknowns>\n");
        is_open = true;
        write_unknown(out, d, "InitialUnknown", i);
    }
    if (is_open && d->version == 2)
        builder_append_text(out, "    </InitialUnknowns>\n");
    if (d->version == 3)
        write_unknowns(out, d, "", "EventIndicator", d->indicators, d->indicator_count);
    builder_append_text(out, "  </ModelStructure>\n");
}

void description_write(StringBuilder *out, const FmuDescription *d)
{
    builder_append_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    xml_text(out, "fmiVersion", d->version == 3 ? "3.0" : "2.0");
    xml_text(out, "modelName", d->name);
    xml_text(out, d->version == 3 ? "instantiationToken" : "guid", d->token);
    xml_text(out, "description", d->text);
    xml_text(out, "generationTool", d->tool);
    xml_text(out, "variableNamingConvention", "structured");
    if (d->version == 2 && d->exchange)
        builder_append_format(out, " numberOfEventIndicators=\"%u\"", d->indicator_count);
    builder_append_text(out, ">\n");
    write_interface(out, d, true);
    write_interface(out, d, false);
    write_units(out, d);
    write_enumerations(out, d);
    write_experiment(out, d);
    builder_append_text(out, "  <ModelVariables>\n");
    for (uint32_t i = 0; i < d->variable_count; i++) {
        if (d->version == 2)
            write_variable_2(out, &d->variables[i]);
        else
            write_variable_3(out, d, i);
    }
    builder_append_text(out, "  </ModelVariables>\n");
    write_structure(out, d);
    builder_append_text(out, "</fmiModelDescription>\n");
}
