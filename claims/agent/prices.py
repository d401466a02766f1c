"""What a call costs, from the price table of the repository; None for a model without a known price."""

from functools import cache
from pathlib import Path

import yaml

MILLION = 1_000_000


@cache
def _table() -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = yaml.safe_load((Path(__file__).parent / "prices.yaml").read_text("utf-8"))
    return table


def cost_of(model: str, *, tokens_in: int, tokens_out: int, cached: int = 0) -> float | None:
    """US dollars. `cached` is the part of `tokens_in` that the provider read from its cache."""
    names = [name for name in _table() if model.startswith(name)]
    if not names:
        return None
    price = _table()[max(names, key=len)]
    fresh = max(tokens_in - cached, 0)
    return (fresh * price["input"] + cached * price["cached"] + tokens_out * price["output"]) / MILLION
