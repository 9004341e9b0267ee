# SPDX-License-Identifier: MIT
"""Who uses whom: the graph of files, and its cycles.

x.c, x.h, x_tmpl.c, x_tmpl.h and validate_x.c of one folder are one node, a module. A module has an edge to another if
it includes one of its headers or names a function that is defined there, whether it calls it or only takes its address.
"""

import collections
import dataclasses

from style import source, tables


@dataclasses.dataclass(frozen=True)
class Edge:
    user: str  # file
    used: str  # file
    function: str  # "" if the user only includes a header


class Graph:
    def __init__(self, tree):
        self.tree = tree
        self.aliases = find_aliases(tree)
        self.definitions = self._find_definitions()
        self.edges = list(self._find_edges())

    def names(self, file, word):
        """All names that a word of a file stands for. Templates have their own: #define carom_x CAROM_REAL(carom_x)."""
        words = self.aliases.get(word, ()) if is_compiled_for_each(file) else ()
        return set().union(*(source.spell(w) for w in words)) if words else source.spell(word)

    def _find_definitions(self):
        """Files that define each exported function, by all its names."""
        definitions = collections.defaultdict(set)
        for file in self.tree.files:
            for item in file.exported():
                for name in self.names(file, item.function):
                    definitions[name].add(file.path)
        definitions.pop("main", None)
        return definitions

    def _find_edges(self):
        for file in self.tree.files:
            for path in file.includes:
                yield Edge(file.path, path, "")
            for word in sorted(used_words(file) - self._own_names(file.path, set())):
                for name in sorted(self.names(file, word)):
                    for path in sorted(self.definitions.get(name, ())):
                        yield Edge(file.path, path, source.split_mark(word)[0])

    def _own_names(self, path, seen):
        """Static functions and macros with parameters, of a file and the headers it reaches: none of another module's
        functions, even if one has the same name."""
        file = self.tree.by_path.get(path)
        if file is None or path in seen:
            return set()
        seen.add(path)
        own = file.static_functions | {macro.name for macro in file.macros if macro.parameters}
        return own.union(*(self._own_names(included, seen) for included in file.includes))

    def module(self, path):
        return self.tree.by_path[path].module if path in self.tree.by_path else path

    def cycles(self):
        """For each cycle the modules in it and, of each pair of them, one edge: a function rather than an include."""
        between = {}
        for edge in self.edges:
            ends = (self.module(edge.user), self.module(edge.used))
            if ends[0] != ends[1] and not (ends in between and between[ends].function):
                between[ends] = edge
        for members in strongly_connected(between):
            yield sorted(members), [e for ends, e in sorted(between.items()) if set(ends) <= members]


def is_compiled_for_each(file):
    """Whether names in a file may be those of a precision: in templates, and in the headers that kernels share."""
    return file.is_template or file.path.startswith("simd/")


def find_aliases(tree):
    """Macros that do nothing but give a name another one."""
    aliases = collections.defaultdict(set)
    for file in tree.files:
        for macro in file.macros:
            if not macro.parameters and macro.body.isidentifier():
                aliases[macro.name].add(macro.body)
    return aliases


def used_words(file):
    """Names that the code of a file uses. Prototypes and types use nothing."""
    words = set()
    for item in file.items:
        words.update(source.USED_NAME.findall(item.code()))
    for macro in file.macros:
        words.update(w for w in source.USED_NAME.findall(macro.body) if source.split_mark(w)[0] != macro.name)
    return words | {twin(word) for word in words} - {None}


def twin(word):
    """The twin of a kernel, for a word that names a kernel; see tables.TWIN_OF_KERNEL."""
    name, macro = source.split_mark(word)
    return f"{name}__{tables.TWIN_OF_KERNEL[macro]}" if macro in tables.TWIN_OF_KERNEL else None


def strongly_connected(pairs):
    """Sets of two nodes and more that all reach one another (Tarjan 1972, without recursion)."""
    following = collections.defaultdict(list)
    for begin, end in pairs:
        following[begin].append(end)
    order, least, stack, found = {}, {}, [], []
    for root in list(following):
        if root in order:
            continue
        path = [(root, iter(following[root]))]
        order[root] = least[root] = len(order)
        stack.append(root)
        while path:
            node, rest = path[-1]
            for after in rest:
                if after not in order:
                    order[after] = least[after] = len(order)
                    stack.append(after)
                    path.append((after, iter(following.get(after, ()))))
                    break
                if after in stack:
                    least[node] = min(least[node], order[after])
            else:
                path.pop()
                if path:
                    least[path[-1][0]] = min(least[path[-1][0]], least[node])
                if least[node] == order[node]:
                    members = set(stack[stack.index(node):])
                    del stack[stack.index(node):]
                    if len(members) > 1:
                        found.append(members)
    return found
