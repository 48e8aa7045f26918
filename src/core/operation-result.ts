/** What a call gives, before the serializer puts it into the shape of a version. */
export interface OperationResult {
  /** In the newest shape; a file for operations with a DocumentOutput. */
  value: unknown;
  /** Sign the answer with this webhook secret. */
  signingSecret: string | null;
  /** The answer is what the operation's `record` shows now, so that it has the same entity tag. */
  isRecord: boolean;
  /** It shows a secret that its model does not declare. */
  isSecret: boolean;
  /** Nothing was done: the call was carried out before, and this was its answer. The value is null then. */
  replayed?: KeptAnswer;
}

/** An answer as a surface gives it. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  /** In UTF-8. */
  body: Uint8Array | string;
}
