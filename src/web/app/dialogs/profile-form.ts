// The form of the profile: the profile as texts, and the change that a form makes.

import type { Profile, UpdateProfileRequest } from "../../../protocol/agents/profile.ts";

/** The fields as texts; empty ones are not set. `facts` has one fact in each line, as `name: value`. */
export type ProfileForm = {
  readonly name: string;
  readonly language: string;
  readonly timezone: string;
  readonly facts: string;
};

/** Returns the form of a stored profile. */
export function toProfileForm({ name = "", language = "", timezone = "", facts = {} }: Profile): ProfileForm {
  const lines = Object.entries(facts).map(([fact, value]) => `${fact}: ${value}`);
  return { name, language, timezone, facts: lines.join("\n") };
}

/** Returns the first line that is no fact; null if all are. Empty lines do not count. */
export function findInvalidFact(facts: string): string | null {
  return listLines(facts).find((line) => parseFact(line) === null) ?? null;
}

/** Returns the change from a stored profile to a form: emptied fields and facts without a line become null. */
export function toProfileChange(form: ProfileForm, stored: Profile): UpdateProfileRequest {
  const facts = listLines(form.facts).flatMap((line) => parseFact(line) ?? []);
  const kept = new Set(facts.map(([name]) => name));
  const removed = Object.keys(stored.facts ?? {}).filter((name) => !kept.has(name));
  const toValue = (text: string): string | null => (text.trim() === "" ? null : text.trim());
  return {
    name: toValue(form.name),
    language: toValue(form.language),
    timezone: toValue(form.timezone),
    facts: Object.fromEntries([...removed.map((name) => [name, null] as const), ...facts]),
  };
}

function listLines(facts: string): string[] {
  return facts.split("\n").filter((line) => line.trim() !== "");
}

/** Parses a line at its first colon, which may be a Chinese one. */
function parseFact(line: string): [readonly [name: string, value: string]] | null {
  const [, name = "", value = ""] = /^([^:：]+)[:：](.+)$/.exec(line) ?? [];
  return name.trim() === "" || value.trim() === "" ? null : [[name.trim(), value.trim()]];
}
