/** The headers that a page of another origin may send and read. docs/interface.md lists them. */
export const crossOrigin = {
  "access-control-allow-headers":
    "Authorization, Accept, X-TENANT-ID, Content-Type, X-API-VERSION, X-DRY-RUN, X-REQUEST-ID, X-SANDBOX-FAULT, Content-Encoding, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Traceparent, Tracestate",
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "Accept-Encoding, Allow, Content-Disposition, Deprecation, ETag, Idempotent-Replayed, Link, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-API-VERSION, X-REQUEST-ID, X-SANDBOX-CLOCK-OFFSET, X-SERVICE-SIGNATURE",
};
