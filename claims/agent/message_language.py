"""Is a message in English? By script first, then by function words. Others get English and the offer of a person.

This chooses one sentence of the reply and nothing else: no clause and no decision depends on it.
"""

import unicodedata

ENGLISH = "en"
OTHER = "other"

_ENGLISH = frozenset(
    """the a an is are was were am be been do does did to my i me you your we our us it its he she they them and or but
    of in on at for with from if when what who where why how not no yes can will would could should have has had this
    that there get got""".split()
)
# Function words of languages that are written in Latin letters in New Zealand: te reo Māori, Hindi, Tagalog, Samoan.
_OTHERS = frozenset(
    """te kua nga ngā ki kei he aha taku tō matou mātou ratou koe ahau ko e ka hoki
    hai kya mein meri mera yeh ye aur nahi gaya gayi ke se
    po ang ng yung ba na sa nang habang hindi ako
    le lo lau ua""".split()
)


def language_of(message: str) -> str:
    """`en` or `other`."""
    letters = [character for character in message if character.isalpha()]
    if not letters:
        return ENGLISH
    latin = sum("LATIN" in unicodedata.name(character, "") for character in letters)
    if latin < 0.7 * len(letters):
        return OTHER
    words = "".join(c if c.isalpha() else " " for c in unicodedata.normalize("NFC", message).lower()).split()
    english = sum(word in _ENGLISH for word in words)
    others = sum(word in _OTHERS for word in words)
    return OTHER if others > english else ENGLISH
