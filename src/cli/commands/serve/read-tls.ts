import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { ListenOptions } from "../../../core/server-factory.ts";
import { failure } from "../../../errors/errors.ts";
import { type Timestamp, toEpochMs } from "../../../runtime/clock.ts";
import type { OptionValues } from "../../context.ts";
import { readOpenFile, readSecretFile } from "../../target/read-secret-file.ts";

/** --tls-cert and --tls-key must match. Throws a usage error, which never repeats the key. */
export function readTls({ tlsCert, tlsKey }: OptionValues): ListenOptions["tls"] | null {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined)
    throw failure("usage", "--tls-cert and --tls-key belong together: give both, or none.");
  const files = { cert: String(tlsCert), key: String(tlsKey) };
  const tls = {
    cert: readOpenFile(files.cert),
    key: readSecretFile(files.key, { advice: "", allowsRootsGroup: true }),
  };
  checkCertificate(files.cert, tls.cert);
  try {
    createSecureContext(tls);
  } catch (error) {
    throw failure("usage", toReason(error, files), null, error);
  }
  return tls;
}

/** Clients refuse an expired certificate. */
export function toTlsNotes(tls: ListenOptions["tls"], now: Timestamp): string[] {
  if (!tls) return [];
  const { validTo } = new X509Certificate(tls.cert);
  const daysLeft = (Date.parse(validTo) - toEpochMs(now)) / dayMs;
  if (daysLeft > daysTold) return [];
  const what = daysLeft < 0 ? "is no longer valid: it ended" : "ends soon:";
  return [`The certificate of this server ${what} on ${validTo}. Renew its files, then send SIGHUP.`];
}

const dayMs = 86_400_000;
const daysTold = 14;

function checkCertificate(file: string, text: string): void {
  try {
    new X509Certificate(text);
  } catch (error) {
    throw failure("usage", `--tls-cert ${file} does not hold a certificate in PEM.`, null, error);
  }
}

function toReason(error: unknown, { cert, key }: { cert: string; key: string }): string {
  const code = String((error as { code?: unknown }).code ?? "");
  if (code.includes("MISMATCH")) return `--tls-key ${key} is not the key of the certificate in ${cert}.`;
  if (/PASSWORD|INTERRUPTED|CANCELLED|BAD_DECRYPT/.test(code))
    return `--tls-key ${key} is encrypted: give a key without a passphrase, in a file of mode 0600.`;
  return `--tls-key ${key} does not hold a private key in PEM.`;
}
