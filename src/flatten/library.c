// SPDX-License-Identifier: MIT
//
// The library of classes: see library.h.

#include "flatten/library.h"

#include "external/external.h"
#include "flatten/external.h"
#include "flatten/library_path.h"
#include "flatten/lookup.h"
#include "flatten/upgrade.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct Library {
    Class *root;
    List tops;         // Member, in the order they were added
    List homes;        // packages that files given are in
    List paths;        // folders to search
    bool has_standard; // those of other programs are among them, or not wanted
    Map missing;       // names that were searched in vain
    Map told;          // the same, that a note has explained
    Map found;         // names that were found in the folders -> Member
    List given;        // Class: models and packages of the user's files
    Class *last;       // see library_last_model
    Class *last_package;
    const ClassDefinition *last_class;
    Map prelude;       // Member of predefined types
    bool is_prelude;   // being filled
    bool is_searching; // for a name, not reading a file that was given
    Map files;         // name -> StoredDefinition: what was read already
    List upgrades;     // UpgradeDef
};

static const char prelude_text[] =
    "type StateSelect = enumeration(never, avoid, default, prefer, always);\n"
    "type AssertionLevel = enumeration(warning, error);\n";

// ---------------------------------------------------------------------------
// The root
// ---------------------------------------------------------------------------

static Member *add_top(Flattener *f, const Name *name, const Element *element, Class *c)
{
    Library *library = f->library;
    Member *member = ARENA_NEW(f->arena, Member);
    *member = (Member){.name = name,
                       .element = element,
                       .scope = library->root,
                       .class_ = c,
                       .is_resolved = c != NULL};
    map_set(f->arena, &library->root->table, name, member);
    list_append(f->arena, &library->tops, member);
    if (library->is_prelude)
        map_set(f->arena, &library->prelude, member, member);
    return member;
}

static void add_predefined(Flattener *f, const Name *name, Predefined predefined)
{
    Class *c = ARENA_NEW(f->arena, Class);
    *c = (Class){.name = name, .enclosing = f->library->root, .predefined = predefined};
    add_top(f, name, NULL, c);
}

static void split_path(Flattener *f, const char *path)
{
    while (path && *path) {
        const size_t length = strcspn(path, ":");
        if (length)
            list_append(f->arena, &f->library->paths, arena_copy_text(f->arena, path, length));
        path += length + (path[length] == ':');
    }
}

void library_search_beside(Flattener *f, const char *path)
{
    List *paths = &f->library->paths;
    const char *package = path_package(f->arena, path), *folder = path_folder(f->arena, path);
    if (package) {
        list_append(f->arena, &f->library->homes, (void *)package);
        list_append(f->arena, paths, (void *)path_folder(f->arena, package));
    }
    list_append(f->arena, paths, (void *)folder);
    list_append(f->arena, paths, (void *)path_join(f->arena, folder, ".."));
}

Library *library_create(Flattener *f, const char *path, bool is_standard)
{
    Library *library = ARENA_NEW(f->arena, Library);
    f->library = library;
    library->root = ARENA_NEW(f->arena, Class);
    library->root->state = CLASS_EXPANDED;
    library->is_prelude = true;
    add_predefined(f, f->known.Real, PREDEFINED_REAL);
    add_predefined(f, f->known.Integer, PREDEFINED_INTEGER);
    add_predefined(f, f->known.Boolean, PREDEFINED_BOOLEAN);
    add_predefined(f, f->known.String, PREDEFINED_STRING);
    add_predefined(f, f->known.ExternalObject, PREDEFINED_EXTERNAL_OBJECT);
    add_predefined(f, f->known.Clock, PREDEFINED_CLOCK);
    const SourceFile *file;
    if (sources_add(f->compilation->sources, "predefined types", prelude_text,
                    sizeof prelude_text - 1, &file) == SOURCE_OK) {
        const StoredDefinition *prelude = parser_parse(f->compilation, file);
        if (prelude)
            library_add_definition(f, prelude);
    }
    library->is_prelude = false;
    library->has_standard = !is_standard;
    split_path(f, path);
    return library;
}

Class *library_root(const Library *library)
{
    return library->root;
}

bool library_is_prelude(const Flattener *f, const Member *member)
{
    return map_find(&f->library->prelude, member) != NULL;
}

void library_list_given(Flattener *f, List *classes)
{
    for (uint32_t i = 0; i < f->library->given.count; i++)
        list_append(f->arena, classes, f->library->given.items[i]);
}

void library_list_top(Flattener *f, List *names)
{
    for (uint32_t i = 0; i < f->library->tops.count; i++)
        list_append(f->arena, names,
                    (void *)((const Member *)f->library->tops.items[i])->name->text);
}

// ---------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------

// The class that an FMU is, as a source of its name.
static SourceStatus read_foreign(Flattener *f, const char *path, const SourceFile **file)
{
    const ExternalGuest *guest = store_guest(f->compilation->externals);
    const char *message =
        "an FMU is foreign code, which can do whatever you can; --allow-external runs it";
    const char *text =
        guest ? guest->text(guest->user, f->arena, path, !f->library->is_searching, &message)
              : NULL;
    if (text)
        return sources_add(f->compilation->sources, path, text, strlen(text), file);
    report_error(f, (Span){0, 0}, "cannot take '%s' as a block: %s", path, message);
    *file = NULL;
    return SOURCE_OK;
}

static const StoredDefinition *read_file(Flattener *f, const char *path)
{
    char *whole = realpath(path, NULL); // one file may be named in two ways
    const Name *key = names_intern(f->names, whole ? whole : path, strlen(whole ? whole : path));
    free(whole);
    const StoredDefinition *known = map_find(&f->library->files, key);
    if (known)
        return known;
    const SourceFile *file;
    const size_t length = strlen(path);
    const bool is_foreign = length > 4 && strcmp(path + length - 4, ".fmu") == 0;
    const SourceStatus status = is_foreign ? read_foreign(f, path, &file)
                                           : sources_read(f->compilation->sources, path, &file);
    if (status != SOURCE_OK) {
        const char *why = status == SOURCE_UNREADABLE  ? strerror(errno)
                          : status == SOURCE_TOO_LARGE ? "the files are too large: more than 256 MB"
                                                       : "there is no memory";
        report_error(f, (Span){0, 0}, "cannot read '%s': %s", path, why);
        return NULL;
    }
    const size_t errors = f->diagnostics->error_count;
    StoredDefinition *definition = file ? parser_parse(f->compilation, file) : NULL;
    if (!definition || f->diagnostics->error_count != errors)
        return NULL;
    map_set(f->arena, &f->library->files, key, definition);
    return definition;
}

static Element *class_element(Flattener *f, ClassDefinition *definition)
{
    Element *element = ARENA_NEW(f->arena, Element);
    *element = (Element){.kind = ELEMENT_CLASS,
                         .span = definition->span,
                         .is_final = definition->is_final,
                         .class_definition = definition};
    return element;
}

// Whether a member that was found in the folder of its package is this very definition.
static bool is_behind(Flattener *f, const Member *member, const ClassDefinition *definition)
{
    if (member->element)
        return member->element->kind == ELEMENT_CLASS &&
               member->element->class_definition == definition;
    const bool is_package = path_is_folder(member->path);
    const StoredDefinition *stored =
        read_file(f, is_package ? path_join(f->arena, member->path, "package.mo") : member->path);
    for (uint32_t i = 0; stored && i < stored->count; i++)
        if (stored->classes[i] == definition)
            return true;
    return false;
}

// Puts a class of a file with `within` into its package.
static void add_within(Flattener *f, const StoredDefinition *stored, ClassDefinition *definition)
{
    const size_t errors = f->diagnostics->error_count;
    Class *package = lookup_class(f, f->library->root, stored->within, "package");
    if (!package && f->diagnostics->error_count > errors)
        report_note(f, f->diagnostics->last, stored->within->span,
                    "by 'within', the file belongs to this package: give the package's file or "
                    "folder before it, or remove the line");
    if (!package)
        return;
    class_expand(f, package);
    Member *other = map_find(&package->table, definition->name);
    if (other && is_behind(f, other, definition))
        return;
    if (other && other->element) {
        report_error(f, definition->name_span, "'%s' is already in package '%s'",
                     definition->name->text, class_name(f, package));
        return;
    }
    Member *member = other ? other : ARENA_NEW(f->arena, Member);
    *member = (Member){
        .name = definition->name, .element = class_element(f, definition), .scope = package};
    list_append(f->arena, &package->additions, member);
    if (other)
        return;
    map_set(f->arena, &package->table, member->name, member);
    Member **members = ARENA_ARRAY(f->arena, package->member_count + 1, Member *);
    for (uint32_t i = 0; i < package->member_count; i++)
        members[i] = package->members[i];
    members[package->member_count++] = member;
    package->members = members;
}

static void add_class(Flattener *f, const StoredDefinition *stored, ClassDefinition *definition,
                      const char *folder)
{
    if (!definition->name)
        return;
    if (stored->within) {
        add_within(f, stored, definition);
        return;
    }
    const Member *other = map_find(&f->library->root->table, definition->name);
    if (other) {
        Diagnostic *d =
            report_error(f, definition->name_span, "'%s' is defined twice", definition->name->text);
        if (other->element)
            report_note(f, d, other->element->class_definition->name_span, "the first one is here");
        return;
    }
    Class *c = class_create(f, definition, f->library->root);
    c->folder = folder;
    add_top(f, definition->name, class_element(f, definition), c);
}

static bool can_be_run(const ClassDefinition *definition)
{
    const bool is_model = definition->kind == CLASS_MODEL || definition->kind == CLASS_BLOCK ||
                          definition->kind == CLASS_CLASS;
    return is_model && !definition->is_partial && definition->name;
}

static void remember_model(Flattener *f, const StoredDefinition *stored,
                           const ClassDefinition *definition)
{
    const bool is_package = definition->kind == CLASS_PACKAGE && definition->form == FORM_LONG;
    if (f->library->is_prelude || !definition->name || !(can_be_run(definition) || is_package))
        return;
    Class *in = stored->within ? lookup_class_quietly(f, f->library->root, stored->within)
                               : f->library->root;
    Class *c = in ? lookup_class_in(f, in, definition->name) : NULL;
    if (c)
        list_append(f->arena, &f->library->given, c);
    if (c && is_package)
        f->library->last_package = c;
    else if (c)
        f->library->last = c;
}

// The last model in the text of a package, or of the packages in it.
static Class *last_model_of(Flattener *f, Class *package)
{
    const ClassDefinition *d = package->definition;
    for (uint32_t i = d->form == FORM_LONG ? d->body.element_count : 0; i-- > 0;) {
        const Element *element = d->body.elements[i];
        const ClassDefinition *inner =
            element->kind == ELEMENT_CLASS ? element->class_definition : NULL;
        if (!inner || !(can_be_run(inner) || inner->kind == CLASS_PACKAGE) || !inner->name)
            continue;
        Class *c = lookup_class_in(f, package, inner->name);
        if (c && inner->kind == CLASS_PACKAGE)
            c = last_model_of(f, c);
        if (c)
            return c;
    }
    return NULL;
}

static void add_stored(Flattener *f, const StoredDefinition *stored, const char *folder)
{
    for (uint32_t i = 0; i < stored->count; i++) {
        add_class(f, stored, stored->classes[i], folder);
        if (!f->library->is_prelude)
            f->library->last_class = stored->classes[i];
        remember_model(f, stored, stored->classes[i]);
    }
}

static const StoredDefinition *upgrade_file(Flattener *f, const StoredDefinition *stored);
static void find_upgrades(Flattener *f, const StoredDefinition *stored, const char *path);

void library_add_definition(Flattener *f, const StoredDefinition *definition)
{
    add_stored(f, definition, NULL);
}

bool library_add(Flattener *f, const char *path)
{
    const char *file = path;
    const char *folder = NULL;
    if (path_is_folder(path)) {
        folder = path;
        file = path_join(f->arena, path, "package.mo");
    } else {
        // The user may name the package.mo itself.
        const char *slash = strrchr(path, '/');
        const char *base = slash ? slash + 1 : path;
        if (strcmp(base, "package.mo") == 0)
            folder = slash ? arena_copy_text(f->arena, path, (size_t)(slash - path)) : ".";
    }
    const size_t errors = f->diagnostics->error_count;
    const StoredDefinition *stored = read_file(f, file);
    if (stored && !f->library->is_searching)
        find_upgrades(f, stored, folder ? folder : file);
    stored = stored ? upgrade_file(f, stored) : NULL;
    if (!stored)
        return false;
    add_stored(f, stored, folder);
    return f->diagnostics->error_count == errors;
}

Class *library_last_model(Flattener *f)
{
    Library *library = f->library;
    if (!library->last && library->last_package)
        library->last = last_model_of(f, library->last_package);
    return library->last;
}

const ClassDefinition *library_last_class(const Flattener *f)
{
    return f->library->last_class;
}

// ---------------------------------------------------------------------------
// Versions
// ---------------------------------------------------------------------------

static const Argument *find_annotation(const ClassDefinition *d, const char *name)
{
    const Argument *found = NULL;
    for (uint32_t i = 0; i < d->annotation_count && !found; i++)
        found = upgrade_modifier(d->annotations[i], name);
    return found;
}

// The text of an argument's value; NULL: it is none.
static const char *argument_text(Flattener *f, const Argument *a)
{
    const Expression *value = a && a->modification ? a->modification->value : NULL;
    if (!value || value->kind != EXPRESSION_STRING)
        return NULL;
    return arena_copy_text(f->arena, value->string.text, value->string.length);
}

// The version of a library that the files read so far want, by uses(NAME(version = "..."))
// (section 18.8.2); the first who says so counts. NULL: nobody says.
static const char *wanted_version(Flattener *f, const Name *name, const Argument **uses)
{
    const Library *library = f->library;
    for (uint32_t i = 0; i < library->tops.count; i++) {
        const Element *element = ((const Member *)library->tops.items[i])->element;
        const Argument *a = element ? find_annotation(element->class_definition, "uses") : NULL;
        *uses = a ? upgrade_modifier(a->modification, name->text) : NULL;
        const Argument *version = *uses ? upgrade_modifier((*uses)->modification, "version") : NULL;
        if (argument_text(f, version))
            return argument_text(f, version);
    }
    return NULL;
}

// Whether a library says that a version before it can be replaced by it as it is:
// conversion(noneFromVersion = "4.0.0") (section 18.8.2). *has_script: or what has to be converted.
static bool is_convertible(Flattener *f, const ClassDefinition *d, const char *version,
                           bool *has_script)
{
    const Argument *conversion = find_annotation(d, "conversion");
    const Modification *m = conversion ? conversion->modification : NULL;
    *has_script = false;
    for (uint32_t i = 0; m && i < m->count; i++) {
        const Argument *a = m->arguments[i];
        const char *name = a->kind == ARGUMENT_MODIFICATION ? a->name->parts[0].name->text : "";
        const char *text = argument_text(f, a);
        if (strcmp(name, "noneFromVersion") == 0 && text && version_compare(text, version) == 0)
            return true;
        *has_script |= strcmp(name, "from") == 0;
    }
    return false;
}

static void check_version(Flattener *f, const ClassDefinition *d, const char *wanted,
                          const Argument *uses, const char *path)
{
    const char *version = argument_text(f, find_annotation(d, "version"));
    bool has_script;
    if (!version || !wanted || version_compare(version, wanted) == 0 ||
        is_convertible(f, d, wanted, &has_script))
        return;
    Diagnostic *warning = report_warning(
        f, uses->span, "version %s of '%s' is wanted, and version %s is there, in %s", wanted,
        d->name->text, version, path);
    if (version_compare(version, wanted) < 0)
        report_note(f, warning, uses->span, "what is new in %s is not in it", wanted);
    else if (has_script)
        report_note(f, warning, uses->span,
                    "models of version %s have to be converted to it first, or version %s to be "
                    "put beside it",
                    wanted, wanted);
}

// The script of conversion(from(version = "3.2.3", script = "modelica://...")) for a version; NULL:
// there is none.
static const char *find_script(Flattener *f, const ClassDefinition *d, const char *version)
{
    const Argument *conversion = find_annotation(d, "conversion");
    const Modification *m = conversion ? conversion->modification : NULL;
    for (uint32_t i = 0; m && i < m->count; i++) {
        const Argument *a = m->arguments[i];
        const Argument *from = a->kind == ARGUMENT_MODIFICATION && a->modification &&
                                       strcmp(a->name->parts[0].name->text, "from") == 0
                                   ? upgrade_modifier(a->modification, "version")
                                   : NULL;
        const Expression *value = from && from->modification ? from->modification->value : NULL;
        const bool is_array = value && value->kind == EXPRESSION_ARRAY;
        for (uint32_t k = 0; value && k < (is_array ? value->array.count : 1u); k++) {
            const Expression *item = is_array ? value->array.items[k] : value;
            if (item->kind == EXPRESSION_STRING &&
                version_compare(arena_copy_text(f->arena, item->string.text, item->string.length),
                                version) == 0)
                return argument_text(f, upgrade_modifier(a->modification, "script"));
        }
    }
    return NULL;
}

// The file of a script; NULL: there is none, or it is not read, after a warning.
static const char *script_file(Flattener *f, const char *uri, Span span)
{
    const char *path = uri ? external_resource(f, uri) : NULL;
    if (!path || path == uri || access(path, F_OK) != 0)
        return NULL;
    if (path_is_file(path) && store_may_read(f->compilation->externals, path))
        return path;
    report_warning(f, span,
                   "the conversion script '%s' is not read: it is no regular file below the "
                   "working directory or the folder of a file that was given",
                   path);
    return NULL;
}

static const char *find_library(Flattener *f, const Name *name, const char *wanted);

// One library that the class uses.
static void find_upgrade(Flattener *f, const char *path, const Argument *uses)
{
    const Name *name = uses->name->parts[0].name;
    const char *wanted = argument_text(f, upgrade_modifier(uses->modification, "version"));
    const Member *top = wanted ? map_find(&f->library->root->table, name) : NULL;
    const char *found = wanted && !top ? find_library(f, name, wanted) : NULL;
    const StoredDefinition *other =
        found
            ? read_file(f, path_is_folder(found) ? path_join(f->arena, found, "package.mo") : found)
            : NULL;
    const ClassDefinition *d = top && top->element     ? top->element->class_definition
                               : other && other->count ? other->classes[0]
                                                       : NULL;
    const char *version = d ? argument_text(f, find_annotation(d, "version")) : NULL;
    if (!version || version_compare(version, wanted) <= 0)
        return;
    const char *script = find_script(f, d, wanted);
    const char *file = script_file(f, script, uses->span);
    const ClassDefinition *rules = file ? upgrade_script(f, file) : NULL;
    if (!rules && script) // it was read for the script, before anybody wanted a version of it
        check_version(f, d, wanted, uses, found ? found : name->text);
    if (!rules)
        return;
    UpgradeDef *upgrade = ARENA_NEW(f->arena, UpgradeDef);
    *upgrade =
        (UpgradeDef){.path = path, .library = name->text, .version = version, .script = rules};
    upgrade->warning = report_warning(
        f, uses->span,
        "version %s of '%s' is wanted, and version %s is there: the model was converted by the "
        "library's script '%s'",
        wanted, name->text, version, file);
    list_append(f->arena, &f->library->upgrades, upgrade);
}

// What has to be converted of a file that the user gave, and of the folder of its package.
static void find_upgrades(Flattener *f, const StoredDefinition *stored, const char *path)
{
    for (uint32_t i = 0; i < stored->count; i++) {
        const Argument *a = find_annotation(stored->classes[i], "uses");
        const Modification *m = a ? a->modification : NULL;
        for (uint32_t k = 0; m && k < m->count; k++)
            if (!stored->within && m->arguments[k]->kind == ARGUMENT_MODIFICATION &&
                m->arguments[k]->modification)
                find_upgrade(f, path, m->arguments[k]);
    }
}

static const Expression *version_of_use(const StoredDefinition *stored, const char *name)
{
    const Expression *value = NULL;
    for (uint32_t i = 0; i < stored->count && !value; i++) {
        const Argument *a = find_annotation(stored->classes[i], "uses");
        const Argument *use = a ? upgrade_modifier(a->modification, name) : NULL;
        const Argument *version = use ? upgrade_modifier(use->modification, "version") : NULL;
        value = version && version->modification ? version->modification->value : NULL;
    }
    return value;
}

// The same file, converted; NULL: what came of it is wrong, and was reported.
static const StoredDefinition *upgrade_file(Flattener *f, const StoredDefinition *stored)
{
    for (uint32_t i = 0; stored && i < f->library->upgrades.count; i++) {
        const UpgradeDef *upgrade = f->library->upgrades.items[i];
        const size_t length = strlen(upgrade->path);
        const char *name = stored->file->name;
        const bool is_folder = length && upgrade->path[length - 1] == '/';
        if (strncmp(name, upgrade->path, length) != 0 ||
            (name[length] && name[length] != '/' && !is_folder))
            continue;
        const char *text =
            upgrade_text(f, upgrade, stored, version_of_use(stored, upgrade->library));
        const SourceFile *file;
        const size_t errors = f->diagnostics->error_count;
        if (!text)
            continue;
        stored = sources_add(f->compilation->sources, name, text, strlen(text), &file) == SOURCE_OK
                     ? parser_parse(f->compilation, file)
                     : NULL;
        if (f->diagnostics->error_count != errors)
            stored = NULL;
    }
    return stored;
}

// The text between the next quotation marks; NULL: there is none before `end`.
static const char *conversion_text(const char *at, const char *end, String *text)
{
    while (at < end && *at != '"')
        at++;
    const char *close = at < end ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;
    if (!close)
        return NULL;
    *text = (String){at + 1, (size_t)(close - at - 1)};
    return close + 1;
}

// What a script says about a class: convertClass("old", "new"), convertMessage("old", "why"), also
// with a list of old names (section 18.8.2.1); the last text before the bracket is the new one.
static const char *find_conversion(Flattener *f, const SourceFile *script, const char *rule,
                                   const char *old)
{
    const size_t length = strlen(rule);
    const char *result = NULL;
    for (const char *at = script->text; (at = strstr(at, rule)) && !result; at++) {
        const char *open = at + length, *end = open;
        const char *line = at;
        while (line > script->text && line[-1] != '\n' && strncmp(line, "//", 2) != 0)
            line--;
        if (*open != '(' || strncmp(line, "//", 2) == 0 ||
            (at > script->text && isalnum((unsigned char)at[-1])))
            continue;
        for (bool is_text = false; *end && (is_text || *end != ')'); end++)
            is_text ^= *end == '"';
        bool is_meant = false;
        String text, last = {0};
        while ((open = conversion_text(open, end, &text))) {
            is_meant |= text.length == strlen(old) && memcmp(text.text, old, text.length) == 0;
            last = text;
        }
        if (is_meant)
            result = arena_copy_text(f->arena, last.text, last.length);
    }
    return result;
}

void library_note_conversion(Flattener *f, Diagnostic *error, Class *in, const Name *name,
                             Span span)
{
    const Class *top = in;
    while (top && top->enclosing && top->enclosing->name)
        top = top->enclosing;
    const Argument *conversion =
        top && top->definition ? find_annotation(top->definition, "conversion") : NULL;
    const Modification *m = conversion ? conversion->modification : NULL;
    StringBuilder old = builder_create(f->arena);
    builder_append_format(&old, "%s.%s", class_name(f, in), name->text);
    for (uint32_t i = 0; m && i < m->count; i++) {
        const Argument *a = m->arguments[i];
        const char *uri = a->kind == ARGUMENT_MODIFICATION
                              ? argument_text(f, upgrade_modifier(a->modification, "script"))
                              : NULL;
        const char *path = script_file(f, uri, span);
        const SourceFile *script;
        if (!path || sources_read(f->compilation->sources, path, &script) != SOURCE_OK)
            continue;
        const char *text = builder_string(&old).text;
        const char *new = find_conversion(f, script, "convertClass", text);
        const char *why = new ? NULL : find_conversion(f, script, "convertMessage", text);
        if (new || why)
            report_note(f, error, span, new ? "'%s' of an earlier version is '%s' now" : "'%s': %s",
                        text, new ? new : why);
    }
}

// ---------------------------------------------------------------------------
// The search path
// ---------------------------------------------------------------------------

static void add_standard(Flattener *f)
{
    if (!f->library->has_standard)
        path_standard(f->arena, &f->library->paths);
    f->library->has_standard = true;
}

// Whether what is found in a folder is of the wanted version, which its package.mo says.
static bool library_is_wanted(Flattener *f, const char *path, const char *version,
                              const char *wanted)
{
    if (version)
        return version_compare(version, wanted) == 0;
    const StoredDefinition *stored =
        read_file(f, path_is_folder(path) ? path_join(f->arena, path, "package.mo") : path);
    const char *own = stored && stored->count
                          ? argument_text(f, find_annotation(stored->classes[0], "version"))
                          : NULL;
    return own && version_compare(own, wanted) == 0;
}

// The wanted version of a library wherever it is, or else what comes first. NULL: it is nowhere.
static const char *find_library(Flattener *f, const Name *name, const char *wanted)
{
    const char *first = NULL, *version;
    Library *library = f->library;
    for (uint32_t i = 0; i < library->homes.count; i++) {
        const char *home = path_find(f->arena, library->homes.items[i], name->text, NULL, &version);
        if (home == library->homes.items[i])
            return home; // a file's own library
    }
    for (uint32_t i = 0; i < library->paths.count || !library->has_standard; i++) {
        if (i == library->paths.count)
            add_standard(f);
        if (i == library->paths.count)
            break;
        const char *path =
            path_find(f->arena, library->paths.items[i], name->text, wanted, &version);
        if (path && (!wanted || library_is_wanted(f, path, version, wanted)))
            return path;
        first = first ? first : path;
    }
    return first;
}

Member *library_top(Flattener *f, const Name *name)
{
    Library *library = f->library;
    Member *member = map_find(&library->root->table, name);
    if (member || map_find(&library->missing, name))
        return member;
    const Argument *uses = NULL;
    const char *wanted = wanted_version(f, name, &uses);
    const char *path = find_library(f, name, wanted);
    if (path) {
        Class *last = library->last; // a library is not what the user wants to run
        Class *last_package = library->last_package;
        const ClassDefinition *last_class = library->last_class;
        const uint32_t given = library->given.count;
        library->is_searching = true;
        library_add(f, path);
        library->is_searching = false;
        library->given.count = given;
        library->last = last;
        library->last_package = last_package;
        library->last_class = last_class;
        member = map_find(&library->root->table, name);
    }
    if (!member) {
        map_set(f->arena, &library->missing, name, library);
        return NULL;
    }
    map_set(f->arena, &library->found, name, member);
    check_version(f, member->element->class_definition, wanted, uses, path);
    return member;
}

void library_note_missing(Flattener *f, Diagnostic *error, const Name *name, Span span)
{
    if (map_find(&f->library->told, name))
        return;
    map_set(f->arena, &f->library->told, name, f->library);
    StringBuilder places = builder_create(f->arena);
    add_standard(f);
    for (uint32_t i = 0; i < f->library->paths.count; i++)
        builder_append_format(&places, "%s%s", i ? ", " : "",
                              (const char *)f->library->paths.items[i]);
    report_note(f, error, span,
                "a library '%s' is not there either%s%s%s; give the folder that it is in by "
                "--library=DIR, or in MODELICAPATH",
                name->text, places.length ? " (it was looked for in " : "",
                builder_string(&places).text, places.length ? ")" : "");
    if (strcmp(name->text, "Modelica") == 0)
        report_note(f, error, span,
                    "the Modelica Standard Library is free: OpenModelica installs it with "
                    "installPackage(Modelica), or take it from "
                    "https://github.com/modelica/ModelicaStandardLibrary/releases");
}

Member *library_given(Flattener *f, const Name *name)
{
    Library *library = f->library;
    return map_find(&library->found, name) ? NULL : map_find(&library->root->table, name);
}

// ---------------------------------------------------------------------------
// Packages in folders
// ---------------------------------------------------------------------------

static void add_folder_member(Flattener *f, Class *package, const char *text, size_t length,
                              const char *path)
{
    const Name *name = names_intern(f->names, text, length);
    if (map_find(&package->table, name))
        return;
    Member *member = ARENA_NEW(f->arena, Member);
    *member = (Member){.name = name, .scope = package, .path = path};
    map_set(f->arena, &package->table, name, member);
    list_append(f->arena, &package->additions, member);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool path_is_link(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

// Whether a link of a package around it led into the folder. No link is followed from there: a
// folder that contains itself twice would have 2^40 classes.
static bool folder_is_linked(const Class *package)
{
    for (; package->enclosing && package->enclosing->folder; package = package->enclosing)
        if (path_is_link(package->folder))
            return true;
    return false;
}

// The class that an entry of a folder is: NAME.mo or NAME/package.mo.
static void library_add_entry(Flattener *f, Class *package, const char *text)
{
    const size_t length = strlen(text);
    const char *path = path_join(f->arena, package->folder, text);
    if (text[0] == '.' || strchr(text, '/')) // the folder itself, what is hidden, what leads out
        return;
    const bool is_class = length > 3 && strcmp(text + length - 3, ".mo") == 0 &&
                          strcmp(text, "package.mo") != 0 && path_is_file(path);
    if (is_class)
        add_folder_member(f, package, text, length - 3, path);
    else if (path_is_file(path_join(f->arena, path, "package.mo")) &&
             !(path_is_link(path) && folder_is_linked(package)))
        add_folder_member(f, package, text, length, path);
}

// The classes in the order of package.order, one name on each line; it may also name elements of
// package.mo itself (section 13.4.1).
static void add_ordered(Flattener *f, Class *package)
{
    const char *path = path_join(f->arena, package->folder, "package.order");
    const SourceFile *file;
    if (!path_is_file(path) || sources_read(f->compilation->sources, path, &file) != SOURCE_OK)
        return;
    for (const char *line = file->text; *line;) {
        const size_t length = strcspn(line, "\r\n");
        const char *name = arena_copy_text(f->arena, line, length);
        StringBuilder single = builder_create(f->arena);
        builder_append_format(&single, "%s.mo", name);
        if (length) {
            library_add_entry(f, package, builder_string(&single).text);
            library_add_entry(f, package, name);
        }
        line += length;
        line += strspn(line, "\r\n");
    }
}

void library_list_folder(Flattener *f, Class *package)
{
    add_ordered(f, package);
    // The others sorted, so that a model does not depend on the order of a folder on disk.
    List entries = {0};
    DIR *listing = opendir(package->folder);
    if (!listing)
        return;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        list_append(f->arena, &entries,
                    arena_copy_text(f->arena, entry->d_name, strlen(entry->d_name)));
    closedir(listing);
    if (entries.count)
        qsort(entries.items, entries.count, sizeof *entries.items, compare_texts);
    for (uint32_t i = 0; i < entries.count; i++)
        library_add_entry(f, package, entries.items[i]);
}

bool library_load(Flattener *f, Class *enclosing, Member *member)
{
    if (!member->path)
        return false;
    const bool is_package = path_is_folder(member->path);
    const StoredDefinition *stored =
        read_file(f, is_package ? path_join(f->arena, member->path, "package.mo") : member->path);
    stored = stored ? upgrade_file(f, stored) : NULL;
    if (!stored)
        return false;
    for (uint32_t i = 0; i < stored->count; i++) {
        ClassDefinition *definition = stored->classes[i];
        if (definition->name != member->name)
            continue;
        member->element = class_element(f, definition);
        if (!is_package)
            member->path = NULL;
        return true;
    }
    report_error(f, (Span){0, 0}, "'%s' does not define '%s' of package '%s'", member->path,
                 member->name->text, class_name(f, enclosing));
    return false;
}
