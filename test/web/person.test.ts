// Whose drafts this browser keeps.

import { expect, test } from "vitest";
import { toUserPreferenceName, parseTokenUser } from "../../src/web/current-user.ts";
import { encoded, signed } from "../http/tokens.ts";

test("a token names its user, in any script; what is none names nobody", async () => {
  for (const sub of ["ada", "用户 é", "a/b?c.d"]) expect(parseTokenUser(await signed({ sub }))).toBe(sub);
  for (const token of [null, "", "garbage", "...", `${encoded({})}.${encoded({ sub: 7 })}.x`]) {
    expect(parseTokenUser(token)).toBeNull();
  }
});

test("where nobody signs in, names are what they are", () => {
  expect(toUserPreferenceName("draft")).toBe("draft");
});
