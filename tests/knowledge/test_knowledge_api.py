"""Staff's knowledge calls: what is written and in force, whole clauses, and the keyword search, in pages."""

from datetime import date
from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from knowledge.models import Revision
from knowledge.search import MAX_QUERY
from tests.builders_api import holder, opened, problem_of, seed_wording, staff
from tests.builders_knowledge import approved, draft, make_clause, make_document, make_family

pytestmark = pytest.mark.django_db
KEYS = make_clause(
    "MTR-BEN-04",
    title="Lost or stolen car keys",
    body=["[other]* New keys and locks, once a claim is accepted.", "[other] It leaves out:", "[other] - worn remotes"],
    plain=["The clause is about car keys."],
)
ALL = ("families/", "releases/", "clauses/?family=motor", "clauses/MTR-BEN-04/", "search/?family=motor&q=keys")


@pytest.fixture
def wording() -> None:
    """Motor has one version in force, an earlier one before it and a draft; home is a family without a release."""
    approved(make_document("2030.1", effective_from=date(2020, 1, 1)))
    approved(make_document("2030.2", effective_from=date(2021, 1, 1), clauses=[make_clause(), KEYS]))
    draft(make_document("2031.1", effective_from=date(2031, 1, 1)))
    make_family("home")


@pytest.fixture
def editor(wording: None) -> APIClient:
    return staff("editor")


def get(client: APIClient, call: str, **query: str) -> dict[str, Any]:
    response = client.get(f"/api/knowledge/{call}", query or None)
    assert response.status_code == 200, response.content
    body: dict[str, Any] = response.json()
    return body


def refused(client: APIClient, call: str, status: int, **query: str) -> dict[str, Any]:
    return problem_of(client.get(f"/api/knowledge/{call}", query or None), status)


@pytest.mark.parametrize("call", ALL)
def test_the_calls_are_for_staff_by_their_role(call: str, wording: None) -> None:
    for role in ("editor", "approver", "reviewer", "manager", "operator"):
        assert staff(role).get(f"/api/knowledge/{call}").status_code == 200, role
    problem_of(staff("adjuster").get(f"/api/knowledge/{call}"), 403)
    problem_of(APIClient().get(f"/api/knowledge/{call}"), 401)


def test_a_claims_token_opens_no_knowledge_call() -> None:
    seed_wording()
    claimant = holder(opened(APIClient()))
    for call in ALL:
        problem_of(claimant.get(f"/api/knowledge/{call}"), 401)


def test_families_say_what_is_in_force_or_why_nothing_is(editor: APIClient) -> None:
    page = get(editor, "families/")
    assert (page["next"], page["previous"]) == (None, None)
    home, motor = page["results"]
    assert (home["family"], home["wording"], home["absent"], home["clauses"]) == ("home", None, "no_release", 0)
    assert motor == {
        "family": "motor",
        "name": "Motor",
        "insurer": "northwind",
        "document_id": "northwind-motor-policy",
        "clause_prefix": "MTR",
        "clauses": 2,
        "wording": {"version": "2030.2", "effective_from": "2021-01-01", "state": "approved"},
        "absent": None,
    }


def test_releases_are_listed_latest_first_and_by_family(editor: APIClient) -> None:
    rows = get(editor, "releases/", family="motor")["results"]
    assert [(row["version"], row["state"], row["is_in_force"]) for row in rows] == [
        ("2031.1", "draft", False),
        ("2030.2", "approved", True),
        ("2030.1", "approved", False),
    ]
    assert rows[1]["approved_by"] == "approver" and rows[1]["approved_at"]
    assert len(get(editor, "releases/")["results"]) == 3
    assert get(editor, "releases/", family="home")["results"] == []
    refused(editor, "releases/", 404, family="boat")


def test_clauses_of_what_is_in_force_or_of_a_named_version(editor: APIClient) -> None:
    page = get(editor, "clauses/", family="motor")
    assert [clause["clause_id"] for clause in page["results"]] == ["MTR-COV-01", "MTR-BEN-04"]
    assert (page["family"], page["wording"]["version"], page["absent"]) == ("motor", "2030.2", None)
    assert page["results"][1] == {
        "clause_id": "MTR-BEN-04",
        "title": KEYS.title,
        "schedule_section": None,
        "sha256": KEYS.sha256,
    }
    earlier = get(editor, "clauses/", family="motor", version="2030.1")
    assert [clause["clause_id"] for clause in earlier["results"]] == ["MTR-COV-01"]
    assert get(editor, "clauses/", family="motor", version="")["wording"]["version"] == "2030.2"
    for family, version, absent in (("home", "", "no_release"), ("motor", "2031.1", "not_ingested")):
        nothing = get(editor, "clauses/", family=family, version=version)
        assert (nothing["results"], nothing["wording"], nothing["absent"]) == ([], None, absent)


def test_R4_in_force_is_of_the_new_zealand_day() -> None:
    approved(make_document("2030.1", effective_from=date(2030, 6, 1)))
    with time_machine.travel("2030-05-31T11:59:00Z", tick=False):
        client = staff("editor")
        assert get(client, "families/")["results"][0]["absent"] == "before_first"
    with time_machine.travel("2030-05-31T12:01:00Z", tick=False):
        assert get(client, "families/")["results"][0]["wording"]["version"] == "2030.1"


def test_M15_a_clause_comes_whole_with_its_sentences(editor: APIClient) -> None:
    clause = get(editor, "clauses/MTR-BEN-04/")
    assert (clause["text"], clause["plain"], clause["sources"]) == (KEYS.text, list(KEYS.plain), list(KEYS.sources))
    assert (clause["family"], clause["wording"]["version"], clause["versions"]) == ("motor", "2030.2", ["2030.2"])
    assert [(s["index"], s["part"], s["always"], s["lead_in"], s["text"]) for s in clause["sentences"]] == [
        (1, "other", True, None, "New keys and locks, once a claim is accepted."),
        (2, "other", False, None, "It leaves out:"),
        (3, "other", False, 2, "worn remotes"),
    ]
    assert get(editor, "clauses/MTR-COV-01/", version="2030.1")["versions"] == ["2030.2", "2030.1"]


def test_a_clause_whose_text_is_not_what_was_ingested_is_not_shown(editor: APIClient) -> None:
    Revision.objects.filter(clause__clause_id="MTR-BEN-04").update(body="[other] Something else.")
    clause = get(editor, "clauses/MTR-BEN-04/")
    assert (clause["text"], clause["sentences"], clause["plain"], clause["title"]) == (None, [], [], KEYS.title)


def test_M26_the_search_gives_titles_lines_and_the_words_that_matched(editor: APIClient) -> None:
    page = get(editor, "search/", family="motor", q="lost my keys")
    assert (page["family"], page["wording"]["version"], page["words"]) == ("motor", "2030.2", ["lost", "keys"])
    assert (page["next"], page["previous"]) == (None, None)
    assert page["results"] == [
        {
            "clause_id": "MTR-BEN-04",
            "title": KEYS.title,
            "excerpt": "The clause is about car keys.",
            "matched": ["Lost", "keys"],
        }
    ]
    assert get(editor, "search/", family="motor", q="keys", version="2030.1")["results"] == []
    assert get(editor, "search/", family="motor", q="?!")["words"] == []
    assert get(editor, "search/", family="home", q="keys")["absent"] == "no_release"


@pytest.mark.parametrize(
    "call",
    [
        "clauses/MTR-BEN-99/",
        "clauses/mtr-ben-04/",
        "clauses/MTR-BEN-04/?version=2030.1",
        "clauses/MTR-BEN-04/?version=2031.1",
        "clauses/MTR-BEN-04/?version=2099.9",
        "clauses/?family=boat",
        "clauses/?family=motor&version=2099.9",
        "search/?family=boat&q=keys",
        "search/?family=motor&q=keys&version=2099.9",
    ],
)
def test_what_is_not_written_is_404(call: str, editor: APIClient) -> None:
    refused(editor, call, 404)


@pytest.mark.parametrize(
    ("call", "field"),
    [
        ("clauses/", "family"),
        ("clauses/?family=", "family"),
        ("clauses/?family=%00", "family"),
        ("clauses/?family=motor&version=" + "9" * 41, "version"),
        ("search/?family=motor", "q"),
        ("search/?family=motor&q=%20", "q"),
        ("search/?family=motor&q=k%00", "q"),
        ("search/?q=keys", "family"),
        ("search/?family=motor&q=" + "k" * (MAX_QUERY + 1), "q"),
        ("releases/?family=" + "x" * 51, "family"),
        ("families/?cursor=bm8=", "cursor"),
        ("families/?cursor=%C3%A9", "cursor"),
        ("families/?cursor=YWZ0ZXIgbm9ib2R5", "cursor"),
    ],
)
def test_a_request_that_makes_no_sense_names_its_field(call: str, field: str, editor: APIClient) -> None:
    body = refused(editor, call, 400)
    assert list(body["errors"]) == [field]
    assert field in body["detail"]


def test_a_long_list_is_walked_by_cursors_there_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [f"MTR-COV-{n:02}" for n in range(1, 6)]
    approved(make_document(effective_from=date(2020, 1, 1), clauses=[make_clause(clause_id) for clause_id in ids]))
    monkeypatch.setattr("knowledge.api.pages.PAGE_SIZE", 2)
    client = staff("editor")
    for call, query in (("clauses/", {"family": "motor"}), ("search/", {"family": "motor", "q": "window"})):
        page = get(client, call, **query)
        pages = [page]
        while page["next"]:
            page = client.get(page["next"]).json()
            pages.append(page)
        seen = [[row["clause_id"] for row in page["results"]] for page in pages]
        assert seen == [ids[:2], ids[2:4], ids[4:]]
        assert pages[0]["previous"] is None
        back = client.get(pages[2]["previous"]).json()
        assert back["results"] == pages[1]["results"]
        first = client.get(back["previous"]).json()
        assert first["results"] == pages[0]["results"] and first["previous"] is None


def test_the_schema_says_what_the_calls_take_and_give() -> None:
    schema = APIClient().get("/api/schema/").json()
    search = schema["paths"]["/api/knowledge/search/"]["get"]
    required = {p["name"]: p.get("required", False) for p in search["parameters"]}
    assert required == {"family": True, "q": True, "version": False, "cursor": False}
    page = schema["components"]["schemas"]["SearchPage"]
    assert {"next", "previous", "results", "wording", "absent", "words"} <= set(page["properties"])
    assert {path for path in schema["paths"] if "knowledge" in path} == {
        "/api/knowledge/families/",
        "/api/knowledge/releases/",
        "/api/knowledge/clauses/",
        "/api/knowledge/clauses/{clause_id}/",
        "/api/knowledge/search/",
    }
