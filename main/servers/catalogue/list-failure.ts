// A list of tools that failed: without it a server offers nothing, so its start counts as failed. What failed beneath the
// protocol (the connection, a sign-in, a status of HTTP) keeps its own code, which says whether another start is worth a try.
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'

type Fetched =
  | { readonly failed: string; readonly error: unknown; readonly lapsed: boolean }
  | { readonly items: readonly unknown[]; readonly problem?: string }

/** Characters: of the sentence, and of what is kept to be read for the cause. */
const longest = { told: 300, kept: 4000 }
const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text)

/** Undefined: it did not fail, or some of it was read: the rest is a warning then. */
export function listFailure(server: string, fetched: Fetched): HostError | undefined {
  const make = (reason: string, more: { readonly code?: number; readonly said?: true } = {}): HostError => {
    const code = more.code === undefined ? '' : ` (${more.code})`
    return new HostError('server.list-failed', t`“${server}” did not list its tools: ${cut(reason, longest.told)}${code}.`, {
      data: { server, method: 'tools/list', reason: cut(reason, longest.kept), ...more },
    })
  }
  if (!('failed' in fetched)) {
    const { problem, items } = fetched
    return problem === undefined || items.length > 0 ? undefined : make(problem)
  }
  const { error, lapsed, failed } = fetched
  if (lapsed) return make(t`it did not answer in time`)
  if (error instanceof HostError) return error
  return isProtocolError(error) ? make(failed, { code: error.code, said: true }) : make(failed)
}
