// The verdict at the end of an agent's answer to a verification request.

/** The conclusion that an agent states in its answer. */
export type AgentVerdict = "verified" | "not_verified" | "unable";

const VERDICT_PATTERNS: Readonly<Record<AgentVerdict, string>> = {
  not_verified:
    "(?:not|[a-z]+n['’]t) (?:\\w+ ){0,2}verified|unverified|verification failed|未通过|未验证|没有(?:验证)?通过|验证失败",
  unable: "(?:unable to|cannot|could not) verify|cannot be verified|无法验证|不能验证",
  verified: "verified|已验证|验证通过",
};
/** The patterns of all verdicts. Negative ones come first, because “not verified” contains “verified”. */
const VERDICT_MATCHERS = (["not_verified", "unable", "verified"] as const).map((verdict) => ({
  verdict,
  alone: new RegExp(`^\\P{L}*(?:${VERDICT_PATTERNS[verdict]})\\P{L}*$`, "iu"),
  within: new RegExp(`(?<![a-z])(?:${VERDICT_PATTERNS[verdict]})(?![a-z])`, "i"),
}));

/**
 * Parses the verdict: the last line that consists of nothing but a verdict, else a match within the last line. Null if
 * there is none.
 */
export function parseVerdict(answer: string): AgentVerdict | null {
  const lines = answer
    .trim()
    .replaceAll(/[ \t_-]+/g, " ")
    .split("\n");
  for (const line of lines.toReversed()) {
    const found = VERDICT_MATCHERS.find(({ alone }) => alone.test(line));
    if (found !== undefined) return found.verdict;
  }
  const last = lines.at(-1) ?? "";
  return VERDICT_MATCHERS.find(({ within }) => within.test(last))?.verdict ?? null;
}
