import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { encode } from "uqr";
import { type FoundDriver, findDriverUser } from "../../../board/driver-user.ts";
import { messageOf } from "../../session/keep-trying.ts";
import type { Session } from "../../session/session.ts";
import { useBoard } from "../board-context.ts";
import { Dialog } from "./dialog.tsx";
import { FieldInput } from "./field-input.tsx";

type Driver = FoundDriver & { name: string };

type Made = { link: string } | { problem: string } | "no user" | null;

/** Creates a link, and the driver's user if the driver has none, and shows the link for the driver's phone. */
export function LinkDialog({ driver, onClose }: { driver: Driver; onClose: () => void }): JSX.Element {
  const { session } = useBoard();
  const made = useSignal<Made>(null);
  const make = async (making: Promise<Made>) => {
    made.value = null;
    made.value = await making.catch((error: unknown) => ({ problem: messageOf(error) }));
  };
  useEffect(() => void make(findAndLink(session, driver)), []);
  const shown = made.value;
  return (
    <Dialog title={`Sign ${driver.name} in on a phone`} onClose={onClose}>
      {shown === null && <p role="status">Creating a link …</p>}
      {shown === "no user" ? (
        <UserForm driver={driver} onNamed={(username) => void make(createUser(session, driver, username))} />
      ) : (
        <p role="alert">{shown && "problem" in shown ? shown.problem : ""}</p>
      )}
      {shown !== null && shown !== "no user" && "link" in shown && <Link link={shown.link} />}
    </Dialog>
  );
}

function Link({ link }: { link: string }): JSX.Element {
  return (
    <>
      <p>Scan the code with the phone, or send the link. It works once, within 10 minutes.</p>
      <Code text={link} />
      <label>
        Link
        <input readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
    </>
  );
}

function Code({ text }: { text: string }): JSX.Element {
  const { data, size } = encode(text, { border: 4 });
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg class="code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the link">
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join("")} fill="#000" />
    </svg>
  );
}

function UserForm({ driver, onNamed }: { driver: Driver; onNamed: (username: string) => void }): JSX.Element {
  const text = useSignal("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (text.value.trim() !== "") onNamed(text.value.trim());
  };
  return (
    <form onSubmit={submit}>
      <p>{`${driver.name} has no user yet. Choose a username:`}</p>
      <FieldInput
        field={{ as: "line", label: "Username" }}
        isFirst
        value={text.value}
        onType={(typed) => {
          text.value = typed;
        }}
      />
      <button type="submit">Create the user and a link</button>
    </form>
  );
}

async function findAndLink(session: Session, driver: FoundDriver): Promise<Made> {
  const username = await findDriverUser(session.client, driver);
  return username === null ? "no user" : link(session, username);
}

async function createUser(session: Session, driver: Driver, username: string): Promise<Made> {
  const params = { location_id: driver.locationId };
  const body = { driver_id: driver.id, roles: ["Driver" as const], username };
  await session.client.call("users.create", { params, body });
  return link(session, username);
}

async function link({ client }: Session, username: string): Promise<Made> {
  const body = { is_link: true, name: "sign-in link", username };
  const { token } = await client.call("tokens.create", { body });
  return { link: `${location.origin}${location.pathname}#sign-in=${token}` };
}
