export interface OperationResult {
  /** In the newest API version. A DocumentOutput has a file. */
  value: unknown;
  signingSecret: string | null;
  /** The response equals a read of the operation's `record`, so it has the same entity tag. */
  isRecord: boolean;
  isSecret: boolean;
  /** The kept response of the same call. This call did nothing, and its value is null. */
  replayed?: KeptAnswer;
}

export class MarkedAnswer<T> {
  readonly value: T;
  /** The webhook secret that signs the response. */
  readonly signingSecret: string | null;
  /** The value has a secret that its model does not declare, so the response is not kept. */
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
