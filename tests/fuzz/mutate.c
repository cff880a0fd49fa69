// SPDX-License-Identifier: MIT

#include "mutate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOKENS = 8192, MOST_RUN = 24 };

// The bytes [begins[i], begins[i + 1]) are a token with the blanks behind it.
typedef struct TokenList {
    size_t begins[MOST_TOKENS + 1];
    size_t count;
} TokenList;

static size_t token_end(const uint8_t *text, size_t size, size_t i)
{
    const uint8_t first = text[i++];
    if (first == '"' || first == '\'') {
        while (i < size && text[i] != first)
            i += text[i] == '\\' ? 2 : 1;
        i++;
    } else if (first == '/' && i < size && text[i] == '/') {
        while (i < size && text[i] != '\n')
            i++;
    } else if (isalnum(first) || first == '_') {
        while (i < size && (isalnum(text[i]) || text[i] == '_'))
            i++;
    } else if (i < size && text[i] == '=' && strchr("<>=:", first)) {
        i++;
    }
    while (i < size && isspace(text[i]))
        i++;
    return i < size ? i : size;
}

static TokenList list_tokens(const uint8_t *text, size_t size)
{
    TokenList list = {.count = 0};
    size_t i = 0;
    while (i < size && list.count < MOST_TOKENS) {
        list.begins[list.count++] = i;
        i = token_end(text, size, i);
    }
    list.begins[list.count] = i;
    return list;
}

// Bytes [from, to) become those of `by`; the new size, or the old one if there is no room.
static size_t replace(uint8_t *data, size_t size, size_t most, size_t from, size_t to,
                      const uint8_t *by, size_t by_size)
{
    if (size - (to - from) + by_size > most)
        return size;
    uint8_t *copy = malloc(by_size + 1); // `by` may be a part of the data
    if (!copy)
        return size;
    memcpy(copy, by, by_size);
    memmove(data + from + by_size, data + to, size - to);
    memcpy(data + from, copy, by_size);
    free(copy);
    return size - (to - from) + by_size;
}

static unsigned draw_number(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u; // as in Numerical Recipes; good enough here
    return *state >> 8;
}

static size_t change_once(uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                          size_t most, unsigned *state)
{
    static const char *const words[] = {"0 ",     "1 ",      "-1 ",    "0.5 ",
                                        "1e308 ", "1e-308 ", "1e-12 ", "2.0 ",
                                        "time ",  "true ",   "false ", "2147483648 "};
    const TokenList own = list_tokens(data, size), theirs = list_tokens(other, other_size);
    if (own.count == 0 || theirs.count == 0)
        return size;
    const size_t i = draw_number(state) % own.count, k = draw_number(state) % theirs.count;
    const size_t run = 1 + draw_number(state) % MOST_RUN;
    const size_t i_end = i + run < own.count ? i + run : own.count;
    const size_t k_end = k + run < theirs.count ? k + run : theirs.count;
    const size_t *b = own.begins, *c = theirs.begins;
    const char *word = words[draw_number(state) % (sizeof words / sizeof words[0])];
    switch (draw_number(state) % 7) {
    case 0: // left out
        return replace(data, size, most, b[i], b[i + 1], data, 0);
    case 1: // doubled
        return replace(data, size, most, b[i], b[i], data + b[i], b[i + 1] - b[i]);
    case 2: // one for another
        return replace(data, size, most, b[i], b[i + 1], other + c[k], c[k + 1] - c[k]);
    case 3:
        return replace(data, size, most, b[i], b[i + 1], (const uint8_t *)word, strlen(word));
    case 4: // several left out
        return replace(data, size, most, b[i], b[i_end], data, 0);
    case 5: // several put in
        return replace(data, size, most, b[i], b[i], other + c[k], c[k_end] - c[k]);
    default: // several for others
        return replace(data, size, most, b[i], b[i_end], other + c[k], c[k_end] - c[k]);
    }
}

size_t mutate_tokens(uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                     size_t most, unsigned seed)
{
    unsigned state = seed;
    const unsigned changes = 1 + draw_number(&state) % 6;
    uint8_t *kept = malloc(other_size + 1); // the other text may be the one that changes
    if (!kept)
        return size;
    memcpy(kept, other, other_size);
    for (unsigned n = 0; n < changes; n++)
        size = change_once(data, size, kept, other_size, most, &state);
    free(kept);
    return size;
}
