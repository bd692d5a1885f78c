// Whether what a tool answered says that something is there and well. Nothing found is a no.

/** The first words of a plain text that is a no. */
const NO_WORDS =
  /^\W*(?:error\b|failed\b|failure\b|exception\b|nothing\b|none\b|null\b|undefined\b|false\b|no (?:such|match|result|record|entr|data)|错误|失败|出错|没有(?:该|此|这|相关|匹配|符合|记录|数据))/i;
/** What a plain text that is a no holds, if it is short: a long one may say it of something else. */
const NOT_THERE = new RegExp(
  [
    /\bnot[ _-]?found\b|\b(?:does not|doesn['’]t) exist\b|\bis empty\b|查无|不存在|(?:为|是)空(?!间|闲)/,
    // Where what is not found is a fault, all is well.
    /\bno\b(?! (?:\w+ )?(?:error|issue|problem|discrepanc|difference|conflict|failure|fault|mistake)).{1,60}\bfound\b/,
    /(?:未找到|没有找到|找不到)(?!(?:任何)?(?:错误|问题|异常|差异|冲突))/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);
const SHORT = 300;

/** Statuses that are a no, without case and separators. */
const NO_STATUSES: ReadonlySet<string> = new Set(["notfound", "missing", "none", "error", "fail", "failed", "failure"]);

/** Members that say whether it is there, and whether looking went well. */
const THERE = ["found", "exists", "verified"] as const;
const WELL = ["success", "successful", "succeeded", "ok"] as const;
/** Members in which the answer itself is wrapped, where there is nothing else but what goes with an answer. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "structuredContent",
  "result",
  "results",
  "data",
  "content",
  "items",
  "records",
  "rows",
  "matches",
]);
const AROUND: ReadonlySet<string> = new Set([
  ...WELL,
  "isError",
  "is_error",
  "error",
  "status",
  "code",
  "message",
  "count",
  "total",
  "type",
  "meta",
  "_meta",
]);
const MAX_DEPTH = 6;

/** `no` also for JSON that has been cut, if what is left of it begins with one. */
export function answerOf(result: string): "yes" | "no" {
  return deniesText(result, MAX_DEPTH) ? "no" : "yes";
}

function deniesText(text: string, depth: number): boolean {
  const trimmed = text.trim();
  if (/^[[{"]/.test(trimmed)) {
    try {
      return denies(JSON.parse(trimmed), depth);
    } catch {
      if (trimmed.startsWith("{")) return CUT_NO.test(trimmed);
    }
  }
  return trimmed === "" || NO_WORDS.test(trimmed) || (trimmed.length <= SHORT && NOT_THERE.test(trimmed));
}

const CUT_NO =
  /^\{\s*"(?:is_?error"\s*:\s*true|(?:success|ok|found|exists|verified)"\s*:\s*false|error"\s*:\s*["{](?!"))/i;

function denies(value: unknown, depth: number): boolean {
  if (value === null || value === false) return true;
  if (depth === 0) return false;
  if (typeof value === "string") return deniesText(value, depth - 1);
  if (Array.isArray(value)) return value.every((entry) => denies(entry, depth - 1));
  return typeof value === "object" && deniesObject(new Map(Object.entries(value)), depth);
}

type Members = ReadonlyMap<string, unknown>;

function deniesObject(members: Members, depth: number): boolean {
  const isOneOf = (names: readonly string[], says: (value: unknown) => boolean) =>
    names.some((name) => says(members.get(name)));
  if (members.size === 0 || isOneOf(["isError", "is_error"], isTrue)) return true;
  if (isOneOf([...THERE, ...WELL], isFalse) || isOneOf(["count", "total"], (value) => value === 0)) return true;
  if (isError(members.get("error")) || isNoStatus(members.get("status"))) return true;
  if (isOneOf(THERE, isTrue)) return false;
  const { type, text, message } = Object.fromEntries(members);
  if (type === "text" && typeof text === "string") return denies(text, depth - 1);
  if (typeof message === "string" && !isOneOf(WELL, isTrue) && deniesText(message, depth - 1)) return true;
  const inner = [...members].filter(([name]) => !AROUND.has(name));
  return inner.length > 0 && inner.every(([name, value]) => WRAPPERS.has(name) && denies(value, depth - 1));
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

function isFalse(value: unknown): boolean {
  return value === false || value === "false";
}

/** Many answers have an empty error, or one that says that there is none. */
function isError(value: unknown): boolean {
  if (typeof value === "string") return !/^\s*(?:none|null|no error|false|0)?\s*$/i.test(value);
  return value === true || (typeof value === "object" && value !== null && Object.keys(value).length > 0);
}

function isNoStatus(value: unknown): boolean {
  if (typeof value === "number") return value >= 400 && value < 600;
  return typeof value === "string" && NO_STATUSES.has(value.toLowerCase().replaceAll(/[\s_-]/g, ""));
}
