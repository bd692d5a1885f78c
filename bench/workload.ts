// The workload that the client requests from the scripted model. It is part of the message, and every stage passes it on.

/** `direct` is answered by the triage, `plan` becomes two tasks, `answer` is the query of a task. */
export type Workload = {
  readonly kind: "direct" | "plan" | "answer";
  /** Tokens of each answer. */
  readonly tokens: number;
  /** Milliseconds between two tokens; 0 sends everything at once. */
  readonly paceMs: number;
};

/** Every token has this length, so that tokens can be counted in joined text. */
export const TOKEN_CHARS = 6;
export const SUMMARY_TOKENS = 20;
export const PLAN_TASKS = 2;

export function formatWorkload({ kind, tokens, paceMs }: Workload): string {
  return `Please answer. [bench ${kind} tokens=${tokens} pace=${paceMs}]`;
}

/** Parses the first workload in a text. Throws if there is none, because the user's message was lost. */
export function parseWorkload(text: string): Workload {
  const found = /\[bench (direct|plan|answer) tokens=(\d+) pace=(\d+)\]/.exec(text);
  if (found === null) throw new Error(`No workload in ${JSON.stringify(text.slice(0, 200))}`);
  return { kind: found[1] as Workload["kind"], tokens: Number(found[2]), paceMs: Number(found[3]) };
}

/** Returns the number of characters that a client receives in a whole turn. */
export function countExpectedChars({ kind, tokens }: Workload): number {
  return TOKEN_CHARS * (kind === "plan" ? PLAN_TASKS * tokens + SUMMARY_TOKENS : tokens);
}
