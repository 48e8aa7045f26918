export function isLoopback(host: string): boolean {
  return (
    /^(?:.+\.)?localhost\.?$/.test(host) ||
    host === "::1" ||
    host === "[::1]" ||
    /^127(?:\.\d+){3}$/.test(host)
  );
}
