"""The process in which a page is drawn: `python -m claims.documents.picture_child PAGE [L,T,R,B ...] < file > png`.

It ends with an error where there is no picture; nobody reads which.
"""

import sys

from claims.documents.confinement import confine
from claims.documents.pages import Box
from claims.documents.pdf_picture import draw_page
from claims.documents.reading_limits import PICTURE_BYTES


def main() -> None:
    data, out = sys.stdin.buffer, sys.stdout.buffer
    number, *boxes = sys.argv[1:]
    marks = [Box(*map(float, box.split(","))) for box in boxes]
    confine(PICTURE_BYTES)
    out.write(draw_page(data.read(), int(number), marks))
    out.flush()


if __name__ == "__main__":
    main()
