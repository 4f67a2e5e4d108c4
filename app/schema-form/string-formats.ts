// Text formats that a form checks (JSON Schema validation 7.3), each in linear time. Other formats are left to the server.
import { writeLike } from '../consent/value-labels.ts'
import { isDate } from '../text/format-text.ts'

const TIME = /^\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/
/** Longest text that is checked, in UTF-16 units. */
const LONGEST = 4096

const isTime = (text: string): boolean => TIME.test(text) && !Number.isNaN(Date.parse(`2026-01-01T${text.toUpperCase()}`))

const formats = (): Readonly<Record<string, { test(text: string): boolean; readonly words: string }>> => ({
  date: { test: isDate, words: writeLike('2026-11-22') },
  time: { test: isTime, words: writeLike('09:30:00Z') },
  'date-time': {
    test: (text) => /^.{10}[Tt ]/.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
    words: writeLike('2026-11-22T09:30:00Z'),
  },
  email: { test: (text) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text), words: writeLike('name@example.com') },
  uri: { test: (text) => !/\s/.test(text) && URL.canParse(text), words: writeLike('https://example.com') },
  uuid: { test: (text) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text), words: writeLike('UUID') },
  ipv4: {
    test: (text) => /^(?:\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255),
    words: writeLike('192.0.2.1'),
  },
})

export const formatProblem = (format: string, text: string): string | undefined => {
  const all = formats()
  const known = Object.hasOwn(all, format) ? all[format] : undefined
  return known && text.length <= LONGEST && !known.test(text) ? known.words : undefined
}
