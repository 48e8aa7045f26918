/** Every key of the screen: what it is called in the last line, and what it does, for its help. */
export const boardKeys = [
  {
    name: "up",
    shown: "↑ ↓",
    word: "choose",
    does: "choose another job; PgUp, PgDn, Home and End go further",
  },
  {
    name: "/",
    shown: "/",
    word: "filter",
    does: "show only what has these words: a customer, a truck, late",
  },
  { name: "a", shown: "a", word: "truck", does: "put the job on a truck, or take it off" },
  { name: "m", shown: "m M", word: "move", does: "do the job earlier (m) or later (M) on its truck" },
  { name: "s", shown: "s", word: "when", does: "schedule it anew: tomorrow, fri, 12/1, fri 8:00" },
  { name: "c", shown: "c", word: "done", does: "complete the job" },
  { name: "f", shown: "f", word: "failed", does: "mark it as failed, after asking why" },
  { name: "n", shown: "n", word: "new", does: "make a job" },
  {
    name: "u",
    shown: "u",
    word: "undo",
    does: "take back your last change of a job; asks first unless the screen has just named it",
  },
  { name: "?", shown: "?", word: "keys", does: "show these keys" },
  {
    name: "q",
    shown: "q",
    word: "leave",
    does: "leave; Ctrl-C does too, and Ctrl-Z for a while (fg comes back)",
  },
] as const;
