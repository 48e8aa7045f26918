// A receiver that accepts everything, used for measurements and for the floor of deliveries.
import { createServer } from "node:http";

const server = createServer((request, response) => {
  request.resume().on("end", () => response.end("ok"));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/` })}\n`);
});
process.once("SIGTERM", () => {
  server.closeAllConnections();
  server.close();
});
