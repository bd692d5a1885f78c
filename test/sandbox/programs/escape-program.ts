// Programs that try to escape, to leave state behind or to overload the host. Each returns "leaked …" on success.
// Programs that the check rejects run without it too, and must still reach nothing.

export type EscapeProgram = {
  readonly name: string;
  readonly code: string;
  /** Expected issues, if the check must reject it. */
  readonly refused?: RegExp;
  /** Expected end of its run; `harmless` is any value or error of its own. */
  readonly ends: "exhausted" | "too_large" | "threw" | "harmless";
};

export function createRejected(
  name: string,
  refused: RegExp,
  code: string,
  ends: EscapeProgram["ends"] = "harmless",
): EscapeProgram {
  return { name, code: wrapBody(code), refused, ends };
}

export function createAccepted(name: string, ends: EscapeProgram["ends"], code: string): EscapeProgram {
  return { name, code: wrapBody(code), ends };
}

function wrapBody(code: string): string {
  return `function run() {\n${code}\n}`;
}
