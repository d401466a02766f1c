"""The web server's door."""

import os

from django.core.wsgi import get_wsgi_application

from portal.checks import refuse_wrong_times

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
application = get_wsgi_application()
refuse_wrong_times()
