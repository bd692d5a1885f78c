// Access to values by dotted paths.

/**
 * Returns the value at a path such as `address.city` or `items.0.id`. A member with exactly this name takes precedence.
 * Returns undefined if there is no such value. Reads own members only.
 */
export function getValueAtPath(holder: unknown, name: string): unknown {
  if (isObject(holder) && Object.hasOwn(holder, name)) return holder[name];
  let value = holder;
  for (const part of name.split(".")) {
    if (Array.isArray(value)) value = /^\d+$/.test(part) ? value[Number(part)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}

/** True for objects except null and arrays. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
