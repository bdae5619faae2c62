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
    const time = document.createElement("time");
    const now = new Date();
    time.dateTime = now.toISOString();
    time.textContent = now.toLocaleTimeString();
    button.type = "button";
    button.append(`${number} `, time, ` ${summary(payload)}`);
    const show = () => {
      for (const other of element("events").querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
      button.setAttribute("aria-current", "true");
      this.#choose(payload);
    };
    button.addEventListener("click", () => {
      this.#followsNewest = item === element("events").firstElementChild;
      show();
    });
    item.append(button);
    element("events").prepend(item);
    while (element("events").childElementCount > maximum) element("events").lastElementChild.remove();
    if (this.#followsNewest) show();
  }
}

function summary({ data, errors }) {
  if (errors?.length > 0) return errors[0].message;
  const [value] = Object.values(data ?? {});
  return value?.__typename ?? Object.keys(data ?? {})[0] ?? "";
}
