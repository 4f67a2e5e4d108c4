// Why a question was withdrawn, from the reason with which its signal was aborted. Whoever aborts may say so outright
// (`data.withdrawal`); otherwise the code of the error does.
import { type Withdrawal, withdrawal } from '#app/consent/ending.ts'
import { HostError } from '#app/errors.ts'

const gone: ReadonlySet<unknown> = new Set(['server.stopped', 'server.exited', 'server.connection-lost', 'server.unreachable'])
/** The server's own words are for a line. */
const longestWord = 200

export interface Withdrawn {
  readonly because?: Withdrawal
  readonly word?: string
}

/** `inCall`: it was asked in the course of a call, which takes its questions along however it ends. */
export function classifyWithdrawal(reason: unknown, inCall: boolean): Withdrawn {
  if (reason instanceof HostError) {
    const { code, data } = reason
    const said = withdrawal.safeParse(data['withdrawal'])
    const word = data['word']
    if (said.success) return { because: said.data, ...(typeof word === 'string' && word ? { word: word.slice(0, longestWord) } : {}) }
    if (gone.has(code === 'tool.outcome-unknown' ? data['because'] : code)) return { because: 'server-gone' }
  }
  return inCall ? { because: 'call-ended' } : {}
}
