// Random changes of a valid request: of its body, encoding, media type, method, headers, path or query. The same random
// numbers make the same change.

import { randomBetween } from "../random.ts";
import { formatEdited, listPaths, MALFORMED_VALUES, type Json } from "./json-edits.ts";

export type Form = Readonly<Record<string, string>>;

/** A valid request. `path` may have a query; `query` names further parameters of the route. */
export type ValidRequest = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, a form, or the text of a body with another media type. */
  readonly body?: { readonly json: Json } | { readonly form: Form } | { readonly text: string };
};

/** A request as it is sent. `change` describes how it differs from the valid one. */
export type SentRequest = {
  readonly name: string;
  readonly change: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
};

type Pick = <T>(options: readonly T[]) => T;
type Dice = { readonly random: () => number; readonly pick: Pick };

export function createPick(random: () => number): Pick {
  return (options) => options[randomBetween(random, 0, options.length - 1)] as (typeof options)[number];
}

/** Returns the request as its client would send it. */
export function toSentRequest({ name, method, path, headers = {}, body }: ValidRequest): SentRequest {
  const { type, text } = formatBody(body);
  const typed = type === null ? {} : { "content-type": type };
  return { name, change: "nothing", method, path, headers: { ...typed, ...headers }, body: text };
}

/** Returns the text of a body and its media type; `type` is null if the headers of the request state it. */
function formatBody(body: ValidRequest["body"]): { readonly type: string | null; readonly text: string | null } {
  if (body === undefined) return { type: null, text: null };
  if ("json" in body) return { type: "application/json", text: JSON.stringify(body.json) };
  if ("form" in body) return { type: "application/x-www-form-urlencoded", text: formatForm(body.form) };
  return { type: null, text: body.text };
}

const formatForm = (form: Form): string => new URLSearchParams(form).toString();

/** Returns the request with one to three changes. */
export function mutateRequest(valid: ValidRequest, random: () => number): SentRequest {
  const dice = { random, pick: createPick(random) };
  let request = toSentRequest(valid);
  const count = dice.pick([1, 1, 1, 2, 3]);
  for (let n = 0; n < count; n += 1) {
    const { change, ...parts } = chooseMutation(valid, dice)(request, dice, valid);
    request = { ...request, ...parts, change: request.change === "nothing" ? change : `${request.change}; ${change}` };
  }
  // The HTTP server closes the connection of an upgrade with a body before the Worker sees the request.
  const { upgrade: _, ...others } = request.headers;
  return request.body === null ? request : { ...request, headers: others };
}

type Mutation = (
  request: SentRequest,
  dice: Dice,
  valid: ValidRequest,
) => Partial<SentRequest> & { readonly change: string };

/** Most changes are changes of fields, because they get furthest. */
function chooseMutation({ body, path, query = [] }: ValidRequest, { pick }: Dice): Mutation {
  const hasQuery = query.length > 0 || path.includes("?");
  return pick([
    ...(body === undefined ? [addBody] : []),
    ...(body !== undefined && "json" in body ? [changeField, changeField, changeField, changeField, addField] : []),
    ...(body !== undefined && "form" in body ? [changeFormField, changeFormField, changeFormField] : []),
    ...(body === undefined ? [] : [damageBody, changeMediaType]),
    ...(hasQuery ? [changeQuery, changeQuery, changeQuery] : [changeQuery]),
    changePath,
    changePath,
    changeHeader,
    changeHeader,
    changeMethod,
  ]);
}

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text);

const changeField: Mutation = ({ body }, { pick }, valid) => {
  const json = parseBody(body) ?? (valid.body !== undefined && "json" in valid.body ? valid.body.json : {});
  const path = pick(listPaths(json));
  const replacement = path.length === 0 ? pick(MALFORMED_VALUES) : pick([null, ...MALFORMED_VALUES]);
  return {
    change: `${path.join(".") || "the body"} is ${replacement === null ? "missing" : shorten(replacement)}`,
    body: formatEdited(json, path, replacement),
  };
};

const changeFormField: Mutation = ({ body }, { pick }, valid) => {
  const form = valid.body !== undefined && "form" in valid.body ? valid.body.form : {};
  const fields = typeof body === "string" ? body.split("&") : formatForm(form).split("&");
  const name = pick([...Object.keys(form), "__proto__", "scope", "resource", ""]);
  const others = fields.filter((field) => !field.startsWith(`${name}=`));
  const value = pick(QUERY_VALUES);
  const added = pick([[], [name], [`${name}=${value}`], [`${name}=${value}`], [`${name}=1`, `${name}=${value}`]]);
  return { change: `with ${shorten(added.join("&") || `no ${name}`)}`, body: [...others, ...added].join("&") };
};

const addField: Mutation = ({ body }, { pick }) => {
  const name = pick(["__proto__", "constructor", "toString", "id", "user_id", "", "\u0000", "seq", "x".repeat(9_000)]);
  const value = pick(MALFORMED_VALUES);
  const text = typeof body === "string" ? body : "{}";
  return {
    change: `with ${shorten(name)}: ${shorten(value)}`,
    body: text.replace("{", `{${JSON.stringify(name)}:${value},`),
  };
};

const toBytes = (text: string) => new TextEncoder().encode(text);
const joinBytes = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

const damageBody: Mutation = ({ body }, { random, pick }) => {
  const bytes = body === null || body.length === 0 ? toBytes("{}") : typeof body === "string" ? toBytes(body) : body;
  const at = randomBetween(random, 0, bytes.length - 1);
  return pick<() => Partial<SentRequest> & { readonly change: string }>([
    () => ({ change: `cut at byte ${at}`, body: bytes.slice(0, at) }),
    () => ({ change: "empty", body: "" }),
    () => ({ change: "with text behind it", body: joinBytes(bytes, toBytes(pick(["}", "\0", "{}", "]"]))) }),
    () => ({ change: "with a byte order mark", body: joinBytes(Uint8Array.of(0xef, 0xbb, 0xbf), bytes) }),
    () => ({ change: "in UTF-16", body: Uint8Array.from([...bytes].flatMap((byte) => [byte, 0])) }),
    () => ({ change: `with another byte at ${at}`, body: bytes.with(at, randomBetween(random, 0, 255)) }),
    () => ({ change: "of random bytes", body: Uint8Array.from({ length: 200 }, () => randomBetween(random, 0, 255)) }),
    () => ({ change: "of 100,000 brackets", body: "[".repeat(100_000) }),
    () => ({ change: "of 3 MB", body: `{"message":"${"x".repeat(3_000_000)}"}` }),
  ])();
};

const addBody: Mutation = (_, { pick }) => ({
  change: "with a body",
  body: pick(["{}", "null", "{", '{"id":1}', "x".repeat(1_000)]),
  headers: { "content-type": pick(["application/json", "text/plain", "multipart/form-data"]) },
});

const MEDIA_TYPES = [
  "",
  "text/plain",
  "text/csv",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "application/a2a+json",
  "application/JSON;;;=",
  "*/*",
  "json",
  `application/${"x".repeat(5_000)}`,
];

const changeMediaType: Mutation = ({ headers }, { pick }) => {
  const type = pick(MEDIA_TYPES);
  return { change: `as ${shorten(type)}`, headers: { ...headers, "content-type": type } };
};

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "SEARCH"];
const changeMethod: Mutation = (_, { pick }) => {
  const method = pick(METHODS);
  return { change: `with ${method}`, method };
};

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ["text/event-stream", "text/html", "application/a2a+json", "*/*;q=0", ",,,", "x".repeat(5_000)],
  "accept-language": ["zh-CN", "x-y-z;q=9", "*;q=NaN", ",;=", "zh,".repeat(3_000)],
  "accept-encoding": ["br", "identity;q=0", "x"],
  "content-encoding": ["gzip", "br", "x"],
  authorization: ["Bearer", "Bearer x.y.z", "Basic eDp5", "\u00ff", `Bearer ${"x".repeat(5_000)}`],
  "idempotency-key": ["", " ", "\u00e9", "a,b", "x".repeat(128), "x".repeat(5_000)],
  "last-event-id": ["-1", "1e9", "99999999999999999999", "x", "\u00ff"],
  "if-none-match": ["*", '"x"', 'W/"'],
  origin: ["null", "https://evil.example", "::"],
  range: ["bytes=0-1", "bytes=-9"],
  upgrade: ["websocket", "h2c"],
  "x-orrery-conversation": ["", "__proto__", "\u00ff", "a/b", "x".repeat(129), "conv-0"],
  "a2a-version": ["0.3", "1.0", "2.0", "", "x".repeat(300)],
  "a2a-extensions": [",", "https://x.example,".repeat(200)],
  "mcp-protocol-version": ["2026-07-28", "2025-03-26", "0", "x".repeat(300)],
  "mcp-session-id": ["x", "\u00ff", "x".repeat(3_000)],
  "mcp-method": ["tools/call", "x", "=?base64?x?="],
  "x-forwarded-for": ["x".repeat(300)],
  traceparent: ["00-0-0-00"],
};

const changeHeader: Mutation = ({ headers }, { pick }) => {
  const name = pick(Object.keys(HEADERS));
  const value = pick(HEADERS[name] ?? []);
  return { change: `${name}: ${shorten(value)}`, headers: { ...headers, [name]: value } };
};

const SEGMENTS = [
  "",
  ".",
  "%2e%2e",
  "..%2f..%2f",
  "%",
  "%zz",
  "%00",
  "%ff",
  "%E0%A4%A",
  "%F0%9F%98%80",
  "%ed%a0%80",
  "__proto__",
  "constructor",
  "*",
  ":id",
  "{id}",
  "a;b=c",
  "a%20b",
  "a%2Fb",
  "a%23b%3Fc",
  "'%3B--",
  "%C3%BF%EF%BF%BD",
  "x".repeat(5_000),
  "conv-0",
  "-1",
];

const changePath: Mutation = ({ path }, { random, pick }) => {
  const [address = "", query] = path.split("?");
  const segments = address.split("/");
  const at = randomBetween(random, 1, segments.length - 1);
  const segment = pick(SEGMENTS);
  const changed = pick([
    [...segments.slice(0, at), segment, ...segments.slice(at + 1)],
    segments.with(-1, segment),
    segments.with(-1, (segments.at(-1) ?? "") + segment),
    [...segments, segment],
    segments.map((part) => part.toUpperCase()),
  ]);
  const formed = `${changed.join("/")}${query === undefined ? "" : `?${query}`}`;
  return { change: `at ${shorten(formed)}`, path: formed };
};

const QUERY_VALUES = [
  "",
  "0",
  "-1",
  "1.5",
  "1e3",
  "01",
  "NaN",
  "99999999999999999999",
  "%00",
  "%",
  "%ff",
  "%ED%A0%80",
  "%F0%9F%98%80",
  "true",
  "null",
  "__proto__",
  "%27%20OR%201%3D1",
  "%25%25",
  "eyJ4IjoxfQ",
  "x".repeat(6_000),
];

const changeQuery: Mutation = ({ path }, { pick }, { query = [] }) => {
  const name = pick([...query, ...query, "limit", "after", "x", "__proto__", "", "a[b]"]);
  const value = pick(QUERY_VALUES);
  const added = pick([`${name}=${value}`, `${name}=${value}`, `${name}=1&${name}=${value}`, name, `&&=${value}&`]);
  return { change: `with ?${shorten(added)}`, path: `${path}${path.includes("?") ? "&" : "?"}${added}` };
};

/** Returns a body as JSON; undefined if it is none, or nested too deeply to be changed once more. */
function parseBody(body: SentRequest["body"]): Json | undefined {
  const text = typeof body === "string" ? body : "";
  try {
    return /(\[|\{"a":){50}/.test(text) ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}
