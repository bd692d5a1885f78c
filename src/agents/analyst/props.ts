// Reads the properties of slots. Models and clients write the same property under several names.

import type { Format } from "./format.ts";
import { isRecord } from "./shapes.ts";

type Props = Readonly<Record<string, unknown>>;

/** Returns the first property with one of the names that is a text and not empty; undefined if there is none. */
export function textIn(props: Props, ...names: readonly string[]): string | undefined {
  return names.map((name) => props[name]).find((value): value is string => typeof value === "string" && value !== "");
}

/**
 * Returns the names in the first of the properties that is set. Accepts a list, one name, or a list of objects with a
 * name. Returns an empty list if no property is set.
 */
export function namesIn(props: Props, ...names: readonly string[]): string[] {
  const value = names.map((name) => props[name]).find((one) => one !== undefined && one !== null);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((item) => {
    const name = isRecord(item) ? (item["field"] ?? item["key"] ?? item["name"]) : item;
    return typeof name === "string" && name !== "" ? [name] : [];
  });
}

/**
 * Returns one label per key: from the properties by position or key, else the formatted key. With `isNamed` the keys
 * are the person's own column names and stay unformatted.
 */
export function labelsOf(props: Props, keys: readonly string[], format: Format, isNamed = false): string[] {
  const given = props["groupNames"] ?? props["labels"] ?? props["seriesNames"];
  return keys.map((key, i) => {
    const label: unknown = Array.isArray(given) ? given[i] : isRecord(given) ? given[key] : undefined;
    return typeof label === "string" && label !== "" ? label : isNamed ? key : format.label(key);
  });
}
