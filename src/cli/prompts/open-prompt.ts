import checkbox from "@inquirer/checkbox";
import confirm from "@inquirer/confirm";
import input from "@inquirer/input";
import password from "@inquirer/password";
import search from "@inquirer/search";
import select from "@inquirer/select";
import type { CliContext } from "../context.ts";

export type Prompt = ReturnType<typeof openPrompt>;

/** On stderr: standard output is for data. */
export function openPrompt({ stderr, stdin }: CliContext) {
  // The program passes the stream of the process; tests pass their own.
  const at = { input: stdin, output: stderr as unknown as NodeJS.WritableStream };
  return {
    checkbox: <T>(question: Parameters<typeof checkbox<T>>[0]) => checkbox<T>(question, at),
    confirm: (question: Parameters<typeof confirm>[0]) => confirm(question, at),
    input: (question: Parameters<typeof input>[0]) => input(question, at),
    password: (question: Parameters<typeof password>[0]) => password(question, at),
    search: <T>(question: Parameters<typeof search<T>>[0]) => search<T>(question, at),
    select: <T>(question: Parameters<typeof select<T>>[0]) => select<T>(question, at),
  };
}

export function askYes(prompt: Prompt, message: string): Promise<boolean> {
  return prompt.confirm({ message, default: false });
}
