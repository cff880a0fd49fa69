// SPDX-License-Identifier: MIT

#include "core.h"

static PyObject *core_version(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    return PyUnicode_FromString(saltus_version());
}

static PyObject *core_solvers(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    PyObject *list = PyList_New(0);
#define CORE_SOLVER(name, text, what)                                                              \
    if (list) {                                                                                    \
        PyObject *item = Py_BuildValue("(ss)", text, what);                                        \
        if (!item || PyList_Append(list, item) < 0)                                                \
            Py_CLEAR(list);                                                                        \
        Py_XDECREF(item);                                                                          \
    }
    SALTUS_SOLVER_LIST(CORE_SOLVER)
#undef CORE_SOLVER
    return list;
}

static PyMethodDef functions[] = {
    {"load", core_load, METH_VARARGS,
     "load(files, text, name, modification, settings, live, library_path) -> (Model or None, "
     "messages)"},
    {"plot", core_plot, METH_VARARGS,
     "plot(title, time, [(panel title, unit, [(label, values)])], bands, marks, id) -> SVG text"},
    {"version", core_version, METH_NOARGS, "The version of the library."},
    {"solvers", core_solvers, METH_NOARGS, "[(name, what it is)]"},
    {NULL, NULL, 0, NULL},
};

static int core_execute(PyObject *module)
{
    CoreState *s = PyModule_GetState(module);
    s->model = (PyTypeObject *)PyType_FromModuleAndSpec(module, &model_spec, NULL);
    s->run = (PyTypeObject *)PyType_FromModuleAndSpec(module, &run_spec, NULL);
    s->column = (PyTypeObject *)PyType_FromModuleAndSpec(module, &column_spec, NULL);
    return s->model && s->run && s->column ? 0 : -1;
}

static int core_traverse(PyObject *module, visitproc visit, void *arg)
{
    const CoreState *s = PyModule_GetState(module);
    Py_VISIT(s->model);
    Py_VISIT(s->run);
    Py_VISIT(s->column);
    return 0;
}

static int core_clear(PyObject *module)
{
    CoreState *s = PyModule_GetState(module);
    Py_CLEAR(s->model);
    Py_CLEAR(s->run);
    Py_CLEAR(s->column);
    return 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)core_execute},
    {0, NULL},
};

static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                 .m_name = "saltus._core",
                                 .m_size = sizeof(CoreState),
                                 .m_methods = functions,
                                 .m_slots = module_slots,
                                 .m_traverse = core_traverse,
                                 .m_clear = core_clear};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
