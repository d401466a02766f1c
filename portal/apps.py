from django.apps import AppConfig


class PortalConfig(AppConfig):
    name = "portal"

    def ready(self) -> None:
        # Registers the system checks, which is done by importing them.
        import portal.checks  # noqa: F401, PLC0415
