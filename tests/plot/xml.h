// SPDX-License-Identifier: MIT
//
// A check of XML without a library: nesting, attributes, entities, characters.

#ifndef SALTUS_TESTS_PLOT_XML_H
#define SALTUS_TESTS_PLOT_XML_H

#include <stddef.h>

// Fails the test, with the place, if `text` is not one well-formed element in UTF-8.
void assert_xml(const char *text, size_t length);
// How often `part` occurs.
size_t count_of(const char *text, const char *part);

#endif
