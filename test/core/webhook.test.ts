// The signature, against the published example and the reference library.

import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { keyIn, newSecret, signedHeaders } from "../../src/core/webhook.ts";

const secretOf = (bytes: number): string => `whsec_${btoa("\x07".repeat(bytes))}`;

describe("a signature", () => {
  test("is that of the published example", async () => {
    const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330_999, body: `{"test": 2432232314}` };
    expect(await signedHeaders("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", message)).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  test.each(["{}", `{"result":"上海 22°C 🌤"}`, "x".repeat(100_000)])(
    "of %.30s is verified by the library",
    async (body) => {
      const secret = newSecret();
      const headers = await signedHeaders(secret, { id: "th-1", at: Date.now(), body });
      const verify = (text: string, given = headers, key = secret) =>
        new Webhook(key).verify(text, given, { jsonParse: false });
      expect(() => verify(body)).not.toThrow();
      expect(() => verify(`${body} `)).toThrow("No matching signature");
      expect(() => verify(body, { ...headers, "webhook-id": "th-2" })).toThrow("No matching signature");
      expect(() => verify(body, headers, newSecret())).toThrow("No matching signature");
    },
  );
});

describe("a secret", () => {
  test("that is made here is new every time and long enough", () => {
    expect(keyIn(newSecret())).toHaveLength(32);
    expect(newSecret()).not.toBe(newSecret());
  });

  test.each([24, 25, 26, 64])("of %i bytes is one", (bytes) => {
    expect(keyIn(secretOf(bytes))).toHaveLength(bytes);
  });

  test.each([
    ["too short", secretOf(23)],
    ["too long", secretOf(65)],
    ["nothing", ""],
    ["only the prefix", "whsec_"],
    ["without the prefix", secretOf(32).slice(6)],
    ["of another kind", secretOf(32).replace("whsec_", "whsk_")],
    ["base64url", `whsec_${"-_".repeat(20)}`],
    ["with a space", `${secretOf(32)} `],
    ["cut off", secretOf(32).slice(0, -3)],
  ])("is none: %s", async (_, secret) => {
    expect(keyIn(secret)).toBeNull();
    await expect(signedHeaders(secret, { id: "th-1", at: 0, body: "" })).rejects.toThrow("not a secret");
  });
});
