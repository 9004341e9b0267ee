# SPDX-License-Identifier: MIT
"""The rules of the house. Each is a function from a tree to findings, "path: what is wrong"; its first line says what
holds where it finds nothing. RULES at the end lists them."""

import collections
import re

from style import graph, source, tables


def readable(tree):
    """Braces match in every file, so that the rules below see all of it."""
    for file in tree.files:
        if not file.is_balanced:
            yield f"{file.path}: braces do not match; is one of them opened or closed on both sides of an #else?"


def rooms_table(tree):
    """The table of rooms has no cycle and names only rooms."""
    for room, allowed in tree.rooms.items():
        for other in sorted(allowed - set(tree.rooms)):
            yield f"scripts/style/tables.py: {room} may include {other}, which is no room"
    for members in graph.strongly_connected((a, b) for a, allowed in tree.rooms.items() for b in allowed):
        yield f"scripts/style/tables.py: these rooms may include one another: {', '.join(sorted(members))}"


def rooms(tree):
    """Every file is in a room, and includes only what the table allows its room, by its path from the root."""
    for file in tree.files:
        room = tree.room_of(file.path)
        if room is None:
            yield f"{file.path}: is in no room; rooms are in scripts/style/tables.py"
        for path in file.includes:
            target = tree.room_of(path)
            if path not in tree.by_path:
                yield f'{file.path}: include "{path}" names no file from the root'
            elif not may_use(tree, room, target):
                yield f'{file.path}: room {room} may not include "{path}"'


def may_use(tree, room, other):
    """Whether a room may use another. Files outside all rooms are a finding already, and one each is enough."""
    return room is None or other is None or room == other or other in tree.rooms[room]


def calls(tree):
    """Every file calls only into rooms that its room may include; hosts also call what public headers declare."""
    public = {item.function for file in tree.files if file.folder == tables.PUBLIC for item in file.items}
    for edge in tree.graph.edges:
        room, other = tree.room_of(edge.user), tree.room_of(edge.used)
        through_interface = room in tables.HOSTS and edge.function in public
        if edge.function and not through_interface and not may_use(tree, room, other):
            yield f"{edge.user}: room {room} may not call {edge.function} of {edge.used}"


def cycles(tree):
    """No two files use each other, straight or through others."""
    for members, edges in tree.graph.cycles():
        lines = [f"{members[0]}: a cycle of {len(members)} files: {', '.join(members)}"]
        lines += [f"    {e.user} -> {e.used}: {e.function or 'its header'}" for e in edges]
        yield "\n".join(lines)


def function_names(tree):
    """A function that other files can call starts with carom_ and its file, a folder above it, or a type it serves."""
    public = {name for file in tree.files if file.folder == tables.PUBLIC for name in type_prefixes(file)}
    types = collections.defaultdict(set)
    for file in tree.files:
        types[file.folder].update(type_prefixes(file))
    for file in tree.files:
        prefixes = place_prefixes(file) | types[file.folder] | public
        for item in file.exported():
            name = exported_name(item)
            if name != "main" and not has_prefix(name, prefixes):
                yield f"{file.path}:{item.line}: {name} starts with none of {', '.join(sorted(place_prefixes(file)))}"


def exported_name(item):
    """The name that a function is written with; of kernels, whose macro adds carom_, the first that it stands for."""
    name = source.split_mark(item.function)[0]
    return name if name.startswith("carom_") else min(source.spell(item.function))


def type_prefixes(file):
    """carom_buffer for a header that defines carom_buffer, and carom_frame for one with carom_frame_f32."""
    if not file.is_header:
        return set()
    names = {source.split_mark(name)[0] for name, _ in file.types()}
    names |= {re.sub(r"_f(32|64)$", "", name) for name in names}
    return {name for name in names if name.startswith("carom_")}


def place_prefixes(file):
    """carom_ and the file's stem, or one of the folders above it."""
    stem = re.sub(r"_f(32|64)$", "", file.stem)
    return {"carom_" + word for word in [stem] + file.folder.split("/")[1:]}


def has_prefix(name, prefixes):
    return any(name == prefix or name.startswith(prefix + "_") for prefix in prefixes)


def header_names(tree):
    """Types, constants and macros in headers of kernel/ start with carom_ or CAROM_."""
    for file in tree.files:
        if not file.is_header or file.path.startswith("simd/"):
            continue
        names = [(name, item.line) for name, item in file.types()]
        names += [(name, item.line) for item in file.items for name in item.enumerators()]
        names += [(macro.name, macro.line) for macro in file.macros]
        for name, line in names:
            if not name.startswith(("carom_", "CAROM_")):
                yield f"{file.path}:{line}: {name} is in a header and does not start with carom_ or CAROM_"


def types_once(tree):
    """A type of one name is defined in one file; those of .c files may share a name that does not begin with carom_."""
    places = collections.defaultdict(dict)
    for file in tree.files:
        for name, item in file.types():
            name = source.split_mark(name)[0]
            if file.is_header or name.startswith("carom_"):
                places[name].setdefault(alternative(file.path), f"{file.path}:{item.line}")
    for name, where in sorted(places.items()):
        if len(where) > 1:
            first, *others = where.values()
            yield f"{first}: type {name} is also defined at {', '.join(others)}"


def alternative(path):
    """The same for all of some headers that never meet in one compilation, see tables.ALTERNATIVES."""
    return next((min(paths) for paths in tables.ALTERNATIVES if path in paths), path)


def template_bits(tree):
    """No file sets its precision itself: the build compiles templates for each."""
    for file in tree.files:
        for macro in file.macros:
            if macro.name == "CAROM_REAL_BITS":
                yield f"{file.path}:{macro.line}: defines CAROM_REAL_BITS; the build does, for _tmpl.c files"


def template_names(tree):
    """Functions of templates in kernel/ have plain names where they are declared and defined, for ctags to see."""
    for file in tree.files:
        if not (file.is_template and file.path.startswith("kernel/")):
            continue
        for item in file.items:
            name, macro = source.split_mark(item.function or "")
            if macro is not None:
                yield f"{file.path}:{item.line}: {macro}({name}) is the name of a function; " \
                    f"write {name}, and #define {name} {macro}({name}) in a header"


BROKEN_CALL = re.compile(r"(\w+|\))[ \t]*\n\s*\(")


def broken_calls(tree):
    """No line ends between a function's name and its parenthesis."""
    for file in tree.files:
        for item in file.items:
            for found in BROKEN_CALL.finditer(item.text) if item.function else ():
                word = found.group(1) if found.group(1) != ")" else called_word(item.text, found.start())
                if word and word not in source.KEYWORDS and not word[0].isdigit():
                    line = item.line + item.text.count("\n", 0, found.end())
                    yield f"{file.path}:{line}: begins with the arguments of {source.split_mark(word)[0]}"


def called_word(code, end):
    """The word before the parenthesis that matches the one at `end`, as in carom_get(x)(y); casts have none."""
    depth = 0
    for at in range(end, -1, -1):
        depth += (code[at] == ")") - (code[at] == "(")
        if depth == 0:
            return re.search(r"(\w*)\s*$", code[max(0, at - 80):at]).group(1)
    return ""


STRUCT = re.compile(r"\b(?:struct|union)\b\s*(\w*)\s*\{")


def struct_sizes(tree):
    """No struct of kernel/ has more fields than a reader can hold; tables of functions and public structs may."""
    for file in tree.files:
        if not file.path.startswith("kernel/") or file.folder == tables.PUBLIC:
            continue
        for item in file.items:
            if item.function is None:
                yield from large_structs(file, item)


def large_structs(file, item):
    for found in STRUCT.finditer(item.text):
        fields = count_fields(item.text, found.end())
        if fields > tables.STRUCT_FIELDS_MAX:
            name = found.group(1) or (item.type_names() or ["without a name"])[-1]
            line = item.line + item.text.count("\n", 0, found.start())
            yield f"{file.path}:{line}: struct {source.split_mark(name)[0]} has {fields} fields; " \
                f"at most {tables.STRUCT_FIELDS_MAX}"


def count_fields(text, begin):
    """Fields of the struct whose body begins there, pointers to functions apart. Those of structs nested in it count,
    too."""
    depth, end = 1, begin
    while depth > 0:
        depth += (text[end] == "{") - (text[end] == "}")
        end += 1
    members = re.split(r"[;{}]", text[begin:end])
    return sum(count_declarators(member) for member in members)


def count_declarators(member):
    """Names in one member: 3 in "int a, *b, c[2]"; 0 in "struct x", the beginning of a nested one."""
    if "(" in member or re.search(r"_fn\s*\*", member):
        return 0
    if re.fullmatch(r"\s*(?:(?:struct|union|enum)\b\s*\w*\s*)?", member):
        return 0
    return member.count(",") + 1


def owners(tree):
    """OpenMP, SIMDe, the heap, the environment and signals have one owner file each."""
    for file in tree.files:
        for pattern, paths in tables.OWNERS:
            found = pattern.search(file.with_strings)
            if found and file.path not in paths:
                yield f"{file.path}: {found.group().strip()} belongs in {', '.join(sorted(paths))}"


def lengths(tree):
    """Files and functions are short."""
    for file in tree.files:
        lines = file.text.count("\n")
        if lines > tables.FILE_LINES_MAX:
            yield f"{file.path}: {lines} lines; at most {tables.FILE_LINES_MAX}"
        for item in file.items:
            lines = item.text.count("\n") + 1
            if item.defines_function and lines > tables.FUNCTION_LINES_MAX:
                yield f"{file.path}:{item.line}: a function of {lines} lines; at most {tables.FUNCTION_LINES_MAX}"


def licences(tree):
    """Every file begins with the SPDX line."""
    for file in tree.files:
        if not file.text.startswith(tables.SPDX):
            yield f"{file.path}: does not start with the SPDX line"


def opening_comments(tree):
    """Every file, or its header, says what it is in a comment between the SPDX head and the first line of code."""
    headers = {file.module for file in tree.files if file.is_header and has_opening(file)}
    for file in tree.files:
        told_by = {file.module, re.sub(r"_f(32|64)$", "", file.module)}
        if not has_opening(file) and (file.is_header or not told_by & headers):
            yield f"{file.path}: no comment after the SPDX head says what the file is"


def has_opening(file):
    """Whether a comment follows the first one, which is the SPDX head."""
    return re.match(r"/\*.*?\*/\s*(/\*|//)", file.text, re.DOTALL) is not None


def fetches(tree):
    """Every function that fetches ahead is inlined by force: gcc drops calls of one that does nothing else."""
    for file in tree.files:
        lines = file.text.split("\n")
        for item in file.items:
            head = " ".join(lines[item.line - 1 : item.line + item.head.count("\n")])
            forced = "always_inline" in head or "CAROM_AHEAD" in head
            if item.defines_function and item.is_static and "fetch" in item.function and not forced:
                yield f"{file.path}:{item.line}: {item.function} fetches, and is not always_inline"


RULES = [
    readable, rooms_table, rooms, calls, cycles, function_names, header_names, types_once, template_bits,
    template_names, broken_calls, struct_sizes, owners, lengths, licences, opening_comments, fetches,
]


def check(tree):
    """All findings, by the name of the rule, each one once and in the order of files."""
    tree.graph = graph.Graph(tree)
    return {rule.__name__: sorted(set(rule(tree))) for rule in RULES}
