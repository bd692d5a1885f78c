// Classifies a tool result by rules: `yes` if it confirms that the requested object exists without errors, else `no`.

/** Matches the first words of a negative plain text. */
const NEGATIVE_START =
  /^\W*(?:error\b|failed\b|failure\b|exception\b|nothing\b|none\b|null\b|undefined\b|false\b|no (?:such|match|result|record|entr|data)|错误|失败|出错|没有(?:该|此|这|相关|匹配|符合|记录|数据))/i;
/** Matches negative phrases anywhere in a short text. A long text may use them about something else. */
const NEGATIVE_PHRASE = new RegExp(
  [
    /\bnot[ _-]?found\b|\b(?:does not|doesn['’]t) exist\b|\bis empty\b|查无|不存在|(?:为|是)空(?!间|闲)/,
    // “No errors found” is positive.
    /\bno\b(?! (?:\w+ )?(?:error|issue|problem|discrepanc|difference|conflict|failure|fault|mistake)).{1,60}\bfound\b/,
    /(?:未找到|没有找到|找不到)(?!(?:任何)?(?:错误|问题|异常|差异|冲突))/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);
/** The maximum length of a text in which a phrase anywhere decides. */
const MAX_PHRASE_TEXT_CHARS = 300;

/** Negative statuses, in lower case without separators. */
const NEGATIVE_STATUSES: ReadonlySet<string> = new Set([
  "notfound",
  "missing",
  "none",
  "error",
  "fail",
  "failed",
  "failure",
]);

/** Fields that state existence, and fields that state the success of the call. */
const EXISTENCE_FIELDS = ["found", "exists", "verified"] as const;
const SUCCESS_FIELDS = ["success", "successful", "succeeded", "ok"] as const;
/** Fields that wrap the answer itself, if all other fields are envelope fields. */
const WRAPPER_FIELDS: ReadonlySet<string> = new Set([
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
/** Fields that accompany an answer and contain no part of it. */
const ENVELOPE_FIELDS: ReadonlySet<string> = new Set([
  ...SUCCESS_FIELDS,
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
/** The maximum depth of nested results and of JSON inside strings. */
const MAX_DEPTH = 6;

/** Returns `no` for a negative or empty tool result, also for truncated JSON that begins negatively; else `yes`. */
export function classifyToolResult(result: string): "yes" | "no" {
  return isNegativeText(result, MAX_DEPTH) ? "no" : "yes";
}

/** True if a text is empty or negative. JSON in the text is classified as JSON. */
function isNegativeText(text: string, depth: number): boolean {
  const trimmed = text.trim();
  if (/^[[{"]/.test(trimmed)) {
    try {
      return isNegative(JSON.parse(trimmed), depth);
    } catch {
      if (trimmed.startsWith("{")) return NEGATIVE_TRUNCATED_JSON.test(trimmed);
    }
  }
  return (
    trimmed === "" ||
    NEGATIVE_START.test(trimmed) ||
    (trimmed.length <= MAX_PHRASE_TEXT_CHARS && NEGATIVE_PHRASE.test(trimmed))
  );
}

/** Matches the beginning of negative JSON that was truncated and does not parse. */
const NEGATIVE_TRUNCATED_JSON =
  /^\{\s*"(?:is_?error"\s*:\s*true|(?:success|ok|found|exists|verified)"\s*:\s*false|error"\s*:\s*["{](?!"))/i;

/** True if a JSON value is negative. An array is negative if all its elements are, so an empty one is. */
function isNegative(value: unknown, depth: number): boolean {
  if (value === null || value === false) return true;
  if (depth === 0) return false;
  if (typeof value === "string") return isNegativeText(value, depth - 1);
  if (Array.isArray(value)) return value.every((entry) => isNegative(entry, depth - 1));
  return typeof value === "object" && isNegativeObject(new Map(Object.entries(value)), depth);
}

type ResultMembers = ReadonlyMap<string, unknown>;

/** True if an object is negative: by error and success fields, counts, status, message, or its wrapped answer. */
function isNegativeObject(members: ResultMembers, depth: number): boolean {
  const hasField = (names: readonly string[], matches: (value: unknown) => boolean) =>
    names.some((name) => matches(members.get(name)));
  if (members.size === 0 || hasField(["isError", "is_error"], isTrue)) return true;
  if (
    hasField([...EXISTENCE_FIELDS, ...SUCCESS_FIELDS], isFalse) ||
    hasField(["count", "total"], (value) => value === 0)
  )
    return true;
  if (hasErrorContent(members.get("error")) || isNegativeStatus(members.get("status"))) return true;
  if (hasField(EXISTENCE_FIELDS, isTrue)) return false;
  const { type, text, message } = Object.fromEntries(members);
  if (type === "text" && typeof text === "string") return isNegative(text, depth - 1);
  if (typeof message === "string" && !hasField(SUCCESS_FIELDS, isTrue) && isNegativeText(message, depth - 1))
    return true;
  const inner = [...members].filter(([name]) => !ENVELOPE_FIELDS.has(name));
  return inner.length > 0 && inner.every(([name, value]) => WRAPPER_FIELDS.has(name) && isNegative(value, depth - 1));
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

function isFalse(value: unknown): boolean {
  return value === false || value === "false";
}

/** True for an `error` field with content. Many results contain an empty error or the text “none”. */
function hasErrorContent(value: unknown): boolean {
  if (typeof value === "string") return !/^\s*(?:none|null|no error|false|0)?\s*$/i.test(value);
  return value === true || (typeof value === "object" && value !== null && Object.keys(value).length > 0);
}

/** True for HTTP statuses from 400 to 599 and for negative status words. */
function isNegativeStatus(value: unknown): boolean {
  if (typeof value === "number") return value >= 400 && value < 600;
  return typeof value === "string" && NEGATIVE_STATUSES.has(value.toLowerCase().replaceAll(/[\s_-]/g, ""));
}
