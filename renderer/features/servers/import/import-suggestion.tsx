// Other applications that have servers which are not here, each with their number: the way to the screen that takes servers over.
import type { ReactNode } from 'react'
import { createStore } from 'zustand/vanilla'
import { type HostId, hostNames } from '#app/server/import/app-names.ts'
import { navigate } from '#renderer/router.ts'
import { SmallButton } from '#renderer/ui/button.tsx'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'

/** Application whose servers the screen shows; undefined: all. */
export const importStore = createStore<{ readonly only: HostId | undefined }>(() => ({ only: undefined }))

function openImport(only?: HostId): void {
  importStore.setState({ only })
  navigate({ page: 'servers', name: '', tab: 'takeover' })
}

/** `otherwise`: shown where no other application has servers. */
export function ImportSuggestion({ lead, otherwise = null }: { readonly lead: string; readonly otherwise?: ReactNode }) {
  // Without an answer there is nothing to offer; the screen itself says why.
  const { value, loading } = useHostAnswer('appImport.look', {})
  const counted = (value?.hosts ?? []).flatMap(({ host, files }) => {
    const count = files.flatMap(({ servers }) => servers).filter(({ state }) => state.kind !== 'same').length
    const broken = files.some(({ problems }) => problems.length > 0)
    return count > 0 || broken ? [{ host, count }] : []
  })
  if (counted.length === 0) return loading ? null : otherwise
  return (
    <div className="row dim wrap">
      {lead}
      {counted.map(({ host, count }) => (
        <SmallButton key={host} onClick={() => openImport(host)}>
          {hostNames()[host]} {count > 0 && <span className="faint num">{count}</span>}
        </SmallButton>
      ))}
    </div>
  )
}
