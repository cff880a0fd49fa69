// SPDX-License-Identifier: MIT
//
// saltus events: the table of the events that a model can have, before any run.

#include "cli/model.h"
#include "modes/event_table.h"
#include "results/writer.h"

#include <saltus/saltus.h>
#include <stdio.h>

enum { MOST_MODES = 200 }; // that are compared

static const Option events_options[] = {
    {.name = "csv",
     .kind = OPTION_FLAG,
     .help = "print CSV",
     .offset = offsetof(ListingCommand, csv)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print JSON",
     .offset = offsetof(ListingCommand, json)},
    MODEL_OPTIONS(ListingCommand, model),
};

const OptionTable events_table = {
    .command = "events",
    .synopsis = "[options] FILE... [MODEL]",
    .description =
        "Print the events that a model can have, without running it: the condition, the\n"
        "direction in which its event function must cross zero, what happens then, and\n"
        "the classes of state events to which it can belong (SE-P parameters, SE-I\n"
        "inputs, SE-X states, SE-F right-hand side, SE-S structure, SE-O output, SE-A\n"
        "algorithm).\n"
        "Exit status: 0 no errors, 2 wrong usage or unreadable file, 3 errors.",
    .options = events_options,
    .count = sizeof events_options / sizeof *events_options,
    .examples = "saltus events Ball.mo\n"
                "saltus events Circuit.mo Circuit.Rectifier --csv > events.csv\n"
                "saltus events Ball.mo --json | jq '.events[].condition'\n",
};

static void events_print_text(uint32_t count, const EventRow *rows, const Sources *sources)
{
    char classes[SALTUS_CLASSES_TEXT_SIZE];
    for (uint32_t i = 0; i < count; i++) {
        const EventRow *row = &rows[i];
        const SourcePlace place = sources_locate(sources, row->span.begin);
        printf("%s:%u: %s\n", place.file ? place.file->name : "?", place.line, row->condition);
        printf("    %s, %s%s%s\n", saltus_classes_text(row->classes, classes),
               event_table_direction(row->direction), row->function ? ", event function " : "",
               row->function ? row->function : "");
        if (*row->action)
            printf("    %s\n", row->action);
    }
    if (count == 0)
        puts("no events");
}

static void print_csv(uint32_t count, const EventRow *rows, const Sources *sources)
{
    char classes[SALTUS_CLASSES_TEXT_SIZE];
    puts("condition,function,direction,class,action,file,line");
    for (uint32_t i = 0; i < count; i++) {
        const EventRow *row = &rows[i];
        const SourcePlace place = sources_locate(sources, row->span.begin);
        writer_csv_field(stdout, row->condition);
        putchar(',');
        writer_csv_field(stdout, row->function ? row->function : "");
        printf(",%s,%s,", event_table_direction(row->direction),
               saltus_classes_text(row->classes, classes));
        writer_csv_field(stdout, row->action);
        putchar(',');
        writer_csv_field(stdout, place.file ? place.file->name : "");
        printf(",%u\n", place.line);
    }
}

static void events_json_classes(unsigned classes)
{
    const char *comma = "";
    for (unsigned bit = 1; bit <= SALTUS_SE_A; bit <<= 1) {
        char text[SALTUS_CLASSES_TEXT_SIZE];
        if (!(classes & bit))
            continue;
        printf("%s\"%s\"", comma, saltus_classes_text(bit, text));
        comma = ",";
    }
}

static void events_print_json(uint32_t count, const EventRow *rows, const Sources *sources,
                              const char *model)
{
    fputs("{\"schema\":\"saltus-event-table\",\"version\":1,\"model\":", stdout);
    writer_json_string(stdout, model);
    fputs(",\"events\":[", stdout);
    for (uint32_t i = 0; i < count; i++) {
        const EventRow *row = &rows[i];
        const SourcePlace place = sources_locate(sources, row->span.begin);
        fputs(i ? ",\n{\"condition\":" : "\n{\"condition\":", stdout);
        writer_json_string(stdout, row->condition);
        fputs(",\"function\":", stdout);
        if (row->function)
            writer_json_string(stdout, row->function);
        else
            fputs("null", stdout);
        printf(",\"direction\":\"%s\",\"classes\":[", event_table_direction(row->direction));
        events_json_classes(row->classes);
        fputs("],\"action\":", stdout);
        writer_json_string(stdout, row->action);
        fputs(",\"file\":", stdout);
        writer_json_string(stdout, place.file ? place.file->name : "");
        printf(",\"line\":%u,\"column\":%u}", place.line, place.column);
    }
    fputs("]}\n", stdout);
}

static ExitStatus print_events(const void *user, const Loaded *l)
{
    const ListingCommand *command = user;
    const Compilation *c = l->compilation;
    model_print_messages(c, &command->model);
    if (!l->flat)
        return EXIT_MODEL_WRONG;
    if (l->model)
        model_explore(l->model, MOST_MODES);
    uint32_t count;
    const EventRow *rows = event_table_create(c->arena, l->flat, l->model, &count);
    if (command->json)
        events_print_json(count, rows, c->sources, l->flat->name);
    else if (command->csv)
        print_csv(count, rows, c->sources);
    else
        events_print_text(count, rows, c->sources);
    return l->model ? EXIT_FINE : EXIT_MODEL_WRONG;
}

ExitStatus events_run(int argc, char **argv)
{
    ListingCommand command = {0};
    ExitStatus status;
    if (!options_parse(&events_table, &argc, argv, &command, &status))
        return status;
    if (command.csv && command.json)
        return options_complain(&events_table, "--csv or --json, not both");
    return model_use(&events_table, argc, argv, &command.model, false, print_events, &command);
}
