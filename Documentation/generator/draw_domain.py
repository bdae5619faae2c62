"""Writes the diagram of the domain's types. Its colours follow light and dark mode.

    draw_domain.py [FILE]    # FILE: by default Documentation/domain.svg
"""

import pathlib
import sys

WIDTH, HEIGHT, BOX = 900, 500, (132, 40)
# Name of the type: column and row of the middle of its box, and its group.
TYPES = {
    "Account": (90, 70, "people"),
    "Person": (90, 330, "people"),
    "ContactInfo": (90, 460, "people"),
    "Contact": (300, 250, "book"),
    "ContactRequest": (300, 330, "book"),
    "Group": (300, 410, "book"),
    "Notification": (300, 150, "people"),
    "Family": (480, 70, "family"),
    "Item": (690, 70, "family"),
    "Child": (480, 240, "family"),
    "Chore": (690, 160, "family"),
    "Reminder": (810, 240, "family"),
    "FinishedChore": (690, 320, "family"),
    "Contract": (480, 400, "family"),
    "RewardLevel": (690, 400, "family"),
    "PointEntry": (480, 470, "family"),
}
# From, to, label.
RELATIONS = [
    ("Account", "Family", "is in one"),
    ("Account", "Person", "is seen as"),
    ("Account", "Notification", "receives"),
    ("Person", "ContactInfo", "has"),
    ("Person", "Contact", "shares with"),
    ("Person", "ContactRequest", "asks"),
    ("Person", "Group", "member"),
    ("Family", "Child", "children"),
    ("Family", "Item", "buys"),
    ("Family", "Chore", "has"),
    ("Child", "Chore", "assigned"),
    ("Chore", "Reminder", "reminders"),
    ("Chore", "FinishedChore", "points for"),
    ("Child", "FinishedChore", "earned"),
    ("Contract", "PointEntry", "sum of"),
    ("Contract", "RewardLevel", "levels"),
]
STYLE = """
text { font: 14px system-ui, sans-serif; text-anchor: middle; fill: #2b2622; }
.label { font-size: 12px; fill: #6a6058; paint-order: stroke; stroke: #fffdf9; stroke-width: 4px; }
line { stroke: #a89c8e; stroke-width: 1.5; }
rect { stroke: #a89c8e; }
.people { fill: #e6eef6; } .family { fill: #f9e7d3; } .book { fill: #e3f0e0; }
@media (prefers-color-scheme: dark) {
  text { fill: #ece5dc; } .label { fill: #ab9f93; stroke: #1b1815; }
  line, rect { stroke: #6f655b; }
  .people { fill: #27333f; } .family { fill: #46331f; } .book { fill: #263a24; }
}
"""


def edge(start, end):
    """Where the line from the middle of one box to that of another leaves the first."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    scale = min(
        (BOX[0] / 2 / abs(dx)) if dx else float("inf"), (BOX[1] / 2 / abs(dy)) if dy else float("inf")
    )
    return round(x + dx * scale, 1), round(y + dy * scale, 1)


def main():
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        "<title>The types of the domain and their relations</title>",
        f"<style>{STYLE}</style>",
    ]
    labels = []
    for first, second, label in RELATIONS:
        start, end = TYPES[first][:2], TYPES[second][:2]
        (x1, y1), (x2, y2) = edge(start, end), edge(end, start)
        lines.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')
        if label:
            labels.append(f'<text class="label" x="{(x1 + x2) / 2}" y="{(y1 + y2) / 2 + 4}">{label}</text>')
    lines += labels
    for name, (x, y, group) in TYPES.items():
        left, top = x - BOX[0] / 2, y - BOX[1] / 2
        lines.append(
            f'<rect class="{group}" x="{left}" y="{top}" width="{BOX[0]}" height="{BOX[1]}" rx="8"/>'
            f'<text class="type" x="{x}" y="{y + 5}">{name}</text>'
        )
    lines.append("</svg>")
    file = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "domain.svg"
    file.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
