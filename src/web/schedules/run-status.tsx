import { useWords } from "../language.ts";
import { Badge, type Tone } from "../ui/badge.tsx";
import type { RunResult } from "../../protocol/recurring.ts";
import { WORDS } from "./words.ts";

const TONES = {
  running: "info",
  completed: "good",
  failed: "bad",
  cancelled: "plain",
  skipped: "warn",
} as const satisfies Record<RunResult["status"], Tone>;

/** The outcome of a run. */
export function RunStatus({ status }: { readonly status: RunResult["status"] }) {
  const say = useWords(WORDS);
  return <Badge tone={TONES[status]}>{say(status)}</Badge>;
}
