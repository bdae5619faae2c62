// The variables that an operation declares.

import { tokensIn } from "./lexer.js";
import { operationAt, operationsOf, parse } from "./parser.js";

/** Whether an argument must be given. */
export const isNeeded = ({ type, value }) => type.endsWith("!") && value === null;

/** The name, with a number if it is taken. */
export function unusedName(name, taken) {
  let own = name;
  for (let number = 2; taken.includes(own); number += 1) own = `${name}${number}`;
  return own;
}

/** A variable for an argument, { name, type }, with an unused name. */
export const variableFor = ({ name, type }, taken) => ({ name: unusedName(name, taken), type });

export const variablesIn = (text, { start, end }) => tokensIn(text.slice(start, end))
  .filter(({ kind }) => kind === "variable").map((token) => token.text.slice(1));

/** The text after adding declarations of variables to the operation at the caret. */
export function declare(text, caret, wanted) {
  if (wanted.length === 0) return text;
  const operation = operationAt(operationsOf(parse(text)), caret);
  const list = wanted.map(({ name, type }) => `$${name}: ${type}`).join(", ");
  const [place, addition] = operation.variables
    ? [operation.variables.end - 1, `, ${list}`] : [operation.afterName, `${operation.isShort ? "query " : ""}(${list}) `];
  return text.slice(0, place) + addition + text.slice(place);
}

/** The text after removing the declarations of unused variables from the operation at the caret. */
export function undeclare(text, caret, names) {
  const definitions = parse(text);
  const operation = operationAt(operationsOf(definitions), caret);
  if (!operation?.variables || names.length === 0) return text;
  const { variables, end } = operation;
  // Fragments use the variables of the operations that spread them.
  const used = [{ start: variables.end, end }, ...definitions.filter(({ kind }) => kind === "fragment")]
    .flatMap((part) => variablesIn(text, part));
  const unused = variables.items.filter(({ name }) => names.includes(name) && !used.includes(name));
  if (unused.length === variables.items.length) return text.slice(0, variables.start) + text.slice(variables.end);
  return unused.toReversed().reduce((rest, item) => rest.slice(0, item.start) + rest.slice(item.end), text);
}
