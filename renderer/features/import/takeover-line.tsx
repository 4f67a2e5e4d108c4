// "Or take over from …": the programs that have servers which are not here, each with how many.
import { useEffect, useState } from 'react'
import { hostNames } from '#app/server/import/host-names.ts'
import type { TakeoverHost } from '#app/server/takeover.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { startTakeover } from './taking-over.ts'

export function TakeoverLine({ lead }: { readonly lead: string }) {
  const { attempt } = useActions()
  const [hosts, setHosts] = useState<readonly TakeoverHost[]>([])
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
        <Button key={host} size="sm" onClick={() => startTakeover(host)}>
          {hostNames()[host]} <span className="faint num">{count}</span>
        </Button>
      ))}
    </div>
  )
}
