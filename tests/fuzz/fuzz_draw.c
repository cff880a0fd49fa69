// SPDX-License-Identifier: MIT
//
// libFuzzer target: whatever annotations a text has, its last model is drawn, or has errors,
// without crash, hang or leak and in bounded memory.

#include "drawing/scene.h"
#include "target.h"

#include <string.h>

enum { MOST_MEMORY = 256 << 20 };

static void draw(Flattener *f, Instance *top, void *user)
{
    DrawingStage stage = stage_create(f, NULL);
    const Scene *scene = scene_create(&stage, top, false);
    const String svg = scene_svg(&stage, scene, f->arena, f->model->name);
    require(svg.length > 6 && strcmp(svg.text + svg.length - 7, "</svg>\n") == 0, "it ends");
    *(bool *)user = true;
}

int fuzz_draw(const uint8_t *data, size_t size)
{
    Compilation *c = compilation_create(NULL);
    char *text = calloc(size + 1, 1);
    if (c && text) {
        bool is_drawn = false;
        memcpy(text, data, size);
        FlattenOptions options = flatten_default_options();
        options.library_path = NULL;
        options.standard_libraries = false;
        options.memory_maximum = MOST_MEMORY;
        options.step_maximum = 100 * 1000;
        options.text = text;
        flatten_visit(c, 0, NULL, NULL, &options, false, draw, &is_drawn);
        require(is_drawn || c->diagnostics->error_count > 0, "there is a drawing, or an error");
    }
    free(text);
    if (c)
        compilation_destroy(c);
    return 0;
}
