// SPDX-License-Identifier: MIT
//
// The ball with dynamic contact: it is deformed, and lifts off again when the contact force has
// vanished. Ten contacts, then it stays down. Shown as a hybrid decomposition (two modes, SE-F) and
// as switching parts (one mode with a parameter, SE-P), with a stiff and a non-stiff solver.
//
// The model is in models/dynamic_contact.c.

#include "models/dynamic_contact.h"
#include "check.h"

// Both solvers, both forms of the model must find the same; the errors of ten contacts add up, and
// the ball's speed turns a tolerance of the height into one of the time.
static const double tolerance = 1e-10, agreement = 1e-8;

typedef SaltusStatus (*Create)(SaltusSystem **system, SaltusError *error);

typedef struct Story {
    SaltusSystem *system;
    SaltusRun *run;
} Story;

// Long enough for the ball to come to rest.
static Story tell(Create create, SaltusSolver solver, const double *parameters)
{
    Story story = {0};
    SaltusError error;
    stop_if(create(&story.system, &error), &error);
    SaltusOptions options = options_for(solver, SALTUS_LOCATE_BRENT, tolerance);
    options.parameters = parameters;
    story.run = run_until(story.system, &options, 4.5);
    return story;
}

static void forget(Story *story)
{
    saltus_run_destroy(story->run);
    saltus_system_destroy(story->system);
}

static double recorded(const Story *story, const char *event, int number)
{
    SaltusLogEntry entry = find_event(story->system, story->run, event, number);
    return entry.record_count > 0 ? entry.records[0].after : NAN;
}

static void check_story(const Story *story, unsigned class)
{
    check_that(count_events(story->system, story->run, "contact") == 10, "ten contacts");
    check_that(count_events(story->system, story->run, "lift-off") == 9, "nine flights after them");
    check_that(find_event(story->system, story->run, "lift-off", 0).classes == class,
               "events of the expected class");
    check("second flight, height (published)", recorded(story, "apex", 0), 2.494758649, 1e-9);
    check("first deformation (published)", recorded(story, "deepest", 0), 9.87399975e-3, 5e-12);
    check("second deformation (published)", recorded(story, "deepest", 1), 4.97196356e-3, 5e-12);
    // At rest the spring carries the weight.
    check("deformation at rest, g/k", saltus_run_states(story->run)[CONTACT_W], 9.81e-6, 1e-10);
}

static void check_same_times(const Story *one, const Story *other)
{
    double most = 0.0;
    for (int i = 0; i < 10; i++) {
        double c1 = find_event(one->system, one->run, "contact", i).t;
        double c2 = find_event(other->system, other->run, "contact", i).t;
        double f1 = i < 9 ? find_event(one->system, one->run, "lift-off", i).t : 0.0;
        double f2 = i < 9 ? find_event(other->system, other->run, "lift-off", i).t : 0.0;
        most = fmax(most, fmax(fabs(c1 - c2), fabs(f1 - f2)));
    }
    check("largest difference of event times", most, 0.0, agreement);
}

int main(void)
{
    printf("Two modes, rodas\n");
    Story stiff = tell(dynamic_contact_create, SALTUS_SOLVER_RODAS, NULL);
    print_events(stiff.system, stiff.run, 38);
    check_story(&stiff, SALTUS_SE_F);

    printf("Two modes, dopri5\n");
    Story plain = tell(dynamic_contact_create, SALTUS_SOLVER_DOPRI5, NULL);
    check_story(&plain, SALTUS_SE_F);
    check_same_times(&stiff, &plain);

    printf("One mode with a parameter, rodas\n");
    Story switched = tell(dynamic_contact_create_switched, SALTUS_SOLVER_RODAS, NULL);
    check_story(&switched, SALTUS_SE_P);
    check_same_times(&stiff, &switched);

    printf("With drag also in contact, as one of the published solutions has it\n");
    double parameters[CONTACT_PARAMETERS];
    for (int i = 0; i < CONTACT_PARAMETERS; i++)
        parameters[i] = contact_parameters[i];
    parameters[CONTACT_DRAG] = 1.0;
    Story dragged = tell(dynamic_contact_create, SALTUS_SOLVER_RODAS, parameters);
    check("second flight, height (published)", recorded(&dragged, "apex", 0), 2.494661006, 1e-9);
    check("first deformation (published)", recorded(&dragged, "deepest", 0), 9.87387827e-3, 5e-12);

    forget(&stiff);
    forget(&plain);
    forget(&switched);
    forget(&dragged);
    return checks_done();
}
