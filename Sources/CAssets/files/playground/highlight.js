// Colours for text that is read: a pattern whose named groups are the kinds of token (see .t-… in the style sheet).

const json = new RegExp([
  /(?<key>"[^"\\]*(?:\\.[^"\\]*)*"(?=\s*:))/,
  /(?<string>"[^"\\]*(?:\\.[^"\\]*)*")/,
  /(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/,
  /(?<word>\b(?:true|false|null)\b)/,
].map((part) => part.source).join("|"), "g");

const sdl = new RegExp([
  /(?<comment>#.*)/,
  /(?<string>"""(?:\\"""|[^])*?"""|"[^"\\\n]*(?:\\.[^"\\\n]*)*")/,
  /(?<word>@\w+|^(?:extend )?(?:schema|type|interface|union|enum|input|scalar|directive)\b|\bimplements\b)/,
  /(?<key>\b[A-Z]\w*)/,
].map((part) => part.source).join("|"), "gm");

// Past this many characters the colours would cost more than they help.
const limit = 400_000;

function paint(text, pattern) {
  const painted = document.createDocumentFragment();
  if (text.length > limit) {
    painted.append(text);
    return painted;
  }
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    painted.append(text.slice(end, match.index));
    const token = document.createElement("span");
    token.className = `t-${Object.keys(match.groups).find((kind) => match.groups[kind] !== undefined)}`;
    token.textContent = match[0];
    painted.append(token);
    end = match.index + match[0].length;
  }
  painted.append(text.slice(end));
  return painted;
}

export const paintJSON = (text) => paint(text, json);
export const paintSDL = (text) => paint(text, sdl);
