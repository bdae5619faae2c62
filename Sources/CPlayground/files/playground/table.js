// The lists of objects in a result as tables, which can be sorted and saved.

import { download } from "./download.js";

const element = (id) => document.getElementById(id);
/** A longer list is shown in part. The file has all of it. */
const mostRows = 500;
/** A longer result is not searched for lists. */
const longestText = 4_000_000;
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export class ResultTable {
  #text = "";
  #lists = [];
  #rows = [];
  #columns = [];
  #order = null;

  constructor() {
    element("table-toggle").addEventListener("click", () => {
      const isShown = element("table-panel").hidden;
      this.#show(isShown);
      if (isShown) element("table").focus();
    });
    element("table-list").addEventListener("change", () => this.#fill());
    element("table-save").addEventListener("click", () => download("list.csv", this.#csv(), "text/csv"));
  }

  /** Reads the lists of a result. */
  set text(text) {
    if (text === this.#text) return;
    this.#text = text;
    this.#lists = text.length > longestText ? [] : listsIn(parsed(text)?.data, []);
    element("table-toggle").disabled = this.#lists.length === 0;
    const chosen = element("table-list").value;
    element("table-list").replaceChildren(...this.#lists.map(({ path }) => new Option(path)));
    if (this.#lists.some(({ path }) => path === chosen)) element("table-list").value = chosen;
    if (this.#lists.length === 0) this.#show(false);
    else if (!element("table-panel").hidden) this.#fill();
  }

  #show(isShown) {
    element("table-toggle").setAttribute("aria-pressed", String(isShown));
    element("table-panel").hidden = !isShown;
    element("result").hidden = isShown;
    if (isShown) this.#fill();
  }

  #fill() {
    const { items } = this.#lists.find(({ path }) => path === element("table-list").value) ?? this.#lists[0];
    this.#rows = items.map((item) => cellsOf(item, ""));
    this.#columns = [...new Set(this.#rows.flatMap((row) => [...row.keys()]))];
    if (!this.#columns.includes(this.#order?.column)) this.#order = null;
    this.#draw();
  }

  get #sorted() {
    if (this.#order === null) return this.#rows;
    const { column, step } = this.#order;
    return this.#rows.toSorted((one, other) => step * compare(one.get(column), other.get(column)));
  }

  #draw() {
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    head.append(...this.#columns.map((column) => {
      const cell = document.createElement("th");
      const button = document.createElement("button");
      const isOrder = this.#order?.column === column;
      cell.scope = "col";
      if (isOrder) cell.setAttribute("aria-sort", this.#order.step > 0 ? "ascending" : "descending");
      button.type = "button";
      button.className = "link";
      button.dataset.column = column;
      button.textContent = column === "" ? "value" : column;
      button.addEventListener("click", () => {
        this.#order = { column, step: isOrder ? -this.#order.step : 1 };
        this.#draw();
        [...element("table").querySelectorAll("button")].find((one) => one.dataset.column === column)?.focus();
      });
      cell.append(button);
      return cell;
    }));
    const body = table.createTBody();
    for (const row of this.#sorted.slice(0, mostRows)) {
      const line = body.insertRow();
      for (const column of this.#columns) {
        const value = row.get(column);
        const cell = line.insertCell();
        cell.textContent = textOf(value);
        if (typeof value === "number") cell.className = "number";
      }
    }
    const count = this.#rows.length;
    element("table-count").textContent = count > mostRows ? `${count} rows, the first ${mostRows} shown` : count === 1 ? "1 row" : `${count} rows`;
    element("table").replaceChildren(table);
  }

  /** Comma-separated values (RFC 4180). A text that a spreadsheet would take for a formula is marked as text. */
  #csv() {
    const quoted = (text) => `"${(/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text).replaceAll('"', '""')}"`;
    const lines = [this.#columns, ...this.#sorted.map((row) => this.#columns.map((column) => textOf(row.get(column))))];
    return `${lines.map((line) => line.map(quoted).join(",")).join("\r\n")}\r\n`;
  }
}

function parsed(text) {
  try { return JSON.parse(text); } catch { return null; }
}

/** The lists of objects outside of other lists, each { path, items }. */
function listsIn(value, path) {
  if (Array.isArray(value)) return value.some(isObject) ? [{ path: path.join("."), items: value.filter(isObject) }] : [];
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => listsIn(inner, [...path, key])) : [];
}

/** The leaves of an object by their paths. A list within it is one cell. */
function cellsOf(value, path) {
  if (!isObject(value)) return new Map([[path, value]]);
  return new Map(Object.entries(value).flatMap(([key, inner]) => [...cellsOf(inner, path === "" ? key : `${path}.${key}`)]));
}

function textOf(value) {
  if (value === null || value === undefined) return "";
  if (!Array.isArray(value)) return String(value);
  return value.some(isObject) ? `${value.length} ${value.length === 1 ? "item" : "items"}` : value.join(", ");
}

function compare(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return textOf(one).localeCompare(textOf(other), undefined, { numeric: true });
}
