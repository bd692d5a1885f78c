// The runtime that this application belongs to, as the typed client reaches it.

import { createApi, type ApiOptions } from "../client/api.ts";
import { preference } from "./preference.ts";

const kept = preference("token");
const token = kept.get();

/** Where the application came from, with the token that the person has signed in with. */
export const RUNTIME: ApiOptions = { url: location.origin, ...(token === null ? {} : { token }) };

export const api = createApi(RUNTIME);

export const isSignedIn = token !== null;

/** Begins anew as somebody else: nothing that was on the screen may stay there. Null signs out. */
export function signIn(as: string | null): void {
  kept.set(as);
  location.assign("/");
}
