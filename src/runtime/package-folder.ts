import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package as it is installed, where npm also finds what lies beside it. */
export const packageFolder = (): string => join(dirname(fileURLToPath(import.meta.url)), "..");
