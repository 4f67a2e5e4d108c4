// Who subscribes to an invoice is told when its file changes, whoever changed it. In the newer era (`subscriptions/listen`) the SDK
// keeps what each listener wants to hear of; in the older ones that is kept here.
import type { McpServer } from '@modelcontextprotocol/server'
import type { DemoOptions } from './server.ts'

export type Era = 'legacy' | 'modern'

export function tellOfChanges(server: McpServer, { folder }: DemoOptions, era: Era): void {
  const { server: wire } = server
  const wanted = new Set<string>()
  wire.registerCapabilities({ resources: { subscribe: true } })
  if (era === 'legacy') {
    wire.setRequestHandler('resources/subscribe', ({ params }) => {
      wanted.add(params.uri)
      return {}
    })
    wire.setRequestHandler('resources/unsubscribe', ({ params }) => {
      wanted.delete(params.uri)
      return {}
    })
  }
  const stop = folder.watch((number) => {
    const uri = `invoice://${number}`
    if (era === 'modern' || wanted.has(uri)) wire.sendResourceUpdated({ uri }).catch(() => undefined) // Nobody is there any more.
  })
  wire.onclose = stop
}
