from knowledge.ingestion import ingest
from knowledge.management.commands._release_command import ReleaseCommand


class Command(ReleaseCommand):
    help = "Read every published family of a version from the object store into rows, all or none. Never approves."
    done = "ingested, not yet in force"
    act = staticmethod(ingest)
