// The D1 rows of profiles, one per user (U1). Reads are cached per isolate; each write here invalidates the cache of its
// isolate. A change is one statement, so concurrent changes of different members are both kept.

import { createMessage } from "../language/messages.ts";
import { MAX_PROFILE_BYTES, profileSchema, type Profile } from "../protocol/agents/profile.ts";
import { createFault } from "../protocol/wire/message-error.ts";
import { UserCache } from "./user-cache.ts";

const profileCache = new UserCache<Profile>();

/** Returns the profile of a user, at most 5 s old; empty if there is none. See `UserCache` for errors. */
export function readProfile(db: D1Database, userId: string): Promise<Profile> {
  return profileCache.get(userId, async () => {
    const query = db.prepare(`SELECT profile FROM profile WHERE user_id = ?`).bind(userId);
    const stored = await query.first<string>("profile");
    return stored === null ? {} : parseProfile(stored);
  });
}

/**
 * Changes a profile as in RFC 7396: members of `patch` replace stored ones, and null removes them. Returns the profile
 * after it. Throws `too_large`, without a change, if it would exceed `MAX_PROFILE_BYTES`.
 */
export async function updateProfile(db: D1Database, userId: string, patch: object, at: number): Promise<Profile> {
  try {
    const stored = await db
      .prepare(
        `INSERT INTO profile (user_id, profile, updated_at)
         SELECT ?1, json_patch('{}', ?2), ?3 WHERE octet_length(json_patch(coalesce(
           (SELECT profile FROM profile WHERE user_id = ?1), '{}'), ?2)) <= ?4
         ON CONFLICT (user_id) DO UPDATE SET profile = json_patch(profile.profile, ?2), updated_at = ?3
         RETURNING profile`,
      )
      .bind(userId, JSON.stringify(patch), at, MAX_PROFILE_BYTES)
      .first<string>("profile");
    if (stored !== null) return parseProfile(stored);
  } finally {
    profileCache.invalidate(userId);
  }
  const field = "facts";
  throw createFault("too_large", createMessage("field.tooLargeAsJson", { field, maxBytes: MAX_PROFILE_BYTES }), {
    field,
  });
}

function parseProfile(stored: string): Profile {
  return profileSchema.parse(JSON.parse(stored));
}
