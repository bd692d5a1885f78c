// The runtime that this application belongs to, as the typed client reaches it.

import { createApi } from "../client/api.ts";
import { RUNTIME } from "./account.ts";

export { isSignedIn, RUNTIME, signIn } from "./account.ts";

/** Every call there is. What the first screen needs asks `first.ts`, which is smaller. */
export const api = createApi(RUNTIME);
