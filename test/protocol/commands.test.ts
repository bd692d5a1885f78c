import { describe, expect, test } from "vitest";
import { clientCommandSchema } from "../../src/protocol/wire/commands.ts";
import { exceedsBytes } from "../../src/lib/text-size.ts";
import { Fault, parseOrThrow } from "../../src/protocol/wire/fault.ts";

const send = { type: "send", id: "c1", message: "hi" };

describe("client command", () => {
  test.each([
    ["an unknown field", { ...send, mesage: "x" }, "mesage"],
    ["an empty message", { ...send, message: "  " }, "message"],
    ["a message that is not text", { ...send, message: 7 }, "message"],
    ["an unknown time zone", { ...send, timezone: "Mars/Olympus" }, "timezone"],
    ["a missing id", { type: "send", message: "hi" }, "id"],
    ["an unknown type", { ...send, type: "shout" }, "type"],
    ["a context that is not an object", { ...send, context: [1] }, "context"],
  ])("[F89] is rejected for %s, and the error names the field", (_, command, field) => {
    const refusal = catchFault(() => parseOrThrow(clientCommandSchema, command));
    expect(refusal).toMatchObject({ code: "invalid_request", field });
  });

  test("is limited in bytes, not characters", () => {
    expect(exceedsBytes("é".repeat(5), 10)).toBe(false);
    expect(exceedsBytes("é".repeat(6), 10)).toBe(true);
    expect(exceedsBytes("中".repeat(4), 12)).toBe(false);
    expect(exceedsBytes("中".repeat(4), 11)).toBe(true);
  });
});

function catchFault(work: () => unknown): Fault | null {
  try {
    work();
    return null;
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
}

describe("command context", () => {
  const withContext = (context: unknown) => clientCommandSchema.safeParse({ ...send, context });
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { inner: nested(levels - 1) });

  test("[I33] may be nested up to 32 levels", () => {
    expect(withContext(nested(32)).success).toBe(true);
    expect(withContext(nested(33)).error?.issues[0]?.path).toEqual(["context"]);
    let deep: unknown = {};
    for (let i = 0; i < 20_000; i++) deep = { deep };
    expect(withContext(deep).success).toBe(false);
  });

  test("has a size limit", () => {
    expect(withContext({ a: "x".repeat(60_000) }).success).toBe(true);
    expect(withContext({ a: "x".repeat(70_000) }).success).toBe(false);
  });
});
