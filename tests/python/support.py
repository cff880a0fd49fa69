# SPDX-License-Identifier: MIT
"""What the tests of the Python package share. Without NumPy they are skipped."""

import os
import sys
import unittest

try:
    import numpy
except ImportError:
    print("there is no NumPy: skipped")
    sys.exit(77)

SOURCE = os.environ.get("SALTUS_SOURCE_DIR") or os.path.abspath(
    os.path.join(os.path.dirname(__file__), "..", "..")
)


def model_file(name):
    return os.path.join(SOURCE, "models", "examples", name)


def has(module):
    """Whether an optional module is there."""
    import importlib.util

    return importlib.util.find_spec(module) is not None


def main():
    unittest.main(verbosity=2)


__all__ = ["SOURCE", "has", "main", "model_file", "numpy", "unittest"]
