# SPDX-License-Identifier: MIT
"""The examples of docs/python.md, in order, in one namespace: they run, their assertions hold, and
what they print is what the page shows. The notebook python/tutorial.ipynb likewise, cell by cell;
where nbclient and ipykernel are there, by them as well, as Jupyter would.
"""

import ast
import contextlib
import io
import json
import os
import re
import warnings

from support import SOURCE, has, main, unittest

import saltus


def blocks(page):
    """(language, text, line) of each block."""
    found, language, lines, first = [], None, [], 0
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("```") and language is None:
            language, lines, first = line[3:].strip() or "plain", [], number + 1
        elif line.startswith("```"):
            found.append((language, "\n".join(lines), first))
            language = None
        elif language is not None:
            lines.append(line)
    return found


class Page(unittest.TestCase):
    def test_examples(self):
        path = os.path.join(SOURCE, "docs", "python.md")
        with open(path, encoding="utf-8") as file:
            found = blocks(file.read())
        space, printed, count = {}, "", 0
        for language, text, line in found:
            if language == "python":
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile("\n" * (line - 1) + text, path, "exec"), space)
                printed = out.getvalue()
                count += 1
            elif language == "text":
                self.assertEqual(printed.rstrip("\n"), text, f"{path}:{line}")
        self.assertGreater(count, 8)

    def test_all_names_are_there(self):
        with open(os.path.join(SOURCE, "docs", "python.md"), encoding="utf-8") as file:
            page = file.read()
        for name in re.findall(r"\bsaltus\.([A-Za-z_]+)", page):
            self.assertTrue(hasattr(saltus, name) or name in ("Model",), name)
        run = saltus.loads("model M Real x = time; end M;").simulate(stop=1)
        for name in re.findall(r"\brun\.([A-Za-z_]+)", page):
            self.assertTrue(hasattr(run, name) or hasattr(type(run), name), name)


class Notebook(unittest.TestCase):
    path = os.path.join(SOURCE, "python", "tutorial.ipynb")

    def test_cells(self):
        with open(self.path, encoding="utf-8") as file:
            book = json.load(file)
        space, count = {}, 0
        for cell in book["cells"]:
            if cell["cell_type"] != "code":
                continue
            tree = ast.parse("".join(cell["source"]))
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "tutorial.ipynb", "exec"), space)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), "tutorial.ipynb", "eval"), space)
                self.show(value)
            count += 1
        self.assertGreater(count, 8)

    @staticmethod
    def show(value):
        """As Jupyter would."""
        repr(value)
        if hasattr(value, "_repr_html_"):
            value._repr_html_()

    def setUp(self):
        self.before = os.getcwd()
        os.chdir(os.path.join(SOURCE, "python"))
        if has("matplotlib"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of matplotlib itself
                import matplotlib

                matplotlib.use("Agg")

    def tearDown(self):
        os.chdir(self.before)

    @unittest.skipUnless(has("nbclient") and has("nbformat") and has("ipykernel"), "no nbclient")
    def test_jupyter(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import nbclient
            import nbformat

            book = nbformat.read(self.path, as_version=4)
            client = nbclient.NotebookClient(book, timeout=120, kernel_name="python3")
            client.execute()
        self.assertTrue(any(cell.get("outputs") for cell in book.cells))


def setUpModule():
    os.chdir(SOURCE)


if __name__ == "__main__":
    main()
