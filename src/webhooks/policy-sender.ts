import { createSender, type Sender, type SenderOptions } from "./send.ts";

/**
 * Makes a sender that asks before each attempt whether it may reach private addresses (OP-104), so that a change of the
 * store's policy counts at once. While that cannot be found out, what was known last counts.
 */
export function createPolicySender(
  mayReachPrivate: () => Promise<boolean>,
  options: Omit<SenderOptions, "allowPrivateAddresses">,
): Sender {
  const guarded = createSender({ ...options, allowPrivateAddresses: false });
  const open = createSender({ ...options, allowPrivateAddresses: true });
  let isOpen = false;
  return {
    async send(request) {
      isOpen = await mayReachPrivate().catch(() => isOpen);
      return (isOpen ? open : guarded).send(request);
    },
    async close() {
      await Promise.all([guarded.close(), open.close()]);
    },
  };
}
