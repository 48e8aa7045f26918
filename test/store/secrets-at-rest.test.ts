import { randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { checkSecretKeys, resealSecrets } from "../../src/store/life/reseal-secrets.ts";
import { parseSecretKeys, type SecretKey, type SecretKeys } from "../../src/store/secrets/secret-keys.ts";
import { openSecret, sealSecret } from "../../src/store/secrets/vault.ts";
import { startWorker } from "../../src/webhooks/worker.ts";
import { aHook, aTruck } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { startReceiver, toSignature } from "../support/receiver.ts";
import { describeOnEveryTarget, freshHarness } from "../support/targets.ts";

const makeKey = (): SecretKey => {
  const [key] = parseSecretKeys(randomBytes(32).toString("base64"), "the test");
  if (!key) throw new Error("No key was made.");
  return key;
};

const [key, newKey, strange] = [makeKey(), makeKey(), makeKey()];

describe("an encrypted secret", () => {
  const place = { tenantId: 1, hookId: 7, column: "secret" } as const;

  it("opens with its key, and differs each time", () => {
    const sealed = sealSecret(key, place, "c2VjcmV0");
    expect(sealed).toMatch(new RegExp(`^enc:v1:${key.id}:[A-Za-z0-9+/]+=*$`));
    expect(sealSecret(key, place, "c2VjcmV0")).not.toBe(sealed);
    expect(openSecret([strange, key], place, sealed)).toBe("c2VjcmV0");
  });

  it("does not open with another key, in another place, or with a changed bit", () => {
    const sealed = sealSecret(key, place, "c2VjcmV0");
    const posing = { ...strange, id: key.id };
    expect(openSecret([strange], place, sealed)).toBeNull();
    expect(openSecret([posing], place, sealed)).toBeNull();
    for (const other of [{ tenantId: 2 }, { hookId: 8 }, { column: "old_secret" as const }]) {
      expect(openSecret([key], { ...place, ...other }, sealed)).toBeNull();
    }
    const start = sealed.lastIndexOf(":") + 1;
    const bytes = Buffer.from(sealed.slice(start), "base64");
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(openSecret([key], place, sealed.slice(0, start) + changed.toString("base64"))).toBeNull();
    }
    expect(openSecret([key], place, `enc:v1:${key.id}:`)).toBeNull();
  });
});

describe("a key", () => {
  it.each(["", "short", `${randomBytes(31).toString("base64")}`, randomBytes(33).toString("base64")])(
    "is refused without being quoted unless it is the Base64 text of 32 bytes: %j",
    (text) => {
      const parse = () => parseSecretKeys(text, "here");
      expect(parse).toThrow(/^here/);
      if (text.length > 8) expect(parse).not.toThrow(text);
    },
  );

  it("may be one of several, with commas or line breaks between them", () => {
    const texts = [key, newKey, strange].map(({ bytes }) => bytes.toString("base64"));
    expect(parseSecretKeys(`${texts[0]},${texts[1]}\n${texts[2]}\n`, "here")).toEqual([key, newKey, strange]);
  });
});

describeOnEveryTarget("a store with encrypted secrets", (outer) => {
  it("works with the key, and stores no plain secret", async () => {
    const harness = await freshHarness(outer, { secretKeys: [key] });
    const headers = { authorization: "Bearer own-header-1" };
    const before = await harness.ok("hooks.create", { body: aHook({ headers }) });
    const own = { params: { hook_id: before.id } };
    await harness.ok("hooks.rotate-secret", { as: "Admin", ...own, body: {} });
    const shown = await harness.ok("hooks.get", { as: "Admin", ...own });
    const olds = secretsIn(harness);
    expect(await resealSecrets(harness.service.store, [key], key.id)).toBe(olds.length);
    expect(secretsIn(harness).filter((text) => !text.startsWith(`enc:v1:${key.id}:`))).toEqual([]);
    expect(await harness.ok("hooks.get", { as: "Admin", ...own })).toEqual(shown);
    const made = await harness.ok("hooks.create", { body: aHook({ secret: "c2VjcmV0LWtleS0xMjM0NTY=" }) });
    expect(made.secret).toBe("c2VjcmV0LWtleS0xMjM0NTY=");
    const rotated = await harness.ok("hooks.rotate-secret", { as: "Admin", ...own, body: {} });
    const set = await harness.ok("hooks.update", { ...own, body: { secret: "YW5vdGhlci1zZWNyZXQ=" } });
    expect(set.secret).toBe("YW5vdGhlci1zZWNyZXQ=");
    await harness.ok("hooks.update", { ...own, body: { headers: { "x-key": "own-header-2" } } });
    expect((await harness.ok("hooks.get", { as: "Admin", ...own })).headers).toEqual({
      "x-key": "own-header-2",
    });
    const contents = JSON.stringify(harness.store.contents());
    for (const text of ["own-header-1", "own-header-2", ...olds, made.secret, rotated.secret, set.secret]) {
      expect(contents).not.toContain(text);
    }
  });

  it("does everything without the key except signing, showing, and setting secrets", async () => {
    const { harness, hookId, keyless } = await encryptedStore(outer);
    const as = "Admin";
    const params = { hook_id: hookId };
    const before = harness.store.rows("hooks");
    expect(await keyless.ok("hooks.get", { as, params })).toMatchObject({ headers: null, secret: null });
    const { results } = await keyless.ok("hooks.list", { as });
    expect(results.map(({ secret }) => secret)).toEqual(before.filter(isAcmes(keyless)).map(() => null));
    for (const [name, call] of [
      ["hooks.ping", { params }],
      ["hooks.trigger", { params, body: { record_id: keyless.acme.truckId, type: "Truck" } }],
      ["hooks.create", { body: aHook() }],
      ["hooks.update", { params, body: { secret: "c2VjcmV0LWtleS0xMjM0NTY=" } }],
      ["hooks.update", { params, body: { headers: { "x-key": "v" } } }],
      ["hooks.rotate-secret", { as: "Admin", params, body: {} }],
    ] as const) {
      const error = await keyless.refused(name, call);
      expect([name, error.status, error.code]).toEqual([name, 503, "secret_key_missing"]);
    }
    expect(harness.store.rows("hooks")).toEqual(before);
    await keyless.ok("hooks.update", { params, body: { events: ["Job"] } });
    await keyless.ok("hooks.delete", { params });
    await keyless.ok("hooks.enable", { params, body: {} });
    const [stored] = harness.store.rows("hooks").filter(({ id }) => id === hookId);
    expect(stored?.secret).toBe(before.find(({ id }) => id === hookId)?.secret);
  });

  it("refuses a wrong key before anything is written", async () => {
    const { harness } = await encryptedStore(outer);
    const before = harness.store.contents();
    const { store } = openOn(harness, [strange]);
    await expect(checkSecretKeys(store, [strange])).rejects.toThrow(`encrypted with key ${key.id}`);
    await expect(resealSecrets(store, [strange], strange.id)).rejects.toThrow(`with key ${key.id}`);
    expect(harness.store.contents()).toEqual(before);
  });

  it("can change its key, and return to plain text, with the key", async () => {
    const { harness, secret } = await encryptedStore(outer);
    const both = [key, newKey];
    const { store } = openOn(harness, both);
    const count = secretsIn(harness).length;
    expect(await resealSecrets(store, both, newKey.id)).toBe(count);
    expect(await resealSecrets(store, both, newKey.id)).toBe(0);
    expect(await store.secretForms.read()).toEqual({
      keyId: newKey.id,
      plain: 0,
      sealed: { [newKey.id]: count },
    });
    expect(await resealSecrets(openOn(harness, [newKey]).store, [newKey], null)).toBe(count);
    expect(await store.secretForms.read()).toEqual({ keyId: null, plain: count, sealed: {} });
    expect(secretsIn(harness)).toContain(secret);
  });

  it("continues an interrupted change of its key", async () => {
    const harness = await freshHarness(outer, { secretKeys: [key] });
    await harness.ok("hooks.create", { body: aHook() });
    const { store } = harness.service;
    await store.secretForms.mark(key.id, harness.clock.now());
    const scope = { ...harness.acme.owner.scope };
    await store.write(scope, ({ hookSecrets }) => hookSecrets.reseal());
    const { plain, sealed } = await store.secretForms.read();
    expect([plain > 0, (sealed[key.id] ?? 0) > 0]).toEqual([true, true]);
    expect(await resealSecrets(store, [key], key.id)).toBe(plain);
    expect((await store.secretForms.read()).plain).toBe(0);
  });

  it("leaves no plain secret when webhooks are created during the encryption", async () => {
    const harness = await freshHarness(outer, { secretKeys: [key] });
    const { store } = openOn(harness, [key]);
    const made = await Promise.all([
      ...Array.from({ length: 8 }, () => harness.ok("hooks.create", { body: aHook() })),
      resealSecrets(store, [key], key.id),
      ...Array.from({ length: 8 }, () => harness.ok("hooks.create", { body: aHook() })),
    ]);
    expect(made).toHaveLength(17);
    expect(secretsIn(harness).filter((text) => !text.startsWith("enc:v1:"))).toEqual([]);
  });

  it("keeps deliveries for a process with the key", async () => {
    const { harness, hookId, keyless, receiver, secret } = await encryptedStore(outer);
    const params = { location_id: harness.acme.locationId };
    await keyless.ok("trucks.create", { params, body: aTruck() });
    const deliveries = () => harness.store.rows("deliveries").filter(({ hook_id }) => hook_id === hookId);
    const before = deliveries();
    expect(before).toMatchObject([{ attempt: 0, status: "pending" }]);
    await deliver(openOn(keyless, []));
    await deliver(openOn(keyless, [strange]));
    expect(deliveries()).toEqual(before);
    await deliver(openOn(keyless, [strange, key]));
    expect(deliveries()).toMatchObject([{ attempt: 1, status: "delivered" }]);
    const [sent] = receiver.deliveries;
    expect(sent?.headers).toMatchObject({ "x-own": "sealed" });
    expect(sent?.headers["x-service-signature"]).toBe(toSignature(secret, sent?.body ?? ""));
  });

  it("releases a delivery whose webhook got another key after the claim", async () => {
    const { harness, hookId, keyless } = await encryptedStore(outer);
    await keyless.ok("trucks.create", { params: { location_id: harness.acme.locationId }, body: aTruck() });
    const service = openOn(keyless, [key]);
    const { store } = service;
    const endpointsDue = store.backlog.endpointsDue;
    store.backlog.endpointsDue = async (now) => {
      const found = await endpointsDue(now);
      const both = [key, newKey];
      await resealSecrets(openOn(keyless, both).store, both, newKey.id);
      return found;
    };
    await deliver(service);
    const [delivery] = harness.store.rows("deliveries").filter(({ hook_id }) => hook_id === hookId);
    expect(delivery).toMatchObject({ attempt: 0, leased_by: null, status: "pending" });
  });

  it("fails a delivery with the reason when a stored secret was altered", async () => {
    const { harness, hookId, keyless } = await encryptedStore(outer);
    await keyless.ok("trucks.create", { params: { location_id: harness.acme.locationId }, body: aTruck() });
    const other = harness.store.rows("hooks").find(({ id }) => id !== hookId);
    harness.store.update("hooks", hookId, { secret: String(other?.secret) });
    await deliver(openOn(keyless, [key]));
    const [delivery] = harness.store.rows("deliveries").filter(({ hook_id }) => hook_id === hookId);
    expect(delivery).toMatchObject({ attempt: 1, status: "pending" });
    expect(delivery?.message).toContain("The request could not be made");
  });
});

/** Creates a store with encrypted secrets and a webhook. `keyless` opens it without the key. */
async function encryptedStore(like: Harness) {
  const keyless = await freshHarness(like, { allowsPrivateHooks: true });
  const receiver = await startReceiver();
  const made = await keyless.ok("hooks.create", {
    body: aHook({ events: ["Truck"], headers: { "x-own": "sealed" }, url: receiver.url }),
  });
  const { service } = { service: openOn(keyless, [key]) };
  await resealSecrets(service.store, [key], key.id);
  return { harness: keyless, hookId: made.id, keyless, receiver, secret: made.secret ?? "" };
}

/** Opens the store as another process would, with its own keys. */
function openOn(harness: Harness, secretKeys: SecretKeys) {
  const { data } = harness.store;
  const service = openService({ allowsPrivateHooks: true, clock: harness.clock, data, secretKeys });
  onTestFinished(() => service.store.close());
  return service;
}

/** Sends the due deliveries once. */
async function deliver(service: ReturnType<typeof openService>): Promise<void> {
  const faults: unknown[] = [];
  const worker = startWorker(service, { log: { attempt: () => {}, fault: (error) => faults.push(error) } });
  await worker.drain();
  await worker.stop(1000);
  expect(faults.filter((fault) => !String(fault).includes("key"))).toEqual([]);
}

const isAcmes =
  ({ acme }: Harness) =>
  ({ tenant_id }: Record<string, unknown>) =>
    Number(tenant_id) === acme.tenantId;

function secretsIn(harness: Harness): string[] {
  const hooks = harness.store.rows("hooks");
  const texts = hooks.flatMap(({ headers, old_secret, secret }) => [headers, old_secret, secret]);
  return texts.filter((text) => typeof text === "string");
}
