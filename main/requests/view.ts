import { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { jsonSize } from '#main/servers/json-size.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

/** JSON text of one answer to a view, which goes through the page. */
const largestAnswer = 8_000_000

/** A view reads what a server answered as the error that it is. */
async function carried(work: Promise<JsonObject>): Promise<{ result: JsonObject }> {
  const result = await work.catch((error: unknown) => {
    throw isProtocolError(error) ? new HostError('server.protocol', t`The server answered: ${error.message}`, { cause: error }) : error
  })
  if (jsonSize(result) <= largestAnswer) return { result }
  throw new HostError('view.too-large', t`The answer is more than a view is given.`)
}

export const viewRequests = ({ chat: { views } }: HostParts): HandlersOf<'view'> => ({
  'view.open': (of) => views.open(of),
  'view.close'({ id }) {
    views.close(id)
    return {}
  },
  'view.result': ({ id }) => views.result(id),
  'view.call': ({ id, tool, arguments: args }) => carried(views.call(id, tool, args)),
  'view.read': ({ id, uri }) => carried(views.read(id, uri)),
  'view.openLink': async ({ id, url }) => ({ opened: await views.openLink(id, url) }),
  'view.tell': async ({ id, words }) => ({ attachment: await views.tell(id, words) }),
  'view.log'({ id, level, text }) {
    views.log(id, level, text)
    return {}
  },
  'view.forget'({ id }) {
    views.forget(id)
    return {}
  },
})
