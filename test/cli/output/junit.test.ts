import { expect, it } from "vitest";
import { toJunit } from "../../../src/cli/commands/hooks-certify/hooks-certify.ts";

it("a JUnit report holds any text: it escapes markup, and shows characters that XML forbids in escaped form", () => {
  const name = "<a> & \"b\" 'c'\n\u0000\u001b\ud800 Ōsaka 🚛";
  expect(toJunit("suite", name, [{ name, durationMs: 1234, failure: name }])).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="suite" tests="1" failures="1" errors="0" time="1.234">
      <testsuite name="&lt;a&gt; &amp; &quot;b&quot; &apos;c&apos;&#10;��� Ōsaka 🚛" tests="1" failures="1" errors="0" time="1.234" skipped="0">
        <testcase classname="suite" name="&lt;a&gt; &amp; &quot;b&quot; &apos;c&apos;&#10;��� Ōsaka 🚛" time="1.234"><failure message="&lt;a&gt; &amp; &quot;b&quot; &apos;c&apos;&#10;��� Ōsaka 🚛"/></testcase>
      </testsuite>
    </testsuites>
    "
  `);
  expect(toJunit("suite", "empty", [])).toContain('tests="0" failures="0"');
});
