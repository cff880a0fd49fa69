// SPDX-License-Identifier: MIT
//
// The command `saltus-mpi`: saltus sweep on many machines. All ranks are given the same command
// line and open the same model; rank 0 says what there is to say, and writes the results.

#include "cli/commands.h"
#include "cli/libraries.h"
#include "mpi/crew.h"

#include <saltus/saltus.h>
#include <stdio.h>
#include <string.h>

static int mpi_help(FILE *stream)
{
    fputs(
        "Usage: mpirun -n RANKS saltus-mpi sweep [options] FILE... [MODEL]\n"
        "\n"
        "saltus sweep on many machines: the same options, and the same results to the last byte.\n"
        "Rank 0 works, hands out points, and writes; each rank runs one point after the other.\n"
        "With mpirun --enable-recovery the points of a rank that dies are run by the others;\n"
        "without it the sweep ends, and --resume goes on from what was finished.\n"
        "'saltus help sweep' has the options.\n",
        stream);
    return stream == stdout ? EXIT_FINE : EXIT_USAGE;
}

static bool is_word(const char *word, const char *one, const char *other)
{
    return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "--help";
    if (is_word(word, "--version", "--version"))
        return printf("saltus-mpi %s\n", saltus_version()) < 0;
    if (is_word(word, "--help", "-h"))
        return mpi_help(stdout);
    Crew *crew = crew_begin(&argc, &argv);
    if (!crew) {
        fputs("saltus-mpi: MPI cannot be started\n", stderr);
        return EXIT_RUN_FAILED;
    }
    // One rank is enough to say what all see.
    if (!crew_leads(crew) &&
        (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout)))
        return EXIT_RUN_FAILED;
    if (argc < 2 || strcmp(argv[1], "sweep") != 0)
        return crew_end(crew, true, mpi_help(stderr));
    bool is_quiet = false;
    for (int i = 1; i < argc; i++)
        is_quiet |= is_word(argv[i], "--quiet", "-q");
    libraries_add_own();
    const SweepCrew sweepers = crew_of_sweep(crew);
    const ExitStatus status = sweep_run_crew(argc - 1, argv + 1, &sweepers);
    return crew_end(crew, is_quiet, (int)status);
}
