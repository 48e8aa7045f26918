import axe from "axe-core";
import type { Page } from "playwright-core";

/** Collects console errors, failed requests, and policy violations. */
export function watchPage(page: Page): string[] {
  const problems: string[] = [];
  page.on(
    "console",
    (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()),
  );
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("requestfailed", (request) => {
    // Leaving a page aborts its streams.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") problems.push(request.url());
  });
  return problems;
}

interface Axe {
  run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
}

/** Returns what axe finds: serious and critical violations, and content outside of landmarks. The page's policy does not apply to `evaluate`. */
export async function findFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations
      .filter(
        ({ id, impact }) => /serious|critical/.test(impact) || /^(?:region|landmark-one-main)$/.test(id),
      )
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .map(({ html }) => html)
            .slice(0, 3)
            .join(" ")}`,
      );
  });
}
