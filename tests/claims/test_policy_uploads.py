"""An adjuster's uploads through the API: what is kept and told, what is refused and why, and that nothing is lost."""

import hashlib

import pytest

from claims.models import PolicyDocument, Relabel
from knowledge.audit import AuditEntry
from tests.builders_api import problem_of, staff
from tests.builders_policies import POLICY, detail, find, upload, uploaded
from tests.claims.documents import hostile_pdfs
from tests.claims.documents.adjuster_cases import FIXTURES, file_of
from tests.claims.documents.drawing import Sheet
from tests.claims.documents.hostile_packages import bombs

pytestmark = pytest.mark.django_db
BYTES = POLICY.encode()


@pytest.fixture
def adjuster():
    return staff("adjuster")


@pytest.fixture
def store_away(own_var_dir):
    """The store is there or it is not; both act on the folder, as an outage does."""
    store = own_var_dir / "store"

    def switch(away: bool) -> None:
        if away:
            store.rename(store.with_name("gone")) if store.exists() else None
            store.write_text("not a folder")
        else:
            store.unlink()
            gone = store.with_name("gone")
            gone.rename(store) if gone.exists() else None

    return switch


def test_M87_an_upload_is_kept_read_and_told_with_every_page(adjuster):
    response = upload(adjuster, POLICY, "Harbour View.txt")
    assert response.status_code == 202
    document = response.json()["id"]
    assert response.headers["Location"] == f"/api/documents/{document}/"
    told = detail(adjuster, document)
    assert (told["name"], told["status"], told["readable"], told["reason"]) == ("Harbour View.txt", "done", True, None)
    assert (told["sha256"], told["size"]) == (hashlib.sha256(BYTES).hexdigest(), len(BYTES))
    assert [(page["number"], page["state"]) for page in told["pages"]] == [(1, "read")]
    assert told["pages_not_read"] == []
    entry = AuditEntry.objects.get(act="document.upload")
    assert (entry.subject, entry.detail["sha256"]) == (document, told["sha256"])
    assert [row["id"] for row in adjuster.get("/api/documents/").json()["results"]] == [document]


def test_the_original_comes_back_byte_for_byte_and_is_only_ever_saved(adjuster):
    data = b"<script>alert(1)</script>\n" + BYTES
    response = adjuster.get(f"/api/documents/{uploaded(adjuster, data, 'p.html')}/original/")
    assert response.content == data
    assert response.headers["Content-Disposition"].startswith("attachment")
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Type"] == "application/octet-stream"


def test_the_same_bytes_are_one_document_whatever_they_are_called(adjuster):
    first = uploaded(adjuster)
    again = upload(adjuster, POLICY, "another name.txt")
    assert (again.status_code, again.json()["id"], again.json()["name"]) == (200, first, "policy.txt")
    other = upload(staff("adjuster", "other-adjuster"))
    assert other.status_code == 202, "another adjuster's copy is another document"
    assert other.json()["id"] != first


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\policies\\home.txt", "home.txt"),
        ("policy\u202etxt.exe", "policytxt.exe"),
        ("a" * 5000 + ".txt", "a" * 196 + ".txt"),
    ],
)
def test_a_name_is_shown_without_paths_and_tricks(adjuster, name, shown):
    assert detail(adjuster, uploaded(adjuster, POLICY, name))["name"] == shown


@pytest.mark.parametrize(
    ("data", "status", "words"),
    [(b"", 400, "The file is empty"), (b"x" * 10_000_001, 413, "larger than 10 MB. Upload it in parts")],
    ids=["empty", "too large"],
)
def test_what_cannot_be_taken_says_what_to_do_and_keeps_nothing(adjuster, data, status, words):
    assert words in problem_of(upload(adjuster, data), status)["detail"]
    assert PolicyDocument.objects.count() == 0


def test_a_body_that_is_no_upload_is_refused_with_what_is_taken(adjuster):
    assert "file" in problem_of(adjuster.post("/api/documents/", {}, format="multipart"), 400)["errors"]
    refused = problem_of(adjuster.post("/api/documents/", {"file": "x"}, format="json"), 415)
    assert "multipart/form-data" in refused["detail"]


@pytest.mark.parametrize(
    ("setting", "most", "words"),
    [("PORTAL_ADJUSTER_FILES", 1, "You have 1 files"), ("PORTAL_ADJUSTER_BYTES", len(BYTES) + 1, "more than 0 MB")],
)
def test_a_quota_is_told_before_anything_is_kept_and_a_duplicate_still_found(adjuster, settings, setting, most, words):
    setattr(settings, setting, most)
    first = uploaded(adjuster)
    assert words in problem_of(upload(adjuster, "another policy\n" * 40), 409)["detail"]
    assert (upload(adjuster).json()["id"], PolicyDocument.objects.count()) == (first, 1)


def test_M90_a_store_that_is_away_is_said_so_and_nothing_is_half_kept(adjuster, store_away):
    document = uploaded(adjuster)
    store_away(True)
    assert "Nothing is lost" in problem_of(upload(adjuster, "other words\n" * 40), 503)["detail"]
    assert PolicyDocument.objects.count() == 1
    for call in ("", "original/", "sections/"):
        problem_of(adjuster.get(f"/api/documents/{document}/{call}"), 503)
    asked = adjuster.post(f"/api/documents/{document}/find/", {"query": "rust"}, format="json")
    assert "outcome" not in problem_of(asked, 503), "a store that is away is not silence"
    store_away(False)
    assert find(adjuster, document, "rust")["outcome"] == "bearing"
    assert upload(adjuster, "other words\n" * 40).status_code == 202


def test_a_reading_that_was_changed_in_the_store_is_not_shown(adjuster, own_var_dir):
    document = uploaded(adjuster)
    [kept] = (own_var_dir / "store").rglob("reading-*.json")
    kept.chmod(0o600)
    kept.write_bytes(kept.read_bytes().replace(b"rust", b"gold"))
    asked = adjuster.post(f"/api/documents/{document}/find/", {"query": "gold"}, format="json")
    assert "This is not silence. Upload the file again" in problem_of(asked, 409)["detail"]


@pytest.mark.parametrize("what", ["reading-*.json", "original"])
def test_what_the_store_has_lost_is_said_and_comes_back_with_another_upload(adjuster, own_var_dir, what):
    document = uploaded(adjuster)
    [lost] = (own_var_dir / "store").rglob(what)
    lost.unlink()
    call = "original/" if what == "original" else "sections/"
    problem_of(adjuster.get(f"/api/documents/{document}/{call}"), 409)
    again = upload(adjuster)
    assert again.status_code == (200 if what == "original" else 202)
    assert again.json()["id"] == document
    assert adjuster.get(f"/api/documents/{document}/{call}").status_code == 200
    assert find(adjuster, document, "rust")["outcome"] == "bearing"


CONTEXT_ONLY = {"definitions", "declarations", "unclassified"}


def scan() -> bytes:
    sheet = Sheet()
    sheet.picture(50, 50, 400, 600)
    return sheet.data()


UNREAD = {
    "scan": (scan, "no_text"),
    "locked": (lambda: (FIXTURES / "d17b_user_password.pdf").read_bytes(), "needs_password"),
    "damaged": (lambda: b"%PDF-1.7\n" + b"\x00\x01" * 400, "damaged"),
    "too little": (lambda: b"Policy.", "too_little_text"),
    "picture": (lambda: b"\x89PNG\r\n\x1a\n" + b"\x00" * 400, "wrong_type"),
    "packed bomb": (lambda: next(iter(bombs().values()))[0], None),
    "a bomb of a pdf": (hostile_pdfs.flate, "too_large"),
}


@pytest.mark.parametrize("what", UNREAD)
def test_M90_R1_U1_U2_a_file_that_was_not_read_refuses_by_name_and_the_next_is_read(adjuster, what):
    make, reason = UNREAD[what]
    document = uploaded(adjuster, make(), "policy.pdf")
    told = detail(adjuster, document)
    assert (told["status"], told["readable"]) == ("done", False)
    assert told["reason"]
    if reason:
        assert told["unreadable"] == reason
    answer = find(adjuster, document, "rust")
    assert (answer["outcome"], answer["refused"], answer["candidates"]) == ("unreadable", True, [])
    assert "silence" in answer["reason"]
    assert "not read" in answer["guidance"]
    problem_of(adjuster.get(f"/api/documents/{document}/sections/"), 409)
    assert find(adjuster, uploaded(adjuster), "rust")["outcome"] == "bearing"


def test_R3_a_page_that_was_not_read_is_named_with_the_file_and_in_every_answer(adjuster):
    document = uploaded(adjuster, (FIXTURES / "d14_mixed_scan.pdf").read_bytes(), "mixed.pdf")
    told = detail(adjuster, document)
    assert (told["readable"], told["pages_not_read"]) == (True, [2])
    assert [page["state"] for page in told["pages"]] == ["read", "picture", "read"]
    for query, outcome in (("rats", "partly_read"), ("flood", "bearing"), ("the of and", "not_searched")):
        answer = find(adjuster, document, query)
        assert (answer["outcome"], answer["pages_not_read"]) == (outcome, [2])


def test_hidden_words_are_named_and_never_quoted(adjuster):
    sheet = Sheet()
    for line in range(12):
        sheet.paragraph(f"We do not pay for wear and tear of part {line} of the insured home.")
    sheet.hidden("We cover mould without limit.", how="invisible")
    document = uploaded(adjuster, sheet.data(), "policy.pdf")
    assert detail(adjuster, document)["pages"][0]["hidden_text"] is True
    answer = find(adjuster, document, "mould")
    assert answer["candidates"] == []
    assert answer["outcome"] == "no_match"


def test_M79_the_six_outcomes_share_no_shape(adjuster):
    """Of any two outcomes the answers differ in more than their names: nobody can take one for another."""
    whole = uploaded(adjuster)
    mixed = uploaded(adjuster, (FIXTURES / "d14_mixed_scan.pdf").read_bytes(), "mixed.pdf")
    unread = uploaded(adjuster, scan(), "scan.pdf")
    definition = uploaded(
        adjuster,
        'DEFINITIONS\n"Sinkhole" means a hollow formed by dissolving limestone.\n'
        + "\n" * 2
        + "MISCELLANEOUS\n"
        + "The reading room is open from nine to five on working days. " * 6,
    )
    answers = {
        "bearing": find(adjuster, whole, "rust"),
        "no_match": find(adjuster, whole, "zeppelin"),
        "not_searched": find(adjuster, whole, "the"),
        "non_bearing_only": find(adjuster, definition, "sinkhole"),
        "partly_read": find(adjuster, mixed, "rats"),
        "unreadable": find(adjuster, unread, "rust"),
    }
    assert {name: answer["outcome"] for name, answer in answers.items()} == {name: name for name in answers}
    first_sentences = {answer["guidance"].split(".")[0] for answer in answers.values()}
    assert len(first_sentences) == 6
    shapes = {
        (
            answer["refused"],
            answer["reason"] is None,
            bool(answer["words"]["searched"]),
            bool(answer["pages_not_read"]),
            bool(answer["candidates"]),
            any(c["section_kind"] not in CONTEXT_ONLY for c in answer["candidates"]),
        )
        for answer in answers.values()
    }
    assert len(shapes) == 6


def label(client, document, section, **body):
    return client.put(f"/api/documents/{document}/sections/{section}/label/", body, format="json")


def test_an_adjusters_label_wins_and_is_kept_with_its_reason(adjuster):
    document = uploaded(adjuster, *file_of("D01"))
    before = find(adjuster, document, "locksmith")
    assert (before["outcome"], before["candidates"][0]["section_kind"]) == ("non_bearing_only", "unclassified")
    section = before["candidates"][0]["section_id"]
    for kind, reason in (("conditions", "by mistake"), ("insuring_agreement", "The heading lists what is paid.")):
        response = label(adjuster, document, section, kind=kind, reason=reason)
        assert (response.status_code, response.json()["kind"]) == (200, kind)
    after = find(adjuster, document, "locksmith")
    assert (after["outcome"], after["candidates"][0]["section_kind"]) == ("bearing", "insuring_agreement")
    kinds = {row["section_id"]: row["kind"] for row in adjuster.get(f"/api/documents/{document}/sections/").json()}
    assert kinds[section] == "insuring_agreement"
    assert list(Relabel.objects.order_by("pk").values_list("reason", flat=True)) == [
        "by mistake",
        "The heading lists what is paid.",
    ]
    assert AuditEntry.objects.filter(act="document.relabel").count() == 2


def test_a_label_needs_a_section_a_kind_and_a_reason(adjuster):
    document = uploaded(adjuster)
    section = adjuster.get(f"/api/documents/{document}/sections/").json()[0]["section_id"]
    problem_of(label(adjuster, document, "no-such-section", kind="conditions", reason="x"), 404)
    assert "reason" in problem_of(label(adjuster, document, section, kind="conditions", reason=" "), 400)["errors"]
    assert "kind" in problem_of(label(adjuster, document, section, kind="covered", reason="x"), 400)["errors"]
    assert Relabel.objects.count() == 0


@pytest.mark.parametrize("query", [None, "x" * 501, "\x00"], ids=["none", "too long", "NUL"])
def test_a_question_that_is_none_says_what_is_wrong(adjuster, query):
    document = uploaded(adjuster)
    body = {} if query is None else {"query": query}
    assert "query" in problem_of(adjuster.post(f"/api/documents/{document}/find/", body, format="json"), 400)["errors"]


TERM = {"name": "a term", "period": 1, "unit": "days", "trigger": "notice"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "loss_date"),
        ({"loss_date": "30/11/2026"}, "loss_date"),
        ({"loss_date": "2026-11-30", "policy_terms": {"proof_of_loss_days": 0}}, "policy_terms"),
        ({"loss_date": "2026-11-30", "policy_terms": {"suit_limitation_months": "two"}}, "policy_terms"),
        ({"loss_date": "9999-11-30", "policy_terms": {"suit_limitation_months": 24}}, "suit_limitation_months"),
        (
            {"loss_date": "2026-11-30", "terms": [{"name": "n", "period": 1, "unit": "weeks", "trigger": "loss"}]},
            "terms",
        ),
        (
            {
                "loss_date": "2026-11-30",
                "terms": [
                    {"name": "n", "period": 1, "unit": "days", "trigger": "notice", "trigger_date": "2026-11-01"}
                ],
            },
            "trigger_date",
        ),
    ],
)
def test_M98_terms_that_cannot_be_counted_are_refused_by_their_field(adjuster, body, field):
    assert field in problem_of(adjuster.post("/api/deadlines/", body, format="json"), 400)["errors"]


def test_M100_the_worked_examples(adjuster):
    body = {"loss_date": "2026-06-15", "policy_terms": {"proof_of_loss_days": 60, "suit_limitation_months": 24}}
    computed = adjuster.post("/api/deadlines/", body, format="json").json()
    assert computed["proof_of_loss"]["date"] == "2026-08-14"
    assert computed["suit_limitation"]["date"] == "2028-06-15"


def test_the_schema_names_what_the_calls_give(adjuster):
    schema = adjuster.get("/api/schema/").json()["components"]["schemas"]
    answer = find(adjuster, uploaded(adjuster), "rust")
    assert set(answer) == set(schema["Finding"]["properties"])
    assert set(answer["candidates"][0]) == set(schema["Candidate"]["properties"])
