import { useEffect, useState } from 'react'
import type { BlobRef } from '#app/blob.ts'

type Bytes = { readonly kind: 'loading' } | { readonly kind: 'gone' } | { readonly kind: 'here'; readonly bytes: Uint8Array }

/** Reads a blob from the host's store. `gone`: no longer stored. */
export function useBytes({ sha256 }: BlobRef): Bytes {
  const [state, setState] = useState<Bytes>({ kind: 'loading' })
  useEffect(() => {
    const control = new AbortController()
    setState({ kind: 'loading' })
    const read = async (): Promise<Bytes> => {
      const answer = await fetch(`/blob/${sha256}`, { signal: control.signal })
      return answer.ok ? { kind: 'here', bytes: new Uint8Array(await answer.arrayBuffer()) } : { kind: 'gone' }
    }
    read().then(setState, () => {
      if (!control.signal.aborted) setState({ kind: 'gone' })
    })
    return () => control.abort()
  }, [sha256])
  return state
}
