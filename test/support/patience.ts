/** How long is waited for what will come, in milliseconds: generous, so that on a busy machine nothing but a hang meets it. */
export const patienceMs = 50_000;
