# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""mutate.py finds the mutations that it should find, and no others; the list of equivalent ones fits the sources.

usage: TestMutations.py
"""
import pathlib
import sys
import unittest

import mutate
import mutations
import suites

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent


def mutants(text):
    """The lines that the mutations of the text make."""
    return [mutation.mutated for mutation in mutations.mutations_of("a.h", text)]


class Found(unittest.TestCase):
    def test_comparisons_operators_and_constants(self):
        self.assertEqual(mutants("a = b < c;\n"), ["a = b <= c;"])
        self.assertEqual(mutants("a = b && c;\n"), ["a = b || c;"])
        self.assertEqual(mutants("a = b[2u];\n"), ["a = b[1u];", "a = b[3u];"])
        self.assertEqual(mutants("a = 0.5f;\n"), ["a = 1.0f;"])
        self.assertEqual(mutants("a = 0xF0u;\n"), ["a = 0xF1u;"])
        self.assertEqual(mutants("a = min(b, c);\n"), ["a = max(b, c);"])
        self.assertEqual(mutants("bool a = true;\n"), ["bool a = false;"])

    def test_entries_of_tables(self):
        self.assertEqual(mutants("a = { 0, b };\n"), ["a = { 1, b };"])
        self.assertEqual(mutants("#define SIZE (A * B)\n"), ["#define SIZE (A + B)"])

    def test_barriers(self):
        self.assertEqual(mutants("{\n  barrier();\n}\n"), [";"])
        self.assertEqual(mutants("{\n  this->barrier();\n}\n"), [";"])

    def test_a_mutation_changes_its_place_only(self):
        text = "x = 1;\ny = a + b;\n"
        last = mutations.mutations_of("a.h", text)[-1]
        self.assertEqual((last.line, last.text, last.apply(text)), (2, "y = a + b;", "x = 1;\ny = a - b;\n"))


class NotFound(unittest.TestCase):
    def test_text_is_not_mutated(self):
        for text in ("// a < 1\n", "/* a < 1\n  b < 2 */\n", 'f("a < 1");\n', "#include <a1.h>\n",
                     "#if A < 1\n#endif\n", "static_assert(a == 1, b);\n", 'throw Error(a + 1, "b" + c);\n',
                     "#define A1\n"):
            self.assertEqual(mutants(text), [], text)

    def test_types_are_not_mutated(self):
        for text in ("std::array<std::array<float, 3>, 4>& a;\n", "template <class A, int B = 1>\nclass C;\n",
                     "layout(location = 1) in;\n", "layout(constant_id = A) const uint B = 1;\n"):
            self.assertEqual(mutants(text), [], text)

    def test_code_for_other_systems_is_not_mutated(self):
        self.assertEqual(mutants("#ifdef _WIN32\na = 1;\n#else\na = 0;\n#endif\n"), ["a = 1;"])
        self.assertEqual(mutants("#ifndef _WIN32\na = 0;\n#else\na = 2;\n#endif\nb = 0;\n"), ["a = 1;", "b = 1;"])


class Project(unittest.TestCase):
    def test_kernels_and_core_have_mutations(self):
        for path in ("Shaders/Contour/CountBricks.comp", "Shaders/Shared/Scan.glsl", "Shaders/Shared/Cell.h",
                     "Filters/Compute/Contour/CaseTable.cxx", "Filters/Compute/Engine.cxx"):
            self.assertTrue(mutations.is_mutated(path), path)
            text = (PROJECT / path).read_text(encoding="utf-8")
            found = mutations.mutations_of(path, text)
            self.assertGreater(len(found), 5, path)
            for mutation in found:
                self.assertNotEqual(mutation.apply(text), text)
        self.assertFalse(mutations.is_mutated("Testing/Unit/TestRays.cxx"))

    def test_each_equivalent_mutant_exists(self):
        """Else its line has changed: the entry is to be removed or rewritten."""
        for path, line, mutated in mutate.equivalents():
            text = (PROJECT / path).read_text(encoding="utf-8")
            found = {(mutation.text, mutation.mutated) for mutation in mutations.mutations_of(path, text)}
            self.assertIn((line, mutated), found, path)

    def test_tests_of_the_file_come_first(self):
        def stage(test, path):
            return suites.stage_of(test, path, PROJECT)
        self.assertEqual(stage("ScanBricks.Name", "Shaders/Contour/ScanBricks.comp"), 0)
        self.assertEqual(stage("ScanBricks.Name", "Shaders/Shared/Scan.glsl"), 0)
        self.assertEqual(stage("CaseTable.Name", "Filters/Compute/Contour/CaseTable.cxx"), 0)
        self.assertEqual(stage("Engine/CastRays.Name/Cpu", "Shaders/Rays/RayCell.glsl"), 0)
        self.assertEqual(stage("Engines.Name", "Shaders/Contour/ScanBricks.comp"), 1)
        self.assertEqual(stage("Engine/Ghosts.Name/Vulkan", "Shaders/Contour/ScanBricks.comp"), 2)
        self.assertEqual(stage("PrivateFile.Name", "Shaders/Contour/ScanBricks.comp"), 3)

    def test_tests_of_the_cpu_do_not_depend_on_kernels(self):
        for test, path, expected in (("Engine/Ghosts.Name/Cpu", "Shaders/Shared/Scan.glsl", False),
                                     ("ExtractOnCpu.Name", "Shaders/Shared/Scan.glsl", False),
                                     ("ExtractOnCpu.Name", "Shaders/Shared/Cell.h", True),
                                     ("ScanBricks.Name", "Shaders/Shared/Scan.glsl", True)):
            self.assertEqual(suites.may_see(test, path, PROJECT), expected, (test, path))

    def test_the_tables_name_sources_of_tests(self):
        names = {name for _, name, _ in suites.sources(PROJECT).values()}
        for name in (*suites.GENERAL, *sum(suites.ROOMS.values(), ())):
            self.assertIn(name, names)


unittest.main(argv=sys.argv[:1], verbosity=2)
