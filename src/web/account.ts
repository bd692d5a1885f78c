// The server of this application and the signed-in user's token, which is kept in this browser.
// A module constant: the token is read once, when the page loads. A change of the token, here or in another tab,
// reloads the page, so that no data of the previous user stays on the screen.

import type { ApiOptions } from "../client/door.ts";
import { preference } from "./preference.ts";

const kept = preference("token");
const token = kept.get();

/** The origin of this page, with the token that the user has signed in with, if any. */
export const RUNTIME: ApiOptions = { url: location.origin, ...(token === null ? {} : { token }) };

export const isSignedIn = token !== null;

/** Stores a token and reloads the page in every tab; null signs out and opens the start page. */
export function signIn(as: string | null): void {
  kept.set(as);
}

kept.subscribe(() => {
  if (kept.get() === null) location.assign("/");
  else location.reload();
});
