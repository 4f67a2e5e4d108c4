// The wire between the bridge of a view and its frame. Only that frame's own window is heard, and only while it is of an
// origin of its own; it is told by its window alone, since such an origin cannot be named.
import type { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge'
import { createFrameGuard } from './frame-guard.ts'

type Transport = Parameters<AppBridge['connect']>[0]

export function createFrameTransport(frame: HTMLIFrameElement, onFlood: () => void): Transport {
  const guard = createFrameGuard(() => performance.now())
  const onMessage = (event: MessageEvent): void => {
    if (event.source === null || event.source !== frame.contentWindow || event.origin !== 'null') return
    const heard = guard.hear(event.data)
    if (heard.kind === 'flood') onFlood()
    // Its shape was looked at; what the SDK makes of its parts it checks by schema.
    if (heard.kind === 'message') transport.onmessage?.(heard.message as Parameters<NonNullable<Transport['onmessage']>>[0])
  }
  const transport: Transport = {
    async start() {
      addEventListener('message', onMessage)
    },
    async send(message) {
      frame.contentWindow?.postMessage(message, '*')
    },
    async close() {
      removeEventListener('message', onMessage)
      transport.onclose?.()
    },
  }
  return transport
}
