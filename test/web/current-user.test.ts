// The user whose drafts this browser stores.

import { expect, test } from "vitest";
import { toUserPreferenceName, parseTokenUser } from "../../src/web/session/preference.ts";
import { encodeBase64Url, signToken } from "../http/tokens.ts";

test("the user is read from a token in any script, and is null if the token is invalid", async () => {
  for (const sub of ["ada", "用户 é", "a/b?c.d"]) expect(parseTokenUser(await signToken({ sub }))).toBe(sub);
  for (const token of [null, "", "garbage", "...", `${encodeBase64Url({})}.${encodeBase64Url({ sub: 7 })}.x`]) {
    expect(parseTokenUser(token)).toBeNull();
  }
});

test("preference names are unchanged without a signed-in user", () => {
  expect(toUserPreferenceName("draft")).toBe("draft");
});
