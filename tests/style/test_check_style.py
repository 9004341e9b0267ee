#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Guards the guard: small trees with one fault each, which scripts/check_style.py must report and nothing else; and
small trees without a fault that look like one.

A tree is a dictionary from paths to code. The SPDX head and an opening comment are put before each file.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

from style import rules, source

SPDX = "/* SPDX-License-Identifier: MIT\n * Copyright (c) 2026 The Carom authors */\n\n"
HEAD = SPDX + "/* What the file is. */\n"

# A tree that keeps all rules: a template with plain names, a kernel and its twin, a type with its functions.
CLEAN = {
    "kernel/include/carom/bodies.h": "typedef struct carom_bodies_f32 {\n    float *x;\n} carom_bodies_f32;\n"
                                     "int carom_detect_f32(const carom_bodies_f32 *bodies);\n",
    "kernel/sys/memory.h": "typedef struct carom_buffer {\n    void *data;\n} carom_buffer;\n"
                           "void carom_buffer_release(carom_buffer *buffer);\n",
    "kernel/sys/memory.c": '#include "kernel/sys/memory.h"\n'
                           "void carom_buffer_release(carom_buffer *buffer) {\n    free(buffer->data);\n}\n",
    "simd/isa.h": "#define CAROM_REAL(name) CAROM_PASTE(name, CAROM_PRECISION)\n",
    "simd/sweep.c": '#include "simd/isa.h"\nint CAROM_KERNEL_OF(sweep)(int n) {\n'
                    "    return CAROM_TWIN_OF(sweep)(n);\n}\n",
    "simd/ref/sweep.c": '#include "simd/isa.h"\nint CAROM_TWIN_OF(sweep)(int n) {\n    return n;\n}\n',
    "kernel/detect/job/job_tmpl.h": '#include "simd/isa.h"\n#define carom_job_lap CAROM_REAL(carom_job_lap)\n'
                                    "void carom_job_lap(int phase);\n",
    "kernel/detect/job/job_tmpl.c": '#include "kernel/detect/job/job_tmpl.h"\n'
                                    "void carom_job_lap(int phase) {\n    (void)phase;\n}\n",
    "kernel/detect/search/cells_tmpl.h": "#define carom_cells_run CAROM_REAL(carom_cells_run)\n"
                                         "void carom_cells_run(void);\n",
    "kernel/detect/search/cells_tmpl.c": '#include "kernel/detect/job/job_tmpl.h"\n'
                                         '#include "kernel/detect/search/cells_tmpl.h"\n'
                                         "void\ncarom_cells_run(void) {\n    carom_job_lap(1);\n}\n",
}


def check(files, rooms=None, head=HEAD):
    """Findings in a tree, by rule; rules that found nothing are left out."""
    with tempfile.TemporaryDirectory() as folder:
        for path, code in files.items():
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(head + code, encoding="utf-8")
        findings = rules.check(source.Tree(folder, rooms))
    return {rule: found for rule, found in findings.items() if found}


class CheckStyle(unittest.TestCase):
    maxDiff = None

    def clean(self, files):
        self.assertEqual(check({**CLEAN, **files}), {})

    def faulty(self, rule, words, files, **options):
        """Exactly one rule has exactly one finding, with all these words in it."""
        findings = check({**CLEAN, **files}, **options)
        self.assertEqual(list(findings), [rule], findings)
        self.assertEqual(len(findings[rule]), 1, findings)
        for word in words:
            self.assertIn(word, findings[rule][0])

    # rooms

    def test_clean(self):
        self.clean({})

    def test_validator_of_a_structure(self):
        """validate_x.c is a part of x: it may use x and be used by it, and is named after it."""
        self.clean({"kernel/sys/pool.h": "const char *carom_pool_validate(void);\nvoid carom_pool_start(void);\n",
                    "kernel/sys/pool.c": '#include "kernel/sys/pool.h"\n'
                                         "void carom_pool_start(void) {\n    carom_pool_validate();\n}\n",
                    "kernel/sys/validate_pool.c": '#include "kernel/sys/pool.h"\n'
                                                  "const char *carom_pool_validate(void) {\n    return NULL;\n}\n"})

    def test_rooms_that_include_one_another(self):
        files = {"kernel/a/a.h": "", "kernel/b/b.h": ""}
        findings = check(files, rooms={"kernel/a": {"kernel/b"}, "kernel/b": {"kernel/c"}, "kernel/c": {"kernel/a"}})
        self.assertIn("kernel/a, kernel/b, kernel/c", findings["rooms_table"][0])

    def test_unknown_room_in_the_table(self):
        findings = check({"kernel/a/a.h": ""}, rooms={"kernel/a": {"kernel/b"}})
        self.assertIn("kernel/b, which is no room", findings["rooms_table"][0])

    def test_table_of_rooms_is_in_order(self):
        self.assertEqual(list(rules.rooms_table(source.Tree("/nowhere"))), [])

    def test_file_in_no_room(self):
        self.faulty("rooms", ["kernel/attic/old.h", "no room"], {"kernel/attic/old.h": ""})

    def test_include_upward(self):
        self.faulty("rooms", ["kernel/sys/clock.c", "kernel/sys", "kernel/sort/digits.h"],
                    {"kernel/sort/digits.h": "", "kernel/sys/clock.c": '#include "kernel/sort/digits.h"\n'})

    def test_longest_room_wins(self):
        self.faulty("rooms", ["room kernel/detect/job may not include"],
                    {"kernel/detect/detect.h": "",
                     "kernel/detect/job/clock.c": '#include "kernel/detect/detect.h"\n'})

    def test_include_that_is_not_from_the_root(self):
        self.faulty("rooms", ['"memory.h"'], {"kernel/sys/clock.c": '#include "memory.h"\n'})

    def test_include_in_a_comment(self):
        self.clean({"kernel/sys/clock.c": '/*\n#include "kernel/sort/digits.h"\n*/\n', "kernel/sort/digits.h": ""})

    def test_call_upward_without_include(self):
        self.faulty("calls", ["kernel/sys/clock.c", "carom_digits_sort"],
                    {"kernel/sort/digits.c": "void carom_digits_sort(void) {\n}\n",
                     "kernel/sys/clock.c": "void carom_clock(void) {\n    carom_digits_sort();\n}\n"})

    def test_call_upward_through_a_public_header(self):
        api = {"kernel/api/detect.c": "int carom_detect_f32(const carom_bodies_f32 *bodies) {\n    return 0;\n}\n"}
        call = "void carom_clock(void) {\n    carom_detect_f32(0);\n}\n"
        self.faulty("calls", ["carom_detect_f32"], {**api, "kernel/sys/clock.c": call})
        self.clean({**api, "kernel/cli/clock.c": call})

    # cycles

    def test_cycle_of_two_files(self):
        self.faulty("cycles", ["2 files: kernel/sys/one, kernel/sys/two", "kernel/sys/one.c -> kernel/sys/two.c",
                               "carom_two", "carom_one"],
                    {"kernel/sys/one.c": "void carom_one(void) {\n    carom_two();\n}\n",
                     "kernel/sys/two.c": "void carom_two(void) {\n    carom_one();\n}\n"})

    def test_cycle_of_three_files_through_pointers(self):
        self.faulty("cycles", ["3 files"],
                    {"kernel/sys/one.c": "int carom_one(void) {\n    return carom_run(carom_two);\n}\n",
                     "kernel/sys/two.c": "static void *const next = carom_three;\nint carom_two(void) {\n}\n",
                     "kernel/sys/three.c": "int carom_three(void) {\n    return carom_one();\n}\n"})

    def test_cycle_of_a_call_and_an_include(self):
        self.faulty("cycles", ["kernel/sys/one.h -> kernel/sys/two.h: its header"],
                    {"kernel/sys/one.h": '#include "kernel/sys/two.h"\n',
                     "kernel/sys/one.c": "void carom_one(void) {\n}\n",
                     "kernel/sys/two.h": "",
                     "kernel/sys/two.c": "void carom_two(void) {\n    carom_one();\n}\n"})

    def test_cycle_of_templates(self):
        self.faulty("cycles", ["kernel/sys/one, kernel/sys/two"],
                    {"kernel/sys/one_tmpl.h": "#define carom_one CAROM_REAL(carom_one)\n"
                                              "#define carom_two CAROM_REAL(carom_two)\n",
                     "kernel/sys/one_tmpl.c": "void carom_one(void) {\n    carom_two();\n}\n",
                     "kernel/sys/two_tmpl.c": "void carom_two(void) {\n    carom_one();\n}\n"})

    def test_cycle_of_a_template_and_its_precisions(self):
        self.faulty("cycles", ["kernel/sys/one, kernel/sys/two"],
                    {"kernel/sys/one_tmpl.c": "#define carom_one CAROM_REAL(carom_one)\n"
                                              "void carom_one(void) {\n    CAROM_REAL(carom_two)();\n}\n",
                     "kernel/sys/two.c": "void carom_two_f64(void) {\n    carom_one_f32();\n}\n"})

    def test_cycle_of_names_within_the_macro(self):
        findings = check({"kernel/sys/one_tmpl.c": "void\nCAROM_REAL(carom_one)(void) {\n    CAROM_REAL(carom_two)\n"
                                                   "    ();\n}\n",
                          "kernel/sys/two_tmpl.c": "void CAROM_REAL(carom_two)(void) {\n"
                                                   "    run(CAROM_REAL(carom_one));\n}\n"})
        self.assertEqual(len(findings["cycles"]), 1)
        self.assertEqual(len(findings["template_names"]), 2)
        self.assertEqual(len(findings["broken_calls"]), 1)

    def test_cycle_of_kernels(self):
        self.faulty("cycles", ["simd/sweep", "simd/touch"],
                    {"simd/sweep.c": "int CAROM_KERNEL_OF(sweep)(int n) {\n"
                                     "    return CAROM_KERNEL_OF(touch_f32)(n);\n}\n",
                     "simd/touch_tmpl.c": "int CAROM_KERNEL(touch)(int n) {\n"
                                          "    return CAROM_KERNEL_OF(sweep)(n);\n}\n"})

    def test_cycle_of_a_twin_and_the_table_it_is_in(self):
        self.faulty("cycles", ["2 files: simd/ref/touch, simd/table"],
                    {"simd/table.c": "int carom_table(void) {\n    return CAROM_KERNEL_OF(touch_f32)(1);\n}\n",
                     "simd/ref/touch_tmpl.c": "int CAROM_TWIN(touch)(int n) {\n    return carom_table();\n}\n"})

    def test_no_cycle_of_what_is_not_code(self):
        self.clean({"kernel/sys/one.c": "void carom_one(void) {\n    carom_two();\n}\n",
                    "kernel/sys/two.c": "/* See carom_one(). */\n"
                                        "void carom_one(void);\n"
                                        "void carom_two(void) {\n    // carom_one();\n    say(\"carom_one()\");\n}\n"})

    def test_no_cycle_of_equal_names(self):
        self.clean({"kernel/sys/one.c": "static void work(void) {\n}\n"
                                        "void carom_one(void) {\n    work();\n    carom_two();\n}\n",
                    "kernel/sys/two.c": "static void work(void) {\n}\nstatic void carom_one(void) {\n}\n"
                                        "void carom_two(void) {\n    work();\n    carom_one();\n}\n"})

    def test_no_cycle_of_members_and_tags(self):
        self.clean({"kernel/sys/one.c": "void carom_one(void) {\n    carom_two();\n}\n",
                    "kernel/sys/two.c": "void carom_two(void *data) {\n    const struct carom_one *at = data;\n"
                                        "    at->carom_one(at[0].carom_one);\n}\n"})

    def test_no_cycle_of_a_template_and_a_plain_name(self):
        self.clean({"kernel/sys/one_tmpl.c": "#define carom_one CAROM_REAL(carom_one)\n"
                                             "void carom_one(void) {\n    carom_two();\n}\n",
                    "kernel/sys/two.c": "void carom_two(void) {\n    carom_one();\n}\n"})

    def test_no_cycle_of_macros(self):
        self.clean({"kernel/sys/one.c": "void carom_one(void) {\n    carom_two();\n}\n",
                    "kernel/sys/two.h": "#define carom_one(x) ((x) + 1)\n",
                    "kernel/sys/two.c": '#include "kernel/sys/two.h"\n'
                                        "int carom_two(void) {\n    return carom_one(2);\n}\n"})

    def test_no_cycle_within_a_module(self):
        self.clean({"kernel/sys/one.h": "", "kernel/sys/one.c": "void carom_one(void) {\n    carom_one_f32();\n}\n",
                    "kernel/sys/one_tmpl.c": '#include "kernel/sys/one.h"\n'
                                             "void carom_one_f32(void) {\n    carom_one();\n}\n"})

    # names

    def test_function_without_its_file(self):
        self.faulty("function_names", ["kernel/sys/clock.c:5", "carom_seconds", "carom_clock"],
                    {"kernel/sys/clock.c": "double carom_seconds(void) {\n    return 0;\n}\n"})

    def test_function_of_a_folder_above(self):
        self.clean({"kernel/detect/search/part_tmpl.c": "void carom_search_part(void) {\n}\n"
                                                        "void carom_detect_part(void) {\n}\n"})

    def test_function_of_a_type_of_another_folder(self):
        self.faulty("function_names", ["carom_buffer_sort"],
                    {"kernel/sort/digits.c": "void carom_buffer_sort(void) {\n}\n"})

    def test_function_that_only_begins_like_its_file(self):
        self.faulty("function_names", ["carom_clocks"], {"kernel/sys/clock.c": "void carom_clocks(void) {\n}\n"})

    def test_main_has_its_name(self):
        self.clean({"kernel/cli/main.c": "int main(void) {\n    return 0;\n}\n"})

    def test_type_in_a_header(self):
        self.faulty("header_names", ["pair"], {"kernel/sys/pair.h": "typedef struct {\n    int i;\n} pair;\n"})

    def test_constant_in_a_header(self):
        self.faulty("header_names", ["MOST"], {"kernel/sys/pair.h": "enum { CAROM_LEAST = (1, 2), MOST = 3 };\n"})

    def test_macro_in_a_header(self):
        self.faulty("header_names", ["SYS_PAIR_H"],
                    {"kernel/sys/pair.h": "#ifndef SYS_PAIR_H\n#define SYS_PAIR_H\n#endif\n"})

    def test_vocabulary_of_vectors(self):
        self.clean({"simd/vec_128.h": "typedef float vf;\n", "simd/vec_256.h": "typedef float vf;\n"})

    # types

    def test_type_defined_twice(self):
        self.faulty("types_once", ["carom_part", "kernel/sort/part.c:5", "kernel/sys/part.h:5"],
                    {"kernel/sys/part.h": "typedef struct carom_part {\n    int n;\n} carom_part;\n",
                     "kernel/sort/part.c": "struct carom_part {\n    int n;\n};\n"})

    def test_type_of_a_template_defined_twice(self):
        self.faulty("types_once", ["carom_part"],
                    {"kernel/sys/part_tmpl.h": "typedef struct CAROM_REAL(carom_part) {\n    int n;\n}\n"
                                               "CAROM_REAL(carom_part);\n"
                                               "typedef CAROM_REAL(carom_part) carom_part;\n",
                     "kernel/sort/part.h": "typedef uint32_t carom_part;\n"})

    def test_types_that_are_local_or_forward(self):
        self.clean({"kernel/sys/one.c": "typedef struct pass {\n    int n;\n} pass;\n",
                    "kernel/sys/two.c": "typedef struct pass {\n    int n;\n} pass;\n",
                    "kernel/include/carom/context.h": "typedef struct carom_context carom_context;\n",
                    "kernel/store/context.h": "struct carom_context {\n    int n;\n};\n"})

    # templates

    def test_precision_set_by_hand(self):
        self.faulty("template_bits", ["kernel/sys/clock.c:5"], {"kernel/sys/clock.c": "#define CAROM_REAL_BITS 32\n"})

    def test_declaration_within_the_macro(self):
        self.faulty("template_names", ["carom_job_end", "kernel/detect/job/end_tmpl.h:6"],
                    {"kernel/detect/job/end_tmpl.h": "typedef CAROM_REAL(carom_x) carom_x;\n"
                                                     "carom_x CAROM_REAL(carom_job_end)(CAROM_REAL(carom_x) * x);\n"})

    def test_broken_call(self):
        self.faulty("broken_calls", ["kernel/sys/clock.c:7", "run"],
                    {"kernel/sys/clock.c": "void carom_clock(int a) {\n    run\n    (a, a);\n}\n"})

    def test_broken_call_after_a_macro(self):
        self.faulty("broken_calls", ["CAROM_NAME"],
                    {"kernel/sys/clock.c": "void carom_clock(int a) {\n    CAROM_NAME(run)\n    (a, a);\n}\n"})

    def test_broken_declaration(self):
        self.faulty("broken_calls", ["kernel/sys/clock.h:6", "carom_clock"],
                    {"kernel/sys/clock.h": "double carom_clock\n    (int a);\n"})

    def test_lines_that_begin_with_a_parenthesis(self):
        self.clean({"kernel/sys/clock.h": "typedef struct carom_clock {\n    carom_status\n    (*run)(int a);\n"
                                          "} carom_clock;\n",
                    "kernel/sys/clock.c": "int carom_clock(int a) {\n    if (a)\n        (void)a;\n    (void)a;\n"
                                          "    int b = a +\n            (a - 1);\n    say(a,\n        (int)b);\n"
                                          "    b = (int)\n        (a);\n    while (b) {\n    }\n    (void)b;\n"
                                          "    return\n        (b);\n}\n"})

    # sizes and heads

    def test_struct_of_many_fields(self):
        fields = "".join(f"    int a{n}, b{n}[2];\n" for n in range(10))
        self.clean({"kernel/sys/wide.h": "typedef struct carom_wide {\n" + fields + "} carom_wide;\n"})
        self.faulty("struct_sizes", ["carom_wide", "21"],
                    {"kernel/sys/wide.h": "typedef struct carom_wide {\n" + fields +
                                          "    struct {\n        int c;\n    };\n"
                                          "} carom_wide;\n"})

    def test_table_of_functions(self):
        fields = "".join(f"    void (*run{n})(int a, int b);\n    carom_run_fn *fn{n};\n" for n in range(15))
        self.clean({"kernel/sys/wide.h": "typedef struct carom_wide {\n" + fields + "    int n;\n} carom_wide;\n"})

    def test_owner(self):
        self.faulty("owners", ["malloc", "kernel/sys/memory.c"],
                    {"kernel/sys/clock.c": "void carom_clock(void) {\n    malloc(1);\n}\n"})

    def test_long_file(self):
        self.faulty("lengths", ["801 lines"], {"kernel/sys/clock.c": "\n" * (801 - HEAD.count("\n"))})

    def test_long_function(self):
        self.faulty("lengths", ["kernel/sys/clock.c:5", "121 lines"],
                    {"kernel/sys/clock.c": "void carom_clock(void) {\n" + "    say();\n" * 119 + "}\n"})

    def test_fetch_that_is_not_inlined(self):
        code = "(int a) {\n    __builtin_prefetch(&a);\n}\n"
        self.faulty("fetches", ["kernel/sys/clock.c:5", "fetch_ahead"],
                    {"kernel/sys/clock.c": "static inline void fetch_ahead" + code})
        forced = "static inline __attribute__((always_inline)) void\n"
        self.assertEqual(check({"kernel/sys/clock.c": forced + "fetch_ahead" + code}), {})

    def test_braces_that_do_not_match(self):
        self.faulty("readable", ["kernel/sys/clock.c"],
                    {"kernel/sys/clock.c": "void carom_clock(int a) {\n#if A\n    if (a) {\n#else\n    {\n#endif\n"
                                           "    }\n}\n"})

    def test_heads(self):
        self.assertEqual(list(check({"kernel/sys/a.c": ""}, head="/* What it is. */\n/* More. */\n")), ["licences"])
        self.assertEqual(list(check({"kernel/sys/a.c": "#include <math.h>\n"}, head=SPDX)), ["opening_comments"])
        self.assertEqual(check({"kernel/sys/a.h": "/* It. */\n", "kernel/sys/a_tmpl.c": ""}, head=SPDX), {})
        self.assertEqual(list(check({"kernel/sys/a.c": "/* It. */\n", "kernel/sys/a.h": ""}, head=SPDX)),
                         ["opening_comments"])

    # the program

    def run_program(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for path, code in files.items():
                pathlib.Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
                pathlib.Path(folder, path).write_text(HEAD + code, encoding="utf-8")
            return subprocess.run([sys.executable, SCRIPTS / "check_style.py", folder], capture_output=True, text=True)

    def test_exit_status(self):
        self.assertEqual(self.run_program(CLEAN).returncode, 0)
        self.assertEqual(self.run_program({}).returncode, 1)
        faulty = self.run_program({"kernel/attic/old.h": ""})
        self.assertEqual(faulty.returncode, 1)
        self.assertIn("kernel/attic/old.h: is in no room", faulty.stdout)


if __name__ == "__main__":
    unittest.main()
