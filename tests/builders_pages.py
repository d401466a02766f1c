"""A customer and an adjuster in a browser without JavaScript: plain form posts, and the page that comes back."""

import re
from html import unescape
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.builders import make_staff

RENTAL_QUESTION = "Will my policy pay for a rental car while mine is repaired?"


class Customer:
    """Opens a claim through the form and keeps its page's address."""

    def __init__(self, **options: Any) -> None:
        self.client = Client(**options)
        self.address = ""

    def open(self, policy_number: str = "NW-MTR-204518", **more: str) -> Any:
        response = self.client.post("/", {"policy_number": policy_number, **more})
        if response.status_code == 302:
            self.address = response.headers["Location"]
        return response

    def page(self) -> str:
        response = self.client.get(self.address)
        assert response.status_code == 200
        return str(response.content.decode())

    def post(self, act: str, **data: str) -> Any:
        return self.client.post(f"{self.address}{act}/", data)

    def say(self, text: str) -> str:
        """Send a message with the page's own key and return the page that comes back."""
        response = self.post("messages", text=text, key=self.key())
        assert response.status_code == 302, response.content
        return self.page()

    def key(self) -> str:
        return re.findall(r'name="key" value="([^"]+)"', self.page())[0]


class Adjuster:
    """Logged in with the role; uploads files and opens their pages."""

    def __init__(self, name: str = "jack") -> None:
        self.user = make_staff(name, "adjuster")
        self.client = Client()
        self.client.force_login(self.user)

    def send(self, data: bytes, name: str = "policy.txt", **more: Any) -> Any:
        return self.client.post("/policies/", {"file": SimpleUploadedFile(name, data)}, **more)

    def upload(self, data: bytes, name: str = "policy.txt") -> str:
        """Upload a file that is new; the address of its page."""
        response = self.send(data, name)
        assert response.status_code == 302, response.content
        return str(response.headers["Location"])

    def page(self, address: str, status: int = 200, **query: str) -> str:
        """The page as text with its markup, character references undone."""
        response = self.client.get(address, query)
        assert response.status_code == status, (address, response.status_code)
        return unescape(response.content.decode())
