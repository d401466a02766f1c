"""The limits of a process that works on a file from outside.

Whatever it needs is imported before; then the limits are set, the last of them that no descriptor is left: from there
on the process can open neither a file nor a socket, and only root could raise a limit again.
"""

import codecs
import resource

from claims.documents.reading_limits import CPU_SECONDS, MEMORY

_CODECS = ("utf-8", "utf-16-le", "utf-16-be", "utf-16", "windows-1252", "ascii", "latin-1", "cp437")


def confine(answer_bytes: int) -> None:
    """From here on at most `answer_bytes` are written, and no file, socket or process is opened by this one."""
    for name in _CODECS:
        codecs.lookup(name)
    limits = (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, answer_bytes),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, 0),
    )
    for kind, limit in limits:
        resource.setrlimit(kind, (limit, limit))
