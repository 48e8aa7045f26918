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

/** What `run` returns in place of its value, where the value does not say all of the answer. */
export class MarkedAnswer<T> {
  readonly value: T;
  /** Sign the answer with this webhook secret. */
  readonly signingSecret: string | null;
  /** It shows a secret that its model does not declare, so it is not kept for its Idempotency-Key. */
  readonly isSecret: boolean;

  constructor(
    value: T,
    { isSecret = false, signingSecret = null }: { isSecret?: boolean; signingSecret?: string | null } = {},
  ) {
    this.value = value;
    this.signingSecret = signingSecret;
    this.isSecret = isSecret;
  }
}

/** An answer as a surface gives it. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  /** In UTF-8. */
  body: Uint8Array | string;
}
