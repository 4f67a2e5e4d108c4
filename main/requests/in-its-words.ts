// A server that answers what a person asked for with an error says so in words of its own. They reach the page as a quotation,
// never as ours.
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'

/** Rejects with `server.said-no` where the server answered with an error. */
export async function inItsWords<T>(server: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isProtocolError(error)) throw error
    throw new HostError('server.said-no', t`“${server}” answered with an error.`, {
      data: { server, detail: error.message, protocolCode: error.code },
      cause: error,
    })
  }
}
