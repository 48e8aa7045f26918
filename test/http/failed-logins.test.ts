import { expect, it } from "vitest";
import { createLoginAttempts } from "../../src/core/login-attempts.ts";
import type { Service } from "../../src/core/service.ts";
import { aHauler } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { openQuietServer } from "../support/quiet-server.ts";
import { describeOverHttpOnEveryDatabase } from "../support/targets.ts";

const openServer = (service: Service) => openQuietServer(service, { attempts: createLoginAttempts() });

const guess = (number: number) => ({
  authorization: `Bearer dispatch.${number}.${"a".repeat(43)}`,
  "x-tenant-id": "1",
});

describeOverHttpOnEveryDatabase("a client that fails to log in", (harness: Harness) => {
  it("gets 401 ten times a minute, then 429 with Retry-After and the error body", async () => {
    const client = await openServer(harness.service);
    const statuses: number[] = [];
    for (let made = 0; made < 12; made++)
      statuses.push((await client.send({ path: "/jobs", headers: guess(made) })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    const { headers, status, text } = await client.send({ path: "/whoami", headers: guess(1) });
    expect(status).toBe(429);
    expect(headers["retry-after"]).toMatch(/^[1-9]\d?$/);
    expect(headers["www-authenticate"]).toBeUndefined();
    expect(JSON.parse(text)).toMatchObject({ code: "too_many_failed_logins", status: 429 });
  });

  it("is never refused with a valid token, and never gets 429 without a token", async () => {
    const client = await openServer(harness.service);
    for (let made = 0; made < 30; made++) await client.send({ path: "/jobs", headers: guess(made) });
    const good = harness.headersOf("Dispatcher");
    const paths = ["/jobs", "/whoami", "/locations/1/trucks"];
    for (const path of paths) expect((await client.send({ path, headers: good })).status).toBe(200);
    expect((await client.send({ path: "/jobs" })).status).toBe(401);
    expect((await client.send({ path: "/healthz" })).status).toBe(200);
  });

  it("cannot make the server hash passwords either, and sign-ups count", async () => {
    const { service } = harness;
    let salts = 0;
    const randomBytes = (count: number) => {
      salts += 1;
      return service.randomBytes(count);
    };
    const client = await openServer({
      ...service,
      policy: { ...service.policy, allowsHaulerSignup: true },
      randomBytes,
    });
    const signUp = async (name: string) => {
      const body = JSON.stringify(aHauler({ username: `${name}@one.example` }));
      const headers = { "content-type": "application/json" };
      const { status } = await client.send({ method: "POST", path: "/haulers", headers, body });
      return status;
    };
    expect([await signUp("hauler-1"), await signUp("hauler-1"), await signUp("hauler-2")]).toEqual([
      200, 409, 200,
    ]);
    for (let made = 0; made < 7; made++) await client.send({ path: "/jobs", headers: guess(made) });
    const before = salts;
    expect(before).toBe(3);
    const statuses = await Promise.all(Array.from({ length: 50 }, (_, number) => signUp(`late-${number}`)));
    expect([new Set(statuses), salts]).toEqual([new Set([429]), before]);
  });
});
