import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Listed } from "../../../client/call-types.ts";
import { makeKey } from "../../../client/exchange.ts";
import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { toEpochMs, toTimestamp } from "../../../runtime/clock.ts";
import type { Session } from "../../session/session.ts";
import type { Outbox } from "../actions/outbox.ts";

export type Message = Listed<OperationsAt<NewestVersion>["chats.list"]>;

type Recipient = OperationsAt<NewestVersion>["chats.recipients"]["answer"][number];

export interface Messages {
  list: ReadonlySignal<readonly Message[]>;
  recipients: ReadonlySignal<readonly Recipient[]>;
  unread: ReadonlySignal<number>;
  markRead(): void;
  send(receiver: Recipient, text: string): void;
  end(): void;
}

const shownMs = 7 * 24 * 60 * 60_000;
const everyMs = 30_000;

export function openMessages(
  { outbox, session }: { outbox: Outbox; session: Session },
  driverId: number,
  side: Recipient["type"],
): Messages {
  const { client } = session;
  const list = signal<readonly Message[]>([]);
  const recipients = signal<readonly Recipient[]>([]);
  const params = { driver_id: driverId };
  const isUnread = ({ is_read, receiver }: Message) => !is_read && receiver.type === side;
  const read = async () => {
    const since = toTimestamp(toEpochMs(session.clock.now()) - shownMs);
    const query = { page_limit: 1000, start_date: since };
    list.value = (await client.call("chats.list", { params, query })).results;
    if (recipients.value.length === 0) {
      const all = await client.call("chats.recipients", { params });
      recipients.value = all.filter(({ type }) => type !== side);
    }
  };
  // The next read tries again.
  const refresh = () => void read().catch(() => undefined);
  // Messages cause no events.
  const timer = setInterval(() => document.visibilityState === "visible" && refresh(), everyMs);
  refresh();
  return {
    list,
    recipients,
    unread: computed(() => list.value.filter(isUnread).length),
    markRead() {
      for (const { id } of list.value.filter(isUnread))
        client
          .call("chats.edit", { body: { is_read: true }, params: { ...params, driver_chat_msg_id: id } })
          .then((read) => {
            list.value = list.value.map((one) => (one.id === id ? read : one));
          })
          // The service refuses this if another dispatcher is the receiver.
          .catch(() => undefined);
    },
    send({ id, type }, text) {
      const idempotencyKey = makeKey();
      outbox.add({
        changes: {},
        jobId: null,
        label: `message “${text}”`,
        async send() {
          const body = { receiver: { id, type }, text };
          const sent = await client.call("chats.send", { body, idempotencyKey, params });
          list.value = [...list.value.filter((one) => one.id !== sent.id), sent];
          return null;
        },
      });
    },
    end: () => clearInterval(timer),
  };
}
