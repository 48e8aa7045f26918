import { lstat, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { failure } from "../../errors/errors.ts";

/** What the systems have room for in the address of a socket: 104 bytes with their end on macOS, 108 on Linux. */
const pathBytesMax = 103;

/**
 * Makes room for a unix socket: one that is left of a process that died is removed. Throws a usage error when somebody
 * listens there, or when something else has the name.
 */
export async function makeRoomForSocket(path: string): Promise<void> {
  if (Buffer.byteLength(path) > pathBytesMax)
    throw failure("usage", `The path of the socket ${path} is too long: ${pathBytesMax} bytes are allowed. Choose a shorter one.`);
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw failure("usage", `The socket ${path} cannot be used: ${error.message}.`, null, error);
  });
  if (!found) return;
  if (!found.isSocket())
    throw failure("usage", `The socket ${path} cannot be used: something else than a socket is there.`);
  const code = await tryToConnect(path);
  if (code === null) throw failure("usage", `The socket ${path} is in use: another process listens there.`);
  if (code !== "ECONNREFUSED")
    throw failure(
      "usage",
      `The socket ${path} cannot be used: whether somebody listens there is not known (${code}).`,
    );
  await rm(path, { force: true });
}

/** The code of the error; null when somebody answers. */
function tryToConnect(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createConnection({ path, timeout: 2000 });
    const finish = (code: string | null) => {
      socket.destroy();
      resolve(code);
    };
    socket.once("connect", () => finish(null));
    socket.once("timeout", () => finish(null));
    socket.once("error", (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
  });
}
