import { failure } from "../../../errors/errors.ts";
import { findUrlProblem } from "../../../models/http-url.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { parseDuration } from "../../input/option-values.ts";
import { readSecret } from "../../input/read-secret.ts";
import { openCursorFile } from "./cursor.ts";
import { parseEvents, parseExpectations } from "./expectations.ts";
import { parseFaults } from "./faults.ts";

export type ListeningOptions = Awaited<ReturnType<typeof parseListeningOptions>>;

export async function parseListeningOptions(context: CliContext, options: OptionValues) {
  const {
    events,
    expect = [],
    forwardTo,
    inject,
    name,
    retryFor = "30s",
    secretFile,
  } = options as {
    events?: string;
    expect?: string[];
    forwardTo?: string;
    inject?: string;
    name?: string;
    retryFor?: string;
    secretFile?: string;
  };
  const wanted = parseEvents(events);
  const problem = forwardTo === undefined ? null : findUrlProblem(forwardTo);
  if (problem !== null) throw failure("usage", `--forward-to ${problem}.`);
  if (forwardTo === undefined && (inject !== undefined || secretFile !== undefined))
    throw failure("usage", "--inject and --secret-file need a receiver: name one with --forward-to.");
  return {
    wanted,
    expectations: parseExpectations(expect, wanted),
    expects: expect.length > 0,
    faults: parseFaults(inject),
    forMs: options.for === undefined ? null : parseDuration(String(options.for), "--for"),
    forwardTo: forwardTo ?? null,
    fromStart: options.fromStart === true,
    cursorFile: name === undefined ? null : openCursorFile(context, name),
    retryMs: parseDuration(retryFor, "--retry-for"),
    secret: secretFile === undefined ? null : (await readSecret(context, secretFile)).text.trim(),
    verbose: options.verbose === true,
  };
}
