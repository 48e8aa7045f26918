// The floor of answers: a node:http server that sends the bytes of a file, or 304 to requests with If-None-Match.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const body = readFileSync(process.argv[2]);
const server = createServer((request, response) => {
  if (request.headers["if-none-match"]) return response.writeHead(304, { etag: '"bare"' }).end();
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })),
);
process.on("SIGTERM", () => process.exit(0));
