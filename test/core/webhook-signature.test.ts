// The signature, against the published example and the reference library.

import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { parseWebhookSecret, createWebhookSecret, signWebhook } from "../../src/core/webhook-signature.ts";

const secretOf = (bytes: number): string => `whsec_${btoa("\x07".repeat(bytes))}`;

describe("a signature", () => {
  test("is that of the published example", async () => {
    const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330_999, body: `{"test": 2432232314}` };
    expect(await signWebhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", message)).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  test.each(["{}", `{"result":"上海 22°C 🌤"}`, "x".repeat(100_000)])(
    "of %.30s is verified by the library",
    async (body) => {
      const secret = createWebhookSecret();
      const headers = await signWebhook(secret, { id: "th-1", at: Date.now(), body });
      const verify = (text: string, given = headers, key = secret) =>
        new Webhook(key).verify(text, given, { jsonParse: false });
      expect(() => verify(body)).not.toThrow();
      expect(() => verify(`${body} `)).toThrow("No matching signature");
      expect(() => verify(body, { ...headers, "webhook-id": "th-2" })).toThrow("No matching signature");
      expect(() => verify(body, headers, createWebhookSecret())).toThrow("No matching signature");
    },
  );
});

describe("a secret", () => {
  test("that is made here is new every time and long enough", () => {
    expect(parseWebhookSecret(createWebhookSecret())).toHaveLength(32);
    expect(createWebhookSecret()).not.toBe(createWebhookSecret());
  });

  test.each([24, 25, 26, 64])("of %i bytes is one", (bytes) => {
    expect(parseWebhookSecret(secretOf(bytes))).toHaveLength(bytes);
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
    expect(parseWebhookSecret(secret)).toBeNull();
    await expect(signWebhook(secret, { id: "th-1", at: 0, body: "" })).rejects.toThrow("not a secret");
  });
});
