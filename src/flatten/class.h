// SPDX-License-Identifier: MIT
//
// Classes as the flattener sees them: a definition of the text in its lexical place, with all
// elements, its own and the inherited ones, in one table.
//
// What always holds:
// - A class without modifications from outside is made once; the same text has other Class objects
//   where it is inherited or redeclared with other classes inside.
// - A class is expanded (members, bases, table) on first use; class_expand can be called any time.
// - Members are in the order of the text, those of a base class at the place of its extends clause.
//   A member of a derived class has the name of the base's member and usually its element.
// - Names in the text of a member, or of a modification, are looked up in their `scope`.

#ifndef SALTUS_FLATTEN_CLASS_H
#define SALTUS_FLATTEN_CLASS_H

#include "flatten/context.h"

typedef enum Predefined {
    PREDEFINED_NONE,
    PREDEFINED_REAL,
    PREDEFINED_INTEGER,
    PREDEFINED_BOOLEAN,
    PREDEFINED_STRING,
    PREDEFINED_ENUMERATION, // any enumeration
    PREDEFINED_EXTERNAL_OBJECT,
    PREDEFINED_CLOCK,
} Predefined;

// An element of a class.
struct Member {
    const Name *name;
    const Element *element;    // ELEMENT_COMPONENT or ELEMENT_CLASS; NULL: a file not yet read
    Class *scope;              // the class whose text has the element
    const Layer *layers;       // modifications from extends clauses, outermost first
    const Element *constraint; // the element whose constrainedby, or type, a redeclaration must fit
    Class *constraint_scope;
    bool is_component;
    bool is_protected;
    bool is_final;
    bool is_inherited;
    bool is_removed;  // `break name` in an extends clause
    uint32_t index;   // of a component: its place among the components
    Class *class_;    // of a class: itself; of a component: its type as declared. Made on demand
    bool is_resolved; // `class_` was looked for
    Member *origin;   // of an inherited one: the base class's
    Member *replaced; // of a `redeclare` element: the inherited one
    const FlatDeclaration *declared; // of the instance that was declared last
    const char *path;                // the file or folder of a class not yet read
};

typedef struct Base {
    Class *class_;
    const Element *element; // the extends clause; NULL: of a short class
    bool is_protected;
} Base;

// An import clause, or one name of its list.
typedef struct ImportEntry {
    const Import *import;
    Span span;
    const Name *last; // of IMPORT_LIST: the imported name
    Class *scope;     // what it names, once resolved: a member of this class
    Member *member;
    bool is_resolved;
} ImportEntry;

typedef enum ClassState { CLASS_NEW, CLASS_EXPANDING, CLASS_EXPANDED } ClassState;

struct Class {
    const ClassDefinition *definition; // NULL: the root of all, and predefined types
    const Name *name;                  // NULL: the root
    Class *enclosing;
    const Layer *layers;   // modifications of the class as a whole: M(x = 1) where M is this class
    const Layer *defaults; // of a constraining clause: its own modifications win over these
    Predefined predefined;
    const char *folder; // of a package in a folder

    // once expanded:
    ClassState state;
    bool is_broken; // an error was reported; it has no reliable members
    uint32_t base_count, member_count, component_count;
    uint64_t way_count; // of itself, its bases, their bases, ..., each as often as it is one
    Base *bases;
    Member **members;
    Member **components;
    Map table; // name -> Member
    struct {
        Map names;      // name -> ImportEntry
        List wildcards; // ImportEntry of `import A.*`
    } imports;
    List additions;          // Member of files that say `within` this class
    Predefined simple;       // a type derived from this predefined one
    Class *simple_type;      // ... and the enumeration it is derived from, or the predefined class
    const Layer *attributes; // of a simple type: its modifications, outermost first

    // found on demand:
    const char *full_name;
    const FlatType *type;         // of simple types and records
    Instance *statics;            // its constants
    const FlatAttributes *shared; // of a simple type: what all its variables have
    FlatFunction *function;       // of functions
    struct {
        bool is_declaring; // its inputs and outputs are being made
        bool is_visiting;  // guards recursive questions about it
    } busy;
    struct {
        bool is_made;
        bool has_machines; // initialState or transition occurs in the texts
        List texts;        // the classes whose sections it has: bases first, itself last
    } sections;
};

void class_expand(Flattener *f, Class *c);
// The member of that name, inherited or not; NULL: none. Expands.
Member *class_member(Flattener *f, Class *c, const Name *name);
// The class of a class member; the declared type of a component member. NULL: an error that was
// reported.
Class *member_class(Flattener *f, Member *member);
// The declarations of a component, the one that counts first: a redeclaration (NULL: none), what it
// replaces, and so on; NULL: no more. A redeclaration takes over the prefixes and sizes that it
// does not give itself (section 7.3).
const Component *member_declaration(const Member *member, const Element *redeclaration,
                                    uint32_t index);
Direction member_direction(const Member *member, const Element *redeclaration);
// `c` with modifications from outside: a class of its own if classes in it can see the difference.
Class *class_modified(Flattener *f, Class *c, const Layer *layers);
// A class for a definition at a place; not cached.
Class *class_create(Flattener *f, const ClassDefinition *definition, Class *enclosing);

// The kind after `extends` and short definitions: a short class `A = B` written with `class` or
// `type` is what B is.
ClassKind class_kind(Flattener *f, Class *c);
bool class_is_simple(Flattener *f, Class *c); // derived from Real, ..., or an enumeration
bool class_is_partial(const Class *c);
bool class_is_connector(Flattener *f, Class *c);
bool class_is_record(Flattener *f, Class *c);
bool class_is_function(Flattener *f, Class *c);
bool class_is_package(Flattener *f, Class *c);
bool class_is_model(Flattener *f, Class *c); // model, block or class with components
// Whether `c` is `base` or inherits from it.
bool class_inherits(Flattener *f, Class *c, const Class *base);
// Dotted name, for people.
const char *class_name(Flattener *f, Class *c);
// The classes whose sections `c` has, each once: bases first, itself last (section 7.1).
const List *class_texts(Flattener *f, Class *c);
// Whether `break connect(...)` in an extends clause, between a class and the text that it inherits
// the equation from, leaves it out (section 7.4 of the specification).
bool class_leaves_out(Flattener *f, const Class *c, const Class *text, const Equation *connect);
// Whether there is such an equation, of any depth, in the class or one that it extends.
bool class_has_connect(Flattener *f, const Class *c, const Reference *from, const Reference *to);
// The annotation argument of that name of the class or its bases; NULL: none.
const Argument *class_annotation(Flattener *f, const Class *c, const Name *name);
// The sizes in the definition of an array type, from outside in, with the scopes of their text.
void class_sizes(Flattener *f, Class *type, List *subscripts, List *scopes);
// The prefix of a short definition: `connector RealInput = input Real`.
Direction class_direction(Flattener *f, Class *c);
// The type of its values; flat_type_none for models and so on.
const FlatType *class_type(Flattener *f, Class *c);

#endif
