"""DOCX files for tests, as their parts: what Word writes and what a hostile hand writes."""

import zipfile
from io import BytesIO
from xml.sax.saxutils import escape

SPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PADDING = "This specimen wording is issued for testing only and is not an offer of insurance to any person at all. " * 3


def document(body):
    return f'<?xml version="1.0" encoding="UTF-8"?><w:document {SPACES}><w:body>{body}</w:body></w:document>'


def part(tag, inner):
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{tag} {SPACES}>{inner}</w:{tag}>'


def relations(*entries):
    """Entries are (id, type's last word, target) or with "External" behind."""
    made = "".join(
        f'<Relationship Id="{entry[0]}" Type="{RELATIONS}/{entry[1]}" Target="{entry[2]}"'
        + (f' TargetMode="{entry[3]}"' if len(entry) > 3 else "")
        + "/>"
        for entry in entries
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{made}</Relationships>'


def paragraph(*runs, properties=""):
    """Runs as text, or as XML where they begin with "<"."""
    made = "".join(each if each.startswith("<") else run(each) for each in runs)
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{made}</w:p>"


def run(text, properties=""):
    look = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{look}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def inserted(inner, author="A. Editor", date="2026-02-03T09:00:00Z"):
    return f'<w:ins w:id="1" w:author="{author}" w:date="{date}">{inner}</w:ins>'


def deleted(text, author="A. Editor", date="2026-02-01T09:00:00Z"):
    return f'<w:del w:id="2" w:author="{author}" w:date="{date}"><w:r><w:delText>{text}</w:delText></w:r></w:del>'


def table(*rows, widths=()):
    """Cells as text or as paragraphs."""
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
    made = "".join(
        "<w:tr>" + "".join(f"<w:tc>{c if c.startswith('<') else paragraph(c)}</w:tc>" for c in row) + "</w:tr>"
        for row in rows
    )
    return f"<w:tbl><w:tblGrid>{grid}</w:tblGrid>{made}</w:tbl>"


def wording(body, *, pad=True, **parts):
    """The bytes of a DOCX file. Further parts by their names with "__" for "/" and "_DOT_" for "."."""
    files = {"[Content_Types].xml": TYPES, "word/document.xml": document(body + (paragraph(PADDING) if pad else ""))}
    files |= {name.replace("__", "/").replace("_DOT_", "."): text for name, text in parts.items()}
    return zipped(files)


def zipped(files):
    """A ZIP file of names and contents, in this order, the same bytes each time."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()
