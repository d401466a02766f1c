#!/usr/bin/env python
"""The command line of the portal: `uv run manage.py start` sets it up and serves it."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    execute_from_command_line(sys.argv)
