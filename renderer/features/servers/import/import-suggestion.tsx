// "Or take over from …": the programs that have servers which are not here, each with how many. The way to the screen that
// takes servers over, with the program that the person pressed.

import { useEffect, useState } from 'react'
import { createStore } from 'zustand/vanilla'
import type { AppImportHost } from '#app/consent/config-import.ts'
import { type HostId, hostNames } from '#app/server/import/app-names.ts'
import { navigate } from '#renderer/router.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'

/** Undefined: of all programs. */
export const importStore = createStore<{ readonly only: HostId | undefined }>(() => ({ only: undefined }))

function openImport(only?: HostId): void {
  importStore.setState({ only })
  navigate({ page: 'servers', name: '', tab: 'takeover' })
}

export function ImportSuggestion({ lead }: { readonly lead: string }) {
  const { attempt } = useActions()
  const [hosts, setHosts] = useState<readonly AppImportHost[]>([])
  useEffect(() => {
    let gone = false
    void attempt('takeover.look', {}).then((outcome) => {
      // Without an answer there is nothing to offer; the screen itself says why.
      if (!gone && outcome.ok) setHosts(outcome.value.hosts)
    })
    return () => {
      gone = true
    }
  }, [attempt])
  const counted = hosts.flatMap(({ host, files }) => {
    const count = files.flatMap(({ servers }) => servers).filter(({ state }) => state.kind !== 'same').length
    const broken = files.some(({ problems }) => problems.length > 0)
    return count > 0 || broken ? [{ host, count }] : []
  })
  if (counted.length === 0) return null
  return (
    <div className="row dim wrap">
      {lead}
      {counted.map(({ host, count }) => (
        <Button key={host} size="sm" onClick={() => openImport(host)}>
          {hostNames()[host]} <span className="faint num">{count}</span>
        </Button>
      ))}
    </div>
  )
}
