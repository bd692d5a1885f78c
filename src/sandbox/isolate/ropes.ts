// Texts that are put together. The engine copies late: what was joined keeps its parts (a rope) until its content is
// read for the first time, and who keeps that text keeps the copy. So a join is noted by the length of what it makes,
// and whoever reads a text of a length that was joined pays for a copy, as often as there were joins. More texts of
// that length cannot be copied than were joined, and no join is paid for twice.

import { LIMITS } from "../limits.ts";
import { giveUp, spend } from "./budget.ts";

/** Texts up to here cost nothing to look at: they are paid for when they are made. */
export const SHORT = 64;
/** Texts up to here the engine copies at once. */
export const TINY = 12;

/** Bytes for each character that the engine copies: two, and what the young copies take until they are moved. */
export const COPY = 3;

/** By length: how many texts were joined whose copy nobody has paid for. */
const ropes = new Uint32Array(LIMITS.text + 1);

/** Refuses a text that is too long, before or after it is made. */
export function fits(length: number): void {
  if (!(length <= LIMITS.text)) giveUp(`It makes a text of more than ${LIMITS.text} characters`);
}

function linked(a: string, b: string): string {
  fits(a.length + b.length);
  spend(32);
  return a + b;
}

function noted(made: string): string {
  const { length } = made;
  if (length > SHORT) ropes[length] = (ropes[length] as number) + 1;
  else if (length > TINY) spend(16 + length * 2);
  return made;
}

/** Two texts as one. */
export function joined(a: string, b: string): string {
  const made = linked(a, b);
  return a === "" || b === "" ? made : noted(made);
}

/** Many texts as one. What it is on the way there, nobody reads. */
export class Rope {
  private made = "";
  private isJoined = false;

  add(part: string): void {
    if (this.made !== "" && part !== "") this.isJoined = true;
    this.made = linked(this.made, part);
  }

  whole(): string {
    return this.isJoined ? noted(this.made) : this.made;
  }
}

/** Any value whose content is about to be read. A text may be copied for it. */
export function read<T>(value: T): T {
  if (typeof value === "string" && value.length > SHORT && (ropes[value.length] as number) > 0)
    payCopies(value.length, 1);
  return value;
}

/** For so many texts of one length that are about to be read, at most. */
export function payCopies(length: number, most: number): void {
  // Arguments may be longer than what can be made.
  const found = length > SHORT ? (ropes[length] ?? 0) : 0;
  const count = found < most ? found : most;
  if (count === 0) return;
  // Paid first: a stack that runs out in between must not have made them free.
  spend(count * length * COPY);
  ropes[length] = found - count;
}

/** Pays for going through a text once. */
export function payText(value: string): void {
  if (value.length > SHORT) spend(read(value).length >> 1);
}

/** Pays for holding two texts against each other. */
export function payBoth(a: string, b: string): void {
  read(a);
  read(b);
  const { length } = a.length < b.length ? a : b;
  if (length > SHORT) spend(length >> 1);
}
