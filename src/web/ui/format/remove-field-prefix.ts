/** Removes the prefix `<path>: ` from an error message, for display at that field. Without it, returns the message. */
export function removeFieldPrefix(message: string, path: string | undefined): string {
  return path !== undefined && message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
}
