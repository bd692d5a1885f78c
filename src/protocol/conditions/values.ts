// Values by their dotted names.

/**
 * What a name like `address.city` or `items.0.id` stands for in an object: the member that is called so, or else the
 * way there. Undefined when there is no such thing.
 */
export function valueIn(holder: unknown, name: string): unknown {
  if (isObject(holder) && Object.hasOwn(holder, name)) return holder[name];
  let value = holder;
  for (const part of name.split(".")) {
    if (Array.isArray(value)) value = /^\d+$/.test(part) ? value[Number(part)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
