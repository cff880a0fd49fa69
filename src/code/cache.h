// SPDX-License-Identifier: MIT
//
// A folder for compiled code, shared by processes: XDG_CACHE_HOME/saltus or ~/.cache/saltus.
//
// What always holds: the folder belongs to the user and nobody else can write to it; a file appears
// under its name complete, by renaming; it ends with the digest of its content, so that a damaged
// one is recognised before it is loaded.

#ifndef SALTUS_CODE_CACHE_H
#define SALTUS_CODE_CACHE_H

#include "base/text.h"

#include <stdbool.h>

enum { CACHE_PATH = 4096 };

typedef struct Cache {
    char folder[CACHE_PATH];
    bool is_private; // a folder of this process alone, to be removed: the cache cannot be used
} Cache;

// The folder, made if need be; `folder` NULL: the usual one. If it cannot be used, a new one in
// TMPDIR or /tmp. False: not even that can be made.
bool cache_open(Cache *cache, const char *folder);
void cache_close(Cache *cache); // removes a private folder

// "folder/name" + suffix; false: too long.
bool cache_path(const Cache *cache, const char *name, const char *suffix, char path[CACHE_PATH]);
// Whether the file is there, undamaged and, if it has to be, the user's own.
bool cache_check(const char *path, bool is_own);
// Appends the digest to a file, and renames it.
bool cache_store(const char *temporary, const char *path);
// Removes the oldest files beyond `most`.
void cache_evict(const Cache *cache, unsigned most);

#endif
