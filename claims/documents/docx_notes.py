"""What the adjuster is told of a DOCX file beside its words."""

from claims.documents.docx_package import Package
from claims.documents.docx_styles import W
from claims.documents.docx_text import Found, quoted
from claims.documents.pages import Note, NoteKind


def file_notes(found: Found, unknown_numbers: int, package: Package) -> list[Note]:
    notes: list[Note] = []
    if found.changes:
        notes.append(Note(NoteKind.TRACKED_CHANGES, _changes(found)))
    if found.hidden:
        detail = f"The file holds hidden text. It was not read as wording. It begins: {quoted(found.hidden)}"
        notes.append(Note(NoteKind.HIDDEN_TEXT, detail))
    if found.struck:
        detail = f"Words in the file are struck out. They were read with the rest. They begin: {quoted(found.struck)}"
        notes.append(Note(NoteKind.STRUCK_TEXT, detail))
    if unknown_numbers:
        found.others["automatic numbers of an unusual kind"] += unknown_numbers
    comments = package.xml("word/comments.xml")
    if comments is not None:
        found.others["comments"] += sum(1 for _ in comments.iter(f"{W}comment"))
    embedded = sum(1 for name in package.names if name.startswith("word/embeddings/"))
    found.others["embedded objects"] = max(found.others["embedded objects"], embedded)
    for what, count in sorted(found.others.items()):
        if count:
            notes.append(Note(NoteKind.NOT_READ, f"The file holds {what}: {count}. They were not read."))
    return notes


def _changes(found: Found) -> str:
    counted = ", ".join(f"{count} {what}{'s' if count > 1 else ''}" for what, count in sorted(found.changes.items()))
    authors = ", ".join(sorted(found.authors)) or "no author named"
    dates = " to ".join(sorted({min(found.dates), max(found.dates)})) if found.dates else "no date"
    deleted = f" Deleted: {quoted(found.deleted)}." if found.deleted else ""
    return (
        f"The file holds tracked changes that nobody accepted yet ({counted}; {authors}; {dates}). It was read as if "
        f"they were accepted: whether they are part of the policy is for you to find out.{deleted}"
    )
