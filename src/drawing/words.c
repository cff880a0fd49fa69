// SPDX-License-Identifier: MIT

#include "drawing/words.h"

#include <ctype.h>

// The component's name, of an array with its sizes; of the model itself its class's, without the
// packages.
static void words_name(StringBuilder *out, const Instance *i, bool is_class)
{
    if (!is_class && i->is_element && instance_parent(i))
        i = instance_parent(i);
    if (!is_class && i->flat->name) {
        builder_append_text(out, i->flat->name->text);
        for (uint8_t k = 0; k < i->flat->rank; k++)
            builder_append_format(out, "%s%u%s", k ? "," : "[", i->flat->dims[k],
                                  k + 1 == i->flat->rank ? "]" : "");
        return;
    }
    const char *name = i->flat->declared->class_name ? i->flat->declared->class_name : "";
    const char *dot = strrchr(name, '.');
    builder_append_text(out, dot ? dot + 1 : name);
}

// a.b: a dot that no letter follows ends a sentence.
static size_t words_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_' ||
           (text[length] == '.' && length && isalpha((unsigned char)text[length + 1])))
        length++;
    return length;
}

const char *words_replace(DrawingStage *s, Arena *arena, Instance *i, const char *text, bool *moves)
{
    StringBuilder out = builder_create(arena);
    for (const char *c = text; *c;) {
        const bool is_braced = c[0] == '%' && c[1] == '{' && strchr(c, '}');
        const char *word = c + 1 + is_braced;
        const size_t length = *c != '%'   ? 0
                              : is_braced ? (size_t)(strchr(word, '}') - word)
                                          : words_length(word);
        const char *value = NULL;
        if (*c != '%' || length == 0) {
            if (c[0] == '%' && c[1] == '%')
                c++;
            builder_append_character(&out, *c++);
            continue;
        }
        if (length == 4 && strncmp(word, "name", 4) == 0)
            words_name(&out, i, false);
        else if (length == 5 && strncmp(word, "class", 5) == 0)
            words_name(&out, i, true);
        else if ((value = attribute_component_text(s, i, word, length, moves)) != NULL)
            builder_append_text(&out, value);
        else
            builder_append(&out, c, (size_t)(word - c) + length + is_braced);
        c = word + length + is_braced;
    }
    return builder_string(&out).text;
}
