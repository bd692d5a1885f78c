// HTTP bodies, from incorrect to hostile.

import { describe, expect, test } from "vitest";
import { routes } from "../../src/http/http-app.ts";
import { callRoute, call, createConversation, createEndlessBody, callForProblem, waitForThreads } from "./support.ts";

const KB = 1_024;
const getMessagesPath = (id: string) => `/api/v1/conversations/${id}/messages`;

describe("[F89] the size of a request", () => {
  test("may be 64 KB for a message in any script", async () => {
    const { conversation_id: id } = await createConversation();
    for (const message of ["x".repeat(64 * KB), `${"汉".repeat(21_845)}x`, "😀".repeat(16 * KB)]) {
      expect(new TextEncoder().encode(message).byteLength).toBe(64 * KB);
      await callRoute("POST", getMessagesPath(id), { body: { message } });
      const more = { body: { message: `${message}x` } };
      for (const path of [getMessagesPath(id), "/api/v1/messages", "/api/v1/conversations"]) {
        expect(await callForProblem("POST", path, more)).toMatchObject({ code: "too_large", field: "message" });
      }
    }
    await waitForThreads(id, 3);
  });

  test("does not count JSON escapes in a message", async () => {
    const { conversation_id: id } = await createConversation();
    const body = `{"message":"${"\\u4e2d".repeat(21_000)}"}`;
    expect(body.length).toBeGreaterThan(100 * KB);
    await callRoute("POST", getMessagesPath(id), { body });
    await waitForThreads(id);
  });

  test("may not exceed 1 MB, whatever the body contains", async () => {
    const body = `{"message":"hello"${" ".repeat(1_024 * KB)}}`;
    expect(await callForProblem("POST", "/api/v1/messages", { body })).toMatchObject({
      code: "too_large",
      field: "message",
    });
    const context = { message: "hello", context: { page: "x".repeat(1_024 * KB) } };
    const problem = await callForProblem("POST", "/api/v1/messages", { body: context });
    expect(problem).toMatchObject({ code: "too_large", detail: expect.stringMatching(/^The request /) as string });
    expect(problem.field).toBeUndefined();
  });

  test.each([
    ["POST", "/api/v1/plan-templates"],
    ["PATCH", "/api/v1/schedules/x"],
    ["POST", "/api/page/generate"],
  ])("names no field when the whole request is too large: %s %s", async (method, path) => {
    const problem = await callForProblem(method, path, { body: `{"title":"x"${" ".repeat(3 * 1_024 * KB)}}` });
    expect(problem).toMatchObject({
      code: "too_large",
      detail: expect.stringMatching(/^The request .* \d+ bytes\.$/) as string,
    });
    expect(problem.field).toBeUndefined();
  });

  test("limits a body without end, which is cancelled", async () => {
    const { body, isCancelled } = createEndlessBody();
    expect(await callForProblem("POST", "/api/v1/messages", { body })).toMatchObject({ code: "too_large" });
    expect(isCancelled()).toBe(true);
  });
});

describe("[F89] an unread body", () => {
  test.each([
    ["PUT", "/api/v1/messages", 405],
    ["POST", "/api/v1/messages?surprise=1", 400],
    ["POST", "/api/v1/nowhere", 404],
    ["PUT", "/a2a", 405],
    ["POST", "/a2a/message:send", 413],
    ["PUT", "/agui", 405],
    ["PUT", "/mcp", 405],
    ["PUT", "/v1/chat/completions", 405],
  ])("is cancelled: %s %s", async (method, path, status) => {
    const { body, isCancelled } = createEndlessBody();
    expect((await call(method, path, { body })).status).toBe(status);
    expect(isCancelled()).toBe(true);
  });
});

describe("[F89] the format of a body", () => {
  const bodyRoutes = routes.filter((route) => route.body !== null);

  test.each(bodyRoutes)("is checked by $method $path", async ({ method, path }) => {
    const at = path.replace(/\{\w+\}/, "x");
    const post = (body: string, headers = {}) => callForProblem(method.toUpperCase(), at, { body, headers });
    for (const type of ["text/plain", "multipart/form-data", "application/jsonx", "application/json-seq", ""])
      expect(await post(`{"message":"hello"}`, { "content-type": type }), type).toMatchObject({ code: "unsupported" });
    for (const body of ["", "{", '{"message":"a"}{"message":"b"}', "\u0000"]) {
      const detail = "The request body isn’t valid JSON.";
      expect(await post(body), body).toMatchObject({ code: "invalid_request", detail });
    }
    // Clients of the analysis routes expect a 422.
    const code = path.startsWith("/api/v1/") ? "invalid_request" : "unprocessable";
    for (const body of ["null", "[]", "7", '{"surprise":1}', '{"__proto__":{"message":"hello"}}'])
      expect(await post(body), body).toMatchObject({ code });
  });

  test("is accepted as JSON with a charset, in upper case, or with a +json suffix", async () => {
    for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.api+json"]) {
      const options = { headers: { "content-type": type }, body: { title: "x" } };
      await callRoute("POST", "/api/v1/conversations", options);
    }
  });
});

describe("[F89] a validation error names the field", () => {
  test.each([
    [{}, "message"],
    [{ message: "hello", agent: "x".repeat(129) }, "agent"],
    [{ message: "hello", timezone: "Mars/Olympus" }, "timezone"],
    [{ message: "hello", language: "x".repeat(36) }, "language"],
    [{ message: "hello", context: "page" }, "context"],
    [{ message: "hello", id: "x".repeat(129) }, "id"],
    [{ message: "hello", conversation_id: "../x" }, "conversation_id"],
    [{ message: "hello", conversation_id: "x".repeat(129) }, "conversation_id"],
    [{ message: "hello", surprise: 1 }, "surprise"],
  ])("of a message: %j", async (body, field) => {
    const problem = await callForProblem("POST", "/api/v1/messages", { body });
    expect(problem).toMatchObject({ code: "invalid_request", field });
    expect(problem.detail).toContain(field);
  });

  test.each([
    ["PATCH", { title: " \u3000\n" }, "title"],
    ["PATCH", { title: "x".repeat(201) }, "title"],
    ["PATCH", { status: "completed" }, "status"],
    ["PATCH", { user_id: "eve" }, "user_id"],
  ])("of a patch: %s %j", async (method, body, field) => {
    const { conversation_id: id } = await createConversation();
    const problem = await callForProblem(method, `/api/v1/conversations/${id}`, { body });
    expect(problem).toMatchObject({ code: "invalid_request", field });
  });

  test.each([
    ["events?after=1e3", "after"],
    ["events?after=1.5", "after"],
    ["events?after=", "after"],
    ["events?after=1&limit=2&after=2", "after"],
    ["events?limit=0", "limit"],
    ["events?limit=10001", "limit"],
    ["events?surprise=1", "surprise"],
    ["tasks?status=finished", "status"],
  ])("of a query: %s", async (query, field) => {
    const { conversation_id: id } = await createConversation();
    expect(await callForProblem("GET", `/api/v1/conversations/${id}/${query}`)).toMatchObject({
      code: "invalid_request",
      field,
    });
  });

  test.each(["limit=0", "limit=101", "limit=ten", "cursor=", "cursor=x", "cursor=bnVsbA", "cursor=WzEuNSwiYSJd"])(
    "of a list: %s",
    async (query) => {
      expect(await callForProblem("GET", `/api/v1/conversations?${query}`)).toMatchObject({
        code: "invalid_request",
        field: query.split("=")[0],
      });
    },
  );
});

describe("[U1] an invalid id returns the same 404 as an unknown id", () => {
  const INVALID_IDS = ["..%2f", "a%2Fb", "local%2Fx", "用户", "x".repeat(200), "%00", "%", "a b", "'"];
  const idRoutes = routes.filter(({ path }) => /^\/api\/v1\/(conversations|tasks|schedules|agents)\/\{/.test(path));

  test.each(idRoutes)("on $method $path", async ({ method, path, body, example }) => {
    const answers = new Set<string>();
    const headers = path.endsWith("/ws") ? { upgrade: "websocket" } : {};
    for (const id of ["none", ...INVALID_IDS]) {
      const options = { headers, ...(body === null ? {} : { body: example }) };
      const response = await call(method.toUpperCase(), path.replace(/\{\w+\}/, id), options);
      expect(response.status, id).toBe(404);
      answers.add(await response.text());
    }
    expect(answers.size).toBe(1);
  });
});

describe("[T2] a repeated command", () => {
  test.each(["x".repeat(129), "caf\ufffd"])("is rejected with an invalid key: %s", async (key) => {
    const options = { headers: { "idempotency-key": key }, body: { message: "hello" } };
    expect(await callForProblem("POST", "/api/v1/messages", options)).toMatchObject({
      code: "invalid_request",
      field: "idempotency-key",
    });
  });
});
