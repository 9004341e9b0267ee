# SPDX-License-Identifier: MIT
"""Reads C files as far as the rules need: includes, macros, and what stands at file level (functions, types, data).

Comments and the insides of strings are blanked first, so that no rule takes them for code; lines keep their numbers.
"""

import dataclasses
import pathlib
import re

from style import tables

COMMENT_OR_STRING = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
DEFINE = re.compile(r"\s*#\s*define\s+(\w+)(\([^)]*\))?(.*)", re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
NAME_MACRO = re.compile(r"\b(%s)\s*\(\s*(\w+)\s*\)" % "|".join(tables.NAME_MACROS))
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|_Alignas\s*\([^()]*\)")
# Names, but not members (a.b, a->b) and not tags (struct a).
USED_NAME = re.compile(r"(?<![\w.])(?<!->)(?<!struct )(?<!union )(?<!enum )[A-Za-z_]\w*")
KEYWORDS = set("""auto bool break case char const continue default do double else enum extern float for goto if inline
int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
_Alignas _Alignof _Atomic _Bool _Generic _Static_assert static_assert __typeof__ typeof""".split())


def blank(text):
    """The newlines of a text, so that what follows keeps its line."""
    return "\n" * text.count("\n")


# extern "C" { for C++: its braces hold no bodies.
FOR_CPLUSPLUS = re.compile(r"^#ifdef __cplusplus\n.*?^#endif[^\n]*\n", re.MULTILINE | re.DOTALL)


def strip_comments(text, keep_strings):
    def replace(match):
        found = match.group()
        if found.startswith("/"):
            return " " + blank(found)
        return found if keep_strings else found[0] + blank(found) + found[0]

    return COMMENT_OR_STRING.sub(replace, text)


def mark_names(code):
    """Writes CAROM_REAL(name) as one word, name__CAROM_REAL, and so for all naming macros, nested ones too."""
    count = 1
    while count:
        code, count = NAME_MACRO.subn(lambda m: f"{m.group(2)}__{m.group(1)}{blank(m.group())}", code)
    return code


def split_mark(word):
    """name__CAROM_REAL -> name, CAROM_REAL; a plain name has no macro."""
    name, _, macro = word.rpartition("__")
    return (name, macro) if macro in tables.NAME_MACROS else (word, None)


def spell(word):
    """All names that a marked word stands for."""
    name, macro = split_mark(word)
    if macro is None:
        return {word}
    return {form.format(inner) for inner in spell(name) for form in tables.NAME_MACROS[macro]}


def without_bodies(text):
    """A text without what is in braces, the braces included."""
    while True:
        text, count = re.subn(r"\{[^{}]*\}", lambda m: " " + blank(m.group()), text)
        if not count:
            return text


@dataclasses.dataclass
class Item:
    """What stands at file level, up to its semicolon or, of a function, its closing brace."""

    text: str
    line: int

    def __post_init__(self):
        self.text = ATTRIBUTE.sub(lambda m: " " + blank(m.group()), self.text)
        self.head, brace, body = self.text.partition("{")
        self.body = brace + body
        self.is_typedef = re.match(r"\s*typedef\b", self.head) is not None
        self.function = self._function_name()
        self.is_static = re.search(r"\bstatic\b", self.head) is not None
        self.defines_function = self.function is not None and brace != ""

    def _function_name(self):
        """The name of the function that the item declares or defines, or None."""
        if self.is_typedef or "=" in self.head:
            return None
        found = re.search(r"(\w+)\s*\(", self.head)
        if found is None or found.group(1) in KEYWORDS or found.start() == len(self.head) - len(self.head.lstrip()):
            return None
        return found.group(1)

    def code(self):
        """What is executed or evaluated: the body of a function, or what data is set to."""
        if self.function is not None:
            return self.body
        return self.text.partition("=")[2]

    def type_names(self):
        """Names of the types that the item defines: tags with a body, and typedefs but those that only repeat a tag, or
        shorten the name of a template's type: typedef CAROM_REAL(carom_x) carom_x."""
        if self.function is not None:
            return []
        names = re.findall(r"\b(?:struct|union|enum)\s+(\w+)\s*(?=\{)", self.text)
        if self.is_typedef:
            names += [name for name in self._typedef_names() if name not in names]
        return names

    def _typedef_names(self):
        text = without_bodies(self.text).rstrip("; \n")
        repeated = re.fullmatch(r"\s*typedef\s+(?:(?:struct|union|enum)\s+)?(\w+)\s+(\w+)", text)
        if repeated and split_mark(repeated.group(1))[0] == repeated.group(2):
            return []
        pointer = re.search(r"\(\s*\*\s*(\w+)", text)
        return [pointer.group(1)] if pointer else re.findall(r"(\w+)\s*(?:\[.*\]\s*)?(?:\(.*)?$", text, re.DOTALL)[:1]

    def enumerators(self):
        """Names of the constants of the item's enums."""
        if self.function is not None:
            return []
        bodies = re.findall(r"\benum\b[^{};]*\{([^{}]*)\}", self.text)
        return [name for body in bodies for name in re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)", strip_parentheses(body))]


def strip_parentheses(text):
    """A text without what is in parentheses."""
    while True:
        text, count = re.subn(r"\([^()]*\)", " ", text)
        if not count:
            return text


@dataclasses.dataclass
class Macro:
    name: str
    parameters: str
    body: str
    line: int


class Source:
    """One file."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        text = FOR_CPLUSPLUS.sub(lambda m: blank(m.group()), text)
        folder, _, name = path.rpartition("/")
        self.folder = folder
        self.is_header = name.endswith(".h")
        self.is_template = name[:-2].endswith("_tmpl")
        self.stem = re.sub(r"^validate_|_tmpl$", "", name[:-2])
        self.module = f"{folder}/{self.stem}"  # x.c, x.h, x_tmpl.c, x_tmpl.h and validate_x.c are one
        self.with_strings = strip_comments(text, keep_strings=True)
        self.includes = [included_path(name) for name in INCLUDE.findall(self.with_strings)]
        self._read(strip_comments(text, keep_strings=False))

    def _read(self, code):
        self.macros = [make_macro(code, found) for found in DIRECTIVE.finditer(code)]
        self.macros = [macro for macro in self.macros if macro is not None]
        self.code = mark_names(DIRECTIVE.sub(lambda m: blank(m.group()), code))
        self.items, self.is_balanced = split_items(self.code)
        self.static_functions = {item.function for item in self.items if item.function and item.is_static}

    def exported(self):
        """The functions that other files can call."""
        return [item for item in self.items if item.defines_function and not item.is_static]

    def types(self):
        return [(name, item) for item in self.items for name in item.type_names()]


def included_path(name):
    return "kernel/include/" + name if name.startswith("carom/") else name


def make_macro(code, found):
    parts = DEFINE.match(found.group())
    if parts is None:
        return None
    line = code.count("\n", 0, found.start()) + 1
    return Macro(parts.group(1), parts.group(2) or "", mark_names(parts.group(3).replace("\\\n", " ")).strip(), line)


def split_items(code):
    """The items of a file, and whether its braces match."""
    items = []
    start, depth, line = 0, 0, 1
    first_brace = 0

    def end_item(end):
        nonlocal start, line
        text = code[start:end]
        lead = len(text) - len(text.lstrip())
        items.append(Item(text[lead:], line + code.count("\n", start, start + lead)))
        line += text.count("\n")
        start = end

    for found in re.finditer(r"[{};]", code):
        if found.group() == "{":
            if depth == 0:
                first_brace = found.start()
            depth += 1
        elif found.group() == "}":
            depth -= 1
            if depth < 0:
                return items, False
            if depth == 0 and Item(code[start:first_brace], line).function is not None:
                end_item(found.end())
        elif depth == 0:
            end_item(found.end())
    return items, depth == 0


class Tree:
    """All files of kernel/ and simd/ under a root."""

    def __init__(self, root, rooms=None):
        root = pathlib.Path(root)
        files = [file for top in ("kernel", "simd") for file in sorted((root / top).rglob("*.[ch]"))]
        self.files = [Source(f.relative_to(root).as_posix(), f.read_text(encoding="utf-8")) for f in files]
        self.by_path = {file.path: file for file in self.files}
        self.rooms = tables.ROOMS if rooms is None else rooms

    def room_of(self, path):
        """The room that a path, written from the root, belongs to, or None."""
        rooms = [room for room in self.rooms if path.startswith(room + "/")]
        return max(rooms, key=len, default=None)
