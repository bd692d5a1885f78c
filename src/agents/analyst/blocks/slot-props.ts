// Reads the properties of slots: names, labels and titles.

import { createMessage } from "../../../language/messages.ts";
import { localize } from "../localize.ts";
import type { ValueFormat } from "./value-format.ts";
import { isRecord } from "./data-shapes.ts";

/** The properties of a slot, with their references resolved. Models and clients write them, so they may be anything. */
export type SlotProps = Readonly<Record<string, unknown>>;

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
 * Returns one label per key: from the property `groupNames` or `labels` by position or key, else the formatted key.
 * With `isNamed` the keys are the person's own column names and stay unformatted.
 */
export function createLabels(
  props: SlotProps,
  keys: readonly string[],
  format: ValueFormat,
  isNamed = false,
): string[] {
  const given = props["groupNames"] ?? props["labels"];
  return keys.map((key, i) => {
    const label: unknown = Array.isArray(given) ? given[i] : isRecord(given) ? given[key] : undefined;
    return typeof label === "string" && label !== "" ? label : isNamed ? key : format.label(key);
  });
}

/**
 * From this many members on, the title says that the source has more. A shorter block is taken to have the length that
 * was asked for.
 */
const MIN_NOTED_MEMBERS = 50;

/** Returns the title of a block, with a note if it does not show all members (points or rows) of its data. */
export function createBlockTitle(
  props: SlotProps,
  { count, max, isTruncated }: { readonly count: number; readonly max: number; readonly isTruncated: boolean },
  { language }: ValueFormat,
): string {
  const note =
    count > max
      ? createMessage("analyst.firstOf", { shown: max, all: count })
      : isTruncated && count >= MIN_NOTED_MEMBERS
        ? createMessage("analyst.firstOfMore", { shown: count })
        : null;
  const title = getTextProp(props, "title", "label") ?? "";
  return note === null ? title : `${title} (${localize(note, language)})`.trim();
}
