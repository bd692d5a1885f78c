// Properties of slots, as models and clients write them: the same thing under several names.

import type { Format } from "./format.ts";
import { isRecord } from "./shapes.ts";

type Props = Readonly<Record<string, unknown>>;

export function textIn(props: Props, ...names: readonly string[]): string | undefined {
  return names.map((name) => props[name]).find((value): value is string => typeof value === "string" && value !== "");
}

/** A list of names: a list, one name, or a list of objects that have one. */
export function namesIn(props: Props, ...names: readonly string[]): string[] {
  const value = names.map((name) => props[name]).find((one) => one !== undefined && one !== null);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((item) => {
    const name = isRecord(item) ? (item["field"] ?? item["key"] ?? item["name"]) : item;
    return typeof name === "string" && name !== "" ? [name] : [];
  });
}

/** What keys are called: as the properties say by place or by key, else by their own names; `isNamed`: to the letter. */
export function labelsOf(props: Props, keys: readonly string[], format: Format, isNamed = false): string[] {
  const given = props["groupNames"] ?? props["labels"] ?? props["seriesNames"];
  return keys.map((key, i) => {
    const label: unknown = Array.isArray(given) ? given[i] : isRecord(given) ? given[key] : undefined;
    return typeof label === "string" && label !== "" ? label : isNamed ? key : format.label(key);
  });
}
