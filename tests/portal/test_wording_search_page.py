"""Staff's search page: a form, clauses with the matched words marked, and a sentence for each kind of nothing."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from knowledge.models import Revision
from knowledge.search import MAX_QUERY
from tests.builders import admin_client, make_staff
from tests.builders_knowledge import ingested, make_clause, make_document

PAGE = "/admin/knowledge/directoryentry/search/"


@pytest.fixture
def editor(portal: None) -> Client:
    return admin_client(make_staff("mere", "editor"))


def shown(client: Client, status: int = 200, **query: str) -> str:
    response = client.get(PAGE, query)
    assert response.status_code == status
    return unescape(str(response.content.decode()))


def hits(html: str) -> list[str]:
    return re.findall(r"<h3>([A-Z]{3}-[A-Z]{3}-\d\d): ", html)


def the_nothing(html: str) -> str:
    """The one sentence that stands in place of results."""
    (sentence,) = re.findall(r'<p class="empty"[^>]*>(.*?)</p>', html, re.DOTALL)
    assert hits(html) == []
    return str(sentence)


def test_M26_clauses_are_shown_best_first_with_their_version_and_the_matched_words_marked(editor: Client) -> None:
    html = shown(editor, q="rental car while mine is repaired", family="motor")
    assert hits(html)[0] == "MTR-BEN-03"
    first = html.split("<h3>")[1]
    assert "<mark>Hire</mark> <mark>car</mark>, <mark>rental</mark> <mark>car</mark>, taxi" in first
    version = re.findall(r"clauses of Motor (\S+), from", html)[0]
    assert f"Version {version}. Matched: Hire, car, rental" in first
    assert "The whole clause" in first and "fuel, tolls, parking and fines" in first
    assert "Searched for: rental, car, repaired." in html


def test_M57_M65_the_page_says_that_it_is_a_keyword_search_and_no_measure(editor: Client) -> None:
    html = shown(editor)
    assert "A keyword search" in html
    assert "nothing here says how well they are answered" in html
    assert "accuracy" not in html.lower()


def test_each_kind_of_nothing_has_its_sentence(editor: Client) -> None:
    ingested(make_document("2030.1", clauses=[make_clause("MTR-COV-05")]))
    assert the_nothing(shown(editor)).startswith("Type words to look for")
    assert the_nothing(shown(editor, q="  ", family="motor")).startswith("Type words to look for")
    assert the_nothing(shown(editor, q="?!", family="motor")).startswith("There is no word in what you typed")
    no_match = the_nothing(shown(editor, q="xylophone", family="motor"))
    assert "has any of these words: xylophone" in no_match and "does not make the policy silent" in no_match
    assert the_nothing(shown(editor, q="keys", family="home")).startswith("Home: No release of this family is in force")


def test_a_version_can_be_named_and_one_that_is_not_in_force_says_so(editor: Client) -> None:
    ingested(make_document("2030.1", clauses=[make_clause("MTR-COV-05")]))
    html = shown(editor, q="window", family="motor", version="2030.1")
    assert hits(html) == ["MTR-COV-05"]
    assert "1 clause of Motor 2030.1, which is ingested and not in force" in html


@pytest.mark.parametrize(
    ("query", "status", "sentence"),
    [
        ({"family": "boat"}, 400, "There is no such family."),
        ({"family": "motor", "version": "2099.9"}, 404, "This family has no version 2099.9."),
        ({"family": "motor", "version": "9" * 41}, 400, "No version has so long a name."),
        ({"family": "motor", "q": "k" * (MAX_QUERY + 1)}, 400, f"Type at most {MAX_QUERY} characters."),
        ({"family": "motor", "q": "a\x00b"}, 400, "Null characters are not allowed."),
    ],
)
def test_what_cannot_be_searched_says_why_and_keeps_what_was_typed(
    editor: Client, query: dict[str, str], status: int, sentence: str
) -> None:
    typed = {"q": "keys", **query}
    html = shown(editor, status, **typed)
    assert sentence in html and 'role="alert"' in html
    assert hits(html) == [] and 'class="empty"' not in html
    assert f'value="{typed["q"]}"' in html


def test_what_was_typed_and_what_is_written_stay_text(editor: Client) -> None:
    response = editor.get(PAGE, {"q": "<script>alert(1)</script>", "family": "motor", "version": '"><b>'})
    html = response.content.decode()
    assert "<script>alert" not in html and "<b>" not in html


def test_a_text_that_is_not_what_was_ingested_is_not_shown(editor: Client) -> None:
    Revision.objects.filter(clause__clause_id="MTR-BEN-04").update(body="[other] Something else.")
    html = shown(editor, q="keys remotes", family="motor")
    assert hits(html)[0] == "MTR-BEN-04"
    assert "not the one that was ingested" in html and "Something else" not in html


def test_every_staff_role_may_search_and_finds_the_way_and_nobody_else(portal: None) -> None:
    for role in ("editor", "approver", "reviewer", "manager", "operator"):
        client = admin_client(make_staff(f"some-{role}", role))
        assert hits(shown(client, q="keys"))[0] == "MTR-BEN-04"
        index = client.get("/admin/").content.decode()
        assert PAGE in index and reverse("admin:knowledge_question_coverage") in index
    adjuster = admin_client(make_staff("some-adjuster", "adjuster"))
    assert adjuster.get(PAGE).status_code == 403
    assert PAGE not in adjuster.get("/admin/").content.decode()
    assert Client().get(PAGE).status_code == 302
