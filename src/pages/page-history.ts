/** The state of the history entry that a page adds while a window is open, so that Back closes the window. */
const windowMark = "window";

const windows: (() => void)[] = [];
/** Steps that wait until the browser has gone back. */
let waiting: (() => void)[] | null = null;
let wasMarked = isMarked();

/** Opens a window for the browser's Back, which calls `close`. `close` may leave it open. */
export function openWindow(close: () => void): { isTop(): boolean; end(): void } {
  const own = () => close();
  windows.push(own);
  setTimeout(settle);
  return {
    isTop: () => windows.at(-1) === own,
    end() {
      windows.splice(windows.indexOf(own), 1);
      setTimeout(settle);
    },
  };
}

/** Shows an address, as a new entry of the history or in place of the current one. */
export function goTo(address: string, { isStep, state = null }: { isStep: boolean; state?: unknown }): void {
  const go = () => history[isStep ? "pushState" : "replaceState"](state, "", address);
  if (waiting) waiting.push(go);
  else go();
}

/** Goes back by so many entries, and shows the address there. */
export function goBackTo(steps: number, address: string): void {
  const replace = () => history.replaceState(history.state, "", address);
  if (waiting) {
    waiting.push(replace);
    return;
  }
  waiting = [replace];
  history.go(-steps);
}

function isMarked(): boolean {
  return history.state === windowMark;
}

/** Adds the entry once a window is open. Removes it after the last window, or where a reload left one. */
function settle(): void {
  if (waiting) return;
  if (windows.length > 0 && !isMarked()) history.pushState(windowMark, "");
  else if (windows.length === 0 && isMarked()) goBackTo(1, location.href);
  wasMarked = isMarked();
}

// This module loads before any page listens, so that pages read the address after it.
addEventListener("popstate", () => {
  const isBack = wasMarked && !isMarked();
  wasMarked = isMarked();
  const acts = waiting;
  waiting = null;
  if (acts) for (const act of acts) act();
  else if (isBack) windows.at(-1)?.();
  setTimeout(settle);
});
settle();
