import type { JSX } from "preact";
import { toEpochMs } from "../../runtime/clock.ts";
import type { Away, SignIn } from "./create-sign-in.ts";

/** What who has been signed in sees while the service does not answer: it goes on by itself. */
export function AwayNotice({ signIn, title }: { signIn: SignIn; title: string }): JSX.Element {
  const { away, hurry, isBusy, signOut } = signIn;
  return (
    <main class="sign-in away">
      <h1>{title}</h1>
      <p role="alert">
        {away.value &&
          "The service cannot be reached. You are still signed in; it is tried again until it answers."}
      </p>
      <p class="quiet">{away.value ? toStory(away.value) : "Signing in …"}</p>
      <p>
        <button type="button" onClick={hurry}>
          {isBusy.value ? "Trying …" : "Try again"}
        </button>{" "}
        <button type="button" onClick={() => signOut()}>
          Sign out
        </button>
      </p>
    </main>
  );
}

function toStory({ failures, since, why }: Away): string {
  const [time] = new Date(toEpochMs(since)).toTimeString().split(" ");
  return `${why} Tried ${failures === 1 ? "once" : `${failures} times`}, first at ${time}.`;
}
