import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * Sends the beginning of a request, then one byte per second. Returns the response when the server closes the
 * connection.
 */
export async function drip(url: string, beginning: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  if (beginning !== "") socket.write(beginning);
  const timer = setInterval(() => beginning !== "" && socket.write("a"), 1000);
  socket.on("error", () => undefined);
  const answer = await readToEnd(socket);
  clearInterval(timer);
  return answer;
}

async function readToEnd(socket: Socket): Promise<string> {
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  await once(socket, "close");
  return received;
}
