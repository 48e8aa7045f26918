/** The time limit for anything that must happen, in milliseconds. Even on a busy machine, only a hang reaches it. */
export const patienceMs = 50_000;
