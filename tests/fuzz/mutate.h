// SPDX-License-Identifier: MIT
//
// Changes of texts by tokens: what comes out has mostly the lexical form of Modelica, so that more
// of it reaches what is behind the parser than of texts whose bytes are changed.

#ifndef SALTUS_TESTS_FUZZ_MUTATE_H
#define SALTUS_TESTS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

// Changes the text at `data` in place, one to six times: tokens are left out, doubled, swapped,
// made numbers, or taken from the other text (which may be the same). Gives the new size, at most
// `most`.
size_t mutate_tokens(uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                     size_t most, unsigned seed);

#endif
