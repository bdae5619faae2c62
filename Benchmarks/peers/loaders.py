"""The caller of one request, and its data loaders."""

import store


class Loaders:
    def __init__(self, kind: type, family: int | None):
        """`kind` is the peer's class of data loaders."""
        self.kind = kind
        self.family = family
        self.children = self.loader(store.children)
        self.assignees = self.loader(lambda chores: store.assignees(family, chores))
        self.levels = self.loader(lambda contracts: store.levels(family, contracts))
        self.open_chores = {}

    def loader(self, read):
        async def batch(keys):
            return read(keys)

        return self.kind(batch)

    def chores(self, limit: int):
        if limit not in self.open_chores:
            self.open_chores[limit] = self.loader(lambda members: store.open_chores(self.family, members, limit))
        return self.open_chores[limit]
