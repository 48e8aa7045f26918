/** The history entry of an open dialog: Back closes the dialog. */
const windowMark = "window";

const windows: (() => void)[] = [];
/** Steps that wait for `history.go`. */
let waiting: (() => void)[] | null = null;
let wasMarked = isMarked();

/** Back calls `close`, which may keep the dialog open. */
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

/** A step adds an entry. Otherwise the current entry gets the address, and keeps its state unless `state` is given. */
export function goTo(address: string, { isStep, state }: { isStep: boolean; state?: unknown }): void {
  const go = () => {
    if (isStep) history.pushState(state ?? null, "", address);
    else history.replaceState(state === undefined ? history.state : state, "", address);
  };
  if (waiting) waiting.push(go);
  else go();
}

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

/** Adds the entry for open dialogs. Removes it after the last, or after a reload that left one. */
function settle(): void {
  if (waiting) return;
  if (windows.length > 0 && !isMarked()) history.pushState(windowMark, "");
  else if (windows.length === 0 && isMarked()) goBackTo(1, location.href);
  wasMarked = isMarked();
}

// This listener runs before those of pages, which then read the new address.
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
