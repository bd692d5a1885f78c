// Reads the properties of slots. Models and clients write the same property under several names.

import type { ValueFormat } from "./value-format.ts";
import { isRecord } from "./data-shapes.ts";

type SlotProps = Readonly<Record<string, unknown>>;

/** Returns the first property with one of the names that is a text and not empty; undefined if there is none. */
export function getTextProp(props: SlotProps, ...names: readonly string[]): string | undefined {
  return names.map((name) => props[name]).find((value): value is string => typeof value === "string" && value !== "");
}

/**
 * Returns the names in the first of the properties that is set. Accepts a list, one name, or a list of objects with a
 * name. Returns an empty list if no property is set.
 */
export function getNamesProp(props: SlotProps, ...names: readonly string[]): string[] {
  const value = names.map((name) => props[name]).find((candidate) => candidate !== undefined && candidate !== null);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((item) => {
    const name = isRecord(item) ? (item["field"] ?? item["key"] ?? item["name"]) : item;
    return typeof name === "string" && name !== "" ? [name] : [];
  });
}

/**
 * Returns one label per key: from the property `groupNames`, `labels` or `seriesNames` by position or key, else the
 * formatted key. With `isNamed` the keys are the person's own column names and stay unformatted.
 */
export function createLabels(
  props: SlotProps,
  keys: readonly string[],
  format: ValueFormat,
  isNamed = false,
): string[] {
  const labelProps = props["groupNames"] ?? props["labels"] ?? props["seriesNames"];
  return keys.map((key, i) => {
    const label: unknown = Array.isArray(labelProps)
      ? labelProps[i]
      : isRecord(labelProps)
        ? labelProps[key]
        : undefined;
    return typeof label === "string" && label !== "" ? label : isNamed ? key : format.label(key);
  });
}
