// What the client asks the scripted model for, carried in the message itself: every stage passes it on.

/** `direct` is answered by the triage; `plan` becomes two tasks; `answer` is what a task's agent is asked. */
export type Wish = {
  readonly kind: "direct" | "plan" | "answer";
  /** Tokens of each answer. */
  readonly tokens: number;
  /** Milliseconds from one token to the next; 0 says everything at once. */
  readonly paceMs: number;
};

/** Every token is this long, so that a reader can count them in joined text. */
export const TOKEN_CHARS = 6;
export const SUMMARY_TOKENS = 20;
export const PLAN_TASKS = 2;

export function worded({ kind, tokens, paceMs }: Wish): string {
  return `Please answer. [bench ${kind} tokens=${tokens} pace=${paceMs}]`;
}

/** The first wish in a text. Throws when there is none: the caller has lost the person's words. */
export function wishIn(text: string): Wish {
  const found = /\[bench (direct|plan|answer) tokens=(\d+) pace=(\d+)\]/.exec(text);
  if (found === null) throw new Error(`No wish in ${JSON.stringify(text.slice(0, 200))}`);
  return { kind: found[1] as Wish["kind"], tokens: Number(found[2]), paceMs: Number(found[3]) };
}

/** Characters of text that a whole turn tells its reader. */
export function expectedChars({ kind, tokens }: Wish): number {
  return TOKEN_CHARS * (kind === "plan" ? PLAN_TASKS * tokens + SUMMARY_TOKENS : tokens);
}
