/** True if the runtime knows the time zone. Accepts offsets such as `+08:00`. */
export function isKnownTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
