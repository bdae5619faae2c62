"""What graphql-core takes to parse and validate documents: graphql_core.py SCHEMA DOCUMENT..."""

import json
import sys
import time
from pathlib import Path
from statistics import median

from graphql import build_schema, parse, validate


def microseconds(work) -> float:
    samples = []
    end = time.perf_counter() + 1
    while time.perf_counter() < end or len(samples) < 3:
        start = time.perf_counter()
        work()
        samples.append((time.perf_counter() - start) * 1e6)
    return median(samples)


text = Path(sys.argv[1]).read_text()
try:
    schema = build_schema(text)
except TypeError:  # Older than @oneOf.
    schema = build_schema(text + "\ndirective @oneOf on INPUT_OBJECT\n")
for path in map(Path, sys.argv[2:]):
    text = path.read_text()
    document = parse(text)
    assert not validate(schema, document), path
    figures = {"parse": microseconds(lambda: parse(text)), "validate": microseconds(lambda: validate(schema, document))}
    print(json.dumps({"document": path.name, **figures}))
