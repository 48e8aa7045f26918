import type { DispatchError } from "../../errors/errors.ts";

/** Adds to an error the commands that help. */
export async function tellCuresOf(error: DispatchError): Promise<DispatchError> {
  if (!error.violations.some(({ see }) => see)) return error;
  const { tellCures } = await import("./tell-cures.ts");
  return tellCures(error);
}
