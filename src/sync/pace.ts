export interface Pace {
  /** Called between small pieces of work. Throws `Stopped` when the user has asked to end. */
  step(text: () => string): Promise<void>;
}

/** The user ended the work before any change. */
export class Stopped extends Error {}
