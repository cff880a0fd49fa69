// SPDX-License-Identifier: MIT
//
// Messages: a follower sends what it has found (nothing at first), and gets the numbers of the next
// points; none: the sweep is over. What was found is packed, for each point its number, status,
// values and message; before them the seconds that the follower has worked and waited so far, and
// how many points its kernel has run and left.

#include "mpi/crew.h"

#include <mpi.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TAG_FOUND = 1, TAG_POINTS, TAG_USUAL_POINTS, TAG_END };
enum { WORKED, WAITED, BY_KERNEL, ASIDE, TIME_COUNT };
enum { MOST_POINTS = 4096 }; // in one message

// So long should a rank be busy with what it is given.
static const double chunk_seconds = 0.5;
// What is later than this, and than ten times the longest point would take, is lost.
static const double patience = 5.0;

// What is known of a rank.
typedef struct CrewMember {
    bool takes_part, is_lost;
    bool asks;    // it has nothing to do
    size_t count; // points in hand
    uint64_t *points;
    MPI_Request sending;      // them
    double given;             // when
    double seconds;           // for a point, at most so far
    double times[TIME_COUNT]; // as it said last
} CrewMember;

struct Crew {
    int rank, size;
    int voice; // standard error as it was; -1: none
    bool has_joined, is_led, has_lost, ends_hard;
    CrewMember *members;
    double begin, seconds; // of the sweep
    size_t total;          // points that were run in it
    char *buffer;
    size_t length, room;
};

static double crew_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void crew_sleep(long microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000 * microseconds}, NULL);
}

// Open MPI looks for fast networks for a quarter of a second; ranks of one machine need none, and
// find each other by its usual transport, unless the user has chosen another one.
static void crew_stay_here(void)
{
    const char *all = getenv("OMPI_COMM_WORLD_SIZE"), *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (all && here && strcmp(all, here) == 0)
        setenv("OMPI_MCA_pml", "ob1", 0);
}

Crew *crew_begin(int *argc, char ***argv)
{
    int level = 0;
    Crew *c = calloc(1, sizeof *c);
    crew_stay_here();
    if (!c || MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
        free(c);
        return NULL;
    }
    c->voice = dup(STDERR_FILENO);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c->size);
    c->members = calloc((size_t)c->size, sizeof *c->members);
    for (int i = 0; c->members && i < c->size; i++)
        c->members[i].sending = MPI_REQUEST_NULL;
    return c;
}

// The sweep ends, for all ranks.
static void crew_abort(const Crew *c, const char *reason)
{
    dprintf(c->voice, "saltus: error: rank %d: %s; --resume goes on from what was finished\n",
            c->rank, reason);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

bool crew_leads(const Crew *c)
{
    return c->rank == 0;
}

// All ranks meet here once, whether they can take part or not. False: rank 0 cannot.
static bool crew_join(Crew *c, bool is_able)
{
    const int mine = is_able;
    int *all = calloc((size_t)c->size, sizeof *all);
    c->has_joined = true;
    if (!all)
        crew_abort(c, "out of memory");
    else if (MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD) != MPI_SUCCESS)
        crew_abort(c, "the others cannot be reached");
    for (int i = 1; all && i < c->size; i++) {
        c->members[i].takes_part = all[i];
        if (c->rank == 0 && mine && !all[i])
            fprintf(stderr, "saltus: warning: rank %d cannot open the model, and takes no part\n",
                    i);
    }
    c->is_led = all && all[0];
    free(all);
    return c->is_led;
}

// ---------------------------------------------------------------------------
// Packing
// ---------------------------------------------------------------------------

static bool crew_pack(Crew *c, const void *bytes, size_t count)
{
    if (c->length + count > c->room) {
        const size_t room = 2 * (c->length + count) + 1024;
        char *grown = realloc(c->buffer, room);
        if (!grown)
            return false;
        c->buffer = grown;
        c->room = room;
    }
    memcpy(c->buffer + c->length, bytes, count);
    c->length += count;
    return true;
}

static bool crew_pack_record(Crew *c, const JournalRecord *r)
{
    const uint64_t head[] = {r->index, (uint64_t)(int64_t)r->status, strlen(r->message)};
    return crew_pack(c, head, sizeof head) &&
           crew_pack(c, r->values, r->count * sizeof *r->values) &&
           crew_pack(c, r->message, (size_t)head[2] + 1);
}

// The next record from *at on; its values are copied, for a message may have any length. False:
// there is none.
static bool crew_unpack(const Crew *c, size_t *at, double *values, JournalRecord *r)
{
    uint64_t head[3];
    if (*at + sizeof head > c->length)
        return false;
    memcpy(head, c->buffer + *at, sizeof head);
    const size_t bytes = r->count * sizeof *values;
    if (*at + sizeof head + bytes + head[2] + 1 > c->length)
        return false;
    memcpy(values, c->buffer + *at + sizeof head, bytes);
    r->index = (size_t)head[0];
    r->status = (int)(int64_t)head[1];
    r->values = values;
    r->message = c->buffer + *at + sizeof head + bytes;
    *at += sizeof head + bytes + (size_t)head[2] + 1;
    return true;
}

// ---------------------------------------------------------------------------
// The leader
// ---------------------------------------------------------------------------

static size_t chunk_of(const Crew *c, const CrewMember *m, Sweep *sweep)
{
    const size_t fair = sweep_left(sweep) / (4 * (size_t)c->size) + 1;
    const double fitting = m->seconds > 0.0 ? chunk_seconds / m->seconds : 1.0;
    size_t count = fitting < (double)fair ? (size_t)fitting : fair;
    count = count < MOST_POINTS ? count : MOST_POINTS;
    return count > 0 ? count : 1;
}

// Nothing is sent or received without a limit: what a rank that dies has begun is never finished.
static bool crew_finish(MPI_Request *request)
{
    const double begin = crew_clock();
    int is_done = 0;
    while (MPI_Test(request, &is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !is_done &&
           crew_clock() - begin < patience)
        crew_sleep(50);
    return is_done;
}

// Its points are to be run by others.
static void crew_lose(Crew *c, int rank, Sweep *sweep)
{
    CrewMember *m = &c->members[rank];
    for (size_t k = 0; sweep && k < m->count; k++)
        sweep_give_back(sweep, (size_t)m->points[k]);
    if (sweep)
        fprintf(stderr, "saltus: warning: rank %d is silent: its %zu points are run by others\n",
                rank, m->count);
    m->is_lost = c->has_lost = true;
    m->asks = false;
}

// Gives a rank that asks more to do; none: what others have in hand is all that is left.
static void crew_give(Crew *c, int rank, Sweep *sweep)
{
    CrewMember *m = &c->members[rank];
    if (!crew_finish(&m->sending)) { // what it has answered it must have got
        crew_lose(c, rank, sweep);
        return;
    }
    if (!m->points)
        m->points = calloc(MOST_POINTS, sizeof *m->points);
    m->count = 0;
    for (size_t want = m->points ? chunk_of(c, m, sweep) : 0, index; m->count < want; m->count++) {
        if (!sweep_take(sweep, &index))
            break;
        m->points[m->count] = index;
    }
    m->given = crew_clock();
    m->asks = m->count == 0;
    if (m->count > 0 && MPI_Isend(m->points, (int)m->count, MPI_UINT64_T, rank,
                                  sweep_uses_kernel(sweep) ? TAG_POINTS : TAG_USUAL_POINTS,
                                  MPI_COMM_WORLD, &m->sending) != MPI_SUCCESS)
        m->given = -INFINITY; // it is lost at once
}

// What a rank has found; it asks for more. After the sweep: NULL, and nothing is kept.
static void crew_receive(Crew *c, int rank, int bytes, Sweep *sweep, double *values)
{
    CrewMember *m = &c->members[rank];
    double times[TIME_COUNT] = {0.0};
    c->length = 0;
    char *grown = realloc(c->buffer, (size_t)bytes + 1);
    c->buffer = grown ? grown : c->buffer;
    c->room = grown ? (size_t)bytes + 1 : c->room;
    MPI_Request receiving;
    if (!grown || MPI_Irecv(c->buffer, bytes, MPI_BYTE, rank, TAG_FOUND, MPI_COMM_WORLD,
                            &receiving) != MPI_SUCCESS) {
        if (sweep)
            sweep_break_off(sweep, grown ? "a message was not received" : "out of memory");
        m->asks = true; // it is not waited for: what it says would be there for ever
        return;
    }
    if (!crew_finish(&receiving)) {
        c->buffer = NULL; // the library may still write there
        c->room = 0;
        crew_lose(c, rank, sweep);
        return; // cppcheck-suppress memleak
    }
    c->length = (size_t)bytes;
    size_t at = sizeof times, count = 0;
    memcpy(times, c->buffer, sizeof times);
    JournalRecord r = {.count = sweep ? sweep_result_count(sweep) : 0};
    for (; sweep && crew_unpack(c, &at, values, &r); count++)
        sweep_put(sweep, &r);
    for (size_t k = 0; sweep && k < m->count && !m->is_lost; k++)
        sweep_give_back(sweep, (size_t)m->points[k]); // unless it is done
    if (count > 0)
        m->seconds = (times[WORKED] - m->times[WORKED]) / (double)count;
    if (sweep)
        sweep_count_kernel(sweep, times[BY_KERNEL] - m->times[BY_KERNEL],
                           times[ASIDE] - m->times[ASIDE]);
    memcpy(m->times, times, sizeof times);
    m->count = 0;
    m->asks = true;
    m->is_lost = false; // it was late
}

// Points in the hands of a rank that is late are to be run by others.
static void crew_look_for_lost(Crew *c, Sweep *sweep)
{
    double longest = 0.0;
    for (int i = 1; i < c->size; i++)
        longest = fmax(longest, c->members[i].seconds);
    for (int i = 1; i < c->size; i++) {
        CrewMember *m = &c->members[i];
        if (m->count == 0 || m->is_lost ||
            crew_clock() - m->given < patience + 10 * longest * (double)m->count)
            continue;
        crew_lose(c, i, sweep);
    }
}

static bool crew_probe(int *rank, int *bytes)
{
    int is_there = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_FOUND, MPI_COMM_WORLD, &is_there, &status) != MPI_SUCCESS ||
        !is_there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, bytes);
    *rank = status.MPI_SOURCE;
    return true;
}

static void crew_lead(void *user, Sweep *sweep)
{
    enum { SHORTEST = 50, LONGEST = 2000 }; // microseconds: 0.4 % of a chunk
    static const double between_reports = 0.1;
    Crew *c = user;
    double *values = calloc(sweep_result_count(sweep) + 1, sizeof *values), reported = 0.0;
    long pause = SHORTEST;
    if (!values)
        sweep_break_off(sweep, "out of memory");
    c->begin = crew_clock();
    while (!sweep_is_over(sweep)) {
        int rank, bytes;
        const bool is_there = crew_probe(&rank, &bytes);
        if (is_there)
            crew_receive(c, rank, bytes, sweep, values);
        for (int i = 1; i < c->size; i++)
            if (c->members[i].asks)
                crew_give(c, i, sweep);
        crew_look_for_lost(c, sweep);
        if (crew_clock() - reported > between_reports) {
            sweep_show_progress(sweep);
            reported = crew_clock();
        }
        pause = is_there ? SHORTEST : pause < LONGEST ? 2 * pause : LONGEST;
        if (!is_there)
            crew_sleep(pause);
    }
    c->seconds = crew_clock() - c->begin;
    c->total = sweep_count(sweep) - sweep_left(sweep) - sweep_resumed(sweep);
    free(values);
}

// ---------------------------------------------------------------------------
// The others
// ---------------------------------------------------------------------------

static bool crew_put(void *user, const JournalRecord *record)
{
    return crew_pack_record(user, record);
}

static bool crew_run_points(Crew *c, Sweep *sweep, SweepHand *hand, const uint64_t *points,
                            size_t count)
{
    size_t numbers[MOST_POINTS];
    for (size_t i = 0; i < count; i++)
        numbers[i] = (size_t)points[i];
    return sweep_run_points(sweep, hand, numbers, count, crew_put, c);
}

// Until there is an answer: MPI_Recv alone would keep a processor busy that others may need.
static void crew_wait(void)
{
    enum { FIRST = 20, MOST = 500 }; // microseconds
    int is_there = 0;
    for (long pause = FIRST;
         MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
         !is_there;
         pause = pause < MOST ? 2 * pause : MOST)
        crew_sleep(pause);
}

static void crew_follow(void *user, Sweep *sweep)
{
    Crew *c = user;
    uint64_t *points = calloc(MOST_POINTS, sizeof *points);
    SweepHand *hand = sweep_hand(sweep);
    bool goes_on = points && hand;
    double times[TIME_COUNT] = {0.0};
    c->length = 0;
    while (goes_on && (c->length > 0 || crew_pack(c, times, sizeof times))) {
        MPI_Status status;
        int count = 0;
        const double asked = crew_clock();
        memcpy(c->buffer, times, sizeof times);
        goes_on = MPI_Send(c->buffer, (int)c->length, MPI_BYTE, 0, TAG_FOUND, MPI_COMM_WORLD) ==
                  MPI_SUCCESS;
        crew_wait();
        goes_on = goes_on && MPI_Recv(points, MOST_POINTS, MPI_UINT64_T, 0, MPI_ANY_TAG,
                                      MPI_COMM_WORLD, &status) == MPI_SUCCESS;
        if (!goes_on || status.MPI_TAG == TAG_END)
            break;
        MPI_Get_count(&status, MPI_UINT64_T, &count);
        const double given = crew_clock();
        times[WAITED] += given - asked;
        c->length = 0;
        if (status.MPI_TAG == TAG_USUAL_POINTS)
            sweep_distrust_kernel(sweep);
        goes_on = crew_pack(c, times, sizeof times) &&
                  crew_run_points(c, sweep, hand, points, (size_t)count);
        times[WORKED] += crew_clock() - given;
        times[BY_KERNEL] = (double)sweep_kernel_report(sweep).finished;
        times[ASIDE] = (double)sweep_kernel_report(sweep).aside;
    }
    if (!points || !hand || !goes_on)
        crew_abort(c, "out of memory, or rank 0 cannot be reached");
    c->ends_hard = points && points[0] == 0;
    sweep_hand_free(hand);
    free(points);
}

// ---------------------------------------------------------------------------
// The sweep and the end
// ---------------------------------------------------------------------------

static bool crew_meet(void *user)
{
    return crew_join(user, true);
}

SweepCrew crew_of_sweep(Crew *c)
{
    return (SweepCrew){.user = c,
                       .leads = c->rank == 0,
                       .meet = crew_meet,
                       .work = c->rank == 0 ? crew_lead : crew_follow};
}

// Waits for all that still have something in hand, as long as they are not lost.
static void crew_await(Crew *c)
{
    const double begin = crew_clock();
    for (int i = 1; i < c->size; i++) {
        CrewMember *m = &c->members[i];
        while (m->takes_part && !m->is_lost && !m->asks) {
            int rank, bytes;
            if (crew_probe(&rank, &bytes))
                crew_receive(c, rank, bytes, NULL, NULL);
            else if (crew_clock() - begin > patience)
                m->is_lost = c->has_lost = true;
            else
                crew_sleep(500);
        }
    }
}

static void crew_report(const Crew *c)
{
    double worked = 0.0, waited = 0.0;
    int ranks = 1;
    for (int i = 1; i < c->size; i++) {
        ranks += c->members[i].takes_part;
        worked += c->members[i].times[WORKED];
        waited += c->members[i].times[WAITED];
    }
    fprintf(stderr,
            "saltus: %d ranks, %.4g points per second, the others waited %.1f %% of the time",
            ranks, (double)c->total / c->seconds,
            worked + waited > 0.0 ? 100.0 * waited / (worked + waited) : 0.0);
    fputc('\n', stderr);
}

static void crew_give_up(int signal)
{
    (void)signal;
    _exit(0); // the results are written
}

// A rank that died while it had nothing to do is missed by nobody until all say goodbye. (Where
// something went wrong, the signal ends the process as such.)
static void crew_hurry(int status)
{
    const struct sigaction action = {.sa_handler = crew_give_up};
    if (status == 0)
        sigaction(SIGALRM, &action, NULL);
    alarm((unsigned)(4.0 * patience));
}

int crew_end(Crew *c, bool is_quiet, int status)
{
    if (!c->has_joined)
        crew_join(c, false);
    crew_hurry(status);
    if (c->rank == 0 && c->is_led) {
        crew_await(c);
        const uint64_t is_soft = !c->has_lost;
        for (int i = 1; i < c->size; i++)
            if (c->members[i].takes_part && !c->members[i].is_lost)
                MPI_Send(&is_soft, 1, MPI_UINT64_T, i, TAG_END, MPI_COMM_WORLD);
        if (!is_quiet && c->seconds > 0.0)
            crew_report(c);
        c->ends_hard = c->has_lost;
    }
    // A rank that is lost would be waited for without end.
    if (c->ends_hard) {
        fflush(NULL);
        _exit(c->rank == 0 ? status : 0);
    }
    MPI_Finalize();
    alarm(0);
    for (int i = 0; i < c->size; i++)
        free(c->members[i].points);
    free(c->members);
    free(c->buffer);
    const int own = c->rank == 0 ? status : 0;
    if (c->voice >= 0)
        close(c->voice);
    free(c);
    return own;
}
