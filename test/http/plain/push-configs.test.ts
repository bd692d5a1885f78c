import { expect, test } from "vitest";
import type { A2ARequestContext } from "../../../src/http/a2a/a2a-request-context.ts";
import { parsePushConfig } from "../../../src/http/a2a/push-configs.ts";

const getConfigId = (url: string, id = "") =>
  parsePushConfig({ dialect: "1.0" } as A2ARequestContext, {
    tenant: "",
    id,
    taskId: "",
    url,
    token: "",
    authentication: undefined,
  })?.id;

test("[T2] a push config without an id receives the same id when its message is repeated", () => {
  const url = "https://hooks.example.dev/a";
  expect(getConfigId(url)).toMatch(/^url-[0-9a-f]{16}$/);
  expect(getConfigId(url)).toBe(getConfigId(url));
  expect(getConfigId(`${url}/b`)).not.toBe(getConfigId(url));
  expect(getConfigId(url, "mine")).toBe("mine");
});
