// The events of a subscription, newest first. The selected event is shown as the result.

const maximum = 200;

export class EventLog {
  list = document.createElement("ol");
  #count = 0;
  #choose;
  #followsNewest = true;

  /** `choose(payload)` is called with the event to show. */
  constructor(choose) {
    this.#choose = choose;
    this.list.id = "events";
    this.list.reversed = true;
    this.list.setAttribute("aria-labelledby", "events-title");
  }

  get count() { return this.#count; }

  /** Returns a function that shows the name of the mutation that caused the event. */
  add(payload) {
    this.#count += 1;
    const number = this.#count;
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.append(`${number} `, now(), ` ${summary(payload)}`);
    const show = () => {
      for (const other of this.list.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
      button.setAttribute("aria-current", "true");
      this.#choose(payload);
    };
    button.addEventListener("click", () => {
      this.#followsNewest = button === this.list.querySelector("button");
      show();
    });
    item.append(button);
    this.#prepend(item);
    if (this.#followsNewest) show();
    return (mutation) => {
      const cause = document.createElement("small");
      cause.textContent = `by ${mutation}`;
      button.append(" ", cause);
    };
  }

  /** Adds a message about the connection to the list of events. */
  note(text) {
    const item = document.createElement("li");
    item.className = "note";
    item.append(now(), ` ${text}`);
    this.#prepend(item);
  }

  #prepend(item) {
    this.list.prepend(item);
    while (this.list.childElementCount > maximum) this.list.lastElementChild.remove();
  }
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
