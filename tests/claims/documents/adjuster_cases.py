"""The inputs of the 25 cases of the adjuster's aid, as files, and what is asked of them."""

from pathlib import Path

FIXTURES = Path(__file__).parent / "fixtures"
NEUTRAL = "\nMiscellaneous\n" + "The reading room is open from nine to five on working days. " * 6

TEXTS = {
    "D01": "EXCLUSIONS\n1. We do not pay for wear and tear.\n2. We do not pay for flood.\nExtra benefits we include\n"
    "We will pay up to 750 for a locksmith after a burglary.",
    "D02": "## III. Property Insured\nWe insure the cabin shown in the schedule.\n## IV. Property Not Insured\n"
    "We do not insure any of the following:\n1. Jetties and boat lifts.",
    "D03": "EXCLUSIONS\n1. We do not pay for mould.\nHARBOURLIGHT MUTUAL HOME POLICY\nHL 4400 (01 24) Page 3 of 9\n"
    "2. We do not pay for loss caused by vermin.",
    "D04": "CONTENTS\nEXCLUSIONS ............................ 4\nCONDITIONS ............................ 9\n"
    "INSURING AGREEMENT\nWe pay for theft of the trailer.",
    "D05": "CONDITIONS\nKeep records.\nEXCLUSIONS\nWe do not pay for loss caused by:\na. rust;\n"
    "b. birds, bats or insects; or\nc. the weight of snow.",
    "D06": "EXCLUSIONS\nWe do not pay for loss caused by water that:\na. backs up through a drain;\n"
    "b. overflows from a sump;\nunless a covered fire caused the back-up or overflow.",
    "D07": "INSURING AGREEMENT\nWe cover direct physical loss to the home.\nDEFINITIONS\n"
    '"Sinkhole" means a hollow formed by dissolving limestone.',
    "D08": "CONDITIONS\nSend us proof of loss. Repair parts at once. The carpet fitter must be licensed. "
    "The party wall is shared.",
    "D09": "EXCLUSIONS\nWe do not cover trees, fences or swimming pools.\nWe do not pay for burglaries from a vehicle.",
    "D10": "EXCLUSIONS\nWe do not pay what a workers\u2019 compensation law requires.\nDEFINITIONS\n"
    "\u201cOccupying\u201d means in, upon or getting out of.",
    "D11": "WHAT YOU'RE COVERED FOR\nLoss or damage to your car due to \ufb01re, lightning or explosion.\n"
    "We will tell you if a certi\ufb01cate is needed. O\ufb03ce contents are covered.",
    "D12": "EXCLUSIONS\nDefamation, harassment, discrim\ufffeination or malicious prosecution.\n"
    "The self\ufffeinsured amount and the prod\u00aducts\ufffecompleted operations hazard.",
    "D13": "EXCLUSIONS\nWe do not pay for water below the sur-\nface of the ground, or for a sump-\npump failure.",
    "D16": "EXCLUSIONS\nWe do not pay for frost.\fThis page intentionally left blank\fCONDITIONS\nTell us promptly.",
    "D18": "EXCLUSIONS\n7. We do not pay for water that backs up through a drain.\nENDORSEMENT HL 33 - BACK-UP\n"
    "Exclusion 7 is deleted. The most we pay for back-up is 5,000.",
    "D19": "ENDORSEMENT HL 41\nTHIS FORM HAS EFFECT ONLY WHERE THE DECLARATIONS NAME ITS NUMBER.\n"
    "We will pay up to 30 a day for a rental car.",
    "D20": "ENDORSEMENT HL 12 - DATA\nThe following is added to paragraph 2. Exclusions of Coverage A:\n2. Exclusions\n"
    "We do not pay for the loss of electronic data.\nHL 4400 (01 24) HOME POLICY FORM\nCONDITIONS\nTell us promptly.",
    "D24": "CONDITIONS\nLoss is payable 60 days after we receive your proof of loss.\n"
    "A mortgagee must send its own proof within 60 days after our notice.\nYou must send us a proof of loss.",
}
FILES = {
    "D14": "d14_mixed_scan.pdf",
    "D15": "d15_watermark_only_page.pdf",
    "D17a": "d17a_empty_user_password.pdf",
    "D17b": "d17b_user_password.pdf",
    "D25": "d25_tracked_changes.docx",
}
DOTLESS = {
    "D04 replacement characters": "EXCLUSIONS \ufffd \ufffd \ufffd \ufffd 4\nCONDITIONS \ufffd \ufffd \ufffd \ufffd 9",
    "D04 ellipses": "EXCLUSIONS \u2026\u2026\u2026\u2026 4\nCONDITIONS \u2026\u2026\u2026\u2026 9",
    "D04 no leader": "Exclusions 4\nConditions 9",
    "D04 table": "| General exclusions | 13 |\n| General conditions | 15 |",
}
TEXTS |= {
    name: f"CONTENTS\n{entries}\nINSURING AGREEMENT\nWe pay for theft of the trailer."
    for name, entries in DOTLESS.items()
}
TEXTS["D06 blank lines"] = TEXTS["D06"].replace("\n", "\n\n")


def file_of(case):
    """The bytes and the name of a case's file. Neutral text behind a short one takes it past the gate (M88)."""
    if case in FILES:
        return (FIXTURES / FILES[case]).read_bytes(), FILES[case]
    return (TEXTS[case] + NEUTRAL).encode(), "policy.txt"


ASKED = [
    ("D01", "locksmith", "non_bearing_only", [5]),
    ("D02", "jetty damage", "bearing", [5]),
    ("D02", "jetties", "bearing", [5]),
    ("D03", "vermin", "bearing", [5]),
    ("D04", "theft", "bearing", [5]),
    *((name, "theft", "bearing", [5]) for name in DOTLESS),
    ("D05", "bats", "bearing", [6]),
    ("D06", "sump", "bearing", [4]),
    ("D06 blank lines", "sump", "bearing", [7]),
    ("D07", "sinkhole", "non_bearing_only", [4]),
    ("D08", "roof", "no_match", []),
    ("D08", "art", "no_match", []),
    ("D08", "pet", "no_match", []),
    ("D08", "arts party", "bearing", [2]),
    ("D09", "tree fell", "bearing", [2]),
    ("D09", "burglary", "bearing", [3]),
    ("D09", "fenced", "no_match", []),
    ("D09", "pool", "bearing", [2]),
    ("D10", "workers' compensation", "bearing", [2]),
    ("D10", "workers compensation", "bearing", [2]),
    ("D10", '"occupying"', "non_bearing_only", [4]),
    ("D11", "fire", "bearing", [2]),
    ("D11", "certificate", "bearing", [3]),
    ("D11", "office", "bearing", [3]),
    ("D12", "discrimination", "bearing", [2]),
    ("D12", "self-insured", "bearing", [3]),
    ("D12", "products-completed", "bearing", [3]),
    ("D13", "surface", "bearing", [2]),
    ("D13", "sump pump", "bearing", [2]),
    ("D13", "sump-pump", "bearing", [2]),
    ("D14", "rats", "partly_read", []),
    ("D14", "flood", "bearing", None),
    ("D14", "proof of loss", "bearing", None),
    ("D15", "dwelling", "partly_read", []),
    ("D15", "limit", "bearing", None),
    ("D16", "hail", "no_match", []),
    ("D17a", "mould", "bearing", None),
    ("D17b", "mould", "unreadable", []),
    ("D18", "drain", "bearing", [2, 4]),
    ("D18", "backs up", "bearing", [2, 4]),
    ("D19", "rental car", "bearing", [3]),
    ("D20", "electronic data", "bearing", [4]),
    ("D25", "tree root", "bearing", None),
    ("D25", "burst garden hose", "bearing", None),
]
"""The case, the question, the outcome and the first lines of the candidates (None: the fixture's own lines)."""
