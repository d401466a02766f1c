"""Policies with a few things done to them that happen to real files: lines lost, broken, doubled, letters damaged."""

import random
from pathlib import Path

HERE = Path(__file__).parent
MAX_LINES = 120

_NOISE = [
    *[
        "\ufffe",
        "\u00ad",
        "\ufffd",
        "\u200b",
        "\t",
        "  ",
        "(",
        ")",
        ".",
        ":",
        ";",
        "#",
        "**",
        "|",
        "\f",
        "\ufb01",
        "\u2019",
    ],
    *["1.", "a.", "(i)", "\u2022", "EXCLUSIONS", "We will pay", "Page 3 of 9", "HL 4400 (01 24)", "ENDORSEMENT HL 12"],
    *["CONTENTS", "unless "],
]


def sources() -> list[list[str]]:
    """The lines of the two forms and of the invented wordings."""
    paths = sorted([*(HERE / "policies").glob("*.txt"), *(HERE / "wordings").glob("*.txt")])
    return [path.read_text().split("\n") for path in paths]


def mutated(seed: int, texts: list[list[str]]) -> str:
    """A part of one text with up to twelve changes; the same seed gives the same text."""
    dice = random.Random(seed)
    source = dice.choice(texts)
    begin = dice.randrange(max(1, len(source) - MAX_LINES))
    lines = source[begin : begin + dice.randrange(5, MAX_LINES)]
    for _ in range(dice.randrange(1, 12)):
        _change(lines, dice)
    return "\n".join(lines)


def _change(lines: list[str], dice: random.Random) -> None:
    if not lines:
        return
    at = dice.randrange(len(lines))
    line = lines[at]
    cut = dice.randrange(len(line) + 1)
    match dice.randrange(9):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, dice.choice(lines))
        case 2:
            lines[at : at + 1] = [line[:cut], line[cut:]]
        case 3:
            lines[at] = line[:cut] + dice.choice(_NOISE) + line[cut:]
        case 4:
            lines[at] = line.upper()
        case 5:
            lines.insert(at, "")
        case 6:
            lines[at : at + 2] = [" ".join(lines[at : at + 2])]
        case 7:
            lines[at] = dice.choice(_NOISE)
        case _:
            dice.shuffle(lines) if dice.random() < 0.2 else lines.insert(at, line[::-1])
