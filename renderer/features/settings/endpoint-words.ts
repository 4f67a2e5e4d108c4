// Why an endpoint was not taken, or does not answer, in words. Pure.
import { stripHidden } from '#app/consent/reveal.ts'
import { describeError } from '#app/describe-error.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'

export function endpointErrorWords(error: ErrorValue): string {
  switch (error.code) {
    case 'model.key-refused':
      return t`The key was refused. It may be incomplete or revoked.`
    case 'model.key-missing':
      return t`It answers, but wants a key.`
    case 'model.rate-limited':
    case 'model.overloaded':
    case 'model.server-error':
      return t`It answers, but could not give its model list just now.`
    default: {
      const { message, quote } = describeError(error)
      const status = error.data?.['status']
      if (quote !== undefined) return t`${message} Its words: “${shortened(stripHidden(quote))}”`
      return typeof status === 'number' && !message.includes(String(status)) ? `${message} (${status})` : message
    }
  }
}

/** A line or two beside a field. */
const MOST = 300
const shortened = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST)}…` : text)

export const modelsWords = (count: number): string => `${count} ${count === 1 ? t`model` : t`models`}`

/** "localhost:11434" rather than the whole address, where that is all there is to know. */
export function placeWords(baseUrl: string | undefined): string {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return baseUrl ?? ''
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  if (hostname === '127.0.0.1' && pathname === '/v1') return t`localhost:${port}`
  return protocol === 'https:' ? baseUrl.slice('https://'.length) : baseUrl
}
