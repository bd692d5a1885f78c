// The server of this application and the signed-in user's token, which is kept in this browser.
// A module constant: the token is read once, when the page loads. A change of the token, here or in another tab,
// reloads the page, so that no data of the previous user stays on the screen.

import type { ApiOptions } from "../client/http-client.ts";
import { getPreference } from "./preference.ts";

const tokenPreference = getPreference("token");
const token = tokenPreference.get();

/** The origin of this page, with the token that the user has signed in with, if any. */
export const API_OPTIONS: ApiOptions = { url: location.origin, ...(token === null ? {} : { token }) };

export const isSignedIn = token !== null;

/** Stores a token and reloads the page in every tab; null signs out and opens the start page. */
export function signIn(newToken: string | null): void {
  tokenPreference.set(newToken);
}

tokenPreference.subscribe(() => {
  if (tokenPreference.get() === null) location.assign("/");
  else location.reload();
});
