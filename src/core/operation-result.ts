/** The result of a call, before the serializer converts it to a version. */
export interface OperationResult {
  /** In the newest shape; a file for operations with a DocumentOutput. */
  value: unknown;
  /** Sign the answer with this webhook secret. */
  signingSecret: string | null;
  /** The answer equals a read of the operation's `record`, so it has the same entity tag. */
  isRecord: boolean;
  /** It shows a secret that its model does not declare. */
  isSecret: boolean;
  /** The answer of the same call before; this call did nothing, and its value is null. */
  replayed?: KeptAnswer;
}

/** The value of `run` with marks about the answer. */
export class MarkedAnswer<T> {
  readonly value: T;
  /** Sign the answer with this webhook secret. */
  readonly signingSecret: string | null;
  /** It shows a secret that its model does not declare, so it must not be kept. */
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

export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | string;
}
