"""Every regular expression of the source tree, how it is used, and texts that could make it slow."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent.parent
FOLDERS: Final = ("ledger", "projections", "web", "cli")
METHODS: Final = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}

_parser: Any = getattr(re, "_parser")  # noqa: B009 - the parser that `re` itself uses
_constants: Any = getattr(re, "_constants")  # noqa: B009 - as above


OURS: Final = frozenset({"ledger.schema"})
"""Modules that make patterns of words of our own source, for papers of our own."""


PATTERN_FACTORIES: Final = {
    "ledger.formats.handscript.phrases": "list_patterns",
    "ledger.formats.handscript.notes.newcomers": "list_newcomer_patterns",
}
"""Modules that make patterns of parts, and the function of each that returns them all."""


OF_NAMES: Final = frozenset({"ledger.formats.handscript.notes.tokenizer"})
"""Modules that make an alternation of the names of a table, escaped and without repeats."""
NOTES: Final = "ledger.formats.handscript.notes."
"""Patterns of notes see one line of at most 2,000 characters, and at most 8 blanks side by side."""


class Found(NamedTuple):
    """A pattern, where it stands, and with which methods it is asked."""

    where: str
    pattern: re.Pattern[str] | re.Pattern[bytes]
    methods: frozenset[str]


def sources() -> Iterator[tuple[str, Path]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield name.removesuffix(".__init__"), path


@cache
def every_pattern() -> list[Found]:
    """Return all of them; a call that cannot be followed is an error, so that none is left out."""
    texts = {module: path.read_text(encoding="utf-8") for module, path in sources()}
    all_sources = "\n".join(texts.values())
    return [
        pattern
        for module, source in texts.items()
        if module not in OURS and re.search(r"\bre\s*\.", source)
        for pattern in _patterns(module, source, all_sources)
    ]


def _patterns(module: str, source: str, all_sources: str) -> Iterator[Found]:
    """Yield the patterns of one module; `all_sources` is the text of all of them."""
    nodes = list(ast.walk(ast.parse(source)))
    assigned_names = {
        id(node.value): target.id
        for node in nodes
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and node.value is not None
    }
    makers = {
        id(node.body[-1].value): node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef) and not node.args.args and isinstance(node.body[-1], ast.Return)
    }
    for node in nodes:
        if not (isinstance(node, ast.Call) and _of_re(node.func)):
            continue
        attr = node.func.attr  # type: ignore[union-attr]  # `_of_re` looked
        text = f"{module}:{node.lineno}"
        if attr == "escape":
            continue
        name = assigned_names.get(id(node))
        module_pattern = getattr(import_module(module), name, None) if name else None
        if isinstance(module_pattern, re.Pattern):
            assert name is not None
            users = source if name.startswith("_") else all_sources
            # a pattern that begins with letters is looked for ten times faster than one that begins with \b
            used = set(re.findall(rf"{name}(?<!\w{name})\.(\w+)", users)) & METHODS
            yield Found(text, module_pattern, frozenset(used or {"match", "search"}))
        elif id(node) in makers:  # a function that compiles it once, when somebody asks
            pattern = getattr(import_module(module), makers[id(node)])()
            yield Found(text, pattern, frozenset({"match", "search"}))
        elif module in OF_NAMES and attr == "compile":
            continue
        elif module in PATTERN_FACTORIES and attr == "compile":
            patterns = getattr(import_module(module), PATTERN_FACTORIES[module])()
            yield from (Found(f"{text} {regex.pattern}", regex, frozenset({"fullmatch"})) for regex in patterns)
        else:
            yield _inline(text, attr, node)


def _of_re(func: ast.expr) -> bool:
    return isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "re"


def _inline(place: str, method: str, node: ast.Call) -> Found:
    try:
        text = ast.literal_eval(node.args[0])
    except ValueError:
        raise AssertionError(f"{place}: a pattern that this test cannot follow") from None
    return Found(place, re.compile(text), frozenset({method} if method in METHODS else {"match"}))


def pumps(pattern: re.Pattern[Any], size: int) -> Iterator[str]:
    """Yield texts of about `size` characters: what each repeat takes, over and over, then what fails it."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin1")
    tree = _parser.parse(text, pattern.flags & ~re.UNICODE)
    heads = list(dict.fromkeys(_repeats(tree, "")))
    common = (" ", "a", "0", "(", "0.", "a ", "\n", ":", "-", ",", "$0", "[", "]", "a\n", "Ah")
    for head, unit in [*heads, *(("", unit) for unit in common)]:
        for tail in ("", "\x01", "!\n"):
            yield head + unit * (size // len(unit)) + tail


def _repeats(tree: Any, head: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before each repeat, and what one turn of it takes."""
    for op, value in tree:
        if op in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            minimum, maximum, body = value
            unit = _sample(body)
            yield from _repeats(body, head)
            if maximum > 8 and unit:
                yield head, unit
                for member in _class_members(body):
                    yield head, member
            head += unit * minimum
        elif op is _constants.SUBPATTERN:
            yield from _repeats(value[3], head)
            head += _sample(value[3])
        elif op is _constants.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, head)
            head += _sample(value[1][0])
        else:
            head += _sample([(op, value)])


def _sample(tree: Any) -> str:
    """A short text that a part of a pattern takes."""
    text = ""
    for op, value in tree:
        if op is _constants.LITERAL:
            text += chr(value)
        elif op is _constants.NOT_LITERAL:
            text += "a" if value != ord("a") else "b"
        elif op is _constants.ANY:
            text += "a"
        elif op is _constants.IN:
            text += _member(value)
        elif op in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            text += _sample(value[2]) * max(value[0], 1 if value[1] else 0)
        elif op is _constants.SUBPATTERN:
            text += _sample(value[3])
        elif op is _constants.BRANCH:
            text += _sample(value[1][0])
    return text


def _class_members(tree: Any) -> Iterator[str]:
    if len(tree) == 1 and tree[0][0] is _constants.IN:
        character_class = re.compile("[" + "".join(_class(item) for item in tree[0][1]) + "]")
        yield from (c for c in " 0a.-/:,'()[]$" if character_class.fullmatch(c))


def _member(items: Any) -> str:
    character_class = re.compile("[" + "".join(_class(item) for item in items) + "]")
    return next((c for c in "a0 .-/:,'()[]$AhX+_#\n\t*|?\\^" if character_class.fullmatch(c)), "a")


def _class(item: Any) -> str:
    op, value = item
    if op is _constants.NEGATE:
        return "^"
    if op is _constants.LITERAL:
        return re.escape(chr(value))
    if op is _constants.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    return {
        "CATEGORY_DIGIT": r"\d",
        "CATEGORY_SPACE": r"\s",
        "CATEGORY_WORD": r"\w",
        "CATEGORY_NOT_DIGIT": r"\D",
        "CATEGORY_NOT_SPACE": r"\S",
        "CATEGORY_NOT_WORD": r"\W",
    }[str(value)]


def nested(pattern: re.Pattern[Any]) -> bool:
    """Whether a repeat without bound stands in a repeat without bound, where time can explode."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin1")
    return _nested(_parser.parse(text, pattern.flags & ~re.UNICODE), inside_repeat=False)


def _nested(tree: Any, *, inside_repeat: bool) -> bool:
    for op, value in tree:
        if op in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            endless = value[1] > 64
            if (inside_repeat and endless) or _nested(value[2], inside_repeat=inside_repeat or endless):
                return True
        elif op is _constants.SUBPATTERN:
            if _nested(value[3], inside_repeat=inside_repeat):
                return True
        elif op is _constants.BRANCH and any(_nested(branch, inside_repeat=inside_repeat) for branch in value[1]):
            return True
    return False
