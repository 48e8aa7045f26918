/** `word` is for the last line of the screen, `does` for the help. */
export const boardKeys = [
  {
    name: "up",
    shown: "↑ ↓",
    word: "choose",
    does: "choose another job; PgUp, PgDn, Home and End also work",
  },
  {
    name: "/",
    shown: "/",
    word: "filter",
    does: "filter by words, such as a customer, a truck, or late",
  },
  { name: "a", shown: "a", word: "truck", does: "put the job on a truck, or take it off" },
  { name: "m", shown: "m M", word: "move", does: "move the job earlier (m) or later (M) on its truck" },
  { name: "s", shown: "s", word: "when", does: "reschedule the job: tomorrow, fri, 12/1, fri 8:00" },
  { name: "c", shown: "c", word: "done", does: "complete the job" },
  { name: "f", shown: "f", word: "failed", does: "mark the job as failed and enter the reason" },
  { name: "n", shown: "n", word: "new", does: "create a job" },
  {
    name: "u",
    shown: "u",
    word: "undo",
    does: "undo your last change of a job; asks unless the screen just named it",
  },
  { name: "?", shown: "?", word: "keys", does: "show these keys" },
  {
    name: "q",
    shown: "q",
    word: "leave",
    does: "quit, as does Ctrl-C; Ctrl-Z suspends (fg resumes)",
  },
] as const;
