import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { sayDayOrMoment } from "../../../local-time/show-time.ts";
import { useBoard } from "../board-context.ts";
import { type Message, type Messages, openMessages } from "../forms/messages.ts";
import { Dialog } from "./dialog.tsx";
import { WaitingReports } from "./waiting-reports.tsx";

export function MessagesButton({ driverId }: { driverId: number }): JSX.Element {
  const parts = useBoard();
  const isOpen = useSignal(false);
  const messages = useMemo(() => openMessages(parts, driverId, "driver"), [driverId]);
  useEffect(() => messages.end, [messages]);
  const unread = messages.unread.value;
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        Messages {unread > 0 && <span class="badge">{unread} new</span>}
      </button>
      {isOpen.value && (
        <MessagesDialog
          messages={messages}
          title="Messages with dispatch"
          onClose={() => (isOpen.value = false)}
        />
      )}
    </>
  );
}

export function DriverMessages({ driver }: { driver: { id: number; name: string } }): JSX.Element {
  const isOpen = useSignal(false);
  return (
    <>
      {" "}
      <button type="button" onClick={() => (isOpen.value = true)}>
        Messages
      </button>
      {isOpen.value && <OpenDriverMessages driver={driver} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function OpenDriverMessages({
  driver,
  onClose,
}: {
  driver: { id: number; name: string };
  onClose: () => void;
}): JSX.Element {
  const parts = useBoard();
  const messages = useMemo(() => openMessages(parts, driver.id, "dispatcher"), [driver.id]);
  useEffect(() => messages.end, [messages]);
  return <MessagesDialog messages={messages} title={`Messages with ${driver.name}`} onClose={onClose} />;
}

function MessagesDialog({
  messages,
  onClose,
  title,
}: {
  messages: Messages;
  onClose: () => void;
  title: string;
}): JSX.Element {
  const text = useSignal("");
  const chosenId = useSignal<number | null>(null);
  const { list, recipients } = messages;
  useEffect(() => messages.markRead(), [list.value.length]);
  // A reply goes to the person who wrote last.
  const last = list.value.findLast(({ sender }) => sender.type === recipients.value[0]?.type);
  const receiverId = chosenId.value ?? last?.sender.id;
  const receiver = recipients.value.find(({ id }) => id === receiverId) ?? recipients.value[0];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = text.value.trim();
    if (typed === "" || !receiver) return;
    messages.send(receiver, typed);
    text.value = "";
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <WaitingReports />
      <MessageList messages={messages} />
      <form onSubmit={submit}>
        {recipients.value.length > 1 && (
          <label>
            To
            <select
              value={receiver?.id}
              onChange={({ currentTarget }) => (chosenId.value = Number(currentTarget.value))}
            >
              {recipients.value.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          Message
          <textarea
            value={text.value}
            maxLength={2048}
            rows={2}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={!receiver}>
          Send
        </button>
      </form>
    </Dialog>
  );
}

function MessageList({ messages: { list, recipients } }: { messages: Messages }): JSX.Element {
  const { state } = useBoard();
  const zone = state.fleets.value?.zones.of(null);
  const [first] = recipients.value;
  const nameOf = (sender: Message["sender"]) => {
    if (sender.type === first?.type)
      return recipients.value.find(({ id }) => id === sender.id)?.name ?? sender.type;
    // Several dispatchers write to a driver.
    return sender.type === "driver" ? "You" : "Dispatch";
  };
  return (
    <ol class="messages" aria-live="polite">
      {list.value.length === 0 && <li class="quiet">No messages in the last 7 days.</li>}
      {list.value.map(({ id, sender, sent_on, text }) => (
        <li key={id}>
          <span class="quiet">
            <bdi>{nameOf(sender)}</bdi> {zone && sayDayOrMoment(sent_on, { today: state.today.value, zone })}
          </span>
          <bdi>{text}</bdi>
        </li>
      ))}
    </ol>
  );
}
