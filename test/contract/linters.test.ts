import { createConfig, lintFromString } from "@redocly/openapi-core";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { describe, expect, it } from "vitest";
import { documentTexts, parseDocument } from "./documents.ts";

describe("the document of each version, by the recommended rules,", () => {
  it.each(documentTexts)("of $version leaves redocly nothing to report", async ({ text, version }) => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ absoluteRef: `${version}.json`, config, source: text });
    expect(problems.map(({ message, ruleId }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  // It takes seconds for each; what stands between the oldest and the newest is made of the same parts.
  it.each(documentTexts.filter((_, at) => at === 0 || at === documentTexts.length - 1))(
    "of $version leaves spectral nothing to report",
    async ({ text }) => {
      const spectral = new Spectral();
      // The rules' own type lacks what the engine's wants and never reads.
      spectral.setRuleset({ extends: [[oas as unknown as RulesetDefinition, "recommended"]] });
      const problems = await spectral.run({ ...parseDocument(text) });
      expect(problems.map(({ code, message, path }) => `${code}: ${message} (${path.join("/")})`)).toEqual(
        [],
      );
    },
  );
});
