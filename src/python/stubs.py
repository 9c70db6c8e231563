"""Type stubs of the module: those that maturin reads off the library, with the attributes that scenes are
given when the module is imported, and with the exceptions.

    maturin generate-stubs --profile release --out stubs
    python stubs.py stubs/weft/__init__.pyi weft.pyi
"""

import inspect
import re
import sys
from pathlib import Path

import weft

IMPORTS = "import os\nimport typing\nimport numpy\n"
# what a property of a type can be set to: numbers as texts with units as well
SETTERS = {float: "float | str", int: "int | str", bool: "bool | str", str: "str"}


def values() -> dict[str, object]:
    """A value of each attribute that is declared, of a scene with a solver that has it."""
    found: dict[str, object] = {}
    names = [name for name, value in vars(weft.Scene).items() if isinstance(value, property)]
    for solver in weft.solvers():
        scene = weft.Scene()
        scene.solver = solver["id"]
        for name in names:
            if name not in found:
                try:
                    found[name] = getattr(scene, name)
                except weft.InputError:
                    pass
    return found


def attribute(name: str, value: object) -> str:
    text = inspect.getdoc(vars(weft.Scene)[name]) or ""
    documentation = "\n".join(f"        {line}".rstrip() for line in text.splitlines()).replace("\\", "\\\\")
    kind = type(value) if type(value) in SETTERS else None
    read = kind.__name__ if kind else "typing.Any"
    written = SETTERS[kind] if kind else "typing.Any"
    return (
        f'    @property\n    def {name}(self) -> {read}:\n        """\n{documentation}\n        """\n'
        f"    @{name}.setter\n    def {name}(self, value: {written}) -> None: ...\n"
    )


def exception(kind: type[Exception]) -> str:
    return f'class {kind.__name__}({kind.__bases__[0].__name__}):\n    """{kind.__doc__}"""\n'


def stubs(text: str) -> str:
    # annotations are written as texts where PyO3 does not know the type
    text = re.sub(r'(: |-> )"([^"\n]*)"(?=[,):= ])', r"\1\2", text)
    text = re.sub(r'(-> )"([^"\n]*)":', r"\1\2:", text)
    text = text.replace("def __getattr__(name: str) -> Incomplete: ...\n", "").replace("Incomplete, ", "")
    text = text.replace("\nfrom _typeshed", f"\n{IMPORTS}from _typeshed", 1)
    attributes = "".join(attribute(name, value) for name, value in sorted(values().items()))
    text = text.replace("\n@final\nclass Simulation:", f"{attributes}\n@final\nclass Simulation:", 1)
    names = ", ".join(f'"{name}"' for name in getattr(weft, "__all__"))
    text = text.replace("\n@final\nclass Scene:", f"\n__all__ = [{names}]\n\n@final\nclass Scene:", 1)
    exceptions = [weft.InputError, weft.StepError, weft.UnusableError]
    return text.rstrip() + "\n\n" + "\n".join(map(exception, exceptions))


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_text(stubs(source.read_text()))
