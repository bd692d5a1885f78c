// The time after which an endpoint wants to be called again, from the headers of its response.

/**
 * Parses `retry-after-ms`, `Retry-After` (RFC 9110 §10.2.3: seconds or a date) or, without both, the reset of an
 * exhausted rate limit, to ms from `now`. Undefined without a valid header, 0 for a time in the past.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const exact = headers.get("retry-after-ms");
  if (isNumber(exact)) return Number(exact);
  const header = headers.get("retry-after");
  if (isNumber(header)) return Number(header) * 1_000;
  const date = Date.parse(header ?? "");
  return Number.isNaN(date) ? parseRateLimitReset(headers) : Math.max(0, date - now);
}

function isNumber(text: string | null): text is string {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text);
}

/** The limits of an OpenAI endpoint. Each has its own reset, which only counts if nothing remains of the limit. */
const RATE_LIMITS = ["requests", "tokens"] as const;

/** Parses the latest `x-ratelimit-reset-…` (such as `6m0s`) of the limits that are exhausted. */
function parseRateLimitReset(headers: Headers): number | undefined {
  const resets = RATE_LIMITS.filter((limit) => headers.get(`x-ratelimit-remaining-${limit}`)?.trim() === "0")
    .map((limit) => parseDuration(headers.get(`x-ratelimit-reset-${limit}`) ?? ""))
    .filter((ms) => ms !== undefined);
  return resets.length === 0 ? undefined : Math.max(...resets);
}

const MS_BY_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a duration such as `1h2m3.5s` or `250ms` to ms; undefined for any other text. */
function parseDuration(text: string): number | undefined {
  if (!/^\s*(?:\d+(?:\.\d+)?(?:ms|[smhd]))+\s*$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g);
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (MS_BY_UNIT[unit] ?? 0), 0);
}
