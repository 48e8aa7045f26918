import { createHmac } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A delivery as it arrived. */
export interface Delivery {
  method: string | undefined;
  path: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A real receiver of a webhook: an HTTP server on this machine that stores deliveries and answers with a status. */
export interface Receiver {
  url: string;
  deliveries: Delivery[];
}

/** Answers a delivery. `number` counts deliveries from 1. */
export type Answer = (response: ServerResponse, number: number, delivery: Delivery) => void;

/** Listens until the test ends; answers with a status or by the given function. */
export async function startReceiver(answer: number | Answer = 200): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = await text(request).catch(() => null);
    // The sender broke off, so nothing arrived.
    if (body === null) return;
    const delivery = { method, path: url, headers, body };
    deliveries.push(delivery);
    if (typeof answer === "number") response.writeHead(answer).end("thank you");
    else answer(response, deliveries.length, delivery);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, deliveries };
}

/** An address on this machine where nothing listens. */
export async function unusedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/`;
}

/** Computes `x-service-signature` independently, as a receiver would. */
export function toSignature(secret: string, body: string): string {
  const key = Buffer.from(secret.trim(), "base64");
  return `sha1=${createHmac("sha1", key).update(body, "utf8").digest("hex")}`;
}

/** Computes `webhook-signature` as a receiver of Standard Webhooks would. */
export function toStandardSignature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.trim(), "base64");
  const digest = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`, "utf8").digest("base64");
  return `v1,${digest}`;
}
