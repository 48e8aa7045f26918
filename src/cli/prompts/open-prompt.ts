import inquirer from "inquirer";
import type { CliContext } from "../context.ts";

/** Puts questions on the terminal, one after the other. */
export type Prompt = ReturnType<typeof inquirer.createPromptModule>;

/** Opens a prompt on stderr: standard output is for data. */
export function openPrompt({ stderr, stdin }: CliContext): Prompt {
  return inquirer.createPromptModule({
    input: stdin,
    // In the program it is the stream of the process; tests have one of their own.
    output: stderr as unknown as NodeJS.WritableStream,
  });
}

/** Asks a question that Enter answers with no. */
export async function askYes(prompt: Prompt, message: string): Promise<boolean> {
  const { yes } = await prompt([{ type: "confirm", name: "yes", message, default: false }]);
  return yes;
}
