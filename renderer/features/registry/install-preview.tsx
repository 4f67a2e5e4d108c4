import type { Install } from '#app/server/registry/to-found.ts'
import { t } from '#app/words/translate.ts'
import { CommandLine } from '#renderer/features/consent/command-line.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'

/** What would run or be connected to, as it stands now, and what in it deserves a second look. */
export function InstallPreview({ install: { server, notes } }: { readonly install: Install }) {
  const { definition } = server
  if (definition.transport === 'builtin') return null
  const target =
    definition.transport === 'stdio'
      ? { transport: definition.transport, command: definition.command, args: definition.args, envNames: Object.keys(definition.env) }
      : { transport: definition.transport, url: definition.url, headerNames: Object.keys(definition.headers) }
  return (
    <section className="sec" aria-label={t`What would run`}>
      <h3>{definition.transport === 'stdio' ? t`What would run` : t`What would be connected to`}</h3>
      {notes.map(({ message, remedy }) => (
        <Notice key={message} tone="warn" title={<Revealed text={message} />}>
          <Revealed text={remedy} />
        </Notice>
      ))}
      <CommandLine target={target} />
    </section>
  )
}
