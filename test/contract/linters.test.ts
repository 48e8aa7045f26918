import { createConfig, lintFromString } from "@redocly/openapi-core";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { describe, expect, it } from "vitest";
import { newestVersion } from "../../src/models/api-versions.ts";
import { documentsOfEnds, documentTexts, parseDocument } from "./documents.ts";

/**
 * Rules that compile the schema of every example, which takes most of the time. The examples of all versions are tried
 * without them too (test/openapi/examples).
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

  // It takes seconds for each; what stands between the oldest and the newest is made of the same parts.
  it.each(documentsOfEnds)("of $version leaves spectral nothing to report", async ({ text, version }) => {
    const rules = version === newestVersion ? {} : withoutExamples.spectral;
    const spectral = new Spectral();
    // The rules' own type lacks what the engine's wants and never reads.
    spectral.setRuleset({ extends: [[oas as unknown as RulesetDefinition, "recommended"]], rules });
    const problems = await spectral.run({ ...parseDocument(text) });
    expect(problems.map(({ code, message, path }) => `${code}: ${message} (${path.join("/")})`)).toEqual([]);
  });
});
