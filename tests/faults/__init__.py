"""Faults on real servers: processes killed, servers stopped, frozen and slow. See docs/operation.md."""
