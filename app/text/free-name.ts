/** Returns the name, or the first of "notes-2", "notes-3" … that is not taken. `fold`: gives the same text to names that count as one. */
export function freeName(name: string, taken: Iterable<string>, fold = (text: string): string => text): string {
  const used = new Set([...taken].map(fold))
  let next = name
  for (let count = 2; used.has(fold(next)); count++) next = `${name.slice(0, 60)}-${count}`
  return next
}
