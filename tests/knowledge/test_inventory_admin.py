"""The inventory in the administration: its rows, and the table of what the wording answers."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from knowledge.inventory import add_questions
from knowledge.question_rules import read_inventory
from tests.builders import admin_client, make_staff
from tests.builders_knowledge import DAY, approved, make_document, make_family, make_user

pytestmark = pytest.mark.django_db
STAFF = ("editor", "approver", "reviewer", "manager", "operator")
ROWS = """
- {id: DM-01, family: motor, fixture: M-COMP, after: null, text: do you do <b>windows</b>, expected: [MTR-COV-01],
   class: covered, expects: Gives the limit, language: en}
- {id: DM-02, family: motor, fixture: M-COMP, after: DM-01, text: and scratches, expected: [MTR-COV-01],
   class: not_covered, expects: Says no, language: en}
- {id: DM-03, family: motor, fixture: M-COMP, after: null, text: he motokā, expected: [MTR-COV-01, MTR-COV-02],
   class: covered, expects: Names both, language: mi}
- {id: DN-01, family: motor, fixture: M-COMP, after: null, text: whose fault was it, expected: [],
   class: no_clause, expects: Cannot find it, language: en}
- {id: DH-01, family: home, fixture: H-OWN, after: null, text: is the fence in it, expected: [HOM-COV-01],
   class: covered, expects: Says so, language: en}
"""


@pytest.fixture
def inventory() -> None:
    approved(make_document())
    make_family("home")
    assert add_questions(read_inventory(ROWS), by=make_user("mere")) == 5


def page(client: Client, **query: str) -> str:
    response = client.get(reverse("admin:knowledge_question_coverage"), {"day": DAY.isoformat(), **query})
    assert response.status_code == 200
    return str(response.content.decode())


def counts(html: str) -> dict[str, list[str]]:
    """Family -> the cells of its row in the table of counts."""
    found = re.findall(r'<tr><th scope="row"><a [^>]*>(\w+)</a></th>(.*?)</tr>', html, re.DOTALL)
    return {family: re.findall(r"<td[^>]*>([^<]*)</td>", cells) for family, cells in found}


def shown(html: str) -> list[str]:
    return re.findall(r'<th scope="row">(D\w-\d\d)</th>', html)


def test_E8_the_table_shows_each_question_its_clauses_and_its_status_with_counts(inventory: None) -> None:
    html = page(admin_client(make_staff("e", "editor")))
    # covered, partly, missing, says not included, none by design, all
    assert counts(html) == {
        "Motor": ["2030.1", "1", "1", "0", "1", "1", "4"],
        "Home": ["none in force", "0", "0", "1", "0", "0", "1"],
    }
    assert shown(html) == ["DM-01", "DM-02", "DM-03", "DN-01", "DH-01"]
    assert "MTR-COV-01: Windows and window glass" in html
    assert re.search(r"MTR-COV-02\s*<strong>is not in force</strong>", html)
    assert "No release of this family is in force" in html
    assert "&lt;b&gt;windows&lt;/b&gt;" in html and "<b>windows</b>" not in html
    assert '<span lang="mi">he motokā</span>' in html
    assert "<summary>a holdout question</summary>" in html and html.count("a holdout question") == 1


def test_E8_the_table_is_narrowed_by_family_and_by_status_and_the_counts_stay_whole(inventory: None) -> None:
    client = admin_client(make_staff("e", "editor"))
    for query, rows in (
        ({"family": "home"}, ["DH-01"]),
        ({"status": "partly"}, ["DM-03"]),
        ({"status": "says_not_included", "family": "motor"}, ["DM-02"]),
        ({"status": "covered", "family": "home"}, []),
        ({"status": "unheard of", "family": "boat"}, ["DM-01", "DM-02", "DM-03", "DN-01", "DH-01"]),
    ):
        html = page(client, **query)
        assert shown(html) == rows, query
        assert counts(html)["Motor"][-1] == "4", query
    assert "No question of this family has this status." in page(client, status="covered")


def test_R4_the_table_is_of_a_day_and_a_day_that_is_none_says_how_to_write_it(inventory: None) -> None:
    client = admin_client(make_staff("e", "editor"))
    before = page(client, day="2029-12-31")
    assert counts(before)["Motor"][2:4] == ["0", "3"]
    assert "The first release of this family starts after this day." in before
    refused = client.get(reverse("admin:knowledge_question_coverage"), {"day": "31/12/2029"})
    assert refused.status_code == 400
    assert "Write the day like" in refused.content.decode() and 'aria-invalid="true"' in refused.content.decode()


@pytest.mark.parametrize("role", STAFF)
def test_staff_may_read_the_inventory_and_its_table_and_nobody_writes_it(role: str, inventory: None) -> None:
    client = admin_client(make_staff("someone", role))
    changelist = reverse("admin:knowledge_question_changelist")
    listed = client.get(changelist, {"q": "windows"}).content.decode()
    assert "DM-01" in listed and "DM-02" not in listed.split('id="result_list"')[1]
    assert reverse("admin:knowledge_question_coverage") in listed
    assert len(shown(page(client))) == 5
    assert client.get(f"{changelist}add/").status_code == 403
    assert changelist in client.get("/admin/").content.decode()


@pytest.mark.parametrize("role", ["adjuster", None])
def test_others_see_neither_the_rows_nor_the_table(role: Any, inventory: None) -> None:
    client = admin_client(make_staff("someone", *([role] if role else [])))
    assert client.get(reverse("admin:knowledge_question_coverage")).status_code == 403
    assert client.get(reverse("admin:knowledge_question_changelist")).status_code == 403
    assert Client().get(reverse("admin:knowledge_question_coverage")).status_code == 302


def test_an_empty_knowledge_base_has_pages_that_say_so() -> None:
    client = admin_client(make_staff("e", "editor"))
    assert "There is no family yet." in page(client)
    search = client.get(reverse("admin:knowledge_directoryentry_search"), {"q": "keys"})
    assert search.status_code == 200 and "There is no family yet, so there is nothing to search." in str(search.content)
