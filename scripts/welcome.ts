import * as z from "zod";
import type { LocalSettings } from "./local-settings.ts";

const healthSchema = z.object({ model: z.object({ name: z.string(), kind: z.enum(["openai", "embedded", "none"]) }) });

/** Formats the message that is printed when the server is ready: its URL, its settings and commands to try. */
export function formatWelcome({ port, state, settings }: LocalSettings, health: unknown): string {
  const url = `http://localhost:${port}`;
  const { name, kind } = healthSchema.parse(health).model;
  const isOpen = settings.AUTH_SECRET === undefined && settings.AUTH_JWKS_URL === undefined;
  const urlOption = port === 8787 ? "" : `--url ${url} `;
  const tokenOption = isOpen ? "" : "--token TOKEN ";
  const authorizationOption = isOpen ? "" : `-H 'authorization: Bearer TOKEN' `;
  return `
Orrery is ready on ${url}

  model  ${name}${kind === "embedded" ? "  (set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL to use another)" : ""}
  users  ${isOpen ? 'everyone is the user "local"  (set AUTH_SECRET or AUTH_JWKS_URL to require tokens)' : "bearer tokens are required"}
  state  ${state}

Try it in another terminal:

  npm run ask -- ${urlOption}${tokenOption}"What is 12 * 34, and what day is it today?"
  curl -N ${url}/api/v1/messages ${authorizationOption}-H 'content-type: application/json' -H 'accept: text/event-stream' -d '{"message":"hello"}'

The HTTP API is documented at ${url}/docs. Ctrl-C stops the server.
`;
}
