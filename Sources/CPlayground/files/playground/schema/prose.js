// Renders descriptions, a subset of Markdown: paragraphs, `code` and *emphasis*. And names.

export function prose(text) {
  const block = document.createElement("div");
  block.className = "prose";
  for (const part of text.split(/\n\s*\n/)) {
    const paragraph = document.createElement("p");
    for (const { 0: piece, groups: { code, strong } } of part.matchAll(/`(?<code>[^`]+)`|\*\*?(?<strong>[^*]+)\*\*?|[^`*]+|[`*]/g)) {
      if (code === undefined && strong === undefined) {
        paragraph.append(piece);
      } else {
        const element = document.createElement(code === undefined ? "em" : "code");
        element.textContent = code ?? strong;
        paragraph.append(element);
      }
    }
    block.append(paragraph);
  }
  return block;
}

/** The parts of a long name, which breaks between its words. */
export const breakable = (name) => name.split(/(?<=[a-z])(?=[A-Z])/).flatMap((word) => [word, document.createElement("wbr")]).slice(0, -1);
