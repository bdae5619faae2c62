// The documentation of the name under the pointer.

import { hoverTooltip } from "../codemirror.js";
import { described } from "../schema/prose.js";
import { contextAt } from "./context.js";
import { parse } from "./parser.js";

/** `schema()` returns the schema, or null while it is loading; `open(typeName, memberName)` shows its documentation. */
export function hover(schema, open) {
  return hoverTooltip((view, position) => {
    const found = meaning(view.state.doc.toString(), position, schema());
    if (found === null) return null;
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: card(found, open) }) };
  }, { hideOnChange: true });
}

/** The word at an offset and its definition in the schema: { from, to, title, type, about, typeName, memberName }, or null. */
export function meaning(source, position, schema) {
  if (schema === null) return null;
  const line = source.lastIndexOf("\n", position - 1) + 1;
  const word = [...source.slice(line, position + 80).matchAll(/[@$]?\w+/g)].find(({ 0: text, index }) =>
    line + index <= position && position < line + index + text.length);
  if (word === undefined) return null;
  const [from, text] = [line + word.index, word[0]];
  const definitions = parse(source);
  const about = contextAt(definitions, schema, from + 1);
  const found = (title, member, typeName, memberName) => ({
    from, to: from + text.length, title, type: member.type ?? "", about: member, typeName, memberName,
  });
  if (about.kind === "field" && about.field?.name === text) {
    return found(`${about.parent.name}.${text}`, about.field, about.parent.name, text);
  }
  if (about.kind === "argument" && about.argument?.name === text) return found(`${about.owner.name}(${text}:)`, about.argument);
  if (about.kind === "inputField" && about.field?.name === text) {
    return found(`${about.type.name}.${text}`, about.field, about.type.name, text);
  }
  if (about.kind === "directive" && about.directive) return found(`@${about.directive.name}`, about.directive);
  if (about.kind === "value" && schema.type(about.type)?.values.has(text)) {
    const { name, values } = schema.type(about.type);
    return found(`${name}.${text}`, values.get(text), name, text);
  }
  if (text.startsWith("$")) {
    const { type } = about.definition?.variables?.items.find(({ name }) => `$${name}` === text) ?? {};
    const named = schema.type(type);
    return type === undefined ? null : found(text, { type, description: named?.description ?? "" }, named?.name);
  }
  if (about.kind === "spread" && about.name === text) {
    const on = definitions.find(({ kind, name }) => kind === "fragment" && name === text)?.on?.name;
    return schema.types.has(on) ? found(`fragment ${text} on ${on}`, schema.types.get(on), on) : null;
  }
  const type = about.kind === "fragmentType" || about.kind === "variableType" ? schema.types.get(text) : undefined;
  return type ? found(`${type.kind} ${type.name}`, type, type.name) : null;
}

function card({ title, type, about, typeName, memberName }, open) {
  const dom = document.createElement("div");
  const heading = document.createElement("p");
  const name = document.createElement("code");
  dom.className = "hover-card";
  name.textContent = type === "" ? title : `${title}: ${type}`;
  heading.append(name);
  dom.append(heading);
  dom.append(...described(about));
  if (typeName !== undefined) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = "Open in the documentation";
    button.addEventListener("click", () => open(typeName, memberName));
    dom.append(button);
  }
  return dom;
}
