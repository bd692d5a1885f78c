// Pages from outside: listed, read, exported and shared, by each user for themselves.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { blueprintSchema } from "../../src/protocol/pages/blueprint-schema.ts";
import type { StoredPage, PageDraft, PageLink, PageList, PagesApi } from "../../src/protocol/pages/stored-page.ts";
import { unwrapResult } from "../../src/protocol/wire/rpc-result.ts";
import { PAGE } from "./plain/sample-page.ts";
import { ask, call, DOWN, must, ORIGIN, refused, type Ask } from "./support.ts";
import { as, BY_SECRET } from "./tokens.ts";

const PAGES = "/api/v1/pages";
const { LIBRARY, DB } = env as unknown as { LIBRARY: { getByName(name: string): PagesApi }; DB: D1Database };

let ada: Ask;
let eve: Ask;
let mine: string;
beforeEach(async () => {
  await DB.exec(`DELETE FROM page_link`);
  const names = [`ada-${crypto.randomUUID()}`, `eve-${crypto.randomUUID()}`] as const;
  [ada, eve] = [await as(names[0]), await as(names[1])];
  mine = await keep(names[0]);
});

async function keep(user: string, more: Partial<PageDraft> = {}): Promise<string> {
  const blueprint = blueprintSchema.parse({
    id: "bp-1",
    name: "Compare",
    dataContract: {},
    computeGraph: {},
    uiComposition: { tabs: [{ id: "t", label: "T" }] },
  });
  const setup = { context: { classId: "c" }, teacher_id: "t-001", language: "en" };
  const draft = { page: PAGE, blueprint, snapshot: { results: [], is_cut: false }, ...setup, ...more };
  return unwrapResult(await LIBRARY.getByName(user).keepPage(draft)).page_id;
}

const at = (rest = "", id = mine) => `${PAGES}/${id}${rest}`;
type Linked = PageLink & { readonly url: string };
const link = (options: Ask = {}): Promise<Linked> =>
  ask<Linked>("POST", at("/links"), { ...ada, body: {}, ...options });
const pathOf = ({ url }: Linked) => url.slice(ORIGIN.length);

describe("pages", () => {
  test("are listed, read, renamed and deleted", async () => {
    const { pages, next_cursor: next } = await ask<PageList>("GET", `${PAGES}?limit=1`, ada);
    expect(pages).toMatchObject([{ page_id: mine, title: PAGE.meta.pageTitle }]);
    expect((await ask<PageList>("GET", `${PAGES}?cursor=${must(next)}`, ada)).pages).toEqual([]);
    const page = await ask<StoredPage>("GET", at(), ada);
    expect(page).toMatchObject({ page: PAGE, teacher_id: "t-001", context: { classId: "c" } });
    expect(await ask("PATCH", at(), { ...ada, body: { title: " Mine " } })).toMatchObject({ title: "Mine" });
    expect(await refused("PATCH", at(), { ...ada, body: { title: " " } })).toMatchObject({ field: "title" });
    expect(await ask("DELETE", at(), ada)).toEqual({ page_id: mine, deleted: true });
    expect(await refused("GET", at(), ada)).toMatchObject({ code: "not_found" });
  });

  test.each(["nothing", "page-1", `page-${"0".repeat(32)}`, "page-%00", "%2e%2e"])("%s is none", async (id) => {
    for (const [method, rest] of [
      ["GET", ""],
      ["GET", ".html"],
      ["GET", ".csv"],
      ["DELETE", ""],
      ["GET", "/links"],
      ["POST", "/run"],
    ])
      expect(await refused(must(method), at(rest, id), ada)).toMatchObject({ status: 404 });
  });

  test("[U1] are nobody else's, at any door", async () => {
    const { link_id } = await link();
    const doors: [string, string, object?][] = [
      ["GET", at()],
      ["PATCH", at(), { title: "Stolen" }],
      ["DELETE", at()],
      ["POST", at("/run")],
      ["GET", at(".html")],
      ["GET", at(".csv")],
      ["POST", at("/links"), {}],
      ["GET", at("/links")],
      ["DELETE", at(`/links/${link_id}`)],
    ];
    for (const [method, path, body] of doors) {
      expect(await refused(method, path, { ...eve, ...(body === undefined ? {} : { body }) })).toMatchObject({
        status: 404,
      });
      expect((await call(method, path, { env: BY_SECRET, ...(body === undefined ? {} : { body }) })).status).toBe(401);
    }
    expect((await ask<PageList>("GET", PAGES, eve)).pages).toEqual([]);
    expect(await ask<StoredPage>("GET", at(), ada)).toMatchObject({ title: PAGE.meta.pageTitle });
    expect((await ask<{ links: PageLink[] }>("GET", at("/links"), ada)).links).toHaveLength(1);
  });

  test("are exported as a file that may do nothing, and as CSV", async () => {
    const html = await onlyCall("GET", at(".html"), ada);
    expect(html.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(html.headers.get("content-disposition")).toContain(
      `filename*=UTF-8''1A%20and%201B%20on%20the%20last%20assignment.html`,
    );
    expectSealed(html);
    expect(await html.text()).toContain("<h1>1A and 1B on the last assignment</h1>");
    const csv = await call("GET", at(".csv"), ada);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(await csv.text()).toContain("Wong Ka Ho,58,false");
  });

  test("are made again by the analyst, for the user who asks", async () => {
    const refresh = vi.fn<(user: string, page: string) => Promise<unknown>>(() =>
      Promise.resolve({ ok: true, value: new Blob(['{"type":"MESSAGE","content":"Hi"}\n']).stream() }),
    );
    const response = await call("POST", at("/run"), { ...ada, env: { ...ada.env, AGENT_ANALYST: { refresh } } });
    expect(await response.text()).toBe(':\n\ndata: {"type":"MESSAGE","content":"Hi"}\n\n');
    expect(refresh).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^ada-/), mine);
  });
});

describe("a link", () => {
  test("lets anybody read the page as it is, and nothing else", async () => {
    const made = await link({ body: { expires_in: 60 } });
    expect(made.expires_at - made.created_at).toBe(60_000);
    const shared = await onlyCall("GET", pathOf(made), { env: BY_SECRET });
    expect(shared.status).toBe(200);
    expectSealed(shared);
    const text = await shared.text();
    expect(text).toContain("Wong Ka Ho");
    expect(text).not.toMatch(/ada-/);
    for (const method of ["POST", "PATCH", "DELETE"])
      expect((await call(method, pathOf(made), { env: BY_SECRET })).status).toBe(405);
    await ask("PATCH", at(), { ...ada, body: { title: "Renamed" } });
    expect(await (await onlyCall("GET", pathOf(made), { env: BY_SECRET })).text()).toContain("<h1>Renamed</h1>");
  });

  test("is kept as a hash, and told only once", async () => {
    const made = await link();
    const token = must(pathOf(made).split("/").at(-1));
    expect(token).toMatch(/^[\da-f]{64}$/);
    const { results } = await DB.prepare(`SELECT * FROM page_link`).all();
    expect(JSON.stringify(results)).not.toContain(token);
    const { links } = await ask<{ links: object[] }>("GET", at("/links"), ada);
    expect(links).toEqual([{ link_id: made.link_id, created_at: made.created_at, expires_at: made.expires_at }]);
  });

  test("ends when it expires, when it is revoked, and with its page", async () => {
    const [expired, revoked, orphaned] = [await link(), await link(), await link()];
    await DB.prepare(`UPDATE page_link SET expires_at = ? WHERE link_id = ?`).bind(Date.now(), expired.link_id).run();
    expect((await ask<{ links: PageLink[] }>("GET", at("/links"), ada)).links).toHaveLength(2);
    expect(await ask("DELETE", at(`/links/${revoked.link_id}`), ada)).toEqual({
      link_id: revoked.link_id,
      deleted: true,
    });
    expect(await refused("DELETE", at(`/links/${revoked.link_id}`), ada)).toMatchObject({ code: "not_found" });
    const before = await Promise.all([expired, revoked].map((one) => refused("GET", pathOf(one))));
    expect((await onlyCall("GET", pathOf(orphaned), {})).status).toBe(200);
    await ask("DELETE", at(), ada);
    expect((await DB.prepare(`SELECT * FROM page_link`).all()).results).toEqual([]);
    const answers = await Promise.all(
      [
        ...[expired, revoked, orphaned].map(pathOf),
        `/shared/${"0".repeat(64)}`,
        "/shared/x",
        "/shared/%27%20OR%201=1",
      ].map((path) => refused("GET", path)),
    );
    // Nobody can tell one from another.
    expect(new Set([...before, ...answers].map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404 });
  });

  test("leads nowhere once its page is gone, also where the directory was down", async () => {
    const made = await link();
    expect(await ask("DELETE", at(), { ...ada, env: { ...ada.env, ...DOWN } })).toMatchObject({ deleted: true });
    expect(await refused("GET", pathOf(made))).toMatchObject({ status: 404 });
    expect(await refused("GET", pathOf(made), { env: DOWN })).toMatchObject({ code: "unavailable" });
  });

  test("is one of twenty at most, and lasts a minute to thirty days", async () => {
    for (let i = 0; i < 20; i++) await link();
    expect(await refused("POST", at("/links"), { ...ada, body: {} })).toMatchObject({ code: "too_many_requests" });
    for (const expires_in of [59, 30 * 86_400 + 1, 1.5, "60"])
      expect(await refused("POST", at("/links"), { ...ada, body: { expires_in } })).toMatchObject({
        field: "expires_in",
      });
  });
});

/** Calls a door whose answer has a policy of its own. */
async function onlyCall(method: string, path: string, { headers = {}, env: changes }: Ask): Promise<Response> {
  const { handleRequest } = await import("../../src/http/http-app.ts");
  const { createExecutionContext } = await import("cloudflare:test");
  const request = new Request(`${ORIGIN}${path}`, { method, headers });
  return handleRequest(request, { ...(env as object), ...changes } as never, createExecutionContext());
}

function expectSealed({ headers }: Response): void {
  const policy = must(headers.get("content-security-policy"));
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; /);
  expect(policy).toMatch(/frame-ancestors 'none'; sandbox$/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
}
