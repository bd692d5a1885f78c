// The profile of a user: name, language, time zone and further facts, which every agent receives (F45, F88).

import * as z from "zod";
import { visibleLineSchema } from "../../lib/title.ts";
import { languageSchema, timezoneSchema } from "../wire/commands.ts";

/** The maximum length of a stored profile in bytes of JSON. It is part of every request to an agent. */
export const MAX_PROFILE_BYTES = 8_192;
const MAX_CHANGED_FACTS = 100;

const nameSchema = visibleLineSchema.max(200);
const factNameSchema = visibleLineSchema.min(1).max(100);
const factSchema = visibleLineSchema.max(1_000);

/** The stored part of a profile; absent members are not set. */
export const profileSchema = z.object({
  name: z.string().optional(),
  language: z.string().optional(),
  timezone: z.string().optional(),
  /** Facts for agents, each under a name that the person chose. */
  facts: z.record(z.string(), z.string()).optional(),
});
export type Profile = z.infer<typeof profileSchema>;

/** A profile with the id of its user. */
export const userProfileSchema = profileSchema.extend({ user_id: z.string() });
export type UserProfile = z.infer<typeof userProfileSchema>;

/** A change of a profile: members that are absent stay, and null removes a member or a fact (RFC 7396). */
export const updateProfileSchema = z.strictObject({
  name: nameSchema.nullable().optional(),
  language: languageSchema.nullable().optional(),
  timezone: timezoneSchema.nullable().optional(),
  facts: z
    .record(factNameSchema, factSchema.nullable())
    .refine(
      (facts) => Object.keys(facts).length <= MAX_CHANGED_FACTS,
      `must not have more than ${MAX_CHANGED_FACTS} members`,
    )
    .nullable()
    .optional(),
});
export type UpdateProfileRequest = z.input<typeof updateProfileSchema>;
