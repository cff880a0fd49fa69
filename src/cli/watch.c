// SPDX-License-Identifier: MIT

#include "cli/watch.h"

#include "cli/children.h"
#include "cli/commands.h"
#include "cli/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// Seconds: how often it looks, how long it waits for the command itself, and for who writes.
static const double every = 0.02, patience = 0.05, most_waiting = 2.0;

// The signal handler's only way to say anything, and what it is compared with.
static volatile sig_atomic_t is_over;

static struct {
    pthread_mutex_t lock;    // of everything below
    pthread_mutex_t writing; // who holds it writes results
    pthread_cond_t changed;
    const char *command;
    double begin, seconds, megabytes; // of the limits; 0: none
    WatchFinish *finish;
    void *user;
    bool is_watching, has_begun, is_ended;
    char message[80];
    _Atomic(const char *) reason; // NULL, or the message
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .writing = PTHREAD_MUTEX_INITIALIZER,
           .changed = PTHREAD_COND_INITIALIZER};

bool watch_is_over(void)
{
    return is_over != 0;
}

const char *watch_reason(void)
{
    return atomic_load(&watch.reason);
}

void watch_lock(void)
{
    pthread_mutex_lock(&watch.writing);
}

void watch_unlock(void)
{
    pthread_mutex_unlock(&watch.writing);
}

static struct timespec watch_after(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    const double nanoseconds = (double)t.tv_nsec + 1e9 * seconds;
    t.tv_sec += (time_t)(nanoseconds / 1e9);
    t.tv_nsec = (long)(nanoseconds - 1e9 * (double)(time_t)(nanoseconds / 1e9));
    return t;
}

// The most that was resident, in 1e6 bytes.
static double watch_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024e-6 * (double)usage.ru_maxrss : 0.0;
}

static void watch_limits(void)
{
    if (is_over)
        return;
    if (watch.seconds > 0.0 && progress_clock() - watch.begin > watch.seconds)
        snprintf(watch.message, sizeof watch.message, "--max-time=%g is over", watch.seconds);
    else if (watch.megabytes > 0.0 && watch_memory() > watch.megabytes)
        snprintf(watch.message, sizeof watch.message, "--max-memory=%g is used up",
                 watch.megabytes);
    else
        return;
    atomic_store(&watch.reason, watch.message);
    is_over = 1;
}

// The end of the program, from this thread: the others go on until it is reached.
_Noreturn static void watch_take_over(void)
{
    const char *limit = watch_reason(), *reason = limit ? limit : "interrupted";
    const struct timespec until = watch_after(most_waiting);
    // Who does not let go waits for a pipe that nobody reads.
    if (pthread_mutex_timedlock(&watch.writing, &until) == 0 && watch.finish)
        watch.finish(watch.user, reason);
    else
        fprintf(stderr, "saltus %s: %s%s\n", watch.command ? watch.command : "", reason,
                watch.has_begun ? "" : ", while the model was read and translated");
    fflush(stdout);
    children_end();
    children_take_memory();
    _exit(limit ? EXIT_STOPPED : EXIT_INTERRUPTED);
}

static void *watch_loop(void *unused)
{
    double over = 0.0; // since when
    pthread_mutex_lock(&watch.lock);
    while (!watch.is_ended) {
        const struct timespec until = watch_after(every);
        pthread_cond_timedwait(&watch.changed, &watch.lock, &until);
        watch_limits();
        if (!is_over || watch.is_ended)
            continue;
        const double now = progress_clock();
        if (over == 0.0)
            over = now;
        if (now - over > patience)
            watch_take_over();
    }
    pthread_mutex_unlock(&watch.lock);
    return unused;
}

// The thread gets no signals: they are for those who write and wait.
static void watch_start(void)
{
    sigset_t all, before;
    pthread_t thread;
    if (watch.is_watching)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    watch.is_watching = pthread_create(&thread, NULL, watch_loop, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (watch.is_watching)
        pthread_detach(thread);
}

// A handler for one signal; then the signal does what it does without one.
static void watch_handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void watch_die(int number)
{
    children_end();
    children_take_memory();
    raise(number); // after this handler it ends the program
}

// Ctrl-C, kill, a terminal that is closed, a limit of processor time (ulimit -t, batch systems).
static const int watch_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

// Signals that end the program end what it has started, too; not those that are ignored (nohup).
static void watch_children(void)
{
    for (size_t i = 0; i < sizeof watch_signals / sizeof *watch_signals; i++) {
        struct sigaction before;
        if (sigaction(watch_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            watch_handle(watch_signals[i], watch_die);
    }
}

void watch_limit(const char *command, double seconds, double megabytes)
{
    watch_children();
    pthread_mutex_lock(&watch.lock);
    watch.command = command;
    watch.begin = watch.is_watching ? watch.begin : progress_clock();
    watch.seconds = seconds;
    watch.megabytes = megabytes;
    if (seconds > 0.0 || megabytes > 0.0)
        watch_start();
    pthread_mutex_unlock(&watch.lock);
}

static void watch_interrupt(int number)
{
    is_over = 1;
    watch_handle(number, watch_die);
}

void watch_begin(WatchFinish *finish, void *user)
{
    pthread_mutex_lock(&watch.lock);
    watch.finish = finish;
    watch.user = user;
    watch.has_begun = true;
    watch_start();
    pthread_mutex_unlock(&watch.lock);
    for (size_t i = 0; i < sizeof watch_signals / sizeof *watch_signals; i++) {
        struct sigaction before; // ignored: by nohup; shells ignore SIGINT for what they put behind
        if (sigaction(watch_signals[i], NULL, &before) == 0 &&
            (watch_signals[i] != SIGHUP || before.sa_handler != SIG_IGN))
            watch_handle(watch_signals[i], watch_interrupt);
    }
}

void watch_end(void)
{
    pthread_mutex_lock(&watch.lock);
    watch.is_ended = true;
    pthread_cond_signal(&watch.changed);
    pthread_mutex_unlock(&watch.lock);
}
