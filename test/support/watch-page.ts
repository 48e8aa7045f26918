import axe from "axe-core";
import type { Page } from "playwright-core";

/** What a page says on its console, what it asks for and does not get, and what its policy refuses. */
export function watchPage(page: Page): string[] {
  const problems: string[] = [];
  page.on(
    "console",
    (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()),
  );
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("requestfailed", (request) => {
    // An open stream of a page that was left is not a failure.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") problems.push(request.url());
  });
  return problems;
}

interface Axe {
  run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
}

/** What axe finds serious or worse. It is put in past the policy, as a browser's own tools are. */
export async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .map(({ html }) => html)
            .slice(0, 3)
            .join(" ")}`,
      );
  });
}
