/**
 * The floor of a board: at an address with `#plain=500`, plain code draws that many cards with as many words as a
 * board, a field that filters them, and an arrow key that moves through them. It runs in a page before its own
 * scripts and must not use anything else in this file.
 */
export function drawPlainCards() {
  const count = Number(/^#plain=(\d+)$/.exec(location.hash)?.[1] ?? 0);
  if (count === 0) return;
  const lines = [
    "8:00–10:00 dispatched",
    "Potomac Roofing",
    "1745 T Street SE, Washington",
    "Drop-off · 20 yd",
  ];
  const toCard = (_, index) => {
    const card = document.createElement("li");
    card.dataset.job = String(index);
    card.tabIndex = -1;
    for (const line of [...lines, "Dana 555-0100", `PO-${count}-${index}`]) {
      const words = document.createElement("p");
      words.textContent = line;
      card.append(words);
    }
    return card;
  };
  document.addEventListener("DOMContentLoaded", () => {
    const field = document.createElement("input");
    const list = document.createElement("ul");
    const cards = Array.from({ length: count }, toCard);
    list.append(...cards);
    document.body.replaceChildren(field, list);
    field.addEventListener("input", () =>
      list.replaceChildren(...cards.filter((card) => card.textContent.includes(field.value))),
    );
    list.addEventListener("keydown", ({ target }) => target.nextElementSibling?.focus());
  });
}
