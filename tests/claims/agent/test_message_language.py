"""English or not, held against every row of the inventory."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from claims.agent.message_language import ENGLISH, OTHER, language_of

ROWS = yaml.safe_load((Path(__file__).parents[3] / "knowledge/content/inventory.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_the_language_of_every_row_of_the_inventory(row):
    assert language_of(row["text"]) == (ENGLISH if row["language"] == "en" else OTHER)


def test_the_inventory_holds_99_english_rows_and_four_other_languages():
    languages = [row["language"] for row in ROWS]
    assert languages.count("en") == 99
    assert set(languages) == {"en", "zh", "hi", "tl", "mi"}


@pytest.mark.parametrize(
    "text",
    [
        "sat on my glasses",
        "MTR-BEN-03?",
        "rental",
        "Kia ora, my car was hit in Wairoa. Does the policy pay for a hire car? Ngā mihi",
        "Tēnā koe, is hail covered",
        "my wife Nguyễn Thị Hà was driving in Ōtāhuhu",
        "no",
        "12/03/2026",
        "",
        "👍",
    ],
)
def test_english(text):
    assert language_of(text) == ENGLISH


@pytest.mark.parametrize(
    "text",
    [
        "我的车被偷了",
        "मेरी गाड़ी डूब गई",
        "내 차가 도난당했어요",
        "Моя машина сломалась",
        "سيارتي مسروقة",
        "kua pakaru taku motokā, he aha te excess",
        "Nabagsak ko po yung TV, covered po ba",
        "meri gaadi kya covered hai",
    ],
)
def test_other(text):
    assert language_of(text) == OTHER


@given(st.text())
def test_any_text_has_one_of_two_languages(text):
    assert language_of(text) in {ENGLISH, OTHER}
