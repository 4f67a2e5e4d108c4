// Parses JSON that a person wrote, and refuses what would be changed when sent: a number without exact representation, and a
// duplicate name.
import { t } from '../i18n/translate.ts'
import type { Json } from '../json.ts'

export type ExactJson = { readonly kind: 'read'; readonly value: Json } | { readonly kind: 'broken'; readonly words: string }

const LONGEST_NUMBER = 400
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[{}[\]:,]/g

export function parseExactJson(text: string): ExactJson {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    return { kind: 'broken', words: t`This is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  const problem = lossIn(text)
  return problem === undefined ? { kind: 'read', value } : { kind: 'broken', words: problem }
}

function lossIn(text: string): string | undefined {
  const open: Set<string>[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const name = JSON.parse(last) as string
      const names = open.at(-1)
      if (names?.has(name)) return t`“${name}” appears twice.`
      names?.add(name)
    } else if (token !== ',' && !token.startsWith('"') && !isExact(token))
      return t`${token.length > 40 ? `${token.slice(0, 40)}…` : token} cannot be sent exactly, only as ${String(Number(token))}.`
    last = token
  }
  return undefined
}

/** Whether a number keeps its digits: `1.50` is `1.5`, and `1e3` is `1000`. */
function isExact(token: string): boolean {
  const number = Number(token)
  return token.length <= LONGEST_NUMBER && Number.isFinite(number) && digitsOf(token) === digitsOf(String(number))
}

function digitsOf(text: string): string {
  const [mantissa = '', power = '0'] = text.toLowerCase().replace(/^-/, '').split('e')
  const [whole = '', part = ''] = mantissa.split('.')
  const all = `${whole}${part}`
  const digits = all.replace(/^0+/, '').replace(/0+$/, '')
  if (digits === '') return '0'
  const shift = Number(power) - part.length + (all.length - all.replace(/0+$/, '').length)
  return `${digits}e${shift}`
}
