// The events of a subscription, newest first: a list to choose from, whose choice is shown as the result.

const element = (id) => document.getElementById(id);
const maximum = 200;

export class EventLog {
  #count = 0;
  #choose;
  #followsNewest = true;

  /** `choose(payload)` is called with the event to show. */
  constructor(choose) { this.#choose = choose; }

  get count() { return this.#count; }

  begin() {
    this.#count = 0;
    this.#followsNewest = true;
    element("events").replaceChildren();
    element("events-panel").hidden = false;
  }

  hide() { element("events-panel").hidden = true; }

  add(payload) {
    this.#count += 1;
    const number = this.#count;
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.append(`${number} `, now(), ` ${summary(payload)}`);
    const show = () => {
      for (const other of element("events").querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
      button.setAttribute("aria-current", "true");
      this.#choose(payload);
    };
    button.addEventListener("click", () => {
      this.#followsNewest = button === element("events").querySelector("button");
      show();
    });
    item.append(button);
    prepend(item);
    if (this.#followsNewest) show();
  }

  /** Says amid the events what became of the connection. */
  note(text) {
    const item = document.createElement("li");
    item.className = "note";
    item.append(now(), ` ${text}`);
    prepend(item);
  }
}

function prepend(item) {
  element("events").prepend(item);
  while (element("events").childElementCount > maximum) element("events").lastElementChild.remove();
}

function now() {
  const time = document.createElement("time");
  const date = new Date();
  time.dateTime = date.toISOString();
  time.textContent = date.toLocaleTimeString();
  return time;
}

function summary({ data, errors }) {
  if (errors?.length > 0) return errors[0].message;
  const [value] = Object.values(data ?? {});
  return value?.__typename ?? Object.keys(data ?? {})[0] ?? "";
}
