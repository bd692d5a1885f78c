import { expect, test } from "vitest";
import type { A2ARequestContext } from "../../../src/http/a2a/a2a-request-context.ts";
import { parsePushConfig } from "../../../src/http/a2a/push-configs.ts";

const idOf = (url: string, id = "") =>
  parsePushConfig({ dialect: "1.0" } as A2ARequestContext, {
    tenant: "",
    id,
    taskId: "",
    url,
    token: "",
    authentication: undefined,
  })?.id;

test("[T2] who wants to be notified without a name is the same when their message comes again", () => {
  const url = "https://hooks.example.dev/a";
  expect(idOf(url)).toMatch(/^url-[0-9a-f]{16}$/);
  expect(idOf(url)).toBe(idOf(url));
  expect(idOf(`${url}/b`)).not.toBe(idOf(url));
  expect(idOf(url, "mine")).toBe("mine");
});
