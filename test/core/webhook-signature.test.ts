// Compares signatures with the published example and the reference library.

import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { parseWebhookSecret, createWebhookSecret, signWebhook } from "../../src/core/schedules/webhook-signature.ts";

const createSecret = (bytes: number): string => `whsec_${btoa("\x07".repeat(bytes))}`;

describe("signWebhook()", () => {
  test("returns the signature of the published example", async () => {
    const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330_999, body: `{"test": 2432232314}` };
    expect(await signWebhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", message)).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  test.each(["{}", `{"result":"上海 22°C 🌤"}`, "x".repeat(100_000)])(
    "returns a signature of %.30s that the reference library verifies",
    async (body) => {
      const secret = createWebhookSecret();
      const headers = await signWebhook(secret, { id: "th-1", at: Date.now(), body });
      const verify = (text: string, sentHeaders = headers, key = secret) =>
        new Webhook(key).verify(text, sentHeaders, { jsonParse: false });
      expect(() => verify(body)).not.toThrow();
      expect(() => verify(`${body} `)).toThrow("No matching signature");
      expect(() => verify(body, { ...headers, "webhook-id": "th-2" })).toThrow("No matching signature");
      expect(() => verify(body, headers, createWebhookSecret())).toThrow("No matching signature");
    },
  );
});

describe("webhook secret", () => {
  test("is 32 bytes long and different each time when it is created", () => {
    expect(parseWebhookSecret(createWebhookSecret())).toHaveLength(32);
    expect(createWebhookSecret()).not.toBe(createWebhookSecret());
  });

  test.each([24, 25, 26, 64])("is accepted with %i bytes", (bytes) => {
    expect(parseWebhookSecret(createSecret(bytes))).toHaveLength(bytes);
  });

  test.each([
    ["too short", createSecret(23)],
    ["too long", createSecret(65)],
    ["empty", ""],
    ["only the prefix", "whsec_"],
    ["without the prefix", createSecret(32).slice(6)],
    ["another prefix", createSecret(32).replace("whsec_", "whsk_")],
    ["base64url", `whsec_${"-_".repeat(20)}`],
    ["with a space", `${createSecret(32)} `],
    ["truncated", createSecret(32).slice(0, -3)],
  ])("is rejected: %s", async (_, secret) => {
    expect(parseWebhookSecret(secret)).toBeNull();
    await expect(signWebhook(secret, { id: "th-1", at: 0, body: "" })).rejects.toThrow("not a secret");
  });
});
