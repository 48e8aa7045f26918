import { createConfig, lintFromString } from "@redocly/openapi-core";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { describe, expect, it } from "vitest";
import { documentsOfEnds, documentTexts, parseDocument } from "./documents.ts";

/**
 * These rules compile the schema of every example, which takes most of the time. test/openapi/examples checks the
 * examples of all versions, and redocly those of the oldest and the newest.
 */
const withoutExamples = {
  redocly: { "no-invalid-media-type-examples": "off", "no-invalid-parameter-examples": "off" },
  spectral: { "oas3-valid-media-example": "off" },
} as const;

describe("the document of each version, by the recommended rules,", () => {
  it.each(documentTexts)("of $version leaves redocly nothing to report", async ({ text, version }) => {
    const rules = documentsOfEnds.some((end) => end.version === version) ? {} : withoutExamples.redocly;
    const config = await createConfig({ extends: ["recommended"], rules });
    const problems = await lintFromString({ absoluteRef: `${version}.json`, config, source: text });
    expect(problems.map(({ message, ruleId }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  // Each document takes seconds; the versions in between consist of the same parts.
  it.each(documentsOfEnds)("of $version leaves spectral nothing to report", async ({ text }) => {
    const rules = withoutExamples.spectral;
    const spectral = new Spectral();
    // The type of the rules lacks members that the engine never reads.
    spectral.setRuleset({ extends: [[oas as unknown as RulesetDefinition, "recommended"]], rules });
    const problems = await spectral.run({ ...parseDocument(text) });
    expect(problems.map(({ code, message, path }) => `${code}: ${message} (${path.join("/")})`)).toEqual([]);
  });
});
