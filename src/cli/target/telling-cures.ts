import type { Caller } from "../../core/caller.ts";
import { DispatchError } from "../../errors/errors.ts";

/** A caller whose errors name the commands that help, whoever reads them: a person, a report, a file of rejects. */
export function tellingCures(caller: Caller): Caller {
  return {
    call: (operation, request) =>
      caller.call(operation, request).catch(async (error: unknown) => {
        if (!(error instanceof DispatchError)) throw error;
        const { tellCures } = await import("../cures/tell-cures.ts");
        throw await tellCures(error);
      }),
    close: () => caller.close(),
  };
}
