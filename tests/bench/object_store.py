"""A real S3 server: SeaweedFS in one process, from its wheel."""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.processes import NotHere, find_program, free_ports, start

MISSING = "SeaweedFS's weed is not installed (uv sync --group services)"


@dataclass(frozen=True)
class S3Server:
    endpoint: str
    access_key: str
    secret_key: str

    @property
    def credentials(self) -> dict[str, str]:
        """The environment by which boto3 finds them."""
        return {
            "AWS_ACCESS_KEY_ID": self.access_key,
            "AWS_SECRET_ACCESS_KEY": self.secret_key,
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def client(self) -> Any:
        """A plain boto3 client, for what the product never does: buckets, and tampering with objects."""
        import boto3
        from botocore.config import Config

        return boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            aws_access_key_id=self.access_key,
            aws_secret_access_key=self.secret_key,
            region_name="us-east-1",
            config=Config(connect_timeout=1, read_timeout=5, retries={"total_max_attempts": 1}),
        )


def ports_needed() -> list[int]:
    """Free ports for one server; give them to `running` to start it again where it was."""
    return free_ports(9)


@contextlib.contextmanager
def running(
    folder: Path | None = None, ports: Sequence[int] | None = None, *, holds: tuple[str, str] | None = None
) -> Iterator[S3Server]:
    """A server, stopped on leaving: a fresh one on free ports, or one on the ports and the data of an earlier.

    Ready when it serves `holds`, a bucket and a key that an earlier one was given; without, when it takes requests.
    Raises NotHere or DidNotStart.
    """
    with contextlib.ExitStack() as stack:
        if folder is None:
            temporary = tempfile.TemporaryDirectory(prefix="bench-s3-", ignore_cleanup_errors=True)
            folder = Path(stack.enter_context(temporary))
        yield stack.enter_context(_running(folder, ports or ports_needed(), holds))


@contextlib.contextmanager
def _running(folder: Path, given: Sequence[int], holds: tuple[str, str] | None) -> Iterator[S3Server]:
    weed = find_program("weed")
    if weed is None:
        raise NotHere(MISSING)
    ports = iter(given)
    s3 = next(ports)
    server = S3Server(endpoint=f"http://127.0.0.1:{s3}", access_key="bench", secret_key="bench-secret")
    options = ["-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-s3.port={s3}", f"-s3.port.grpc={next(ports)}"]
    for part in ("master", "volume", "filer"):
        options += [f"-{part}.port={next(ports)}", f"-{part}.port.grpc={next(ports)}"]
    # Fixed ports switched off, so that two runs share a machine; and nothing reports home.
    options += ["-s3.port.iceberg=0", "-s3.port.lance=0", "-webdav=false", "-admin.ui=false"]
    options += ["-master.telemetry=false", "-volume.preStopSeconds=0", "-volume.max=20"]
    process = start(
        [weed, "mini", f"-dir={folder}", *options], name="weed", folder=folder, environment=server.credentials
    )
    try:
        process.wait_until(lambda: _answers(server, holds), seconds=30)
        yield server
    finally:
        process.stop()


def _answers(server: S3Server, holds: tuple[str, str] | None) -> bool:
    """Whether a signed request is served: the port opens well before that, and objects come later than buckets."""
    from botocore.exceptions import BotoCoreError, ClientError

    client = server.client()
    try:
        if holds is None:
            client.list_buckets()
        else:
            client.get_object(Bucket=holds[0], Key=holds[1])["Body"].read()
    except (BotoCoreError, ClientError):
        return False
    finally:
        client.close()
    return True
