"""What reading a long policy costs: the rules alone, and the upload's process with its memory.

    uv run python -m benchmarks.reading
    uv run python -m benchmarks.reading --pages 50

A policy of two columns with header and footer, some 700 words a page, drawn anew. Limits of one reading: 20 s of work,
30 s in all, 512 MiB.
"""

import argparse
import random
import resource
import time

from claims.documents.pages import NotRead, Reading
from claims.documents.reading import read_file
from claims.documents.reading_json import to_json
from claims.documents.sandbox import read_upload
from tests.claims.documents.drawing import Sheet

WORDS = (
    "we will not pay for any loss damage caused by flood wear tear unless the policy schedule says that insured "
    "property of yours and to a home within thirty days after our request"
).split()
AIM_SECONDS = 20.0
AIM_MEMORY = 512


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--pages", type=int, default=300)
    pages = asked.parse_args().pages
    data = policy(pages)
    print(f"{pages} pages, {len(data) / 1e6:.1f} MB")
    rules(data)
    upload(data)


def policy(pages: int) -> bytes:
    chance = random.Random(1)
    sheet = Sheet(size=8, margin=45)
    sheet.running("HARBOURLIGHT MUTUAL HOME POLICY", "HL 4400 (01 24) | Page {page}")
    for number in range(pages):
        if number:
            sheet.new_page()
        sheet.heading(f"SECTION {number + 1} - EXCLUSIONS AND WHAT THEY DO NOT TAKE AWAY FROM THE COVER OF THIS POLICY")
        columns = [[("paragraph", " ".join(chance.choices(WORDS, k=58))) for _ in range(6)] for _ in range(2)]
        sheet.columns(*columns)
    return sheet.data()


def rules(data: bytes) -> None:
    started = time.process_time()
    reading = read_file(data, "policy.pdf")
    took = time.process_time() - started
    assert isinstance(reading, Reading) and not reading.pages_not_read
    words = sum(len(line.text.split()) for line in reading.lines)
    started = time.process_time()
    answer = to_json(reading)
    written = time.process_time() - started
    per_page = took / len(reading.pages)
    print(f"rules: {took:.2f} s of work, {per_page:.4f} s a page, {words} words, {len(reading.lines)} lines")
    print(f"answer: {len(answer) / 1e6:.1f} MB, written in {written:.2f} s")


def upload(data: bytes) -> None:
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    reading = read_upload(data, "policy.pdf")
    took, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert not isinstance(reading, NotRead), reading.detail
    work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"upload: {took:.2f} s in all, {work:.2f} s of work (limit {AIM_SECONDS:g} s)")
    print(f"memory of its process: {after.ru_maxrss / 1024:.0f} MiB at most (limit {AIM_MEMORY} MiB)")
    print(f"memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB at most")


if __name__ == "__main__":
    main()
