import { open, rm } from "node:fs/promises";
import { exitCodes } from "../../../errors/errors.ts";
import { toWriteFailure } from "../../../errors/file-error.ts";
import { isStream } from "../../../runtime/private-file.ts";
import type { CliContext } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { writeOut } from "../../output/write-out.ts";
import { openPartFile } from "./part-file.ts";

type Write = (text: string) => Promise<void>;

/** Does work that writes text to a file, or to standard output for `-`. Writes large pieces, and waits for a slow reader. */
export async function writeText<T>(
  context: CliContext,
  out: string,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  if (out === "-") return inPieces((piece) => writeOut(context.stdout, piece), work);
  return isStream(out) ? writeStream(out, work) : writeFile(context, out, work);
}

async function writeStream<T>(file: string, work: (write: Write) => Promise<T>): Promise<T> {
  const toError = (error: unknown) => {
    throw toWriteFailure(file, error);
  };
  const handle = await open(file, "w").catch(toError);
  return inPieces((piece) => handle.appendFile(piece).catch(toError), work).finally(() => handle.close());
}

/** An interrupted or failed export leaves no file behind. */
async function writeFile<T>(
  context: CliContext,
  file: string,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  const part = await openPartFile(file, "", false);
  let isInterrupted = false;
  context.onInterrupt(() => {
    isInterrupted = true;
  });
  const take = async (piece: string) => {
    await part.write([piece], null);
    if (isInterrupted) throw new AlreadyShown(exitCodes.interrupted);
  };
  try {
    const result = await inPieces(take, work);
    await part.finish();
    return result;
  } catch (error) {
    await part.close().catch(() => undefined);
    await rm(`${file}.part`, { force: true });
    throw error;
  }
}

const pieceLength = 65_536;

async function inPieces<T>(take: Write, work: (write: Write) => Promise<T>): Promise<T> {
  let piece = "";
  const flush = async () => {
    const full = piece;
    piece = "";
    if (full !== "") await take(full);
  };
  const result = await work(async (text) => {
    piece += text;
    if (piece.length >= pieceLength) await flush();
  });
  await flush();
  return result;
}
