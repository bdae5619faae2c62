// Renders descriptions, a subset of Markdown: paragraphs, lists, blocks of code, `code`, *emphasis*, **strong** and links. And names.

const inline = /`(?<code>[^`]+)`|\*\*(?<strong>[^*]+)\*\*|\*(?<em>[^*\s][^*]*)\*|\[(?<label>[^\]]+)\]\((?<href>https?:\/\/[^\s)]+)\)|[^`*[]+|[`*[]/g;
const bullet = /^(?:[-*+]|(\d+)[.)])\s+/;

function prose(text) {
  const block = document.createElement("div");
  block.className = "prose";
  // Every other part is between two fences.
  for (const [place, part] of text.split(/^\s*```.*\n?/m).entries()) {
    if (place % 2 === 1) block.append(filled("pre", part.trimEnd()));
    else for (const piece of part.split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)/)) if (piece.trim() !== "") append(piece.trim(), block);
  }
  return block;
}

/** Appends a paragraph, or an item to the list that it continues. */
function append(piece, block) {
  const marker = bullet.exec(piece);
  if (marker === null) return block.append(spans("p", piece));
  const kind = marker[1] === undefined ? "ul" : "ol";
  if (block.lastElementChild?.localName !== kind) block.append(document.createElement(kind));
  return block.lastElementChild.append(spans("li", piece.slice(marker[0].length)));
}

function spans(kind, text) {
  const holder = document.createElement(kind);
  for (const { 0: piece, groups: { code, strong, em, label, href } } of text.matchAll(inline)) {
    if (href !== undefined) holder.append(Object.assign(filled("a", label), { href, target: "_blank", rel: "noopener noreferrer" }));
    else if (code !== undefined) holder.append(filled("code", code));
    else if (strong !== undefined) holder.append(filled("strong", strong));
    else if (em !== undefined) holder.append(filled("em", em));
    else holder.append(piece);
  }
  return holder;
}

function filled(kind, text) {
  const element = document.createElement(kind);
  element.textContent = text;
  return element;
}

/** What the schema says of a type or member: why it is deprecated, and its description. */
export function described({ deprecated, description }) {
  return [
    ...(deprecated ? [Object.assign(filled("p", `Deprecated: ${deprecated}`), { className: "deprecated" })] : []),
    ...(description ? [prose(description)] : []),
  ];
}

/** The parts of a long name, which breaks between its words. */
export const breakable = (name) => name.split(/(?<=[a-z])(?=[A-Z])/).flatMap((word) => [word, document.createElement("wbr")]).slice(0, -1);
