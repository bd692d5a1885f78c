import * as z from "zod";
import type { LocalSettings } from "./local-settings.ts";

const healthSchema = z.object({ model: z.object({ name: z.string(), kind: z.enum(["openai", "embedded"]) }) });

/** What a person sees once everything is ready: where it is, how it is set up and what to try. */
export function welcome({ port, state, settings }: LocalSettings, health: unknown): string {
  const url = `http://localhost:${port}`;
  const { name, kind } = healthSchema.parse(health).model;
  const isOpen = settings.AUTH_SECRET === undefined && settings.AUTH_JWKS_URL === undefined;
  const elsewhere = port === 8787 ? "" : `--url ${url} `;
  const token = isOpen ? "" : "--token TOKEN ";
  const bearer = isOpen ? "" : `-H 'authorization: Bearer TOKEN' `;
  return `
Orrery is ready on ${url}

  model  ${name}${kind === "embedded" ? "  (set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL for another)" : ""}
  users  ${isOpen ? 'everybody is the user "local"  (set AUTH_SECRET or AUTH_JWKS_URL to ask for tokens)' : "bearer tokens are required"}
  state  ${state}

Try next, in another terminal:

  npm run ask -- ${elsewhere}${token}"What is 12 * 34, and what day is it today?"
  curl -N ${url}/api/v1/messages ${bearer}-H 'content-type: application/json' -H 'accept: text/event-stream' -d '{"message":"hello"}'

Every HTTP call is described at ${url}/docs. Ctrl-C stops the server.
`;
}
