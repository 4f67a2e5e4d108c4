// A server whose name another's can be taken for: the name is what the person goes by.
import { useMemo } from 'react'
import { lookAlikes } from '#app/server/look-alike.ts'
import { t } from '#app/words/translate.ts'
import { useServers } from '#renderer/stores/react.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'

export function LookAlikeName({ server }: { readonly server: string }) {
  const servers = useServers((state) => state.list)
  const others = useMemo(() => lookAlikes(new Set([server, ...servers.map(({ name }) => name)])).get(server), [server, servers])
  if (!others) return null
  const quoted = (name: string): string => `“${name}”`
  return (
    <Notice tone="warn" title={<Revealed text={t`${quoted(server)} looks like ${others.map(quoted).join(', ')}.`} />}>
      {t`They are different servers. Read the name letter by letter: what you allow one is not allowed to the other.`}
    </Notice>
  )
}
