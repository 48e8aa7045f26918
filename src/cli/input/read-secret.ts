import { failure } from "../../errors/errors.ts";
import { decodeSecret, type NamedSecret, SecretError } from "../../webhooks/secret.ts";
import type { CliContext } from "../context.ts";
import { readText } from "./read-text.ts";

export async function readSecret(context: CliContext, file: string): Promise<NamedSecret> {
  const text = await readText(context, file);
  try {
    decodeSecret(text);
  } catch (error) {
    if (error instanceof SecretError) throw failure("usage", `${file}: ${error.message}`, null, error);
    throw error;
  }
  return { name: file, text };
}
