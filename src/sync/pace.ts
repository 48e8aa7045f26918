/** Keeps long work interruptible and reports its progress. */
export interface Pace {
  /** Called between small pieces of work. Throws `Stopped` after the user has asked to end. */
  step(text: () => string): Promise<void>;
}

/** The user asked to end before anything was changed. */
export class Stopped extends Error {}
