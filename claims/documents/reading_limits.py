"""What reading one uploaded file may take, and what is said when it takes more."""

from claims.documents.pages import NotRead, Unreadable

MAX_BYTES = 10_000_000
MEMORY = 512 * 2**20
CPU_SECONDS = 20
WALL_SECONDS = 30
ANSWER_BYTES = 96 * 2**20
PICTURE_BYTES = 16 * 2**20
PICTURE_SECONDS = 10

TOO_LARGE = NotRead(
    Unreadable.TOO_LARGE,
    "The file is larger than 10 MB, so nothing of it was read. Upload it in parts. This is not silence.",
)
TOO_MUCH_MEMORY = NotRead(
    Unreadable.TOO_LARGE,
    "Reading the file took more memory than a policy needs (512 MiB), so it was stopped and nothing of it was read. "
    "Upload it in parts or as another version. This is not silence.",
)
TOO_SLOW = NotRead(
    Unreadable.TOO_SLOW,
    "Reading the file took longer than a policy needs (20 seconds of work), so it was stopped and nothing of it was "
    "read. Upload it in parts or as another version. This is not silence.",
)
BROKE_OFF = NotRead(
    Unreadable.DAMAGED,
    "Reading the file broke off: it is damaged, or built in a way that cannot be read safely. Nothing of it was "
    "read. "
    "Print it to PDF again or upload another version. This is not silence.",
)
