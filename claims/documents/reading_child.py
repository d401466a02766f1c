"""The process in which one uploaded file is read: `python -m claims.documents.reading_child NAME < file > answer`.

Whatever is needed is imported first; then the limits are set, the last of them that no descriptor is left: from there
on the process can open neither a file nor a socket, and only root could raise a limit again.
"""

import codecs
import resource
import sys

from claims.documents.reading import read_file
from claims.documents.reading_json import to_json
from claims.documents.reading_limits import ANSWER_BYTES, CPU_SECONDS, MEMORY, TOO_MUCH_MEMORY

_CODECS = ("utf-8", "utf-16-le", "utf-16-be", "utf-16", "windows-1252", "ascii", "latin-1", "cp437")


def main() -> None:
    data, out = sys.stdin.buffer, sys.stdout.buffer
    _confine()
    try:
        answer = to_json(read_file(data.read(), sys.argv[1]))
    except MemoryError:
        answer = to_json(TOO_MUCH_MEMORY)
    out.write(answer.encode())
    out.flush()


def _confine() -> None:
    for name in _CODECS:
        codecs.lookup(name)
    limits = (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, ANSWER_BYTES),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, 0),
    )
    for kind, limit in limits:
        resource.setrlimit(kind, (limit, limit))


if __name__ == "__main__":
    main()
