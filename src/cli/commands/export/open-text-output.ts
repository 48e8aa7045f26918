import { once } from "node:events";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { exitCodes } from "../../../errors/errors.ts";
import { toWriteFailure } from "../../../errors/file-error.ts";
import { isStream, openPrivately } from "../../../runtime/private-file.ts";
import type { CliContext } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";

export interface TextOutput {
  write(text: string): Promise<void>;
  /** A file gets its name only when the work is done. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

/** `-` is standard output. Writes large pieces, and waits for a slow reader. */
export async function openTextOutput(context: CliContext, out: string): Promise<TextOutput> {
  if (out === "-") return toOutput((piece) => writeToScreen(context, piece));
  return isStream(out) ? openStream(out) : openFile(context, out);
}

async function openStream(file: string): Promise<TextOutput> {
  const handle = await openToWrite(file, () => open(file, "w"));
  const output = toOutput((piece) =>
    handle.appendFile(piece).catch((error: unknown) => {
      throw toWriteFailure(file, error);
    }),
  );
  return { write: output.write, during: (work) => output.during(work).finally(() => handle.close()) };
}

async function openFile(context: CliContext, file: string): Promise<TextOutput> {
  const draft = `${file}.part`;
  const handle = await openToWrite(file, () => openPrivately(draft));
  // An interrupted export must not leave half a file.
  let isInterrupted = false;
  context.onInterrupt(() => {
    isInterrupted = true;
  });
  const putInPlace = async () => {
    try {
      await handle.sync();
      await handle.close();
      await rename(draft, file);
    } catch (error) {
      throw toWriteFailure(file, error);
    }
  };
  const output = toOutput(async (piece) => {
    await handle.appendFile(piece).catch((error: unknown) => {
      throw toWriteFailure(file, error);
    });
    if (isInterrupted) throw new AlreadyShown(exitCodes.interrupted);
  });
  return {
    write: output.write,
    async during(work) {
      try {
        const result = await output.during(work);
        await putInPlace();
        return result;
      } catch (error) {
        await handle.close().catch(() => undefined);
        await rm(draft, { force: true });
        throw error;
      }
    },
  };
}

async function openToWrite(file: string, open: () => Promise<FileHandle>): Promise<FileHandle> {
  try {
    return await open();
  } catch (error) {
    throw toWriteFailure(file, error);
  }
}

const pieceLength = 65_536;

function toOutput(take: (piece: string) => Promise<void>): TextOutput {
  let piece = "";
  const flush = async () => {
    const full = piece;
    piece = "";
    if (full !== "") await take(full);
  };
  return {
    async write(text) {
      piece += text;
      if (piece.length >= pieceLength) await flush();
    },
    async during(work) {
      const result = await work();
      await flush();
      return result;
    },
  };
}

async function writeToScreen({ stdout }: CliContext, piece: string): Promise<void> {
  const isTaken = stdout.write(piece);
  if (isTaken === false && "once" in stdout) await once(stdout as unknown as NodeJS.EventEmitter, "drain");
}
