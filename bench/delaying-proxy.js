// Simulates a remote database: passes bytes on to the host and port in argv, with half of the delay in argv each way.
// Bytes keep their order, and a delay does not hold up later bytes.
import { connect, createServer } from "node:net";

const [host, port, delayMs] = process.argv.slice(2);

const server = createServer({ noDelay: true }, (near) => {
  const far = connect({ host, port: Number(port), noDelay: true });
  pass(near, far);
  pass(far, near);
});

function pass(from, to) {
  from.on("data", (bytes) => setTimeout(() => to.writable && to.write(bytes), Number(delayMs) / 2));
  from.on("close", () => setTimeout(() => to.end(), Number(delayMs) / 2));
  from.on("error", () => to.destroy());
}

server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`),
);
process.on("SIGTERM", () => process.exit(0));
