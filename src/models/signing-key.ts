import { checkLength, defineField, readText, refuse } from "./fields.ts";

/**
 * HMAC key: Base64 text of 11 to 270 characters, white space around it accepted and kept (OP-72). In the form of Standard
 * Webhooks it is read without its `whsec_` and what is around it (OP-291).
 */
export function base64Secret() {
  const schema = {
    type: "string",
    contentEncoding: "base64",
    maxLength: paddedSecretMax,
    examples: ["c2VjcmV0LWtleS0xMjM0NTY="],
  };
  return defineField<string>({ name: "text", input: schema, output: schema, isSecret: true }, (sent) => {
    const value = typeof sent === "string" && standardSecretPattern.test(sent) ? toBase64Form(sent) : sent;
    return readText(value, (value) => {
      const length = checkLength(value, 0, paddedSecretMax);
      if (length) return length;
      const core = value.trim();
      if (core.length < 11)
        return refuse("too_short", `must have 11 to 270 characters of Base64 text, not ${core.length}`);
      if (core.length > 270)
        return refuse("too_long", `must have 11 to 270 characters of Base64 text, not ${core.length}`);
      return base64Pattern.test(core) ? null : refuse("invalid_format", "must be Base64 text");
    });
  });
}

const standardSecretPattern = /^\s*whsec_/;

const toBase64Form = (secret: string) => secret.replace(standardSecretPattern, "").trim();

/** A key as libraries of Standard Webhooks take it: `whsec_` and its bytes as Base64. */
export function standardSecret() {
  const schema = {
    type: "string",
    maxLength: 280,
    pattern: "^whsec_",
    examples: ["whsec_c2VjcmV0LWtleS0xMjM0NTY="],
  };
  return defineField<string>({ name: "text", input: schema, output: schema, isSecret: true }, (value) =>
    readText(value, () => null),
  );
}

/** With the white space around it, which is kept. */
const paddedSecretMax = 512;

const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
