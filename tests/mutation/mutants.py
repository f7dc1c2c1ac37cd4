"""The mutants of a module: one small wrong each, made on its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.mutation.ran import functions, stretches, walk_own

_FLIP: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPPOSITES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_WORDS: Final = frozenset(
    {"saw", "should", "because", "sentence", "note", "grounds", "other_events", "reading", "severity", "money"}
)
"""Arguments that hold sentences for people, or chips that moved: no verdict hangs on them."""
_MESSAGES: Final = frozenset({"Ground", "CannotTell", "amount", "say"})

_SHORT_WAYS: Final = frozenset({"quiet", "has_same_players", "_is_steady", "Obligations._short", "Memory._fast"})
"""Their None, or False, sends the caller the long way round, which gives the same (a law of
`tests/projections/obligations/test_engine.py`): one more of them is slower, and changes no verdict."""


_SHORT_CALLS: Final = frozenset(name.rpartition(".")[2] for name in _SHORT_WAYS)


@dataclass(frozen=True)
class Mutant:
    """One wrong in one place. `place` numbers the sites of the module, `stretch` is where its begins."""

    file: Path
    module: str
    line: int
    column: int
    function: str
    place: int
    stretch: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column + 1} {self.function}: {self.what}"


_Site = tuple[ast.AST, str, str, Callable[[], None]]
"""Node, function it stands in, what is done, and the doing of it."""


def mutants(file: Path, root: Path) -> list[Mutant]:
    """All mutants of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    path = file.relative_to(root)
    module = ".".join(path.with_suffix("").parts)
    begins = _stretches(tree)
    return [
        Mutant(path, module, node.lineno, node.col_offset, function, place, begins[id(node)], change_name)
        for place, (node, function, change_name, _) in enumerate(_sites(tree))
    ]


def _stretches(tree: ast.Module) -> dict[int, int]:
    """Return the line where the stretch of each node begins."""
    return {
        id(node): body[begin].lineno
        for function in functions(tree)
        for body, begin, end in stretches(function)
        for statement in body[begin:end]
        for node in walk_own(statement)
    }


def unchanged(file: Path, root: Path) -> Mutant:
    """Return the module with no wrong in it: nothing may notice that it was put in anew."""
    path = file.relative_to(root)
    module = ".".join(path.with_suffix("").parts)
    return Mutant(path, module, 1, 0, "", _NONE, 0, "nothing is changed")


_NONE: Final = -1


def mutated(mutant: Mutant, root: Path) -> ast.Module:
    """The module's tree with the wrong in it."""
    tree = ast.parse((root / mutant.file).read_text(encoding="utf-8"))
    if mutant.place == _NONE:
        return tree
    for place, (_, _, _, change) in enumerate(_sites(tree)):
        if place == mutant.place:
            change()
            return ast.fix_missing_locations(tree)
    raise LookupError(str(mutant))


def _sites(tree: ast.Module) -> Iterator[_Site]:
    sites: list[_Site] = []
    for node in tree.body:
        _functions(node, "", sites)
    yield from sites


def _functions(node: ast.AST, name: str, sites: list[_Site]) -> None:
    if isinstance(node, ast.FunctionDef):
        inner = f"{name}.{node.name}".lstrip(".")
        body = node.body
        first_index = 1 if body and _is_doc(body[0]) else 0
        for statement in body[first_index:]:
            _walk(statement, inner, sites)
        sites += [
            (body[index], inner, "returns before this", _cut(body, index))
            for index in range(first_index + 1, len(body))
            if _returns_early(body[index]) and inner not in _SHORT_WAYS
        ]
    elif isinstance(node, ast.ClassDef):
        for member in node.body:
            _functions(member, f"{name}.{node.name}".lstrip("."), sites)


def _is_doc(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _returns_early(node: ast.stmt) -> bool:
    return isinstance(node, ast.For | ast.If | ast.While)


def _cut(body: list[ast.stmt], index: int) -> Callable[[], None]:
    def change() -> None:
        remaining = body[index:]
        body[index:] = [ast.copy_location(ast.Return(None), remaining[0]), *remaining]

    return change


def _walk(node: ast.AST, name: str, sites: list[_Site]) -> None:
    if isinstance(node, ast.JoinedStr | ast.arg | ast.Assert):
        return  # sentences, types, and what cannot be otherwise: an assertion decides nothing
    if isinstance(node, ast.FunctionDef):
        _functions(node, name, sites)
        return
    if isinstance(node, ast.Call) and _function_name(node) in _MESSAGES:
        return
    if isinstance(node, ast.BoolOp) and _is_nothing(node.values[-1]):
        for value in node.values[:-1]:  # `x or 0`, where x is None: what is never reached
            _walk(value, name, sites)
        return
    _collect_at(node, name, sites)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.keyword) and child.arg in _WORDS:
            continue
        if isinstance(node, ast.AnnAssign) and child is node.annotation:
            continue
        _walk(child, name, sites)


def _is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (0, "", None) and node.value is not False


def _function_name(node: ast.Call) -> str:
    function = node.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _collect_at(node: ast.AST, name: str, sites: list[_Site]) -> None:
    def add(description: str, change: Callable[[], None]) -> None:
        sites.append((node, name, description, change))

    if isinstance(node, ast.Compare):
        for index, op in enumerate(node.ops):
            flipped = _FLIP[type(op)]
            add(f"{_sign(op)} → {_sign(flipped())}", lambda i=index, o=flipped: node.ops.__setitem__(i, o()))
    elif isinstance(node, ast.BoolOp):
        old_word, new_word = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        add(f"{old_word} → {new_word}", lambda: setattr(node, "op", ast.Or() if old_word == "and" else ast.And()))
        for index, value in enumerate(node.values):
            add(f"without {_shorten(value)}", lambda i=index: node.values.pop(i))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        add(f"without not {_shorten(node.operand)}", lambda: setattr(node, "op", ast.UAdd()) or _drop_not(node))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        other_op = ast.Sub if isinstance(node.op, ast.Add) else ast.Add
        if not _texts(node):
            add("+ → -" if other_op is ast.Sub else "- → +", lambda: setattr(node, "op", other_op()))
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        value = node.value
        for step in (1, -1):
            add(f"{value} → {value + step}", lambda s=step: setattr(node, "value", value + s))
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        add(f"{node.value} → {not node.value}", lambda: setattr(node, "value", not node.value))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OPPOSITES:
        function = node.func
        if not (function.id in ("any", "all") and len(node.args) != 1):
            add(f"{function.id} → {_OPPOSITES[function.id]}", lambda: setattr(function, "id", _OPPOSITES[function.id]))
    _statement(node, name, add)


def _statement(node: ast.AST, name: str, add: Callable[[str, Callable[[], None]], None]) -> None:
    if isinstance(node, ast.If | ast.IfExp) and not _guards_types(node.test):
        values = (False,) if name in _SHORT_WAYS and _gives_none(node) else (True, False)
        if isinstance(node.test, ast.Call) and _function_name(node.test) in _SHORT_CALLS:
            values = (True,)
        for value in values:
            add(f"if {_shorten(node.test)} → if {value}", lambda v=value: setattr(node, "test", ast.Constant(v)))
    elif isinstance(node, ast.comprehension) and node.ifs:
        return
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield):
        nothing = ast.YieldFrom(ast.Tuple([], ast.Load()))
        add("yields nothing", lambda: setattr(node, "value", nothing))
    elif isinstance(node, ast.Continue):
        return


def _gives_none(node: ast.If | ast.IfExp) -> bool:
    """`if …: return None` or False, and nothing else."""
    if not isinstance(node, ast.If) or len(node.body) != 1:
        return False
    (only,) = node.body
    return isinstance(only, ast.Return) and (
        only.value is None or (isinstance(only.value, ast.Constant) and only.value.value in (None, False))
    )


def _guards_types(test: ast.expr) -> bool:
    """`if x is None` before x is used: turned round it only breaks."""
    return isinstance(test, ast.Constant)


def _drop_not(node: ast.UnaryOp) -> None:
    """`+bool(x)` is x."""
    node.operand = ast.Call(ast.Name("bool", ast.Load()), [deepcopy(node.operand)], [])


def _texts(node: ast.BinOp) -> bool:
    return any(
        isinstance(side, ast.JoinedStr | ast.List | ast.Tuple)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def _sign(op: ast.cmpop) -> str:
    return {
        ast.Eq: "==",
        ast.NotEq: "!=",
        ast.Lt: "<",
        ast.LtE: "<=",
        ast.Gt: ">",
        ast.GtE: ">=",
        ast.In: "in",
        ast.NotIn: "not in",
        ast.Is: "is",
        ast.IsNot: "is not",
    }[type(op)]


def _shorten(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) < 50 else f"{text[:47]}..."
