from knowledge.management.commands._release_command import ReleaseCommand
from knowledge.releases import publish


class Command(ReleaseCommand):
    help = "Put every frozen family of a version into the object store. Never approves; to repeat it is harmless."
    done = "published"
    act = staticmethod(publish)
