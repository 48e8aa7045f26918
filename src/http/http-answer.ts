/** An answer before the server adds what every answer has. Header names are in lower case. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | string;
}
