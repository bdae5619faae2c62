// A document written the usual way: two spaces, one field a line, what is short on one line. Comments stay.

import { tokensIn } from "./lexer.js";

const width = 80;

/** The document, prettified; null where there are characters in it that GraphQL has not, and that would be lost. */
export function prettify(source) {
  const tokens = tokensIn(source);
  if (tokens.some(({ kind }) => kind === "unknown")) return null;
  const lines = [];
  let line = "";
  let depth = 0;
  let place = 0;

  const flush = () => {
    if (line.trim() !== "") lines.push("  ".repeat(depth) + line.trim());
    line = "";
  };

  /** The tokens from a bracket to the one that closes it; null where none does. */
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

  /** Writes behind the line what begins with a bracket: after an operation without a name, and before a value, there is a space. */
  const headed = (text) => {
    const head = line.trimEnd();
    const isApart = /^(?:query|mutation|subscription)$/.test(head) && depth === 0 || head.endsWith(":") || head.endsWith("=");
    return `${head}${isApart ? " " : ""}${text}`;
  };

  /** A comment behind something stays behind it. */
  const writeComment = ({ text, start }, former) => {
    const isBehind = former && !source.slice(former.end, start).includes("\n") && (line !== "" || lines.length > 0);
    if (isBehind && line === "") lines[lines.findLastIndex((written) => written !== "")] += ` ${text}`;
    else if (isBehind) line += ` ${text}`;
    else { flush(); line = text; }
    flush();
  };

  /** A bracket and what is in it: on this line where it fits, else with a line for each member. */
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
    const opening = member.findIndex(({ text }) => "([{".includes(text));
    const end = opening < 0 ? undefined : closing(member, opening);
    if (end === undefined) {
      line = oneLine(member);
    } else {
      line = oneLine(member.slice(0, opening));
      writeGroup(member.slice(opening, end + 1));
      const rest = oneLine(member.slice(end + 1));
      if (rest !== "") line += rest.startsWith("!") ? rest : ` ${rest}`;
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

/** Where the bracket at a place is closed; undefined where it is not. */
function closing(parts, place) {
  let open = 0;
  for (let at = place; at < parts.length; at += 1) {
    if ("([{".includes(parts[at].text)) open += 1;
    if (")]}".includes(parts[at].text)) open -= 1;
    if (open === 0) return at;
  }
  return undefined;
}

/** What is between brackets, as a list of tokens for each `name: value`, each value of a list, and each comment. */
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

/** Where in the prettified text a caret is that stood at an offset of the source: behind as many characters that matter. */
export function caretIn(pretty, source, offset) {
  const matters = /[^\s,]/g;
  const count = Array.from(source.slice(0, offset).matchAll(matters)).length;
  if (count === 0) return 0;
  const { index } = Array.from(pretty.matchAll(matters))[count - 1] ?? { index: pretty.length - 1 };
  return index + 1;
}
