// Resources or prompts of one server: their number, and the way to the library, where they are used.

import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { hrefOf } from '#renderer/router.ts'
import { LinkButton } from '#renderer/ui/button.tsx'

interface InLibraryProps {
  readonly server: ServerSummary
  readonly tab: 'resources' | 'prompts'
}

const unknown = { resources: t`No resources are known yet.`, prompts: t`No prompts are known yet.` } as const
const uses = {
  resources: t`In the library you look at them, follow their changes and attach them to a chat.`,
  prompts: t`In the library you fill them in, read what they say and put them into a chat.`,
} as const

export function ResourcesPromptsTab({ server: { name, counts, session }, tab }: InLibraryProps) {
  const count = counts[tab]
  const known = count > 0 || session !== undefined
  return (
    <div className="empty">
      <p className="strong">{known ? countLabel(name, count, tab) : unknown[tab]}</p>
      <p>{known ? uses[tab] : t`They are listed once “${name}” has run.`}</p>
      {known && (
        <LinkButton icon="library" href={hrefOf({ page: 'library', tab, server: name })}>
          {t`Open the library`}
        </LinkButton>
      )}
    </div>
  )
}

function countLabel(name: string, count: number, tab: InLibraryProps['tab']): string {
  const number = formatNumber(count)
  if (tab === 'resources') {
    if (count === 0) return t`“${name}” lists no resources.`
    return count === 1 ? t`“${name}” offers 1 resource.` : t`“${name}” offers ${number} resources.`
  }
  if (count === 0) return t`“${name}” lists no prompts.`
  return count === 1 ? t`“${name}” offers 1 prompt.` : t`“${name}” offers ${number} prompts.`
}
