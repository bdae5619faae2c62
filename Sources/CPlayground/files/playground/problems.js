// The problems of a text, each with a button that goes to its line.

/** Shows problems, each { message, from }, below their editor. Without `from`, they are of no line. */
export function listProblems(holder, editor, problems) {
  const list = document.createElement("ul");
  list.append(...problems.map(({ message, from }) => {
    const item = document.createElement("li");
    if (from === undefined) {
      item.append(message);
      return item;
    }
    const { line, column } = editor.place(from);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = `Line ${line}`;
    button.addEventListener("click", () => editor.show(line, column));
    item.append(button, ` ${message}`);
    return item;
  }));
  holder.replaceChildren(...(problems.length > 0 ? [list] : []));
}
