// SPDX-License-Identifier: MIT
//
// Reads JSON (RFC 8259) into a tree. The tree lives in a pool; values of arrays and objects are
// linked lists.

#ifndef SALTUS_RESULTS_JSON_H
#define SALTUS_RESULTS_JSON_H

#include "base/memory.h"

#include <stddef.h>

typedef enum JsonKind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
} JsonKind;

typedef struct Json Json;
struct Json {
    JsonKind kind;
    double number;
    const char *text; // of a string, UTF-8, zero-terminated (\u0000 becomes U+FFFD)
    const char *key;  // of a member of an object
    Json *first;      // of an array or object
    Json *next;       // in its array or object
};

// NULL: it is no JSON, is nested too deeply, or there is no memory.
const Json *json_parse(MemoryPool *pool, const char *text, size_t length);

// The first member of an object with that key; NULL: none, or no object.
const Json *json_member(const Json *object, const char *key);
// The text of a member that is a string; NULL otherwise.
const char *json_member_text(const Json *object, const char *key);

#endif
