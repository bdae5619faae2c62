"""What an app does, with the client that ariadne-codegen has generated, against a server with demo data:

    family.py http://127.0.0.1:8080/graphql PICTURE

Prints "ok", or fails with what was not as it should be. Types are checked by `mypy --strict`.
"""

import asyncio
import datetime
import pathlib
import sys

from hearth_client import (
    AddChildInput,
    AddChoreInput,
    AddItemInput,
    BirthInput,
    Gender,
    GraphQLClientGraphQLMultiError,
    HearthClient,
    SignInInput,
    UpdateChoreInput,
    Upload,
)
from hearth_client.viewer import ViewerViewerAccount


async def main(url: str, picture: pathlib.Path) -> None:
    wrong = await HearthClient(url).sign_in(SignInInput(email="ada@example.com", password="not hers"))
    assert wrong.sign_in.credentials is None and wrong.sign_in.user_errors

    signed_in = await HearthClient(url).sign_in(SignInInput(email="ada@example.com", password="hearth-demo"))
    credentials = signed_in.sign_in.credentials
    assert credentials is not None
    assert credentials.expires_at > datetime.datetime.now(datetime.timezone.utc)
    # Forms, which requests with files are, need a header that pages of other sites cannot send.
    headers = {"Authorization": f"Bearer {credentials.access_token}", "GraphQL-Require-Preflight": "1"}
    ada = HearthClient(url, headers=headers)

    viewer = (await ada.viewer()).viewer
    assert isinstance(viewer, ViewerViewerAccount) and viewer.email == "ada@example.com", viewer

    family = (await ada.dashboard(chores=1)).family
    assert family is not None and [child.name for child in family.children] == ["Mia", "Ben", "Zoë"], family
    assert [chore.name for chore in family.children[0].assigned_chores.nodes] == ["Feed the cat"]
    assert isinstance(family.children[0].date_of_birth, datetime.date)

    birth = BirthInput(date_of_birth=datetime.date(2018, 5, 1).isoformat())
    added = await ada.add_child(AddChildInput(name="Ada junior", birth=birth, gender=Gender.OTHER))
    assert added.add_child.child is not None and added.add_child.child.gender == Gender.OTHER, added

    chore = (await ada.add_chore(AddChoreInput(name="Sweep", notes="The stairs"))).add_chore.chore
    assert chore is not None and chore.priority == 5, chore
    # What is absent stays as it is; what is null goes.
    renamed = (await ada.update_chore(UpdateChoreInput(id=chore.id, name="Sweep well"))).update_chore.chore
    assert renamed is not None and (renamed.name, renamed.notes) == ("Sweep well", "The stairs"), renamed
    bare = (await ada.update_chore(UpdateChoreInput(id=chore.id, notes=None))).update_chore.chore
    assert bare is not None and bare.notes is None, bare

    with picture.open("rb") as file:
        photo = Upload(filename="tent.jpg", content=file, content_type="image/jpeg")
        item = (await ada.add_item(AddItemInput(name="Tent", photo=photo))).add_item.item
    assert item is not None and "/media/" in item.photo.url and item.photo.width > 0, item

    try:
        await HearthClient(url, headers={"Authorization": "Bearer nonsense"}).viewer()
    except GraphQLClientGraphQLMultiError as error:
        codes = [(one.extensions or {}).get("code") for one in error.errors]
        assert codes == ["TOKEN_MALFORMED"], codes
    else:
        raise AssertionError("nobody was let in")


asyncio.run(main(sys.argv[1], pathlib.Path(sys.argv[2])))
print("ok")
