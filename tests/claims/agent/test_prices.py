"""What a call costs: by the table of the repository, null for a model that is not in it, less for what was cached."""

from pathlib import Path

import pytest
import yaml

from claims.agent import prices
from claims.agent.prices import cost_of

TABLE = yaml.safe_load((Path(prices.__file__).parent / "prices.yaml").read_text("utf-8"))


def test_a_million_tokens_cost_what_the_table_says():
    price = TABLE["openai/gpt-5"]
    assert cost_of("openai/gpt-5", tokens_in=1_000_000, tokens_out=0) == pytest.approx(price["input"])
    assert cost_of("openai/gpt-5", tokens_in=0, tokens_out=1_000_000) == pytest.approx(price["output"])


def test_the_cached_part_of_a_prompt_has_its_own_price():
    price = TABLE["openai/gpt-5"]
    cost = cost_of("openai/gpt-5", tokens_in=1_000_000, tokens_out=0, cached=600_000)
    assert cost == pytest.approx(0.4 * price["input"] + 0.6 * price["cached"])
    more = cost_of("openai/gpt-5", tokens_in=10, tokens_out=0, cached=1_000_000)
    assert more == pytest.approx(price["cached"]), "a provider that counts the cached part apart costs no less than it"


def test_the_longest_name_that_fits_counts():
    assert cost_of("openai/gpt-5-mini-2026-01-01", tokens_in=1_000_000, tokens_out=0) == pytest.approx(
        TABLE["openai/gpt-5-mini"]["input"]
    )


@pytest.mark.parametrize("model", ["openai/scripted", "gpt-5", "", "ollama/llama3"])
def test_a_model_without_a_known_price_costs_null_and_never_zero(model):
    assert cost_of(model, tokens_in=1000, tokens_out=1000) is None


def test_the_offline_chooser_costs_nothing():
    assert cost_of("offline/chooser", tokens_in=1000, tokens_out=1000) == 0


def test_every_row_has_its_three_prices_and_cached_is_never_dearer():
    for name, row in TABLE.items():
        assert set(row) == {"input", "cached", "output"}, name
        assert 0 <= row["cached"] <= row["input"] <= max(row["output"], row["input"]), name
