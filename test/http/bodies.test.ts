// What comes in over HTTP, from the clumsy to the hostile.

import { describe, expect, test } from "vitest";
import { routes } from "../../src/http/http-app.ts";
import { ask, call, newConversation, refused, settled } from "./support.ts";

const KB = 1_024;
const messages = (id: string) => `/api/v1/conversations/${id}/messages`;

describe("[F89] sizes", () => {
  test("64 KB are a message, in every script", async () => {
    const { conversation_id: id } = await newConversation();
    for (const message of ["x".repeat(64 * KB), `${"汉".repeat(21_845)}x`, "😀".repeat(16 * KB)]) {
      expect(new TextEncoder().encode(message).byteLength).toBe(64 * KB);
      await ask("POST", messages(id), { body: { message } });
      const more = { body: { message: `${message}x` } };
      for (const path of [messages(id), "/api/v1/messages", "/api/v1/conversations"]) {
        expect(await refused("POST", path, more)).toMatchObject({ code: "too_large", field: "message" });
      }
    }
    await settled(id, 3);
  });

  test("escapes do not make a message larger", async () => {
    const { conversation_id: id } = await newConversation();
    const body = `{"message":"${"\\u4e2d".repeat(21_000)}"}`;
    expect(body.length).toBeGreaterThan(100 * KB);
    await ask("POST", messages(id), { body });
    await settled(id);
  });

  test("a refused first message makes no conversation", async () => {
    const before = await ask("GET", "/api/v1/conversations?limit=100");
    await refused("POST", "/api/v1/conversations", { body: { message: "x".repeat(64 * KB + 1) } });
    await refused("POST", "/api/v1/conversations", { body: { message: "  " } });
    expect(await ask("GET", "/api/v1/conversations?limit=100")).toEqual(before);
  });

  test("a megabyte is too much, whatever is in it", async () => {
    const body = `{"message":"hello"${" ".repeat(1_024 * KB)}}`;
    expect(await refused("POST", "/api/v1/messages", { body })).toMatchObject({ code: "too_large", field: "message" });
    const context = { message: "hello", context: { page: "x".repeat(1_024 * KB) } };
    const problem = await refused("POST", "/api/v1/messages", { body: context });
    expect(problem).toMatchObject({ code: "too_large", detail: expect.stringMatching(/^The request /) as string });
    expect(problem.field).toBeUndefined();
  });

  test.each([
    ["POST", "/api/v1/plan-templates"],
    ["PATCH", "/api/v1/schedules/x"],
    ["POST", "/api/page/generate"],
  ])("no field is to blame for what is too large as a whole: %s %s", async (method, path) => {
    const problem = await refused(method, path, { body: `{"title":"x"${" ".repeat(3 * 1_024 * KB)}}` });
    expect(problem).toMatchObject({
      code: "too_large",
      detail: expect.stringMatching(/^The request .* \d+ bytes\.$/) as string,
    });
    expect(problem.field).toBeUndefined();
  });

  test("a body without end is left", async () => {
    let sent = 0;
    let hasLeft = false;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        controller.enqueue(new Uint8Array(16 * KB).fill(32));
        sent += 16 * KB;
      },
      cancel: () => {
        hasLeft = true;
      },
    });
    expect(await refused("POST", "/api/v1/messages", { body })).toMatchObject({ code: "too_large" });
    expect(hasLeft).toBe(true);
    expect(sent).toBeLessThan(600 * KB);
  });
});

describe("[F89] a body that nobody will read", () => {
  test.each([
    ["PUT", "/api/v1/messages", 405],
    ["POST", "/api/v1/messages?surprise=1", 400],
    ["POST", "/api/v1/nowhere", 404],
    ["PUT", "/a2a", 405],
    ["PUT", "/agui", 405],
    ["PUT", "/mcp", 405],
    ["PUT", "/v1/chat/completions", 405],
  ])("is left: %s %s", async (method, path, status) => {
    let hasLeft = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(KB)),
      cancel: () => {
        hasLeft = true;
      },
    });
    const response = await call(method, path, { body });
    expect(response.status).toBe(status);
    expect(hasLeft).toBe(true);
  });
});

describe("[F89] what is not JSON", () => {
  const takers = routes.filter((route) => route.body !== null);

  test.each(takers)("$method $path refuses other content types", async ({ method, path }) => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/jsonx",
      "application/json-seq",
      "",
    ]) {
      const options = { headers: { "content-type": type }, body: `{"message":"hello"}` };
      expect(await refused(method.toUpperCase(), path.replace(/\{\w+\}/, "x"), options), type).toMatchObject({
        code: "unsupported",
      });
    }
  });

  test.each(takers)("$method $path refuses broken bodies", async ({ method, path }) => {
    for (const body of ["", "{", "undefined", "{'message':'hello'}", '{"message":"a"}{"message":"b"}', "\u0000"]) {
      expect(await refused(method.toUpperCase(), path.replace(/\{\w+\}/, "x"), { body }), body).toMatchObject({
        code: "invalid_request",
        detail: "The body is not JSON.",
      });
    }
  });

  test.each(takers)("$method $path refuses unknown fields and other shapes", async ({ method, path }) => {
    const at = path.replace(/\{\w+\}/, "x");
    for (const body of ["null", "[]", "7", '"hello"', '{"surprise":1}', '{"__proto__":{"message":"hello"}}']) {
      const problem = await refused(method.toUpperCase(), at, { body });
      // The clients of the analysis expect a 422.
      const code = path.startsWith("/api/v1/") ? "invalid_request" : "unprocessable";
      expect(problem, body).toMatchObject({ code });
    }
  });

  test("JSON by its other names is taken", async () => {
    for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.api+json"]) {
      const options = { headers: { "content-type": type }, body: { title: "x" } };
      await ask("POST", "/api/v1/conversations", options);
    }
  });
});

describe("[F89] the offending field is named", () => {
  test.each([
    [{}, "message"],
    [{ message: "" }, "message"],
    [{ message: " \n\t" }, "message"],
    [{ message: 7 }, "message"],
    [{ message: ["hello"] }, "message"],
    [{ message: "hello", agent: 7 }, "agent"],
    [{ message: "hello", agent: "x".repeat(129) }, "agent"],
    [{ message: "hello", timezone: "Mars/Olympus" }, "timezone"],
    [{ message: "hello", language: "x".repeat(36) }, "language"],
    [{ message: "hello", context: "page" }, "context"],
    [{ message: "hello", id: "" }, "id"],
    [{ message: "hello", id: "x".repeat(129) }, "id"],
    [{ message: "hello", conversation_id: "../x" }, "conversation_id"],
    [{ message: "hello", conversation_id: "" }, "conversation_id"],
    [{ message: "hello", conversation_id: "x".repeat(129) }, "conversation_id"],
    [{ message: "hello", surprise: 1 }, "surprise"],
  ])("in a message: %j", async (body, field) => {
    const problem = await refused("POST", "/api/v1/messages", { body });
    expect(problem).toMatchObject({ code: "invalid_request", field });
    expect(problem.detail).toContain(field);
  });

  test.each([
    ["PATCH", { title: "" }, "title"],
    ["PATCH", { title: " \u3000\n" }, "title"],
    ["PATCH", { title: "x".repeat(201) }, "title"],
    ["PATCH", { status: "completed" }, "status"],
    ["PATCH", { user_id: "eve" }, "user_id"],
  ])("in a change: %s %j", async (method, body, field) => {
    const { conversation_id: id } = await newConversation();
    const problem = await refused(method, `/api/v1/conversations/${id}`, { body });
    expect(problem).toMatchObject({ code: "invalid_request", field });
  });

  test.each([
    ["events?after=-1", "after"],
    ["events?after=NaN", "after"],
    ["events?after=1e3", "after"],
    ["events?after=1.5", "after"],
    ["events?after=", "after"],
    ["events?after=9007199254740992", "after"],
    ["events?after=1&limit=2&after=2", "after"],
    ["events?limit=0", "limit"],
    ["events?limit=10001", "limit"],
    ["events?surprise=1", "surprise"],
    ["tasks?status=finished", "status"],
  ])("in a query: %s", async (query, field) => {
    const { conversation_id: id } = await newConversation();
    expect(await refused("GET", `/api/v1/conversations/${id}/${query}`)).toMatchObject({
      code: "invalid_request",
      field,
    });
  });

  test.each([
    "limit=0",
    "limit=101",
    "limit=-1",
    "limit=ten",
    "cursor=",
    "cursor=x",
    "cursor=%F0%9F%98%80",
    "cursor=W10",
    "cursor=bnVsbA",
    "cursor=WzEuNSwiYSJd",
  ])("in a list: %s", async (query) => {
    expect(await refused("GET", `/api/v1/conversations?${query}`)).toMatchObject({
      code: "invalid_request",
      field: query.split("=")[0],
    });
  });

  test.each(["-1", "abc", "1.5", "9007199254740992"])("in Last-Event-ID: %s", async (id) => {
    const { conversation_id: conversation } = await newConversation();
    const headers = { accept: "text/event-stream", "last-event-id": id };
    expect(await refused("GET", `/api/v1/conversations/${conversation}/events`, { headers })).toMatchObject({
      code: "invalid_request",
      field: "last-event-id",
    });
  });
});

describe("[U1] ids that cannot be one are like ids that are not there", () => {
  const strange = [
    "..%2f",
    "%2e%2e%2fx",
    "a%2Fb",
    "local%2Fx",
    "用户",
    "%F0%9F%98%80",
    "x".repeat(200),
    "%00",
    "%",
    "%zz",
    "a b",
    "*",
    "'",
  ];
  const conversationRoutes = routes.filter(({ path }) => path.startsWith("/api/v1/conversations/{id}"));

  test.each(conversationRoutes)("$method $path", async ({ method, path, body, example }) => {
    const answers = new Set<string>();
    for (const id of ["conv-none", ...strange]) {
      const options = path.endsWith("/ws")
        ? { headers: { upgrade: "websocket" } }
        : body === null
          ? {}
          : { body: example };
      const response = await call(method.toUpperCase(), path.replace("{id}", id), options);
      expect(response.status, id).toBe(404);
      answers.add(await response.text());
    }
    expect(answers.size).toBe(1);
  });

  test.each([
    ["GET", "/api/v1/tasks/{id}"],
    ["POST", "/api/v1/tasks/{id}/cancel"],
    ["GET", "/api/v1/schedules/{id}"],
    ["DELETE", "/api/v1/schedules/{id}"],
    ["POST", "/api/v1/schedules/{id}/run"],
    ["GET", "/api/v1/schedules/{id}/results"],
    ["GET", "/api/v1/agents/{id}"],
    ["DELETE", "/api/v1/agents/{id}"],
  ])("%s %s", async (method, path) => {
    const answers = new Set<string>();
    for (const id of ["none", ...strange]) {
      const response = await call(method, path.replace("{id}", id));
      expect(response.status, id).toBe(404);
      answers.add(await response.text());
    }
    expect(answers.size).toBe(1);
  });
});

describe("[T2] the same command again", () => {
  test("is the same thread, by its id or by Idempotency-Key", async () => {
    const { conversation_id: id } = await newConversation();
    const first = await ask("POST", messages(id), { body: { message: "hello", id: "c1" } });
    expect(await ask("POST", messages(id), { body: { message: "hello", id: "c1" } })).toEqual(first);
    const headers = { "idempotency-key": "c1" };
    expect(await ask("POST", messages(id), { headers, body: { message: "hello" } })).toEqual(first);
    const events = await settled(id);
    expect(events.filter((frame) => frame.event === "thread_started")).toHaveLength(1);
  });

  test("finds the conversation that it made, and only for its user", async () => {
    const options = { headers: { "idempotency-key": "my key/7" }, body: { message: "hello" } };
    const [first, second] = await Promise.all([
      ask("POST", "/api/v1/messages", options),
      ask("POST", "/api/v1/messages", options),
    ]);
    expect(second).toEqual(first);
    expect(await ask("POST", "/api/v1/messages", { body: { message: "hello" } })).not.toEqual(first);
    await settled(String(first["conversation_id"]));
  });

  test("streams the same thread again", async () => {
    const { conversation_id: id } = await newConversation();
    const stream = async () => {
      const headers = { accept: "text/event-stream", "idempotency-key": "c1" };
      return (await call("POST", messages(id), { headers, body: { message: "hello" } })).text();
    };
    const heard = [await stream(), await stream()].map((text) => text.replaceAll(/^:\n\n/gm, ""));
    expect(heard[1]).toBe(heard[0]);
  });

  test.each(["x".repeat(129), "caf\ufffd"])("a key that is none is refused: %s", async (key) => {
    const options = { headers: { "idempotency-key": key }, body: { message: "hello" } };
    expect(await refused("POST", "/api/v1/messages", options)).toMatchObject({
      code: "invalid_request",
      field: "idempotency-key",
    });
  });
});
