// Stands in for Electron's utility process in a test: its parent port is Node's IPC channel.
import type { ParentPort } from './port-transport.ts'

type Listener = Parameters<ParentPort['on']>[1]
const wrapped = new Map<Listener, (data: unknown) => void>()

const port: ParentPort = {
  on(_event, listener) {
    const onMessage = (data: unknown): void => listener({ data })
    wrapped.set(listener, onMessage)
    process.on('message', onMessage)
  },
  off(_event, listener) {
    const onMessage = wrapped.get(listener)
    if (onMessage) process.off('message', onMessage)
  },
  postMessage: (message) => void process.send?.(message),
}

Object.assign(process, { parentPort: port })
