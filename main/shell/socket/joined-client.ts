// What a joined command may ask of the host, and hear. It changes no rule, setting or server, and of the questions it hears its own alone.
import type { EventName } from '#app/contract/events.ts'
import type { RequestName } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { newId } from '#main/base/ids.ts'
import type { Host } from '#main/host.ts'

const requestsOfCommands: ReadonlySet<string> = new Set<RequestName>([
  'app.snapshot',
  'config.get',
  'consent.answer',
  'models.list',
  'models.refresh',
  'endpoint.save',
  'endpoint.remove',
  'chat.send',
  'chat.stop',
  'chat.wait',
  'conversation.get',
  'conversation.find',
  'tool.call',
  'server.start',
  'server.catalogue',
  'server.doctor',
  'server.readResource',
  'server.getPrompt',
  'export.ids',
  'export.read',
  'import.begin',
  'import.push',
  'import.end',
  'appImport.look',
  'appImport.take',
])

const eventsOfCommands: ReadonlySet<EventName> = new Set<EventName>([
  'message.changed',
  'message.delta',
  'toolCall.changed',
  'conversation.changed',
  'server.changed',
])

/** A host as one joined command sees it. `signal` aborts when the command is gone: what it began ends. */
export function hostForCommand(host: Pick<Host, 'request' | 'onEvent'>, signal: AbortSignal): Pick<Host, 'request' | 'onEvent'> {
  const joined = newId()
  return {
    async request(name: string, params: unknown) {
      if (!requestsOfCommands.has(name))
        throw new HostError('contract.unknown-request', t`A command may not ask for “${name.slice(0, 100)}”.`)
      return host.request(name, params, { signal, joined })
    },
    onEvent(listener) {
      const own = new Set<string>()
      return host.onEvent((event) => {
        if (event.name === 'consent.opened') {
          if (event.payload.request.joined !== joined) return
          own.add(event.payload.request.id)
        } else if (event.name === 'consent.closed') {
          if (!own.delete(event.payload.id)) return
        } else if (!eventsOfCommands.has(event.name)) return
        listener(event)
      })
    },
  } as Pick<Host, 'request' | 'onEvent'>
}
