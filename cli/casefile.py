"""Case files: YAML to cases, with the line of whatever is wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import yaml

from engine.cases import Case, CaseError, parse_cases
from engine.cases.model import PHASE

MAX_BYTES = 2_000_000
MAX_DEPTH = 40


class CaseFileError(ValueError):
    """Not a valid case file: the file, the line (0 when it is about the whole file) and what is wrong."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        place = f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}: {message}")
        self.path, self.line, self.message = path, line, message


class Located(msgspec.Struct, frozen=True):
    """A case and where it stands."""

    path: Path
    line: int
    case: Case


def find_case_files(paths: list[Path]) -> list[Path]:
    """The files named, and the .yaml and .yml files of the folders named, in order. Raises CaseFileError."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.suffix in (".yaml", ".yml") and file.is_file())
            if not inside:
                raise CaseFileError(path, 0, "this folder holds no case files (*.yaml)")
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise CaseFileError(path, 0, "there is no such file or folder")
    return list(dict.fromkeys(found))


def load_cases(path: Path) -> tuple[Located, ...]:
    """The cases of one file. Raises CaseFileError."""
    root = _compose(path, _text(path))
    plain = _Reader(path).plain(root)
    try:
        cases = parse_cases(plain)
    except CaseError as error:
        raise CaseFileError(path, _line(root, error.where), error.message) from None
    return tuple(Located(path, _line(root, (at,)), case) for at, case in enumerate(cases))


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CaseFileError(path, 0, f"cannot be read: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise CaseFileError(path, 0, f"larger than {MAX_BYTES} bytes; split it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CaseFileError(path, data.count(b"\n", 0, error.start) + 1, "not UTF-8 text") from None


def _compose(path: Path, text: str) -> yaml.Node:
    try:
        root = yaml.compose(text, yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = ", ".join(part for part in (error.context, error.problem) if part)
        raise CaseFileError(path, mark.line + 1 if mark else 0, f"not valid YAML: {said}") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise CaseFileError(path, line, "not valid YAML: it holds a control character") from None
    except RecursionError:
        raise CaseFileError(path, 0, "nested too deeply") from None
    if root is None:
        raise CaseFileError(path, 0, "the file is empty; a case file is a list of cases")
    return root


class _Reader:
    """YAML nodes to plain data, as SafeLoader reads scalars, refusing duplicate keys and endless structures."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.scalars = yaml.SafeLoader("")

    def plain(self, node: yaml.Node, depth: int = 0) -> Any:
        """The node's value. Raises CaseFileError."""
        if depth > MAX_DEPTH:
            raise self._wrong(node, "nested too deeply")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.plain(one, depth + 1) for one in node.value]
        return self._scalar(node)

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[Any, Any]:
        plain: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise self._wrong(key_node, "a key is one word or number")
            key = self._scalar(key_node)
            if key in plain:
                raise self._wrong(key_node, f"the key {key!r} stands here twice")
            plain[key] = self.plain(value_node, depth + 1)
        return plain

    def _scalar(self, node: yaml.Node) -> Any:
        if node.tag == "tag:yaml.org,2002:merge":
            raise self._wrong(node, "merge keys (<<) are not used in case files")
        try:
            return self.scalars.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            said = getattr(error, "problem", None) or str(error)
            raise self._wrong(node, f"not valid YAML: {said}") from None

    def _wrong(self, node: yaml.Node, message: str) -> CaseFileError:
        return CaseFileError(self.path, node.start_mark.line + 1, message)


def _line(node: yaml.Node, where: tuple[str | int, ...]) -> int:
    """The line of what the keys and indexes lead to, as far as they lead anywhere."""
    line = node.start_mark.line + 1
    for part in where:
        if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
        elif isinstance(node, yaml.MappingNode):
            pair = next((pair for pair in node.value if _is_key(pair[0].value, part)), None)
            if pair is None:
                continue
            line, node = pair[0].start_mark.line + 1, pair[1]
            continue
        else:
            continue
        line = node.start_mark.line + 1
    return line


def _is_key(written: str, part: str | int) -> bool:
    """Whether a key as written is this part of an error's place; a phase's answers stand below its own name."""
    if part == "answers":
        return PHASE.fullmatch(written) is not None
    if isinstance(part, int):
        return re.fullmatch(r"[0-9]+", written) is not None and int(written) == part
    return written == part
