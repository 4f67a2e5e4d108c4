import type { ContextBridge, IpcMain, IpcMainInvokeEvent, IpcRenderer } from 'electron'
import { Emitter } from './emitter.ts'

type Listener = Parameters<IpcMain['handle']>[1]

const handlers = new Map<string, Listener>()

export const ipcMain = {
  handle(channel: string, listener: Listener): void {
    if (handlers.has(channel)) throw new Error(`There is already a handler for ${channel}.`)
    handlers.set(channel, listener)
  },
  removeHandler(channel: string): void {
    handlers.delete(channel)
  },
} satisfies Pick<IpcMain, 'handle' | 'removeHandler'>

/** What happens when a page invokes: both ways cross processes as structured clones (docs/tutorial/ipc.md, "Object serialization"). */
export async function invokeFromPage(event: IpcMainInvokeEvent, channel: string, ...args: unknown[]): Promise<unknown> {
  const handler = handlers.get(channel)
  if (!handler) throw new Error(`No handler registered for '${channel}'`)
  return structuredClone(await handler(event, ...structuredClone(args)))
}

class FakeIpcRenderer extends Emitter implements Pick<IpcRenderer, 'invoke' | 'on' | 'off'> {
  readonly invoked: { readonly channel: string; readonly args: readonly unknown[] }[] = []
  answer: unknown = { result: 'answered' }

  async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
    this.invoked.push({ channel, args: structuredClone(args) })
    return structuredClone(this.answer)
  }
}
export const ipcRenderer = new FakeIpcRenderer()

export const exposed: Record<string, unknown> = {}
export const contextBridge = {
  exposeInMainWorld(key: string, api: unknown): void {
    exposed[key] = api
  },
} satisfies Pick<ContextBridge, 'exposeInMainWorld'>

export function resetIpc(): void {
  handlers.clear()
  ipcRenderer.forgetListeners()
  ipcRenderer.invoked.length = 0
}
