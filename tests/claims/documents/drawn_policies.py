"""Six invented policies, drawn as PDFs with every paragraph labelled: what kind it is and that it is one paragraph.

Two columns, running headers and footers, headings in small letters, no space between paragraphs, covered and not
covered side by side, endorsements behind the form. All insurers, amounts and words are invented.
"""

from collections.abc import Callable

from tests.claims.documents.drawing import PLAIN, Sheet

GRANT, EXCLUDED, DUTY = "insuring_agreement", "exclusions", "conditions"
DEFINED, DECLARED, ENDORSED = "definitions", "declarations", "endorsements"


def _flow(sheet: Sheet, *parts: tuple[str, str], after: float = 6, indent: float = 14) -> None:
    """(kind, text) one below the other; `>` before a text indents it, a kind of "#" is a heading."""
    for kind, text in parts:
        if kind.startswith("#"):
            sheet.heading(text, size=sheet.size + 2 * (4 - len(kind)) if len(kind) > 1 else None)
        else:
            inner = len(text) - len(text.lstrip(">"))
            sheet.paragraph(text.lstrip(">"), kind=kind, indent=indent * inner, after=after)


def two_columns() -> Sheet:
    """A household booklet in two columns, headings in small bold letters, header and page number on every page."""
    sheet = Sheet(size=9)
    sheet.running("Brightwater Household | Policy wording", "BW-HH 0525 | {page}")
    sheet.heading("Brightwater Household Insurance", size=18)
    left = [
        ("heading", "Buildings"),
        ("heading", "What is insured"),
        ("paragraph", "We will pay for physical loss of or damage to the buildings caused by any of these events:"),
        ("item", "1. fire, lightning, explosion or earthquake;"),
        ("item", "2. water escaping from a tank, pipe or appliance inside the home; or"),
        ("item", "3. impact by a vehicle, an aircraft or an animal."),
        ("heading", "What is not insured"),
        ("paragraph", "We will not pay for:"),
        ("item", "a. damage caused by frost to a swimming pool;"),
        ("item", "b. damage that happens gradually, such as rot, rust or rising damp; or"),
        ("item", "c. the cost of maintenance."),
        ("paragraph", "However, we will pay for damage to the pool if the frost guard failed and had been serviced."),
    ]
    right = [
        ("heading", "Your duties"),
        ("paragraph", "You must keep the gutters clear and the roof in good repair."),
        ("paragraph", "You must tell us within 30 days if the home is let to a tenant."),
        ("heading", "How to make a claim"),
        ("paragraph", "Tell us as soon as you reasonably can, and give us the police report number after a theft."),
        ("heading", "Definitions"),
        ("paragraph", "Buildings means the home, its garage, fences and paths at the address in the schedule."),
        ("paragraph", "Event means one sudden occurrence, or a series of them with one cause."),
    ]
    labels = [GRANT] * 6 + [EXCLUDED] * 6, [DUTY] * 5 + [DEFINED] * 3
    _columns(sheet, (left, right), labels)
    sheet.new_page()
    left = [
        ("heading", "Contents"),
        ("heading", "What is insured"),
        ("paragraph", "We will pay for theft of contents from the home if force was used to get in."),
        ("paragraph", "We will also pay up to 400 for food that spoils in a freezer."),
    ]
    right = [
        ("heading", "What is not insured"),
        ("paragraph", "We do not insure money, stamps or documents worth more than 250."),
        ("paragraph", "Theft by a lodger or paying guest is not insured."),
        ("paragraph", "Contents in a shed are not insured unless the shed was locked."),
    ]
    _columns(sheet, (left, right), ([GRANT] * 4, [EXCLUDED] * 4))
    return sheet


def _columns(sheet: Sheet, columns: tuple[list[tuple[str, str]], ...], labels: tuple[list[str], ...]) -> None:
    before = len(sheet.drawn)
    made = sheet.columns(*columns)
    sheet.drawn[before:] = [
        _labelled(drawn, kind if style != "heading" else "")
        for column, styles, kinds in zip(made, columns, labels, strict=True)
        for drawn, (style, _), kind in zip(column, styles, kinds, strict=True)
    ]


def _labelled(drawn, kind):
    return type(drawn)(drawn.text, drawn.lines, drawn.page, drawn.left, drawn.top, drawn.right, drawn.bottom, kind)


def side_by_side() -> Sheet:
    """Covered and not covered next to each other, one pair of boxes for each subject."""
    sheet = Sheet(size=9)
    sheet.running("Fernhill Pet and Home", "Page {page} of 2")
    sheet.heading("Fernhill Home Cover", size=16)
    sheet.paragraph("Please read this wording together with your schedule.")
    sheet.heading("Storm and flood")
    _beside(
        sheet,
        ["Loss of or damage to your home caused by storm.", "Loss of or damage to your home caused by flood."],
        ["Damage caused by frost.", "Damage to fences, gates and hedges.", "The first 200 of every claim."],
    )
    sheet.heading("Escape of water")
    _beside(
        sheet,
        ["Damage caused by water escaping from a fixed heating system.", "The cost of finding the leak, up to 2,000."],
        ["Damage while your home is empty for more than 40 days.", "Repair of the pipe or appliance itself."],
        frames=False,
    )
    sheet.new_page()
    sheet.heading("Theft")
    _beside(
        sheet,
        ["Loss or damage caused by thieves.", "New locks for outside doors, up to 600."],
        ["Theft by anyone who lives with you.", "Theft while your home is let."],
    )
    sheet.heading("General conditions")
    _flow(
        sheet,
        (DUTY, "You must take reasonable steps to prevent loss or damage."),
        (DUTY, "You must not admit liability to anybody before you have spoken to us."),
    )
    sheet.heading("General exclusions")
    _flow(
        sheet,
        (EXCLUDED, "We will not cover:"),
        (EXCLUDED, ">a) any loss caused by war or civil commotion;"),
        (EXCLUDED, ">b) any loss caused by radioactive contamination; or"),
        (EXCLUDED, ">c) any loss caused on purpose by you or a member of your family."),
    )
    return sheet


def _beside(sheet: Sheet, covered: list[str], excluded: list[str], **options: bool) -> None:
    """The titles of the two boxes are no paragraphs."""
    before = len(sheet.drawn)
    sheet.side_by_side(covered, excluded, **options)
    sheet.drawn[before:] = [
        _labelled(drawn, "" if drawn.text in ("What is covered", "What is not covered") else drawn.kind)
        for drawn in sheet.drawn[before:]
    ]


def with_endorsements() -> Sheet:
    """A form in capitals with two endorsements behind it; the form number stands in every footer."""
    sheet = Sheet(size=10)
    footer = {1: "SV 1000 (06 25)", 2: "SV 1000 (06 25)", 3: "SV 2140 (07 25)", 4: "SV 3300 (01 26)"}
    sheet._running = lambda each: each.text_at(60, each.height - 40, f"{footer[each.page]}   Page 1 of 1", size=8)
    _flow(
        sheet,
        ("#", "DECLARATIONS"),
        (DECLARED, "Named insured: Sample Joinery Limited"),
        (DECLARED, "Forms and endorsements: SV 1000 (06 25), SV 2140 (07 25), SV 3300 (01 26)"),
        ("#", "INSURING AGREEMENT"),
        (GRANT, "We will pay for direct physical loss of or damage to covered property at the premises."),
        ("#", "COVERED PROPERTY"),
        (GRANT, "Covered property means and includes the building, its machinery and stock in trade."),
        ("#", "EXCLUSIONS"),
        (EXCLUDED, "We will not pay for loss or damage caused by:"),
        (EXCLUDED, ">1. wear and tear, corrosion or decay;"),
        (EXCLUDED, ">2. water that backs up through sewers, drains or sumps;"),
        (EXCLUDED, ">3. dishonest acts by you, your partners or your employees; or"),
        (EXCLUDED, ">4. the enforcement of any ordinance or law."),
        (EXCLUDED, "But if an excluded cause results in fire, we will pay for the loss caused by that fire."),
    )
    sheet.new_page()
    _flow(
        sheet,
        ("#", "CONDITIONS"),
        (DUTY, "You must give us prompt notice of any loss and a description of the property involved."),
        (DUTY, "You must send us a signed, sworn proof of loss within 60 days after our request."),
        (DUTY, "No one may bring a legal action against us unless all of the terms of this policy were kept."),
        ("#", "DEFINITIONS"),
        (DEFINED, '"Stock" means merchandise held for sale, raw materials and goods in process.'),
    )
    sheet.new_page()
    _flow(
        sheet,
        ("", "THIS ENDORSEMENT CHANGES THE POLICY. PLEASE READ IT CAREFULLY."),
        ("#", "SEWER BACK-UP COVERAGE"),
        (ENDORSED, "Exclusion 2. is deleted."),
        (ENDORSED, "We will pay up to 25,000 for loss caused by water that backs up through sewers or drains."),
    )
    sheet.new_page()
    _flow(
        sheet,
        ("", "THIS ENDORSEMENT CHANGES THE POLICY. PLEASE READ IT CAREFULLY."),
        ("#", "COMPUTER ATTACK EXCLUSION"),
        (ENDORSED, "This endorsement applies only if its number is shown in the Declarations."),
        (ENDORSED, "The following is added to the EXCLUSIONS section:"),
        ("#", "EXCLUSIONS"),
        (ENDORSED, "We will not pay for loss of electronic data caused by a virus or an attack on a computer."),
    )
    return sheet


def sizes_only() -> Sheet:
    """Headings told by their size alone, in small letters; subjects with what is and is not paid below them."""
    sheet = Sheet(size=10)
    sheet.running("Coastline Caravan Insurance", "Product disclosure statement   {page}")
    plain = [
        (17, "", "About your caravan cover"),
        (13, "", "Accidental damage"),
        (0, GRANT, "We cover accidental loss of or damage to your caravan anywhere in the country."),
        (0, GRANT, "The most we pay for any one accident is the agreed value on your schedule."),
        (13, "", "Emergency accommodation"),
        (0, GRANT, "If you cannot live in the caravan after an accident, we will pay up to 150 a day for a motel."),
        (13, "", "Towing costs"),
        (0, GRANT, "We pay the reasonable cost of towing your caravan to the nearest repairer."),
        (17, "", "What we do not cover"),
        (0, EXCLUDED, "We do not cover:"),
        (0, EXCLUDED, "• tyres damaged by braking, punctures, cuts or bursts"),
        (0, EXCLUDED, "• awnings left up in a storm"),
        (0, EXCLUDED, "• mechanical or electrical breakdown"),
        (0, EXCLUDED, "unless the damage was caused by a theft that we cover."),
        (13, "", "Flooded camp sites"),
        (0, EXCLUDED, "We do not cover damage by flood if you were told to leave the site and stayed."),
        (0, "page", ""),
        (17, "", "Your responsibilities"),
        (0, DUTY, "You must keep the caravan locked when nobody is in it."),
        (0, DUTY, "You must not let anybody tow the caravan who holds no full licence."),
        (17, "", "Words with special meanings"),
        (0, DEFINED, "Agreed value means the amount for which we agree to insure your caravan."),
        (0, DEFINED, "Annexe means a structure of fabric that is fixed to the caravan."),
    ]
    for size, kind, text in plain:
        if kind == "page":
            sheet.new_page()
        elif size:
            sheet.heading(text, size=size, bold=False)
        else:
            sheet.paragraph(text, kind=kind, font=PLAIN, after=4)
    return sheet


def no_gaps() -> Sheet:
    """Numbered clauses, not a point of space between any two paragraphs, items not indented."""
    sheet = Sheet(size=10)
    sheet.running("Kahikatea Mutual   House and contents", "KM HC 0426   page {page}")
    parts = [
        ("", "1. Our agreement"),
        (GRANT, "1.1 We agree to insure your house and contents for the period shown in the schedule."),
        ("", "2. What you are covered for"),
        (
            GRANT,
            "2.1 You are covered for sudden and accidental loss to the house or contents that happens in the period of "
            "insurance, at the address in the schedule and for up to 60 days where you live for a time.",
        ),
        (GRANT, "2.2 You are covered for the cost of removing debris after such a loss."),
        ("", "3. What you are not covered for"),
        (EXCLUDED, "3.1 You are not covered for loss caused by or arising from:"),
        (
            EXCLUDED,
            "(a) settling, cracking or shrinking of foundations, walls or floors, whatever the reason for it may have "
            "been and whether or not it came on slowly;",
        ),
        (EXCLUDED, "(b) mice, rats, possums or insects; or"),
        (EXCLUDED, "(c) any structural alteration of the house that you did not tell us about."),
        (EXCLUDED, "3.2 You are not covered for the loss of bees, birds, fish or any other animals."),
        ("", "4. Your obligations"),
        (DUTY, "4.1 You must tell us straight away if the house will be empty for more than 60 days."),
        (DUTY, "4.2 You must take care to avoid loss, and keep the house watertight at all times of the year."),
        ("", "5. Definitions"),
        (DEFINED, "House means the dwelling at the address in the schedule with its drains and paths."),
        (DEFINED, "Loss means physical loss of or physical damage to property."),
    ]
    for kind, text in parts:
        sheet.paragraph(text, kind=kind, after=0)
    return sheet


def commercial() -> Sheet:
    """A liability form in three levels of numbers with a table of limits and an endorsement that replaces by number."""
    sheet = Sheet(size=9)
    sheet.running("Granite Casualty Company", "GC 0001 05 25 | Page {page} of 3")
    sheet.heading("DECLARATIONS")
    sheet.table(
        [("Each occurrence", "1,000,000"), ("General aggregate", "2,000,000"), ("Deductible", "2,500")],
        widths=[220, 100],
        kind=DECLARED,
    )
    _flow(
        sheet,
        ("#", "SECTION I - COVERAGES"),
        ("#", "Coverage A - Injury and Damage"),
        ("#", "1. Insuring Agreement"),
        (
            GRANT,
            "a. We will pay the sums that the insured becomes legally obliged to pay because of injury or damage.",
        ),
        (GRANT, "b. This insurance applies only to injury or damage that happens during the policy period."),
        ("#", "2. Exclusions"),
        (EXCLUDED, "This insurance does not apply to:"),
        (EXCLUDED, "a. Injury or damage that the insured expected or intended."),
        (EXCLUDED, "b. Injury or damage arising out of the use of:"),
        (EXCLUDED, ">(1) an aircraft; or"),
        (EXCLUDED, ">(2) a watercraft more than eight metres long."),
        (EXCLUDED, "This exclusion does not apply to a watercraft while ashore on the insured's premises."),
        (EXCLUDED, "c. Damage to property that the insured owns, rents or occupies."),
        after=5,
    )
    sheet.new_page()
    _flow(
        sheet,
        ("#", "SECTION II - CONDITIONS"),
        ("#", "1. Notice"),
        (DUTY, "You must see to it that we are notified as soon as practicable of an occurrence or a claim."),
        ("#", "2. Other insurance"),
        (DUTY, "If other insurance covers the same loss, we will pay only our share of it."),
        ("#", "SECTION III - DEFINITIONS"),
        (DEFINED, '1. "Aircraft" means any machine that is made to fly, and its parts.'),
        (DEFINED, '2. "Occurrence" means an accident, including repeated exposure to harmful conditions.'),
        after=5,
    )
    sheet.new_page()
    _flow(
        sheet,
        ("#", "ENDORSEMENT GC 0712 - WATERCRAFT"),
        (ENDORSED, "This endorsement modifies insurance provided under form GC 0001."),
        (ENDORSED, "Exclusion b. of Coverage A is replaced by the following:"),
        (ENDORSED, "b. Injury or damage arising out of the use of an aircraft."),
        (ENDORSED, "All other terms of the policy stay as they are."),
    )
    return sheet


POLICIES: dict[str, Callable[[], Sheet]] = {
    each.__name__: each for each in (two_columns, side_by_side, with_endorsements, sizes_only, no_gaps, commercial)
}
