// The command palette: every command of the page, found by typing parts of its words.

const element = (id) => document.getElementById(id);

export class Palette {
  #commands;
  #shown = [];
  #chosen = 0;

  /** `commands()` returns the commands in order, each { title, keys?, run }. */
  constructor(commands) {
    this.#commands = commands;
    const search = element("palette-search");
    search.addEventListener("input", () => this.#filter(search.value));
    search.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined) this.#choose(this.#chosen + step);
      else if (event.key === "Enter") this.#run(this.#shown[this.#chosen]);
      else return;
      event.preventDefault();
    });
  }

  open() {
    element("palette-search").value = "";
    this.#filter("");
    element("palette").showModal();
  }

  #filter(text) {
    const words = text.toLowerCase().split(/\s+/);
    this.#shown = this.#commands().filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
    element("palette-list").replaceChildren(...this.#shown.map((command, place) => {
      const item = document.createElement("li");
      const keys = document.createElement("span");
      item.id = `command-${place}`;
      item.setAttribute("role", "option");
      keys.className = "keys";
      keys.textContent = command.keys ?? "";
      item.append(command.title, keys);
      item.addEventListener("click", () => this.#run(command));
      return item;
    }));
    element("palette-none").hidden = this.#shown.length > 0;
    this.#choose(0);
  }

  #choose(place) {
    const options = [...element("palette-list").children];
    this.#chosen = options.length === 0 ? 0 : (place + options.length) % options.length;
    options.forEach((option, number) => option.setAttribute("aria-selected", String(number === this.#chosen)));
    options[this.#chosen]?.scrollIntoView({ block: "nearest" });
    if (options.length > 0) element("palette-search").setAttribute("aria-activedescendant", options[this.#chosen].id);
    else element("palette-search").removeAttribute("aria-activedescendant");
  }

  #run(command) {
    if (command === undefined) return;
    element("palette").close();
    command.run();
  }
}
