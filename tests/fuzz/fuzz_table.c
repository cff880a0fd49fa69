// SPDX-License-Identifier: MIT
//
// libFuzzer target: any bytes are a table, or are refused with a message, without crash, hang or
// leak; a table has what table.h promises. The same bytes are read as JSON.

#include "results/json.h"
#include "results/table.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

static void look_at(const Table *t)
{
    require(t->column_count > 0, "there is an abscissa");
    for (size_t i = 0; i < t->column_count; i++) {
        const TableColumn *c = &t->columns[i];
        require(c->heading.name != NULL, "columns have names");
        for (size_t row = 0; row < t->row_count && c->heading.kind == TABLE_WORDS; row++)
            require(strlen(table_word(c, row)) < SIZE_MAX, "words can be read");
    }
    table_nearest(t, "x");
}

int fuzz_table(const uint8_t *data, size_t size)
{
    char *message = NULL;
    Table *table = table_parse((const char *)data, size, "input", &message);
    if (table)
        look_at(table);
    else
        require(message && *message, "there is a message");
    free(message);
    table_destroy(table);
    SaltusAllocator allocator = memory_default();
    MemoryPool pool = {.allocator = &allocator};
    json_parse(&pool, (const char *)data, size);
    memory_pool_free(&pool);
    return 0;
}
