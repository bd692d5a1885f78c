// Operations on the user's own profile. The directory stores it.

import { openDirectory } from "../../directory/open-directory.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import { readProfile, updateProfile } from "../../directory/profile-directory.ts";
import type { UpdateProfileRequest } from "../../protocol/agents/profile.ts";
import { profileEndpoints } from "../../protocol/api/profile-endpoints.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { defineOperation } from "./operation.ts";

const tag = "Profile";

export const profileOperations = {
  /** Returns the profile; members that are not set are absent. */
  profile: defineOperation(profileEndpoints.profile, {
    http: { tag, summary: "Get your profile", answer: "The profile; members that are not set are absent" },
    rpc: () => ({}),
    run: async ({ env, userId }) => ({
      ...(await requireDirectory(readProfile(openDirectory(env.DB), userId))),
      user_id: userId,
    }),
  }),
  /** Changes members of the profile; null removes one. Agents receive it with every task. */
  updateProfile: defineOperation(profileEndpoints.updateProfile, {
    http: {
      tag,
      summary: "Change your profile, which every agent receives; null removes a member or a fact",
      example: { name: "Ada", language: "en", timezone: "Europe/London", facts: { role: "teacher" } },
      answer: "The profile after the change",
    },
    rpc: (changes: UpdateProfileRequest) => ({ body: changes }),
    run: async ({ env, userId }, { body }) => {
      const updated = updateProfile(openDirectory(env.DB), userId, body, Date.now());
      // A refusal is a value here, because only failures of the directory are `unavailable`.
      const result = await requireDirectory(updated.catch(returnFault));
      if (result instanceof Fault) throw result;
      return { ...result, user_id: userId };
    },
  }),
};

function returnFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  throw thrown;
}
