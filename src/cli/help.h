// SPDX-License-Identifier: MIT
//
// What the files of `saltus help` share: help.c has the command, help_man.c the man pages,
// help_complete.c the completion of shells.

#ifndef SALTUS_CLI_HELP_H
#define SALTUS_CLI_HELP_H

#include "base/text.h"
#include "cli/options.h"
#include "results/atomic.h"
#include "results/writer.h"

// The words that the value of an option may be; none: anything.
const char *const *help_words(const Option *option, size_t *count);

// FOLDER/man/man1/saltus.1, saltus-simulate.1 and so on. False: the message says why.
bool help_write_pages(const char *folder, char **message);
// FOLDER/bash-completion/completions/saltus, FOLDER/zsh/site-functions/_saltus,
// FOLDER/fish/vendor_completions.d/saltus.fish.
bool help_write_completions(const char *folder, char **message);

// A file below the folder; folders in between are made.
bool help_open(AtomicFile *file, const char *folder, const char *path, char **message);
bool help_close(AtomicFile *file, char **message);

#endif
