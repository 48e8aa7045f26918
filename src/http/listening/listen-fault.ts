/** What is wrong with an address, and what to do about it, by the code that the system gives (OP-359). */
const faults: Record<string, string> = {
  EADDRINUSE: "another process listens there. End that one, or choose another port",
  EACCES:
    "the system does not allow it. Ports below 1024 need a privilege, so choose one above, behind a proxy",
  EADDRNOTAVAIL: "this machine has no such address. Name one of its own, or 0.0.0.0 for all",
  EAI_AGAIN: "the name cannot be looked up now. Name an address of this machine",
  ENOTFOUND: "the name is not known. Name an address of this machine",
};

const socketFaults: Record<string, string> = {
  // What libuv makes of a folder that is not there, too.
  EACCES: "its folder is missing, or this user cannot write to it. Make one that it can",
};

/** Why a server cannot listen, and the way on, without a full stop; of a code that is not known what the system says. */
export function describeListenFault(error: unknown, isSocket: boolean): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = (isSocket ? socketFaults : faults)[code];
  if (known !== undefined) return `${known} (${code})`;
  return error instanceof Error ? error.message : String(error);
}
