# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Finds the mutations of a source in C++ or GLSL: each changes one operator, constant, comparison or barrier.

A mutation usually compiles, because the sources are formatted: binary operators have spaces around them, and the angle
brackets of templates do not. Comments, strings, directives, assertions and messages of errors are left out, and so is
code for other systems.
"""
import dataclasses
import fnmatch
import re

KERNELS = ("Shaders/*.comp", "Shaders/*.glsl", "Shaders/Shared/*.h")
CORE = ("Filters/Compute/*.cxx", "Filters/Compute/*.h")

OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
    "*": "+", "/": "*", "%": "+", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=",
    "*=": "+=", "|=": "&=", "&=": "|="}
WORDS = {"true": "false", "false": "true", "min": "max", "max": "min", "floor": "ceil", "ceil": "floor"}

LITERALS = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])'", re.DOTALL)
LEFT_OUT = re.compile(
    r"^[ \t]*#(?!define \w+(?:\(\w+\))? )[^\n]*"  # directives without a value
    r"|^[ \t]*#define \w+(?:\(\w+\))? "  # the name that a directive defines
    r"|\b(?:static_assert|assert)\s*\([^;]*;|\bthrow\b[^;]*;|\blayout\s*\(constant_id[^;]*;"
    r"|\b(?:layout|alignas|reserve|Error)\s*\([^;)]*\)",
    re.MULTILINE)
TEMPLATE = re.compile(r"\btemplate\s*<[^;{]*?>(?=\s*\w)|(?<=\w)<[\w:, ]*>")
OTHER_SYSTEM = re.compile(r"#(?:if|ifdef|elif)\b.*(?<!!defined\()(?:_WIN32|__APPLE__|SANITIZE)")
THIS_SYSTEM = re.compile(r"#ifndef _WIN32|#ifdef __linux__")

OPERATOR = re.compile(r"(?<=\s)(?:" + "|".join(
    re.escape(text) for text in sorted(OPERATORS, key=len, reverse=True)) + r")(?=\s)")
WORD = re.compile(r"\b(?:true|false)\b|\b(?:min|max|floor|ceil)(?=\()")
NUMBER = re.compile(r"(?<![\w.'])(?:0x[0-9a-fA-F]+|\d+\.\d*(?:e-?\d+)?|\d+)(?=[uUlLf]*(?![\w.']))")
BARRIER = re.compile(r"(?<=[;{}\n]) *((?:[\w.]|->)*[bB]arrier\w*\([^;{}]*\));(?= *\n)")


@dataclasses.dataclass(frozen=True)
class Mutation:
    """The replacement of one piece of text of a file."""
    path: str  # from the folder of the project
    start: int  # in the text of the file
    old: str
    new: str
    line: int  # from 1 on
    text: str  # of the line
    mutated: str  # the line after the mutation

    def apply(self, text):
        """Returns the text of the file with the mutation."""
        assert text[self.start:self.start + len(self.old)] == self.old
        return text[:self.start] + self.new + text[self.start + len(self.old):]


def blank(match):
    """Returns as many characters, without text."""
    return re.sub(r"[^\n]", " ", match.group())


def without_other_systems(text):
    """Blanks code for Windows and macOS, and that for ThreadSanitizer: tests would not see a mutation there."""
    lines, branches = [], []  # of each open #if: whether this branch is left out, and whether #else would be
    for line in text.splitlines(keepends=True):
        if line.startswith("#if"):
            branches.append((bool(OTHER_SYSTEM.match(line)), bool(THIS_SYSTEM.match(line))))
        elif line.startswith("#elif") and branches:
            branches[-1] = (bool(OTHER_SYSTEM.match(line)), False)
        elif line.startswith("#else") and branches:
            branches[-1] = (branches[-1][1], False)
        elif line.startswith("#endif") and branches:
            branches.pop()
        is_left_out = any(skips for skips, _ in branches)
        lines.append(re.sub(r"[^\n]", " ", line) if is_left_out else line)
    return "".join(lines)


def masked(text):
    """Returns the text, of the same length, with blanks in place of what is not mutated."""
    code = LEFT_OUT.sub(blank, without_other_systems(LITERALS.sub(blank, text)))
    for _ in range(2):  # arguments of templates that are arguments themselves
        code = TEMPLATE.sub(lambda match: re.sub(r"[^\n]", "_", match.group()), code)
    return code


def other_numbers(number):
    """Returns the constants that replace a constant."""
    if number.startswith("0x"):
        return [f"0x{int(number, 16) ^ 1:X}"]
    if "." in number:
        return [repr(2 * float(number) or 1.0)]
    if number.startswith("0") and number != "0":
        return [f"0{int(number, 8) ^ 1:o}"]
    value = int(number)
    return [str(value + 1)] + ([str(value - 1)] if value > 0 else [])


def replacements(code):
    """Yields start, old and new text of each replacement in masked code."""
    for match in OPERATOR.finditer(code):
        yield match.start(), match.group(), OPERATORS[match.group()]
    for match in WORD.finditer(code):
        yield match.start(), match.group(), WORDS[match.group()]
    for match in NUMBER.finditer(code):
        for number in other_numbers(match.group()):
            yield match.start(), match.group(), number
    for match in BARRIER.finditer(code):
        yield match.start(1), match.group(1), ""


def mutations_of(path, text):
    """Returns the mutations of the file at this path with this text, by their place in it."""
    found = []
    for start, old, new in sorted(replacements(masked(text))):
        begin, end = text.rfind("\n", 0, start) + 1, text.find("\n", start + len(old))
        line = text[begin:end]
        mutated = text[begin:start] + new + text[start + len(old):end]
        found.append(Mutation(path, start, old, new, text.count("\n", 0, start) + 1, line.strip(), mutated.strip()))
    return found


def is_kernel(path):
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in KERNELS)


def is_mutated(path):
    """Returns whether the file at this path of the project belongs to the kernels or to the core."""
    return is_kernel(path) or any(fnmatch.fnmatchcase(path, pattern) for pattern in CORE)
