/** Whether a text can be the host of an address, with a port or without: a name, or an address of IPv4 or IPv6. */
export function isHost(text: string): boolean {
  return /^(?:[a-z\d.-]{1,253}|\[[a-f\d:.]{2,45}\])(?::\d{1,5})?$/i.test(text);
}
