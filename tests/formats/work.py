"""Work that is counted, not timed: `python -m tests.formats.work NAMES SEED MANY` measures readers.

The modules of `ledger` are rewritten as they are imported: each call, turn of a loop, slice, search
and join says what it touched, the same number on every machine. A pattern's work is what it went
over; what it does besides is measured pattern by pattern (`tests/security/test_limits.py`).
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import json
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.machinery import ModuleSpec
from types import CodeType
from typing import Any, Final

BYTES: Final = 1 / 200
"""Work of a byte that C goes over, where a call of Python's is 1."""

SIZED: Final = (str, bytes, bytearray, list, tuple)
WHOLE_TEXT_METHODS: Final = {
    "split",
    "splitlines",
    "replace",
    "decode",
    "encode",
    "translate",
    "lower",
    "upper",
    "strip",
    "lstrip",
    "rstrip",
    "casefold",
    "title",
    "isascii",
    "isspace",
    "isdigit",
    "isprintable",
    "copy",
    "sort",
    "reverse",
    "partition",
    "rpartition",
    "rsplit",
    "remove",
    "insert",
    "pop",
}
SEARCH_METHODS: Final = {"find", "index", "count", "rfind", "rindex"}
PATTERN_METHODS: Final = {"match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split"}
counter: list[float] = [0.0]


def call(function: Callable[..., Any], /, *args: Any, **keywords: Any) -> Any:
    """Do a call and count it."""
    result = function(*args, **keywords)
    counter[0] += 1.0 + BYTES * _touched(function, args, result)
    return result


def _touched(function: Any, args: tuple[Any, ...], result: Any) -> float:
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if isinstance(owner, re.Pattern):
        return _went_over(name, args, result)
    if isinstance(owner, str | bytes | bytearray):
        if name in SEARCH_METHODS:
            return _searched(owner, name, args, result)
        if name == "join":
            return len(result)
        if name in WHOLE_TEXT_METHODS:
            return len(owner) if name not in ("strip", "lstrip", "rstrip") else len(owner) - len(result) + 1
    elif isinstance(owner, list):
        if name in ("pop", "insert", "remove", "index", "count"):
            index = args[0] if args and isinstance(args[0], int) and name in ("pop", "insert") else -1
            return 8.0 * (len(owner) - index if index >= 0 else (0 if name == "pop" else len(owner)))
        if name in WHOLE_TEXT_METHODS:
            return 8.0 * len(owner)
        if name == "extend":
            return 8.0 * len(args[0]) if hasattr(args[0], "__len__") else 0.0
    if isinstance(function, type) and function in (list, tuple, dict, set, frozenset, str, bytes):
        return 8.0 * len(result)
    if getattr(function, "__module__", "") == "builtins" and name in ("sum", "max", "min", "sorted", "any", "all"):
        return 8.0 * len(args[0]) if args and isinstance(args[0], SIZED) else 0.0
    return (
        sum(len(arg) for arg in args if isinstance(arg, str | bytes))
        if isinstance(function, type(len)) and name in ("loads", "decode", "feed", "Parse", "fromhex")
        else 0.0
    )


def _searched(owner: Any, name: str, args: tuple[Any, ...], result: Any) -> float:
    size = len(owner)
    start, stop, _ = slice(*(args[1:3] if len(args) > 2 else (args[1] if len(args) > 1 else None, None))).indices(size)
    if name == "count":
        return max(stop - start, 0)
    if isinstance(result, int) and result >= 0:
        return result - start if name in ("find", "index") else stop - result
    return max(stop - start, 0)


def _went_over(name: str, args: tuple[Any, ...], result: Any) -> float:
    text = args[1] if name in ("sub", "subn") else args[0]
    size = len(text)
    start = args[1] if name not in ("sub", "subn", "split") and len(args) > 1 else 0
    stop = min(args[2], size) if name not in ("sub", "subn", "split") and len(args) > 2 else size
    if name == "search":
        return (result.end() if result else stop) - start
    if name in ("match", "fullmatch"):  # of one that fails nobody knows how far it looked
        return result.end() - start if result else 0.0
    return max(stop - start, 0)


def turns(items: Iterable[Any]) -> Iterator[Any]:
    """Count the turns of a loop."""
    for item in items:
        counter[0] += 1.0
        yield item


def piece(sequence: Any, place: Any) -> Any:
    """Cut a piece out and count it."""
    part = sequence[place]
    if isinstance(part, SIZED):
        counter[0] += BYTES * len(part) * (1 if isinstance(part, str | bytes) else 8)
    return part


def contains(element: Any, many: Any) -> bool:
    """Look whether it is there, and count how far was looked."""
    if isinstance(many, SIZED):
        is_contained = element in many
        index = len(many)
        if is_contained and isinstance(many, str | bytes) and not isinstance(element, int):
            index = many.find(element)
        counter[0] += BYTES * index * (1 if isinstance(many, str | bytes) else 8)
        return is_contained
    return element in many


def add(left_operand: Any, right_operand: Any) -> Any:
    """Add two, and count what is written for it."""
    total = left_operand + right_operand
    if isinstance(total, SIZED):
        counter[0] += BYTES * len(total) * (1 if isinstance(total, str | bytes) else 8)
    return total


class Counting(ast.NodeTransformer):
    """Puts the functions above in the place of what they count."""

    def _counted_call(self, name: str, *args: ast.expr) -> ast.Call:
        return ast.Call(ast.Name(f"_work_{name}", ast.Load()), list(args), [])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("super", "locals", "globals", "vars"):
            return node
        node.args = [node.func, *node.args]
        node.func = ast.Name("_work_call", ast.Load())
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._counted_call("turns", node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._counted_call("turns", node.iter)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(self._counted_call("call", ast.Name("int", ast.Load()))))
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Slice):
            parts = [bound or ast.Constant(None) for bound in (node.slice.lower, node.slice.upper, node.slice.step)]
            return self._counted_call("piece", node.value, ast.Call(ast.Name("slice", ast.Load()), parts, []))
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
            membership: ast.expr = self._counted_call("contains", node.left, node.comparators[0])
            return ast.UnaryOp(ast.Not(), membership) if isinstance(node.ops[0], ast.NotIn) else membership
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return self._counted_call("add", node.left, node.right) if isinstance(node.op, ast.Add) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name | ast.Attribute):
            return node  # of a list what is added, of a text mostly too
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = [self.visit(statement) for statement in node.body]
        return node  # what stands in its head is done once

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module, rewritten."""

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:
        tree = Counting().visit(ast.parse(data))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)  # never what is kept compiled

    def exec_module(self, module: Any) -> None:
        module.__dict__.update(
            _work_call=call, _work_turns=turns, _work_piece=piece, _work_contains=contains, _work_add=add
        )
        super().exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of `ledger`, but those that know no source."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname.partition(".")[0] != "ledger" or fullname.startswith(("ledger.store", "ledger.seal")):
            return None
        module_spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if module_spec is not None and isinstance(module_spec.loader, importlib.machinery.SourceFileLoader):
            module_spec.loader = Loader(module_spec.loader.name, module_spec.loader.path)
        return module_spec


def main() -> None:
    """Print, as JSON, the constructs whose work grows faster than in proportion."""
    names, seed, many = sys.argv[1].split(","), int(sys.argv[2]), int(sys.argv[3])
    sys.meta_path.insert(0, Finder())
    lines = importlib.import_module("ledger.readers.lines")
    # so that hands and lines that are too long are so at a size that is soon counted
    lines.MAX_LINES, lines.MAX_LINE_BYTES = 150, 3000
    from tests.formats.doubled import grown  # noqa: PLC0415 - behind the finder

    constructs = {name: grown(name, random.Random(seed), many, counter) for name in names}
    sys.stdout.write(json.dumps({name: what for name, what in constructs.items() if what}) + "\n")


if __name__ == "__main__":
    main()
