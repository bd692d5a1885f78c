// Programs that try to get out, to stay behind or to bring the host down. Each answers "leaked …" if it got what it
// wanted. Some the check refuses; those run once more without it, and still have to get nothing.

export type Escape = {
  readonly name: string;
  readonly code: string;
  /** What the check says, if it is its business. */
  readonly refused?: RegExp;
  /** How it ends when it runs; `harmless` is any value or error of its own. */
  readonly ends: "exhausted" | "too_large" | "threw" | "harmless";
};

export function refused(name: string, refused: RegExp, code: string, ends: Escape["ends"] = "harmless"): Escape {
  return { name, code: body(code), refused, ends };
}

export function runs(name: string, ends: Escape["ends"], code: string): Escape {
  return { name, code: body(code), ends };
}

function body(code: string): string {
  return `function run() {\n${code}\n}`;
}
