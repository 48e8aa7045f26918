/** Runs in a page before its own scripts and records paints. It must not use anything else in this file. */
export function measurePaints() {
  const cards = () => document.querySelectorAll("[data-job]");
  const cardOf = (job) => document.querySelector(`[data-job="${job}"]`);
  const conditions = {
    "a card is there": () => cards().length > 0,
    "a job is shown on a truck": ({ job, truck }) =>
      document.querySelector(`[data-truck="${truck}"] [data-job="${job}"]`) !== null,
    "a job is on a truck": ({ job, truck }) => {
      const card = document.querySelector(`[data-truck="${truck}"] [data-job="${job}"]`);
      return card !== null && card.ariaBusy !== "true";
    },
    "a text is shown": (text) => document.querySelector("main")?.textContent.includes(text),
    "another card is chosen": (job) => {
      const chosen = document.activeElement?.closest("[data-job]");
      return chosen !== null && chosen !== cardOf(job);
    },
    "so many cards": (count) => cards().length === count,
    "so many cards or more": (count) => cards().length >= count,
  };
  /** Resolves with the time after the first frame that meets a condition. */
  const until = (condition, value) =>
    new Promise((resolve) => {
      const look = () => {
        if (!conditions[condition](value)) return requestAnimationFrame(look);
        // A message posted during a frame arrives after its paint.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        return port2.postMessage(null);
      };
      requestAnimationFrame(look);
    });
  const first = until("a card is there");
  globalThis.bench = {
    until,
    answered: (name, condition, value) =>
      new Promise((resolve) => {
        const begin = ({ timeStamp }) =>
          void until(condition, value).then((shown) => resolve(shown - timeStamp));
        addEventListener(name, begin, { capture: true, once: true });
      }),
    loaded: async (count) => ({ first: await first, all: await until("so many cards or more", count) }),
  };
}
