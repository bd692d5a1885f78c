// The HTTP interface of pages: list, read, export and share, separately for each user.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { blueprintSchema } from "../../src/protocol/pages/blueprint-schema.ts";
import type { StoredPage, PageDraft, PageLink, PageList, PagesApi } from "../../src/protocol/pages/stored-page.ts";
import { unwrapResult } from "../../src/protocol/wire/rpc-result.ts";
import { SAMPLE_PAGE } from "./plain/sample-page.ts";
import { callRoute, call, BROKEN_DB, assertPresent, ORIGIN, callForProblem, type ApiRequest } from "./support.ts";
import { authenticateAs, WITH_SECRET } from "./tokens.ts";

const PAGES = "/api/v1/pages";
const { LIBRARY, DB } = env as unknown as { LIBRARY: { getByName(name: string): PagesApi }; DB: D1Database };

let ada: ApiRequest;
let eve: ApiRequest;
let pageId: string;
beforeEach(async () => {
  await DB.exec(`DELETE FROM page_link`);
  const names = [`ada-${crypto.randomUUID()}`, `eve-${crypto.randomUUID()}`] as const;
  [ada, eve] = [await authenticateAs(names[0]), await authenticateAs(names[1])];
  pageId = await storePage(names[0]);
});

async function storePage(user: string, overrides: Partial<PageDraft> = {}): Promise<string> {
  const blueprint = blueprintSchema.parse({
    id: "bp-1",
    name: "Compare",
    dataContract: {},
    computeGraph: {},
    uiComposition: { tabs: [{ id: "t", label: "T" }] },
  });
  const setup = { context: { classId: "c" }, teacher_id: "t-001", language: "en" };
  const draft = { page: SAMPLE_PAGE, blueprint, snapshot: { results: [], is_cut: false }, ...setup, ...overrides };
  return unwrapResult(await LIBRARY.getByName(user).keepPage(draft)).page_id;
}

const getPath = (rest = "", id = pageId) => `${PAGES}/${id}${rest}`;
type CreatedLink = PageLink & { readonly url: string };
const createLink = (options: ApiRequest = {}): Promise<CreatedLink> =>
  callRoute<CreatedLink>("POST", getPath("/links"), { ...ada, body: {}, ...options });
const getLinkPath = ({ url }: CreatedLink) => url.slice(ORIGIN.length);

describe("a page", () => {
  test("can be listed, read, renamed and deleted", async () => {
    const { pages, next_cursor: next } = await callRoute<PageList>("GET", `${PAGES}?limit=1`, ada);
    expect(pages).toMatchObject([{ page_id: pageId, title: SAMPLE_PAGE.meta.pageTitle }]);
    expect((await callRoute<PageList>("GET", `${PAGES}?cursor=${assertPresent(next)}`, ada)).pages).toEqual([]);
    const page = await callRoute<StoredPage>("GET", getPath(), ada);
    expect(page).toMatchObject({ page: SAMPLE_PAGE, teacher_id: "t-001", context: { classId: "c" } });
    expect(await callRoute("PATCH", getPath(), { ...ada, body: { title: " Mine " } })).toMatchObject({ title: "Mine" });
    expect(await callForProblem("PATCH", getPath(), { ...ada, body: { title: " " } })).toMatchObject({
      field: "title",
    });
    expect(await callRoute("DELETE", getPath(), ada)).toEqual({ page_id: pageId, deleted: true });
    expect(await callForProblem("GET", getPath(), ada)).toMatchObject({ code: "not_found" });
  });

  test("[U1] is not accessible to other users on any route", async () => {
    const { link_id } = await createLink();
    const routeRequests: [string, string, object?][] = [
      ["GET", getPath()],
      ["PATCH", getPath(), { title: "Stolen" }],
      ["DELETE", getPath()],
      ["POST", getPath("/run")],
      ["GET", getPath(".html")],
      ["GET", getPath(".csv")],
      ["POST", getPath("/links"), {}],
      ["GET", getPath("/links")],
      ["DELETE", getPath(`/links/${link_id}`)],
    ];
    // Another user learns as little as from the id of no page.
    for (const [method, path, body] of routeRequests) {
      const options = { ...eve, ...(body === undefined ? {} : { body }) };
      const problem = await callForProblem(method, path, options);
      expect(problem).toMatchObject({ status: 404 });
      const unknownPath = path.replace(pageId, `page-${"0".repeat(32)}`);
      expect(await callForProblem(method, unknownPath, options)).toEqual(problem);
      const invalidPath = path.replace(pageId, "page-%00");
      expect(await callForProblem(method, invalidPath, options)).toMatchObject({ status: 404 });
    }
    expect((await callRoute<PageList>("GET", PAGES, eve)).pages).toEqual([]);
    expect(await callRoute<StoredPage>("GET", getPath(), ada)).toMatchObject({ title: SAMPLE_PAGE.meta.pageTitle });
    expect((await callRoute<{ links: PageLink[] }>("GET", getPath("/links"), ada)).links).toHaveLength(1);
  });

  test("can be exported as inert HTML and as CSV", async () => {
    const html = await callDirectly("GET", getPath(".html"), ada);
    expect(html.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(html.headers.get("content-disposition")).toContain(
      `filename*=UTF-8''1A%20and%201B%20on%20the%20last%20assignment.html`,
    );
    expectSandboxed(html);
    expect(await html.text()).toContain("<h1>1A and 1B on the last assignment</h1>");
    const csv = await call("GET", getPath(".csv"), ada);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(await csv.text()).toContain("Wong Ka Ho,58,false");
  });

  test("is rebuilt by the analyst for the requesting user", async () => {
    const refresh = vi.fn<(user: string, page: string) => Promise<unknown>>(() =>
      Promise.resolve({ ok: true, value: new Blob(['{"type":"MESSAGE","content":"Hi"}\n']).stream() }),
    );
    const response = await call("POST", getPath("/run"), { ...ada, env: { ...ada.env, AGENT_ANALYST: { refresh } } });
    expect(await response.text()).toBe(':\n\ndata: {"type":"MESSAGE","content":"Hi"}\n\n');
    expect(refresh).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^ada-/), pageId);
  });
});

describe("a shared link", () => {
  test("allows anybody to read the current page, and nothing else", async () => {
    const created = await createLink({ body: { expires_in: 60 } });
    expect(created.expires_at - created.created_at).toBe(60_000);
    const shared = await callDirectly("GET", getLinkPath(created), { env: WITH_SECRET });
    expect(shared.status).toBe(200);
    expectSandboxed(shared);
    const text = await shared.text();
    expect(text).toContain("Wong Ka Ho");
    expect(text).not.toMatch(/ada-/);
    for (const method of ["POST", "PATCH", "DELETE"])
      expect((await call(method, getLinkPath(created), { env: WITH_SECRET })).status).toBe(405);
    await callRoute("PATCH", getPath(), { ...ada, body: { title: "Renamed" } });
    expect(await (await callDirectly("GET", getLinkPath(created), { env: WITH_SECRET })).text()).toContain(
      "<h1>Renamed</h1>",
    );
  });

  test("is stored as a hash and returned only once", async () => {
    const created = await createLink();
    const token = assertPresent(getLinkPath(created).split("/").at(-1));
    expect(token).toMatch(/^[\da-f]{64}$/);
    const { results } = await DB.prepare(`SELECT * FROM page_link`).all();
    expect(JSON.stringify(results)).not.toContain(token);
    const { links } = await callRoute<{ links: object[] }>("GET", getPath("/links"), ada);
    expect(links).toEqual([
      { link_id: created.link_id, created_at: created.created_at, expires_at: created.expires_at },
    ]);
  });

  test("is invalid after its expiry, after its revocation, and after the deletion of its page", async () => {
    const [expired, revoked, orphaned] = [await createLink(), await createLink(), await createLink()];
    await DB.prepare(`UPDATE page_link SET expires_at = ? WHERE link_id = ?`).bind(Date.now(), expired.link_id).run();
    expect((await callRoute<{ links: PageLink[] }>("GET", getPath("/links"), ada)).links).toHaveLength(2);
    expect(await callRoute("DELETE", getPath(`/links/${revoked.link_id}`), ada)).toEqual({
      link_id: revoked.link_id,
      deleted: true,
    });
    expect(await callForProblem("DELETE", getPath(`/links/${revoked.link_id}`), ada)).toMatchObject({
      code: "not_found",
    });
    const before = await Promise.all(
      [expired, revoked].map((createdLink) => callForProblem("GET", getLinkPath(createdLink))),
    );
    expect((await callDirectly("GET", getLinkPath(orphaned), {})).status).toBe(200);
    await callRoute("DELETE", getPath(), ada);
    expect((await DB.prepare(`SELECT * FROM page_link`).all()).results).toEqual([]);
    const answers = await Promise.all(
      [
        ...[expired, revoked, orphaned].map(getLinkPath),
        `/shared/${"0".repeat(64)}`,
        "/shared/x",
        "/shared/%27%20OR%201=1",
      ].map((path) => callForProblem("GET", path)),
    );
    // The answers cannot be distinguished.
    expect(new Set([...before, ...answers].map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404 });
  });

  test("is invalid after the deletion of its page, also when the directory was down", async () => {
    const created = await createLink();
    expect(await callRoute("DELETE", getPath(), { ...ada, env: { ...ada.env, ...BROKEN_DB } })).toMatchObject({
      deleted: true,
    });
    const unknown = await callForProblem("GET", `/shared/${"0".repeat(64)}`);
    expect(await callForProblem("GET", getLinkPath(created))).toEqual(unknown);
    expect(await callForProblem("GET", getLinkPath(created), { env: BROKEN_DB })).toMatchObject({
      code: "unavailable",
    });
  });

  test("is limited to twenty per page and to 1 minute to 30 days", async () => {
    for (let i = 0; i < 20; i++) await createLink();
    expect(await callForProblem("POST", getPath("/links"), { ...ada, body: {} })).toMatchObject({
      code: "too_many_requests",
    });
    for (const expires_in of [59, 30 * 86_400 + 1])
      expect(await callForProblem("POST", getPath("/links"), { ...ada, body: { expires_in } })).toMatchObject({
        field: "expires_in",
      });
  });
});

/** Calls a route whose response has its own security policy. */
async function callDirectly(
  method: string,
  path: string,
  { headers = {}, env: changes }: ApiRequest,
): Promise<Response> {
  const { handleRequest } = await import("../../src/http/http-app.ts");
  const { createExecutionContext } = await import("cloudflare:test");
  const request = new Request(`${ORIGIN}${path}`, { method, headers });
  return handleRequest(request, { ...(env as object), ...changes } as never, createExecutionContext());
}

function expectSandboxed({ headers }: Response): void {
  const policy = assertPresent(headers.get("content-security-policy"));
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; /);
  expect(policy).toMatch(/frame-ancestors 'none'; sandbox$/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
}
