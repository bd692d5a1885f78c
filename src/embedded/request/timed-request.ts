// Requests with a single time, and reminders: remind me in 10 minutes to call · 每天9点提醒我喝水 · tomorrow at 10 roll a die.

import { normalizeCharacters, removePolitePrefixes, trimPunctuation } from "../../language/text-spans.ts";
import { findSchedule, type ScheduleTimes } from "../../language/schedules/find-schedule.ts";
import { findOneTime } from "../../language/schedules/one-time.ts";
import type { PromptContext } from "../prompt-context.ts";
import { readWork } from "../work/read-work.ts";

export type TimedRequest = {
  /** The work at that time, or the text of the reminder. */
  readonly text: string;
  readonly when: ScheduleTimes;
  /** True if the person gets the text itself, without an agent. */
  readonly isReminder: boolean;
};

const REMINDER_WORDS =
  /^(?:(?:set|create|add|make)(?: me)? a reminder|remind me)(?: (?:to|that|about|of|for))?\b|^(?:设(?:置|定|个)?(?:一个)?提醒|提醒一下我?|提醒我?|叫我|喊我)(?:要|去)?/i;
const MAX_CHARS = 1_000;

/**
 * Parses a request with a single time, or a reminder at any times. Returns null for a request without such a time, and
 * for a reminder of work that an agent can do, such as "remind me every day at 9 what 6 * 7 is".
 */
export function parseTimedRequest({ request, now, timezone }: PromptContext): TimedRequest | null {
  if (request.length > MAX_CHARS) return null;
  const recurring = findSchedule(request);
  const found = recurring === null ? findOneTime(request, { now, zone: timezone }) : null;
  const rest = removePolitePrefixes(recurring?.rest ?? found?.rest ?? "");
  const words = REMINDER_WORDS.exec(normalizeCharacters(rest))?.[0];
  const text = trimPunctuation(words === undefined ? rest : rest.slice(words.length));
  const isReminder = words !== undefined && text !== "" && readWork(text) === null;
  if (recurring !== null) return isReminder ? { text, when: recurring.when, isReminder } : null;
  if (found === null || text === "") return null;
  const when: ScheduleTimes =
    "config" in found ? { kind: "config", config: found.config } : { kind: "problem", problem: found.problem };
  return { text, when, isReminder };
}
