# SPDX-License-Identifier: MIT
"""The package as it is installed: by CMake, as a wheel, and by pip without a network."""

import glob
import os
import subprocess
import sys
import tempfile
import zipfile

from support import SOURCE, has, main, unittest

BUILD = os.environ["SALTUS_BINARY_DIR"]
QUESTION = (
    "import saltus; print(saltus.__file__);"
    " print(saltus.loads('model M Real x = time; end M;').simulate(stop=1).final('x'))"
)


class Installed(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.environment = {**os.environ, "SALTUS_BUILD_DIR": BUILD, "PIP_NO_INDEX": "1"}
        # Whoever asks the network gets no answer.
        for name in ("http_proxy", "https_proxy"):
            self.environment[name] = "http://127.0.0.1:9"

    def tearDown(self):
        self.folder.cleanup()

    def run_quietly(self, *command):
        done = subprocess.run(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def ask(self, place):
        environment = {**self.environment, "PYTHONPATH": place}
        answer = subprocess.run(
            [sys.executable, "-c", QUESTION],
            env=environment, cwd=self.folder.name, check=True, capture_output=True, text=True,
        ).stdout.split()  # fmt: skip
        self.assertTrue(answer[0].startswith(place), answer)
        self.assertEqual(answer[1], "1.0")

    def test_cmake(self):
        self.run_quietly("cmake", "--install", BUILD, "--prefix", self.folder.name)
        found = glob.glob(os.path.join(self.folder.name, "lib", "python*", "*-packages"))
        self.assertEqual(len(found), 1)
        self.ask(found[0])
        self.assertTrue(os.path.exists(os.path.join(found[0], "saltus", "py.typed")))

    def test_wheel(self):
        sys.path.insert(0, os.path.join(SOURCE, "python"))
        import backend

        self.assertEqual(backend.get_requires_for_build_wheel(), [])
        os.environ["SALTUS_BUILD_DIR"] = BUILD
        name = backend.build_wheel(self.folder.name)
        self.assertRegex(name, r"^saltus-[0-9.]+-cp311-abi3-linux_\w+\.whl$")
        place = os.path.join(self.folder.name, "place")
        with zipfile.ZipFile(os.path.join(self.folder.name, name)) as wheel:
            self.assertIsNone(wheel.testzip())
            wheel.extractall(place)
            names = set(wheel.namelist())
        source = os.listdir(os.path.join(SOURCE, "python", "src", "saltus"))
        for file in source:
            if not file.startswith("__pycache__"):
                self.assertIn(f"saltus/{file}", names)
        self.ask(place)

    def without_network(self):
        """A command in front of others that takes the network away, where that is allowed."""
        for words in (["unshare", "-n"], ["unshare", "-rn"]):
            try:
                if subprocess.run([*words, "true"], capture_output=True).returncode == 0:
                    return words
            except OSError:
                break
        return []

    @unittest.skipUnless(has("pip"), "there is no pip")
    def test_pip(self):
        place = os.path.join(self.folder.name, "place")
        self.run_quietly(
            *self.without_network(),
            sys.executable, "-m", "pip", "install", "--no-deps", "--no-cache-dir", "--target", place,
            os.path.join(SOURCE, "python"),
        )  # fmt: skip
        self.ask(place)


if __name__ == "__main__":
    main()
