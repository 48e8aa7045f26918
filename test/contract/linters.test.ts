import { createConfig, lintFromString } from "@redocly/openapi-core";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { describe, expect, it } from "vitest";
import { documentsOfEnds, parseDocument } from "./documents.ts";

// Each document takes seconds, and the versions in between have the same parts.
describe("the documents of the oldest and the newest version, by the recommended rules,", () => {
  it.each(documentsOfEnds)("of $version leaves redocly nothing to report", async ({ text, version }) => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ absoluteRef: `${version}.json`, config, source: text });
    const found = problems.map(({ message, ruleId }) => `${ruleId}: ${message}`);
    expect(found, "npm run record writes the examples").toEqual([]);
  });

  it.each(documentsOfEnds.slice(-1))("of $version leaves spectral nothing to report", async ({ text }) => {
    // This rule is the slowest. It compiles the schema of every example, as redocly does.
    const rules = { "oas3-valid-media-example": "off" } as const;
    const spectral = new Spectral();
    // The type of the rules lacks members that the engine never reads.
    spectral.setRuleset({ extends: [[oas as unknown as RulesetDefinition, "recommended"]], rules });
    const problems = await spectral.run({ ...parseDocument(text) });
    expect(problems.map(({ code, message, path }) => `${code}: ${message} (${path.join("/")})`)).toEqual([]);
  });
});
