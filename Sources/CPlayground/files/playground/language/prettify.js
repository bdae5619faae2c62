// Formats a document: two spaces, one field per line, short constructs on one line. Comments are kept.

import { tokensIn } from "./lexer.js";

const width = 80;

/** A string that its line does not close. What follows would become a part of it. */
const isUnclosed = ({ kind, text }) => kind === "string" && !/^"(?:[^"\\]|\\.)*"$/.test(text);

/** The formatted document; null if it contains an unclosed string, or characters that are not valid in GraphQL and would be lost. */
export function prettify(source) {
  const tokens = tokensIn(source);
  if (tokens.some((token) => token.kind === "unknown" || isUnclosed(token))) return null;
  const lines = [];
  let line = "";
  let depth = 0;
  let place = 0;

  const flush = () => {
    if (line.trim() !== "") lines.push("  ".repeat(depth) + line.trim());
    line = "";
  };

  /** The tokens from a bracket to its closing bracket; null if there is none. */
  const group = () => {
    const end = closing(tokens, place);
    if (end === undefined) return null;
    const parts = tokens.slice(place, end + 1);
    place = end + 1;
    return parts;
  };

  const oneLine = (parts) => {
    let text = "";
    parts.forEach(({ text: next, kind }, number) => {
      const former = parts[number - 1]?.text;
      const isTight = former === undefined || "([".includes(former) || former === "..." || ")]:!(".includes(next);
      const starts = (kind === "name" || kind === "variable") && [":"].includes(parts[number + 1]?.text);
      if (!isTight && starts && !"({[".includes(former)) text += ",";
      else if (!isTight && !starts && former !== ":" && former !== "=" && next !== "=" && former !== "{" && next !== "}"
        && isInList(parts, number)) text += ",";
      text += isTight || former === "{" && next === "}" ? next : ` ${next}`;
    });
    return text;
  };

  /** Appends a bracketed construct to the line, preceded by a space after an anonymous operation and before a value. */
  const headed = (text) => {
    const head = line.trimEnd();
    const isApart = /^(?:query|mutation|subscription)$/.test(head) && depth === 0 || head.endsWith(":") || head.endsWith("=");
    return `${head}${isApart ? " " : ""}${text}`;
  };

  /** A trailing comment stays on its line. */
  const writeComment = ({ text, start }, former) => {
    const isBehind = former && !source.slice(former.end, start).includes("\n") && (line !== "" || lines.length > 0);
    if (isBehind && line === "") lines[lines.findLastIndex((written) => written !== "")] += ` ${text}`;
    else if (isBehind) line += ` ${text}`;
    else { flush(); line = text; }
    flush();
  };

  /** A bracket and its content: on this line if it fits, otherwise with one line per member. */
  const writeGroup = (parts) => {
    const text = parts.some(({ kind }) => kind === "comment") ? null : oneLine(parts);
    if (text !== null && headed(text).length + depth * 2 <= width) {
      line = headed(text);
      return;
    }
    line = headed(parts[0].text);
    flush();
    depth += 1;
    let former = parts[0];
    for (const member of membersOf(parts)) {
      if (member[0].kind === "comment") writeComment(member[0], former);
      else writeMember(member);
      former = member.at(-1);
    }
    depth -= 1;
    line = parts.at(-1).text;
  };

  const writeMember = (member) => {
    let rest = member;
    while (rest.length > 0) {
      const opening = rest.findIndex(({ text }) => "([{".includes(text));
      const end = opening < 0 ? undefined : closing(rest, opening);
      const head = oneLine(end === undefined ? rest : rest.slice(0, opening));
      if (head !== "") line += line === "" || head.startsWith("!") ? head : ` ${head}`;
      if (end === undefined) break;
      writeGroup(rest.slice(opening, end + 1));
      rest = rest.slice(end + 1);
    }
    flush();
  };

  while (place < tokens.length) {
    const { text, kind } = tokens[place];
    const former = tokens[place - 1];
    const parts = text === "(" ? group() : null;
    if (parts !== null) {
      writeGroup(parts);
      continue;
    } else if (kind === "comment") {
      writeComment(tokens[place], former);
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
      const isApart = former?.text === "..." && (text === "on" || kind === "directive");
      const isTight = line === "" || line.endsWith("...") || ":!)](".includes(text) || (former?.text === "[" || former?.text === "(");
      line += isTight && !isApart ? text : ` ${text}`;
    }
    place += 1;
  }
  flush();
  return lines.length === 0 ? "" : `${lines.join("\n").trimEnd()}\n`;
}

/** Whether a token begins a selection, which gets its own line. */
function startsLine(tokens, place, depth) {
  const { text, kind } = tokens[place];
  if (depth === 0) return kind === "name" && ["}", undefined].includes(tokens[place - 1]?.text) && text !== "on";
  const former = tokens[place - 1];
  if (kind === "spread") return true;
  if (kind !== "name") return false;
  return !(former.text === ":" || former.text === "..." || former.text === "on" && tokens[place - 2]?.text === "...");
}

/** Whether the token is directly in a list, but not the first after its opening bracket. */
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

/** The index of the closing bracket of the bracket at an index; undefined if there is none. */
function closing(parts, place) {
  let open = 0;
  for (let at = place; at < parts.length; at += 1) {
    if ("([{".includes(parts[at].text)) open += 1;
    if (")]}".includes(parts[at].text)) open -= 1;
    if (open === 0) return at;
  }
  return undefined;
}

/** The content of brackets: the tokens of each `name: value`, each value of a list, and each comment. */
function membersOf(parts) {
  const isList = parts[0].text === "[";
  const members = [];
  let depth = 0;
  for (let place = 1; place < parts.length - 1; place += 1) {
    const { text, kind } = parts[place];
    const isNamed = (kind === "name" || kind === "variable") && parts[place + 1].text === ":";
    const begins = kind === "comment" || members.at(-1)?.[0].kind === "comment" || (isList ? !"!)]}".includes(text) : isNamed);
    if (depth === 0 && begins || members.length === 0) members.push([]);
    members.at(-1).push(parts[place]);
    if ("([{".includes(text)) depth += 1;
    if (")]}".includes(text)) depth -= 1;
  }
  return members;
}

/** The offset of the caret in the formatted text: after the same number of significant characters as in the source. */
export function caretIn(pretty, source, offset) {
  const matters = /[^\s,]/g;
  const count = Array.from(source.slice(0, offset).matchAll(matters)).length;
  if (count === 0) return 0;
  const { index } = Array.from(pretty.matchAll(matters))[count - 1] ?? { index: pretty.length - 1 };
  return index + 1;
}
