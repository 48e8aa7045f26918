import type { HelpWriter } from "./help-writer.ts";
import { versionFacts } from "./version-facts.ts";

/** `help versions`. */
export async function describeVersions({ paragraph, terms }: HelpWriter): Promise<string> {
  const versions = await versionFacts();
  return [
    paragraph(
      "The interface has dated versions. --api-version or DISPATCH_API_VERSION chooses one; by default it is the newest, and of an operation that has ended its last. A request over HTTP that names none in x-api-version is answered at the oldest, or at the one that its token names.",
    ),
    "\n",
    terms(versions.map(({ changes, version }) => [version, changes.join(" ")] as const)),
    "\n",
    paragraph(
      "`dispatch-cli versions diff <from> <to>` shows what changed between two on an example. What a webhook is sent has the webhook's own version.",
    ),
  ].join("");
}
