import type { Say } from "../language.ts";
import type { WORDS } from "./words.ts";

/** Why a task stands as it does: the sentences of the server that are always the same, in the person's language. */
export function reasonIn(say: Say<keyof typeof WORDS.en>, reason: string): string {
  if (reason === "The plan was started.") return say("logStarted");
  const [, listener] = /^(\S+) went well\.$/.exec(reason) ?? [];
  if (listener !== undefined) return say("logDone", { listener });
  const [, failed, why] = /^(\S+) failed: (.+)$/s.exec(reason) ?? [];
  if (failed !== undefined && why !== undefined) return say("reasonFailed", { listener: failed, why });
  const [, names] = /^These values are missing: (.+?)\.?$/.exec(reason) ?? [];
  return names === undefined ? reason : say("reasonMissing", { names });
}
