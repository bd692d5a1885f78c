// The error of an invalid setting contains its name and the expected format, but never its value, which may be secret.

import { expect, test } from "vitest";
import { parseSettings } from "../src/settings.ts";

const ADDRESS = "must be an address that begins with http:// or https://";
const ORIGINS = "must be origins such as https://chat.example, with nothing after the host and its port";

test.each([
  ["AUTH_JWKS_URL", "nonsense", ADDRESS],
  ["AUTH_JWKS_URL", "ftp://issuer.example/jwks.json", ADDRESS],
  ["OPENAI_BASE_URL", "nonsense", ADDRESS],
  ["OPENAI_BASE_URL", "localhost:8080/v1", ADDRESS],
  ["ALLOWED_ORIGINS", "foo bar", ORIGINS],
  ["ALLOWED_ORIGINS", "https://chat.example,http://a/b", ORIGINS],
  ["ALLOWED_ORIGINS", "https://chat.example/", ORIGINS],
  ["ALLOWED_ORIGINS", "https://chat.example:443", ORIGINS],
  ["ALLOWED_ORIGINS", "chat.example", ORIGINS],
  ["ALLOWED_ORIGINS", "file://", ORIGINS],
  ["ALLOWED_ORIGINS", "*", ORIGINS],
  ["AUTH_SCOPES", 'read "write"', "must be scopes separated by spaces"],
  ["MAX_TASKS", "abc", "must be a whole number from 1 to 100"],
  ["MAX_TASKS", "0", "must be a whole number from 1 to 100"],
  ["MAX_TASKS", "0.5", "must be a whole number from 1 to 100"],
  ["MAX_TASKS", "101", "must be a whole number from 1 to 100"],
  ["MAX_TASKS", "", "must be a whole number from 1 to 100"],
  ["MAX_TASKS", "Infinity", "must be a whole number from 1 to 100"],
  ["AGENT_MAX_BYTES", "3145729", "must be a whole number from 1 to 3145728"],
  ["MAX_MESSAGES_PER_MINUTE", "many", "must be a whole number from 0 to 1000000"],
  ["MAX_MESSAGES_PER_MINUTE", "", "must be a whole number from 0 to 1000000"],
  ["MAX_MESSAGES_PER_MINUTE", "1000001", "must be a whole number from 0 to 1000000"],
  ["MODEL_TIMEOUT_SECONDS", "soon", "must be a number of seconds above 0 and up to 600"],
  ["MODEL_TIMEOUT_SECONDS", "0", "must be a number of seconds above 0 and up to 600"],
  ["MODEL_TIMEOUT_SECONDS", "601", "must be a number of seconds above 0 and up to 600"],
])("parseSettings rejects %s with the value %j", (name, value, expected) => {
  expect(() => parseSettings({ [name]: value })).toThrow(new Error(`Wrong settings:\n  ${name}: ${expected}`));
});

test("parseSettings lists all invalid settings in one error", () => {
  const wrong = { AUTH_JWKS_URL: "short", MAX_TASKS: "abc", OPENAI_BASE_URL: "nonsense" };
  const lines = [
    `OPENAI_BASE_URL: ${ADDRESS}`,
    `AUTH_JWKS_URL: ${ADDRESS}`,
    "MAX_TASKS: must be a whole number from 1 to 100",
  ];
  expect(() => parseSettings(wrong)).toThrow(new Error(`Wrong settings:\n  ${lines.join("\n  ")}`));
});

test.each([
  ["AUTH_JWKS_URL", " https://issuer.example/jwks.json?v=1 ", "https://issuer.example/jwks.json?v=1"],
  ["AUTH_JWKS_URL", "", undefined],
  ["OPENAI_BASE_URL", "http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1/"],
  ["OPENAI_BASE_URL", "http://[::1]:8080", "http://[::1]:8080"],
  ["OPENAI_BASE_URL", "http://model_server:8080/v1", "http://model_server:8080/v1"],
  ["OPENAI_BASE_URL", " ", undefined],
  ["ALLOWED_ORIGINS", "", []],
  ["ALLOWED_ORIGINS", "https://a.example, http://localhost:3000,", ["https://a.example", "http://localhost:3000"]],
  ["ALLOWED_ORIGINS", "chrome-extension://abcdefgh", ["chrome-extension://abcdefgh"]],
  ["AUTH_SCOPES", "", []],
  ["AUTH_SCOPES", " mcp:read  openid", ["mcp:read", "openid"]],
  ["AUTH_SECRET", "short", "short"],
  ["AUTH_SECRET", "", undefined],
  ["MAX_TASKS", "100", 100],
  ["MAX_MESSAGES_PER_MINUTE", "0", 0],
  ["MODEL_TIMEOUT_SECONDS", "0.5", 0.5],
])("parseSettings accepts %s with the value %j", (name, value, read) => {
  expect(parseSettings({ [name]: value })).toHaveProperty(name, read);
});
