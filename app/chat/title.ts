const LIMIT = 60

/** A conversation's first title: the first line of its first message, cut at a word. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.replace(/\s+/g, ' ').trim() ?? ''
  const letters = [...line]
  if (letters.length <= LIMIT) return line
  const head = letters.slice(0, LIMIT).join('')
  const space = letters[LIMIT] === ' ' ? head.length : head.lastIndexOf(' ')
  return `${(space > LIMIT / 2 ? head.slice(0, space) : head).trimEnd()} …`
}
