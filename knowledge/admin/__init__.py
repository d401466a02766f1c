"""Staff's view of the knowledge base: its rows, what the inventory is missing, and a search of the wording."""

from knowledge.admin import questions, rows, search_page

__all__ = ["questions", "rows", "search_page"]
