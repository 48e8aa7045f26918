import type { DispatchError } from "../../errors/errors.ts";

/** What the call for one of several records answered, or what it was refused with. */
export type EachOutcome = { id: string; text: string } | { id: string; error: DispatchError };
