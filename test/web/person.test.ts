// Whose drafts this browser keeps.

import { expect, test } from "vitest";
import { ownName, personIn } from "../../src/web/person.ts";
import { encoded, signed } from "../http/tokens.ts";

test("a token names its user, in any script; what is none names nobody", async () => {
  for (const sub of ["ada", "用户 é", "a/b?c.d"]) expect(personIn(await signed({ sub }))).toBe(sub);
  for (const token of [null, "", "garbage", "...", `${encoded({})}.${encoded({ sub: 7 })}.x`]) {
    expect(personIn(token)).toBeNull();
  }
});

test("where nobody signs in, names are what they are", () => {
  expect(ownName("draft")).toBe("draft");
});
