"""The data of the families, as every peer reads it: from a copy of the server's file, one statement for a batch of keys.

Statements run on the thread of the event loop, as in the server that is compared: a local SQLite file answers faster than
another thread.
"""

import os
import sqlite3
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

import orjson

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
CHORE, FAMILY = "chore", "family"

database = sqlite3.connect(f"file:{os.environ['PEER_DATA']}/hearth.db?mode=ro", uri=True, cached_statements=64)
database.execute("PRAGMA mmap_size = 268435456")


class Identifiers:
    """Ids are keys that are encrypted by Speck64/128. All of them are computed beforehand: Python takes long for one."""

    def __init__(self, secret: bytes):
        words = [int.from_bytes(secret[at : at + 4], "little") for at in range(0, 16, 4)]
        self.round_keys = [words[0]]
        for round in range(26):
            mixed = ((self.right(words[1], 8) + words[0]) & 0xFFFFFFFF) ^ round
            words = [self.left(words[0], 3) ^ mixed, words[2], words[3], mixed]
            self.round_keys.append(words[0])
        self.texts: dict[int, str] = {}
        self.keys: dict[str, tuple[str, int]] = {}

    @staticmethod
    def right(word: int, by: int) -> int:
        return (word >> by | word << (32 - by)) & 0xFFFFFFFF

    @staticmethod
    def left(word: int, by: int) -> int:
        return (word << by | word >> (32 - by)) & 0xFFFFFFFF

    def add(self, table: str):
        for (key,) in database.execute(f"SELECT id FROM {table}").fetchall():
            x, y = key >> 32 & 0xFFFFFFFF, key & 0xFFFFFFFF
            for round_key in self.round_keys:
                x = ((self.right(x, 8) + y) & 0xFFFFFFFF) ^ round_key
                y = self.left(y, 3) ^ x
            bits = x << 32 | y
            text = "".join(ALPHABET[bits >> shift & 31] for shift in range(60, -1, -5))
            self.texts[key] = text
            self.keys[text] = (table, key)


identifiers = Identifiers(database.execute("SELECT value FROM setting WHERE name = 'id-key'").fetchone()[0])
for table in (FAMILY, "person", "child", CHORE, "contract"):
    identifiers.add(table)
text_of = identifiers.texts.__getitem__

# The families of the signed-in people, by token.
sessions = {
    token: int(family)
    for token, _, family in (line.partition("\t") for line in Path(os.environ["PEER_SESSIONS"]).read_text().splitlines())
}


def session_of(authorization: bytes | str | None) -> int | None:
    text = authorization.decode() if isinstance(authorization, bytes) else authorization or ""
    return sessions.get(text.removeprefix("Bearer "))


def instant(milliseconds: int | None) -> str | None:
    if milliseconds is None:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def grouped(rows, keys: list[int]) -> list[list]:
    """The rows of each key, without the key, which is their first column."""
    groups = defaultdict(list)
    for key, *row in rows:
        groups[key].append(row)
    return [groups[key] for key in keys]


def node(id: str, family: int | None) -> tuple[str, int, tuple] | None:
    """The kind, the key and the row of an object that the caller may see."""
    kind, key = identifiers.keys.get(id, (None, 0))
    if kind == FAMILY and key == family:
        row = database.execute("SELECT name FROM family WHERE id = ?", (key,)).fetchone()
    elif kind == CHORE:
        row = database.execute("SELECT name, priority FROM chore WHERE family_id = ? AND id = ?", (family, key)).fetchone()
    else:
        row = None
    return (kind, key, row) if row else None


def children(families: list[int]) -> list[list]:
    """Each: key, name, points, and the key and maximum of the contract."""
    rows = database.execute(
        "SELECT c.family_id, c.id, c.name, c.points, k.id, k.max_points FROM child AS c LEFT JOIN contract AS k"
        " ON k.family_id = c.family_id AND k.child_id = c.id AND k.id = c.contract_id"
        " WHERE c.family_id IN (SELECT value FROM json_each(?)) ORDER BY c.family_id, c.id",
        (orjson.dumps(families),),
    )
    return grouped(rows, families)


def open_chores(family: int, members: list[int], limit: int) -> list[list]:
    """Each: key, name, priority, time."""
    rows = database.execute(
        "SELECT m.value, c.id, c.name, c.priority, c.due_at FROM json_each(?1) AS m CROSS JOIN assignment AS a"
        " ON a.family_id = ?2 AND a.member_id = m.value AND a.status = 0"
        " CROSS JOIN chore AS c ON c.family_id = ?2 AND c.id = a.chore_id"
        " ORDER BY m.value, a.priority_order, a.due_order, a.chore_id",
        (orjson.dumps(members), family),
    )
    return [chores[:limit] for chores in grouped(rows, members)]


def assignees(family: int, chores: list[int]) -> list[list]:
    """Each: key and name of a member, in the order of the keys."""
    rows = database.execute(
        "SELECT k.value, a.member_id, coalesce(c.name, p.name) FROM json_each(?1) AS k"
        " CROSS JOIN assignment AS a INDEXED BY assignment_by_chore ON a.family_id = ?2 AND a.chore_id = k.value"
        " LEFT JOIN child AS c ON c.family_id = ?2 AND c.id = a.member_id LEFT JOIN person AS p ON p.id = a.member_id"
        " ORDER BY k.value, a.member_id",
        (orjson.dumps(chores), family),
    )
    return grouped(rows, chores)


def levels(family: int, contracts: list[int]) -> list[list]:
    """Each: award and points."""
    rows = database.execute(
        "SELECT l.contract_id, l.award, l.points FROM json_each(?1) AS k"
        " CROSS JOIN reward_level AS l ON l.family_id = ?2 AND l.contract_id = k.value",
        (orjson.dumps(contracts), family),
    )
    return grouped(rows, contracts)
