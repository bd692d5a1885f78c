import type { Say } from "../language.ts";
import type { WORDS } from "./words.ts";

/** Translates the fixed reasons of the server for a task status. Other reasons are returned unchanged. */
export function translateReason(say: Say<keyof typeof WORDS.en>, reason: string): string {
  if (reason === "The plan was started.") return say("logStarted");
  const [, listener] = /^(\S+) went well\.$/.exec(reason) ?? [];
  if (listener !== undefined) return say("logDone", { listener });
  const [, failed, why] = /^(\S+) failed: (.+)$/s.exec(reason) ?? [];
  if (failed !== undefined && why !== undefined) return say("reasonFailed", { listener: failed, why });
  const [, names] = /^These values are missing: (.+?)\.?$/.exec(reason) ?? [];
  return names === undefined ? reason : say("reasonMissing", { names });
}
