# SPDX-License-Identifier: MIT
"""The tables of the house: which folder may include which, which file owns which tool, and how long things may be."""

import re

# Each room (folder) may include itself and these. A file belongs to the longest entry that its path begins with.
_BASE = {"kernel/include/carom", "kernel/check"}
_MODULE = _BASE | {"kernel/sys", "simd"}
_JOB = _MODULE | {"kernel/store", "kernel/groups", "kernel/broad", "kernel/periodic"}
_SHAPED = {"kernel/shape", "kernel/narrow", "kernel/detect/job"}
_DETECT = _JOB | {"kernel/sort", "kernel/detect/job", "kernel/detect/results", "kernel/detect/search",
                  "kernel/detect/shaped"}

ROOMS = {
    "kernel/include/carom": set(),
    "kernel/check": set(),
    "simd/exact": _BASE,
    "simd": _BASE | {"simd/exact"},
    "kernel/sys": _BASE,
    "kernel/sort": _MODULE,
    "kernel/store": _MODULE | {"kernel/sort"},
    "kernel/groups": _MODULE | {"kernel/sort"},
    "kernel/broad": _MODULE | {"kernel/sort"},
    "kernel/periodic": _MODULE | {"simd/exact", "kernel/store", "kernel/groups"},
    "kernel/detect/job": _JOB,
    "kernel/detect/shaped": _JOB | _SHAPED,
    "kernel/detect/results": _JOB | {"kernel/detect/job", "kernel/detect/shaped", "kernel/sort"},
    "kernel/detect/search": _JOB | {"kernel/sort", "kernel/detect/job", "kernel/detect/shaped",
                                    "kernel/detect/results"},
    "kernel/detect": _DETECT,
    "kernel/coherent": _DETECT | {"kernel/detect"},
    "kernel/worlds": _DETECT | {"kernel/detect"},
    "kernel/lists": _MODULE | {"kernel/store", "kernel/groups", "kernel/periodic"},
    "kernel/query": _MODULE | {"kernel/store", "kernel/sort", "kernel/broad", "kernel/periodic"},
    "kernel/shape": _MODULE | {"simd/exact"},
    "kernel/plane": _MODULE | {"kernel/shape"},
    "kernel/narrow": _MODULE | {"kernel/shape", "kernel/store"},
    "kernel/response": _MODULE,
    "kernel/impacts": _DETECT | {"kernel/detect", "kernel/response"},
    "kernel/world": _DETECT | {"kernel/detect", "kernel/response", "kernel/impacts"},
    "kernel/api": _MODULE | {"kernel/store", "kernel/detect", "kernel/coherent", "kernel/periodic", "kernel/impacts",
                             "kernel/query", "kernel/lists", "kernel/world", "kernel/worlds", "kernel/shape", "kernel/narrow"},
    "kernel/io": _BASE | {"kernel/sys"},
    "kernel/scene": _MODULE,
    "kernel/cli": _BASE | {"kernel/sys", "kernel/io", "kernel/scene"},
}

PUBLIC = "kernel/include/carom"

# Rooms that call the library as any other program does: through what public headers declare.
HOSTS = {"kernel/cli"}

# Only these files may use these names.
OWNERS = [
    (re.compile(r"\b(omp\.h|#pragma omp)"), {"kernel/sys/threads.c"}),
    (re.compile(r"\b(simde/|immintrin\.h|arm_neon\.h)"), {"simd/vec.h"}),
    (re.compile(r"\b(malloc|calloc|realloc|aligned_alloc|posix_memalign|free)\s*\("), {"kernel/sys/memory.c"}),
    (re.compile(r"\b(getenv|secure_getenv)\s*\("), {"kernel/sys/environment.c"}),
    (re.compile(r"\b(signal|sigaction)\s*\("), {"kernel/io/unfinished.c"}),
]

FILE_LINES_MAX = 800
FUNCTION_LINES_MAX = 120
STRUCT_FIELDS_MAX = 20

SPDX = "/* SPDX-License-Identifier: MIT\n"

# Macros that make a name from another, and the names they make. A template is compiled once for each of them. "isa"
# stands for any instruction set but the scalar one.
NAME_MACROS = {
    "CAROM_REAL": ("{}_f32", "{}_f64"),
    "CAROM_SORT": ("{}_u32", "{}_u64"),
    "CAROM_KERNEL": ("carom_{}_f32_isa", "carom_{}_f64_isa"),
    "CAROM_KERNEL_OF": ("carom_{}_isa",),
    "CAROM_TWIN": ("carom_{}_f32_scalar", "carom_{}_f64_scalar"),
    "CAROM_TWIN_OF": ("carom_{}_scalar",),
}

# The table of the scalar instruction set holds the twins, so whoever names a kernel may mean its twin.
TWIN_OF_KERNEL = {"CAROM_KERNEL": "CAROM_TWIN", "CAROM_KERNEL_OF": "CAROM_TWIN_OF"}

# Headers that define the same vocabulary; a compilation includes one of them.
ALTERNATIVES = [{"simd/vec_128.h", "simd/vec_256.h", "simd/vec_512.h"}]
