import type { HostConnection } from '#app/contract/host-connection.ts'

/** Calls `listener` some time after an event of the host; events until then count with it. Returns its undo. */
export function onEvents(connection: HostConnection, names: ReadonlySet<string>, afterMs: number, listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const off = connection.onEvent(({ name }) => {
    if (!names.has(name) || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      listener()
    }, afterMs)
  })
  return () => {
    clearTimeout(timer)
    off()
  }
}
