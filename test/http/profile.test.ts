// The profile of a user over HTTP, separately for each user.

import { beforeEach, expect, test } from "vitest";
import { env } from "cloudflare:workers";
import type { Env } from "../../src/env.ts";
import type { UserProfile } from "../../src/protocol/agents/profile.ts";
import { callForProblem, callRoute, type ApiRequest } from "./support.ts";
import { authenticateAs } from "./tokens.ts";

const ME = "/api/v1/me";
let ada: ApiRequest;
let eve: ApiRequest;
beforeEach(async () => {
  await (env as unknown as Env).DB.prepare("DELETE FROM profile").run();
  [ada, eve] = [await authenticateAs("ada"), await authenticateAs("eve")];
});

const change = (body: object, user = ada) => callRoute<UserProfile>("PATCH", ME, { ...user, body });

test("[F45] a profile is empty at first, changes by member, and loses members that are null", async () => {
  await change({ name: null, facts: null });
  expect(await callRoute("GET", ME, ada)).toEqual({ user_id: "ada" });
  await change({ name: "Ada ", language: "zh_CN", timezone: "Asia/Shanghai", facts: { role: "teacher", pet: "cat" } });
  const changed = await change({ timezone: null, facts: { pet: null, city: "Ürümqi" } });
  expect(changed).toEqual({
    user_id: "ada",
    name: "Ada",
    language: "zh-CN",
    facts: { role: "teacher", city: "Ürümqi" },
  });
  expect(await callRoute("GET", ME, ada)).toEqual(changed);
});

test("[U1] nobody reads or changes the profile of another user", async () => {
  await change({ name: "Ada" });
  await change({ name: "Eve" }, eve);
  expect(await callRoute("GET", ME, ada)).toEqual({ user_id: "ada", name: "Ada" });
  expect(await callRoute("GET", ME, eve)).toEqual({ user_id: "eve", name: "Eve" });
});

test.each([
  [{ language: "no language" }, 400, "language"],
  [{ timezone: "Mars/Olympus" }, 400, "timezone"],
  [{ user_id: "eve" }, 400, "user_id"],
  [{ facts: { role: 7 } }, 400, "facts"],
  [{ facts: Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`f${i}`, "x".repeat(200)])) }, 413, "facts"],
])("a wrong change is refused and changes nothing: %o", async (body, status, field) => {
  await change({ name: "Ada" });
  const problem = await callForProblem("PATCH", ME, { ...ada, body });
  expect(problem).toMatchObject({ status, field: expect.stringContaining(field) as string });
  expect(await callRoute("GET", ME, ada)).toEqual({ user_id: "ada", name: "Ada" });
});
