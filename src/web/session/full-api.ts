// The full typed API client.

import { createApi } from "../../client/api.ts";
import { API_OPTIONS } from "./account.ts";

export { isSignedIn, API_OPTIONS, signIn } from "./account.ts";

/** All API calls. Modules of the first screen use the smaller `initial-api.ts` instead. */
export const api = createApi(API_OPTIONS);
