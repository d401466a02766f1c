"""300 damaged policies: nothing is raised, every quotation slices back. `benchmarks.mutated_policies` does more."""

from claims.documents.reading import read_file
from claims.documents.structure import split
from tests.claims.documents.mutations import mutated, sources
from tests.claims.documents.plain import reading_of
from tests.claims.documents.test_structure_properties import passages, slices_back

MANY = 300


def test_300_mutated_policies_are_split_and_slice_back():
    texts = sources()
    sections = 0
    for seed in range(MANY):
        reading = reading_of(mutated(seed, texts))
        structure = split(reading)
        sections += len(structure.sections)
        for passage in passages(structure):
            assert slices_back(passage, reading, structure.furniture), seed
    assert sections > MANY


def test_a_mutated_policy_goes_through_reading_too():
    texts = sources()
    for seed in range(20):
        text = mutated(seed, texts)
        read = read_file(text.encode(), "policy.txt")
        if hasattr(read, "pages"):
            assert split(read) == split(read)
