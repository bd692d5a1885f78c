// The server of this application and the signed-in user's token, which is kept in this browser.
// A module constant: the token is read once, when the page loads. A change of the token, here or in another tab,
// reloads the page, so that no data of the previous user stays on the screen.

import type { ApiOptions } from "../../client/http-client.ts";
import { getLanguage } from "./language.ts";
import { getPreference } from "./preference.ts";
import { createStore, useStore } from "./store.ts";

const tokenPreference = getPreference("token");
const token = tokenPreference.get();

/** The origin of this page, the language of the application, and the token that the user has signed in with, if any. */
export const API_OPTIONS: ApiOptions = {
  url: location.origin,
  language: getLanguage,
  ...(token === null ? {} : { token }),
};

/** True if a token was stored when the page loaded. The server may still refuse it, for example when it has expired. */
export const isSignedIn = token !== null;

/**
 * Stores a token in this browser and reloads the page in every tab. Null signs out: it removes the token and opens the
 * start page in every tab.
 */
export function signIn(newToken: string | null): void {
  tokenPreference.set(newToken);
}

tokenPreference.subscribe(() => {
  if (tokenPreference.get() === null) location.assign("/");
  else location.reload();
});

// Records that the server requires the user to sign in.
// Once set, it stays set for the lifetime of the page, because signing in reloads the page.

const signInRequired = createStore(false);

/** Shows the sign-in page in place of the application. Call it when the server has responded `unauthorized`. */
export const requireSignIn = (): void => signInRequired.set(true);

/** Returns true once sign-in is required. */
export const useSignInRequired = (): boolean => useStore(signInRequired);
