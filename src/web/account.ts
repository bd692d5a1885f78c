// Which server this application belongs to, and as whom the person is there.

import type { ApiOptions } from "../client/door.ts";
import { preference } from "./preference.ts";

const kept = preference("token");
const token = kept.get();

/** Where the application came from, with the token that the person has signed in with. */
export const RUNTIME: ApiOptions = { url: location.origin, ...(token === null ? {} : { token }) };

export const isSignedIn = token !== null;

/** Begins anew as somebody else, in every tab: nothing that was on the screen may stay there. Null signs out. */
export function signIn(as: string | null): void {
  kept.set(as);
}

kept.subscribe(() => {
  if (kept.get() === null) location.assign("/");
  else location.reload();
});
