// The way to a server that is a process of ours. Apart from those to a URL, for those need the SDK.
import { HostError } from '#app/errors.ts'
import type { Exit } from '#app/server/state.ts'
import { t } from '#app/words/translate.ts'
import type { ServerProcess } from '../launch.ts'
import { type RawTransport, withRawRequests } from '../stdio/raw-requests.ts'
import type { Ending, Link } from './link.ts'

const exitWords = (server: string, { code, signal }: Exit): string => {
  if (signal !== null) return t`“${server}” was ended by ${signal}.`
  return code === null ? t`“${server}” ended.` : t`“${server}” ended with exit code ${code}.`
}

/** `onMessage`: it said something that is of the protocol. */
export function processLink(server: string, process: ServerProcess, onMessage?: () => void): Link<RawTransport> {
  const ended = process.exited.then((exit): Ending => {
    const data = { server, code: exit.code, signal: exit.signal }
    return { error: new HostError('server.exited', exitWords(server, exit), { data }), exit }
  })
  return {
    kind: 'stdio',
    transport: withRawRequests(process.transport, onMessage),
    pid: process.pid,
    ended,
    async close() {
      await process.stop()
    },
  }
}
