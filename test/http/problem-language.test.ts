// The language of problems: `Accept-Language` over HTTP, the `language` of a command on a socket, English over RPC.

import { exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { OrreryApi } from "../../src/http/api/rpc.ts";
import { call, callForProblem, createConversation, assertPresent } from "./support.ts";

const orrery = (exports as unknown as { Orrery: OrreryApi }).Orrery;
const ABSENT = "conv-00000000000000000000000000000000";
const IN_ENGLISH = "Conversation not found.";
const IN_CHINESE = "找不到该对话。";

const inLanguage = (accepted?: string) => (accepted === undefined ? {} : { headers: { "accept-language": accepted } });

describe("an HTTP problem", () => {
  test.each([
    ["zh-CN", IN_CHINESE],
    ["zh-Hant-TW,zh;q=0.9,en;q=0.8", IN_CHINESE],
    ["fr-FR, en;q=0.3, zh;q=0.5", IN_CHINESE],
    ["en-GB,zh;q=0.9", IN_ENGLISH],
    ["zh;q=0, en;q=0.1", IN_ENGLISH],
    ["*", IN_ENGLISH],
    [undefined, IN_ENGLISH],
  ])("is in the accepted language: %s", async (accepted, detail) => {
    // The first fault comes from a Durable Object, the second from the Worker.
    for (const path of [`/api/v1/conversations/${ABSENT}`, "/api/v1/conversations/none"]) {
      expect(await callForProblem("GET", path, inLanguage(accepted))).toMatchObject({ code: "not_found", detail });
    }
  });

  test("is in the accepted language for an unknown path, another method and a refused upgrade", async () => {
    const chinese = inLanguage("zh-CN");
    expect((await call("GET", "/api/v1/nothing", chinese)).headers.get("vary")).toContain("Accept-Language");
    expect((await callForProblem("GET", "/api/v1/nothing", chinese)).detail).toBe("此路径不存在。接口说明见 /docs。");
    expect((await callForProblem("PUT", "/health", chinese)).detail).toBe("不支持该请求方法，请使用 GET。");
    const upgrade = { headers: { ...chinese.headers, upgrade: "websocket" } };
    expect((await callForProblem("GET", `/api/v1/conversations/${ABSENT}/ws`, upgrade)).detail).toBe(IN_CHINESE);
  });

  test("keeps field texts of the validation in English", async () => {
    const problem = await callForProblem("GET", "/api/v1/conversations?limit=0", inLanguage("zh-CN"));
    expect(problem.detail).toMatch(/^limit: /);
  });
});

test("a notice about an uploaded file is in the language of the upload", async () => {
  const upload = { headers: { "accept-language": "zh-CN", "content-type": "text/csv" }, body: "day\n3/4/2026\n" };
  const response = await call("POST", "/api/v1/datasets?name=days&replace=true", upload);
  expect(await response.json()).toMatchObject({ notes: [expect.stringMatching(/^列“day”可能是日\/月/)] });
});

test("an error on a socket is in the language of its command", async () => {
  const { conversation_id: id } = await createConversation();
  const response = await call("GET", `/api/v1/conversations/${id}/ws`, { headers: { upgrade: "websocket" } });
  const socket = assertPresent(response.webSocket);
  const errors: unknown[] = [];
  const received = new Promise<void>((resolve) =>
    socket.addEventListener("message", ({ data }) => {
      const frame = JSON.parse(String(data)) as { readonly type?: string };
      if (frame.type === "error") errors.push(frame);
      if (errors.length === 2) resolve();
    }),
  );
  socket.accept();
  const command = { type: "send", message: "x".repeat(65_537) };
  socket.send(JSON.stringify({ ...command, id: "1", language: "zh-CN" }));
  socket.send(JSON.stringify({ ...command, id: "2" }));
  await received;
  socket.close();
  const failure = { type: "error", code: "too_large", field: "message" };
  expect(errors).toEqual([
    { ...failure, id: "1", message: "message: 不能超过 65536 字节" },
    { ...failure, id: "2", message: "message: must not exceed 65536 bytes" },
  ]);
});

test("a failure over RPC is in English and contains no catalogue entry", async () => {
  const failure = { code: "not_found", message: IN_ENGLISH };
  expect(await orrery.readConversation("rpc-language", ABSENT)).toEqual({ ok: false, failure });
});
