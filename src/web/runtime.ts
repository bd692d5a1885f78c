// The full typed API client.

import { createApi } from "../client/api.ts";
import { RUNTIME } from "./account.ts";

export { isSignedIn, RUNTIME, signIn } from "./account.ts";

/** All API calls. Modules of the first screen use the smaller `initial-api.ts` instead. */
export const api = createApi(RUNTIME);
