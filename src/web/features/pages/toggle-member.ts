/** Returns a copy of the set with the member added or, if it is in the set, removed. */
export function toggleMember<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(member)) next.add(member);
  return next;
}
