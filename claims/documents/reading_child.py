"""The process in which one uploaded file is read: `python -m claims.documents.reading_child NAME < file > answer`."""

import sys

from claims.documents.confinement import confine
from claims.documents.reading import read_file
from claims.documents.reading_json import to_json
from claims.documents.reading_limits import ANSWER_BYTES, TOO_MUCH_MEMORY


def main() -> None:
    data, out = sys.stdin.buffer, sys.stdout.buffer
    confine(ANSWER_BYTES)
    try:
        answer = to_json(read_file(data.read(), sys.argv[1]))
    except MemoryError:
        answer = to_json(TOO_MUCH_MEMORY)
    out.write(answer.encode())
    out.flush()


if __name__ == "__main__":
    main()
