"""Policy files of adjusters through the API: uploaded, asked, with what the calls answer."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

POLICY = """EXCLUSIONS
We do not pay for loss caused by:
a. rust, rot or mould;
b. birds, bats or insects; or
c. the weight of snow, ice or sleet on a roof that was not built for it.
CONDITIONS
You must send us a signed proof of loss within 60 days after our request for it.
You must keep the damaged property until we have seen it, and give us records and documents that we ask for.
"""


def upload(client: APIClient, data: bytes | str = POLICY, name: str = "policy.txt") -> Any:
    """The response to an upload; without a broker the file is read by then."""
    content = data.encode() if isinstance(data, str) else data
    return client.post("/api/documents/", {"file": SimpleUploadedFile(name, content)}, format="multipart")


def uploaded(client: APIClient, data: bytes | str = POLICY, name: str = "policy.txt") -> str:
    """The id of a document that was uploaded."""
    response = upload(client, data, name)
    assert response.status_code == 202, response.content
    return str(response.json()["id"])


def detail(client: APIClient, document_id: str) -> dict[str, Any]:
    return dict(client.get(f"/api/documents/{document_id}/").json())


def find(client: APIClient, document_id: str, query: str, **more: Any) -> dict[str, Any]:
    response = client.post(f"/api/documents/{document_id}/find/", {"query": query, **more}, format="json")
    assert response.status_code == 200, response.content
    return dict(response.json())
