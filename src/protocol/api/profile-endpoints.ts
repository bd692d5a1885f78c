// The endpoints of the user's own profile.

import { updateProfileSchema, userProfileSchema } from "../agents/profile.ts";
import { defineEndpoints } from "./endpoint.ts";

export const profileEndpoints = defineEndpoints({
  profile: { method: "get", path: "/api/v1/me", output: userProfileSchema },
  /** Changes the members that the body contains; null removes one. */
  updateProfile: { method: "patch", path: "/api/v1/me", body: updateProfileSchema, output: userProfileSchema },
});
