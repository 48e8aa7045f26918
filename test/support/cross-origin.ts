/** What a page of another origin may send and read (OP-102), as docs/interface.md and docs/decisions.md have it. */
export const crossOrigin = {
  "access-control-allow-headers":
    "Authorization, Accept, X-TENANT-ID, Content-Type, X-API-VERSION, X-DRY-RUN, X-REQUEST-ID, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Traceparent, Tracestate",
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "Allow, Content-Disposition, ETag, Idempotent-Replayed, Link, RateLimit, RateLimit-Policy, Retry-After, X-API-VERSION, X-REQUEST-ID, X-SERVICE-SIGNATURE",
};
