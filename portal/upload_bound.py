"""A form with a file larger than any that is taken is thrown away while it comes in: neither memory nor disk holds it.

Django reads a form before the view is asked (its origin is checked first), and has no bound of its own for files.
"""

from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, StopUpload

from claims.documents.reading_limits import MAX_BYTES

# A form's other fields, a part's header and the boundaries around a file of the largest size.
LARGEST_BODY = MAX_BYTES + 10_000


class BoundedUpload(FileUploadHandler):
    """Before the handlers that keep a file. The fields before the file stay, so the view can say what was wrong."""

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, *args: Any) -> None:  # noqa: N803
        self.is_too_large = content_length > LARGEST_BODY

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        if self.is_too_large:
            # The rest is read and dropped: a browser shows the answer only when its whole form was taken.
            raise StopUpload(connection_reset=False)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
