import inquirer from "inquirer";
import type { CliContext } from "../context.ts";

export type Prompt = ReturnType<typeof inquirer.createPromptModule>;

/** Prompts on stderr: standard output is for data. */
export function openPrompt({ stderr, stdin }: CliContext): Prompt {
  return inquirer.createPromptModule({
    input: stdin,
    // The program passes the stream of the process; tests pass their own.
    output: stderr as unknown as NodeJS.WritableStream,
  });
}

/** Asks a question whose default is no. */
export async function askYes(prompt: Prompt, message: string): Promise<boolean> {
  const { yes } = await prompt([{ type: "confirm", name: "yes", message, default: false }]);
  return yes;
}
