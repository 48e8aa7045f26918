type Entry = readonly [name: string, link: string, text: string, more?: string];

const foundMax = 20;

/** Reads the index with the first letter. `/` leads to the field, arrows to the found pages, Enter opens the first one. */
export function followSearch(field: HTMLInputElement, index: string): void {
  const list = field.parentElement?.querySelector("ul");
  const status = field.parentElement?.querySelector<HTMLElement>("[role=status]");
  if (!list || !status) return;
  let reading: Promise<readonly Entry[]> | undefined;
  const find = async () => {
    reading ??= fetch(index).then((answer) => answer.json());
    const entries = await reading;
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : rank(entries, words);
    list.replaceChildren(...found.slice(0, foundMax).map(toItem));
    status.hidden = words.length === 0;
    status.textContent = `${found.length} found${found.length > foundMax ? `, the first ${foundMax} are shown` : ""}`;
  };
  field.addEventListener("input", () => {
    find().catch(() => {
      reading = undefined;
    });
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea");
    if (event.key !== "/" || isTyping) return;
    event.preventDefault();
    field.focus();
  });
  field.parentElement?.addEventListener("keydown", (event) => {
    const stops = [field, ...list.querySelectorAll("a")];
    const at = stops.findIndex((stop) => stop.matches(":focus"));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" && at === 0) stops[1]?.click();
    if (step === undefined) return;
    event.preventDefault();
    stops[at + step]?.focus();
  });
}

/** Pages with all words. A word counts more in the name, and more in the summary than elsewhere. */
function rank(entries: readonly Entry[], words: readonly string[]): Entry[] {
  const weigh = ([name, , text, more = ""]: Entry, word: string) => {
    const at = [more, text, name].findLastIndex((part) => part.toLowerCase().includes(word));
    return at < 0 ? 0 : 2 ** at;
  };
  return entries
    .map((entry) => ({ entry, weights: words.map((word) => weigh(entry, word)) }))
    .filter(({ weights }) => !weights.includes(0))
    .map(({ entry, weights }) => ({ entry, weight: weights.reduce((sum, weight) => sum + weight, 0) }))
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ entry }) => entry);
}

function toItem([name, link, text]: Entry): HTMLElement {
  const item = document.createElement("li");
  const anchor = document.createElement("a");
  anchor.href = link;
  anchor.textContent = name;
  const about = document.createElement("span");
  about.textContent = text.length > 80 ? `${text.slice(0, 80)} …` : text;
  item.append(anchor, about);
  return item;
}
