const refused = [400, 408, 413, 417, 431];

/**
 * Requests that correct clients never send. Each has its `pieces` (bytes, or a pause in milliseconds), its end (it
 * waits for the other side, hangs up, or resets), the most answers, and their statuses.
 */
export function toForms(headers, ids) {
  const who = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const trucks = `/locations/${ids.location_id}/trucks`;
  const get = (path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n${who}\r\n`;
  const post = (extra, rest) =>
    `POST ${trucks} HTTP/1.1\r\nhost: x\r\n${who}content-type: application/json\r\n${extra}\r\n${rest}`;
  const smuggled = get("/tenants");
  const body = '{"name":"sent raw"}';
  const fine = [200];
  const one = (name, bytes, statuses = refused, ends = "wait") => ({
    name,
    pieces: () => [bytes],
    ends,
    most: 1,
    statuses,
  });
  return [
    one("half a request line", "GET /jo", refused, "reset"),
    one("half the headers", `GET / HTTP/1.1\r\nhost: x\r\n${who}`, refused, "hang up"),
    one("no HTTP", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000"),
    one("HTTP/0.9", "GET /healthz\r\n\r\n", [...refused, 200]),
    one("HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400, 404, 405, 505]),
    one("no host", `GET /healthz HTTP/1.1\r\n\r\n`, [200, 400]),
    one("headers of 40 KiB", `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(40_000)}\r\n\r\n`),
    one("5,000 headers", `GET /healthz HTTP/1.1\r\nhost: x\r\n${"a: b\r\n".repeat(5000)}\r\n`, [
      ...refused,
      200,
    ]),
    one("a header over two lines", "GET /healthz HTTP/1.1\r\nhost: x\r\na: b\r\n c\r\n\r\n", [
      ...refused,
      200,
    ]),
    one("a space before the colon", post(`content-length : ${body.length}\r\n`, body)),
    one("a NUL in a header", "GET /healthz HTTP/1.1\r\nhost: x\r\na: \u0000\r\n\r\n"),
    one("lines that end with LF alone", "GET /healthz HTTP/1.1\nhost: x\n\n", [...refused, 200]),
    one("a length that is negative", post("content-length: -1\r\n", body)),
    one("a length that is not a number", post("content-length: 1e1\r\n", body)),
    one("a length of 2^64", post("content-length: 18446744073709551617\r\n", body)),
    one("two lengths", post(`content-length: ${body.length}\r\ncontent-length: 0\r\n`, body + smuggled)),
    one(
      "a length and chunks",
      post(`content-length: 4\r\ntransfer-encoding: chunked\r\n`, `0\r\n\r\n${smuggled}`),
    ),
    one(
      "chunks, twice named",
      post("transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n", smuggled),
    ),
    one("chunks, oddly named", post("transfer-encoding: xchunked\r\n", smuggled), [...refused, 501]),
    one("a chunk of an invalid size", post("transfer-encoding: chunked\r\n", `zz\r\n${smuggled}`)),
    one("a chunk of a size too big", post("transfer-encoding: chunked\r\n", `ffffffffffffffffff\r\n${body}`)),
    one("a chunk longer than it says", post("transfer-encoding: chunked\r\n", `1\r\n${body}\r\n0\r\n\r\n`)),
    one(
      "a chunk extension of 30 KiB",
      post("transfer-encoding: chunked\r\n", `1;${"e".repeat(30_000)}\r\n{`),
    ),
    one("a body that ends early", post(`content-length: ${body.length + 50}\r\n`, body), refused, "hang up"),
    one("a body that is reset", post("content-length: 900000\r\n", "x".repeat(60_000)), refused, "reset"),
    one("a body of 2 MiB", post("content-length: 2097152\r\n", "x".repeat(2_097_152))),
    one("chunks of 2 MiB", post("transfer-encoding: chunked\r\n", toChunks(2_097_152))),
    one("an expectation", post(`expect: 200-maybe\r\ncontent-length: ${body.length}\r\n`, body)),
    one(
      "another protocol",
      `GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n`,
      [...refused, 200],
    ),
    one("a tunnel", "CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: x\r\n\r\n", [...refused, 404, 405]),
    one(
      "an address elsewhere",
      `GET http://elsewhere.example/healthz HTTP/1.1\r\nhost: x\r\n\r\n`,
      [200, 400, 404],
    ),
    {
      name: "20 at once",
      pieces: () => [get("/healthz").repeat(20)],
      ends: "wait",
      most: 20,
      statuses: fine,
    },
    {
      name: "good ones and then none",
      pieces: () => [get("/healthz").repeat(3), "nonsense\r\n\r\n"],
      ends: "wait",
      most: 4,
      statuses: [200, 400],
    },
    {
      name: "a body for a method without one",
      pieces: () => [
        `GET ${trucks} HTTP/1.1\r\nhost: x\r\n${who}content-length: ${smuggled.length}\r\n\r\n${smuggled}`,
      ],
      ends: "wait",
      most: 1,
      statuses: [200, 400],
    },
    {
      name: "a byte at a time",
      pieces: (random) => drip(get("/healthz"), random),
      ends: "hang up",
      most: 1,
      statuses: [200, 400, 408],
    },
    {
      name: "asks and leaves",
      pieces: () => [get(`${trucks}?page_limit=1000`)],
      ends: "reset",
      most: 1,
      statuses: fine,
    },
    {
      name: "a body in crumbs, then gone",
      pieces: (random) => [post("content-length: 400000\r\n", ""), ...drip("[".repeat(60), random)],
      ends: "reset",
      most: 1,
      statuses: refused,
    },
    {
      name: "random bytes",
      pieces: (random) => [toNoise(random)],
      ends: "hang up",
      most: 1,
      statuses: refused,
    },
  ];
}

function toChunks(length) {
  const size = 65_536;
  const chunk = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`;
  return `${chunk.repeat(Math.ceil(length / size))}0\r\n\r\n`;
}

function drip(text, random) {
  return [...text].flatMap((byte) => [byte, random.below(8)]);
}

function toNoise(random) {
  return Buffer.from(Array.from({ length: 1 + random.below(3000) }, () => random.below(256)));
}
