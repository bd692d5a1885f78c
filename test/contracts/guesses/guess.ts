// A guess: a request that names something which may belong to another user.

import { request } from "../doors.ts";
import type { OwnedIds } from "../owned-data.ts";
import type { Setup } from "../setup.ts";

export type Kind = keyof OwnedIds;
/** The user who guesses, and what the user owns. */
export type Guesser = { readonly setup: Setup; readonly name: string; readonly own: OwnedIds };

/** A request with ids of things, by kind. Resolves with the whole response: status, headers and body. */
export type Guess = {
  readonly door: string;
  /** The operation, or the member of it that names the thing. */
  readonly operation: string;
  /** The form of the request, if the operation has several. */
  readonly form?: string;
  readonly send: (guesser: Guesser, ids: OwnedIds) => Promise<string>;
};

type Http = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends a request. Resolves with the response, without headers that differ by time. */
export async function sendHttp({ setup, name }: Guesser, { method, path, body, headers }: Http): Promise<string> {
  const response = await request(setup, name, method, path, body, headers);
  const shown = [...response.headers].filter(([header]) => header !== "date" && header !== "content-length");
  return `${response.status} ${JSON.stringify(shown)} ${response.text}`;
}
