# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the table "What is supported" in Documentation/Supported.md. Each row names tests that exist and are enabled in
this build. The types, properties and versions of the table are those of the sources.

usage: TestSupported.py PROJECT BUILD CTEST
"""
import collections
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

PROJECT, BUILD, CTEST = sys.argv[1:]
HEADING = "## What is supported"

# The cells of a row of the table. `patterns` are the names of tests in its last cell, as patterns of fnmatch.
Row = collections.namedtuple("Row", "subject text patterns")


def source(path):
    return pathlib.Path(PROJECT, path).read_text(encoding="utf-8")


def rows_of(document):
    """The rows below the heading, without the table's head."""
    section = document.split(HEADING + "\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return [Row(subject, text, re.findall("`([^`]+)`", tests)) for subject, text, tests in cells]


def tests_of(listing):
    """For each test of `ctest --show-only=json-v1`, by name, whether it is disabled."""
    return {test["name"]: any(p["name"] == "DISABLED" and p["value"] for p in test.get("properties", []))
            for test in json.loads(listing)["tests"]}


def complaints_about_tests(rows, tests):
    for row in rows:
        if not row.patterns:
            yield f'"{row.subject}" names no test'
        for pattern in row.patterns:
            matches = fnmatch.filter(tests, pattern)
            if not matches:
                yield f'"{row.subject}": no test matches {pattern}'
            for name in matches:
                if tests[name]:
                    yield f'"{row.subject}": {name} is disabled'


def types_of(volume_header):
    """The types of enum SampleType, in the words of the table."""
    names = re.findall(r"\w+", re.search(r"enum class SampleType\s*{([^}]*)}", volume_header).group(1))
    bits = {kind: sorted(int(name[len(kind):]) for name in names if re.fullmatch(kind + r"\d+", name))
            for kind in ("Int", "UInt", "Float")}
    if bits["Int"] != bits["UInt"] or bits["Float"] != [32, 64] or len(names) != sum(map(len, bits.values())):
        raise ValueError(f"no words for these types: {names}")
    *most, last = bits["Int"]
    return f"integers of {', '.join(map(str, most))} and {last} bits, signed and unsigned, float, double"


def complaints_about_types(rows, volume_header):
    if not any(types_of(volume_header) in row.text for row in rows):
        yield f"no row says: {types_of(volume_header)}"


def properties_of(proxy):
    """The choices of each property of the proxy that can be set, by name; an empty list if it is no enumeration."""
    properties = {}
    for element in xml.etree.ElementTree.fromstring(proxy).find(".//VulkanMarchingCubesProxy"):
        if element.tag.endswith("Property") and element.get("information_only") != "1":
            properties[element.get("name")] = [entry.get("text") for entry in element.findall("EnumerationDomain/Entry")]
    return properties


def complaints_about_properties(rows, proxy):
    """Each property in the table is one of the proxy; each enumeration and each switch of the proxy is in the table."""
    text = "\n".join(row.text for row in rows)
    properties = properties_of(proxy)
    for name in re.findall(r"\*(\w+)\*", text):
        if name not in properties:
            yield f"the proxy has no property {name}"
    switches = re.findall(r'<IntVectorProperty name="(\w+)"[^>]*>\s*<BooleanDomain', proxy)
    for name, choices in properties.items():
        words = f"*{name}* ({', '.join(choices)})" if choices else f"*{name}*"
        if (choices or name in switches) and words not in text:
            yield f"no row says: {words}"


def complaints_about_versions(rows, cmake):
    version = re.search(r"find_package\(ParaView (\S+) REQUIRED\)", cmake).group(1)
    if not any(row.subject == "ParaView" and row.text.split()[0] == version for row in rows):
        yield f"no row says that ParaView {version} is needed"


class Supported(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = rows_of(source("Documentation/Supported.md"))

    def check(self, complaints):
        self.assertEqual(list(complaints), [])

    def test_every_row_names_tests_of_this_build_that_run(self):
        self.assertGreater(len(self.rows), 5)
        listing = subprocess.run([CTEST, "--test-dir", BUILD, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
        self.check(complaints_about_tests(self.rows, tests_of(listing.stdout)))

    def test_the_types_are_those_of_the_core(self):
        self.check(complaints_about_types(self.rows, source("Filters/Compute/Volume/Volume.h")))

    def test_the_properties_are_those_of_the_proxy(self):
        self.check(complaints_about_properties(self.rows, source(f"{BUILD}/Plugin/proxies/VulkanMarchingCubes.xml")))

    def test_the_version_is_that_of_the_build(self):
        self.check(complaints_about_versions(self.rows, source("CMakeLists.txt")))


class BrokenTables(unittest.TestCase):
    """Each check finds the errors of a wrong table."""

    ROWS = rows_of(f"""{HEADING}

| | | tests |
| --- | --- | --- |
| types | integers of 8 and 16 bits, signed and unsigned, float, double | `Types.*` |
| border | *Boundary* (Open, Close) or *Switch* | `Border.Open`, `Border.Close` |
| ParaView | 5.11 | |

## Next
""")
    TESTS = {"Types.Small": False, "Border.Open": False, "Border.Close": True}
    HEADER = "enum class SampleType\n{\n  Int8,\n  UInt8,\n  Int16,\n  UInt16,\n  Float32,\n  Float64\n};"
    PROXY = """<A><VulkanMarchingCubesProxy>
        <IntVectorProperty name="Boundary"><EnumerationDomain><Entry text="Open"/><Entry text="Close"/></EnumerationDomain>
        </IntVectorProperty>
        <IntVectorProperty name="Switch"><BooleanDomain/></IntVectorProperty>
        <IntVectorProperty name="Told" information_only="1"/>
        </VulkanMarchingCubesProxy></A>"""

    def test_rows_without_tests_and_disabled_tests_are_seen(self):
        self.assertEqual(list(complaints_about_tests(self.ROWS, self.TESTS)),
                         ['"border": Border.Close is disabled', '"ParaView" names no test'])

    def test_patterns_that_match_nothing_are_seen(self):
        self.assertEqual(list(complaints_about_tests(self.ROWS[:1], {"Type.Small": False, "types.small": False})),
                         ['"types": no test matches Types.*'])

    def test_a_listing_tells_which_tests_are_disabled(self):
        listing = {"tests": [{"name": "A", "properties": [{"name": "DISABLED", "value": True}]},
                             {"name": "B", "properties": [{"name": "LABELS", "value": ["unit"]}]}, {"name": "C"}]}
        self.assertEqual(tests_of(json.dumps(listing)), {"A": True, "B": False, "C": False})

    def test_other_types_are_seen(self):
        self.assertEqual(list(complaints_about_types(self.ROWS, self.HEADER)), [])
        more = self.HEADER.replace("Int16,", "Int16,\n  UInt32,\n  Int32,", 1)
        self.assertEqual(list(complaints_about_types(self.ROWS, more)),
                         ["no row says: integers of 8, 16 and 32 bits, signed and unsigned, float, double"])
        self.assertRaises(ValueError, types_of, self.HEADER.replace("UInt8", "Float16"))

    def test_other_properties_and_choices_are_seen(self):
        self.assertEqual(list(complaints_about_properties(self.ROWS, self.PROXY)), [])
        self.assertEqual(list(complaints_about_properties(self.ROWS, self.PROXY.replace("Switch", "Lever"))),
                         ["the proxy has no property Switch", "no row says: *Lever*"])
        self.assertEqual(list(complaints_about_properties(self.ROWS, self.PROXY.replace('"Close"', '"Shut"'))),
                         ["no row says: *Boundary* (Open, Shut)"])

    def test_another_version_is_seen(self):
        self.assertEqual(list(complaints_about_versions(self.ROWS, "find_package(ParaView 5.11 REQUIRED)")), [])
        self.assertEqual(list(complaints_about_versions(self.ROWS, "find_package(ParaView 5.13 REQUIRED)")),
                         ["no row says that ParaView 5.13 is needed"])


unittest.main(argv=sys.argv[:1], verbosity=2)
