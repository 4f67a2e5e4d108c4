// What is still being read belongs to the message: one that is sent meanwhile waits, and goes once all of it is attached. If
// something of it could not be, the person looks first.
import { useEffect, useState } from 'react'
import type { Send } from '../use-send.ts'
import type { Attaching } from './use-attaching.ts'

export interface SendWhenRead extends Send {
  /** It waited, and did not go. */
  readonly stayed: boolean
}

export function useSendWhenRead({ send }: Send, { pending, missed }: Pick<Attaching, 'pending' | 'missed'>): SendWhenRead {
  /** How much was missed when it began to wait. */
  const [since, setSince] = useState<number | undefined>(undefined)
  const isReading = pending.length > 0
  const waiting = since === missed
  useEffect(() => {
    if (!waiting || isReading) return
    setSince(undefined)
    send()
  }, [waiting, isReading, send])
  return {
    waiting,
    stayed: since !== undefined && !waiting,
    send() {
      setSince(isReading ? missed : undefined)
      if (!isReading) send()
    },
    dontSend: () => setSince(undefined),
  }
}
