// A document written the usual way: two spaces, one field a line, what is short on one line. Comments stay.

import { tokensIn } from "./lexer.js";

const width = 80;

export function prettify(source) {
  const tokens = tokensIn(source);
  const lines = [];
  let line = "";
  let depth = 0;
  let place = 0;

  const flush = () => {
    if (line.trim() !== "") lines.push("  ".repeat(depth) + line.trim());
    line = "";
  };

  /** The tokens from a bracket to the one that closes it, as one line; null where there is a comment among them. */
  const group = () => {
    const from = place;
    let open = 0;
    const parts = [];
    do {
      const token = tokens[place++];
      if (token === undefined || token.kind === "comment") {
        place = from;
        return null;
      }
      if ("([{".includes(token.text)) open += 1;
      if (")]}".includes(token.text)) open -= 1;
      parts.push(token);
    } while (open > 0);
    return parts;
  };

  const oneLine = (parts) => {
    let text = "";
    parts.forEach(({ text: next, kind }, number) => {
      const former = parts[number - 1]?.text;
      const isTight = former === undefined || "([$@".includes(former) || former === "..." || ")]:!".includes(next);
      const starts = (kind === "name" || kind === "variable") && [":"].includes(parts[number + 1]?.text);
      if (!isTight && starts && !"({[".includes(former)) text += ",";
      else if (!isTight && !starts && former !== ":" && former !== "=" && next !== "=" && former !== "{" && next !== "}"
        && isInList(parts, number)) text += ",";
      text += isTight && !(former === "{" || next === "}") ? next : ` ${next}`;
    });
    return text;
  };

  /** The line so far: after an operation without a name comes a space before the variables. */
  const headed = () => line.trimEnd() + (depth === 0 && /^(?:query|mutation|subscription)$/.test(line.trim()) ? " " : "");

  const writeGroup = () => {
    const parts = group();
    if (parts === null) return false;
    const text = oneLine(parts);
    if (line.trimEnd().length + text.length + depth * 2 <= width) {
      line = headed() + text;
      return true;
    }
    // Too long for a line: its members get one each.
    const members = split(parts.slice(1, -1));
    line = `${headed()}(`;
    flush();
    depth += 1;
    for (const member of members) {
      line = oneLine(member);
      flush();
    }
    depth -= 1;
    line = ")";
    return true;
  };

  while (place < tokens.length) {
    const { text, kind, start } = tokens[place];
    const former = tokens[place - 1];
    if (kind === "comment") {
      const isBehind = former && !source.slice(former.end, start).includes("\n") && (line !== "" || lines.length > 0);
      if (isBehind && line === "") lines[lines.findLastIndex((written) => written !== "")] += ` ${text}`;
      else if (isBehind) line += ` ${text}`;
      else { flush(); line = text; }
      flush();
    } else if (text === "(" && writeGroup()) {
      continue;
    } else if (text === "{") {
      line = `${line.trimEnd()} {`;
      flush();
      depth += 1;
    } else if (text === "}") {
      flush();
      depth = Math.max(0, depth - 1);
      line = "}";
      flush();
      if (depth === 0 && place < tokens.length - 1) lines.push("");
    } else if (startsLine(tokens, place, depth)) {
      flush();
      line = text;
    } else {
      const isTight = line === "" || line.endsWith("...") || ":!)]".includes(text) || (former?.text === "[" || former?.text === "(");
      line += isTight && !(former?.text === "..." && kind === "name" && text === "on") ? text : ` ${text}`;
    }
    place += 1;
  }
  flush();
  return lines.length === 0 ? "" : `${lines.join("\n").replaceAll(/\n{3,}/g, "\n\n").trimEnd()}\n`;
}

/** Whether a token begins a new selection, so that it gets a line of its own. */
function startsLine(tokens, place, depth) {
  const { text, kind } = tokens[place];
  if (depth === 0) return kind === "name" && ["}", undefined].includes(tokens[place - 1]?.text) && text !== "on";
  const former = tokens[place - 1];
  if (kind === "spread") return true;
  if (kind !== "name") return false;
  return !(former.text === ":" || former.text === "..." || former.text === "on" && tokens[place - 2]?.text === "...");
}

/** Whether the token stands directly in a list, and not after the list's opening. */
function isInList(parts, place) {
  let depth = 0;
  for (let before = place - 1; before >= 0; before -= 1) {
    const { text } = parts[before];
    if (")]}".includes(text)) depth += 1;
    if ("([{".includes(text)) {
      if (depth === 0) return text === "[" && before < place - 1;
      depth -= 1;
    }
  }
  return false;
}

/** `name: value name: value` as a list for each. */
function split(parts) {
  const members = [];
  let depth = 0;
  parts.forEach((part, place) => {
    if (depth === 0 && parts[place + 1]?.text === ":" && (part.kind === "name" || part.kind === "variable")) members.push([]);
    if ("([{".includes(part.text)) depth += 1;
    if (")]}".includes(part.text)) depth -= 1;
    (members.at(-1) ?? members[members.push([]) - 1]).push(part);
  });
  return members;
}
