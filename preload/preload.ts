// The only bridge between page and host: named functions on `window.assent`, nothing of Electron's. Only requests of the contract
// pass; the host parses their parameters. The build keeps only the names of the contract (vite.config.ts).
import { contextBridge, ipcRenderer } from 'electron'
import { channels, type ShellCommand } from '#app/contract/channels.ts'
import type { HostEvent } from '#app/contract/events.ts'
import type { PreloadBridge } from '#app/contract/host-connection.ts'
import { requestNames } from '#app/contract/requests.ts'

const allowed: ReadonlySet<string> = new Set(requestNames)

/** Subscribes without passing the IPC event to the page, since it carries the sender. */
function subscribe<T>(channel: string, listener: (value: T) => void): () => void {
  const onMessage = (_: unknown, value: T): void => listener(value)
  ipcRenderer.on(channel, onMessage)
  return () => void ipcRenderer.off(channel, onMessage)
}

const bridge: Required<PreloadBridge> = {
  async request(name, params) {
    if (!allowed.has(name)) return { error: { code: 'contract.unknown-request', message: 'The page may not ask that of the host.' } }
    return ipcRenderer.invoke(channels.request, name, params)
  },
  onEvent: (listener) => subscribe<HostEvent>(channels.event, listener),
  onCommand: (listener) => subscribe<ShellCommand>(channels.command, listener),
}

contextBridge.exposeInMainWorld('assent', bridge)
