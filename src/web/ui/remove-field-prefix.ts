/** Removes the field prefix from an error message, for display at that field. */
export function removeFieldPrefix(message: string, path: string | undefined): string {
  return path !== undefined && message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
}
