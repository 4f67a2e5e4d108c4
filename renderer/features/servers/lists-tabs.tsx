// Resources and prompts of one server: how many there are, and the way to the library, where they are read and used.

import type { ServerView } from '#app/server/view.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { hrefOf } from '#renderer/router.ts'
import { LinkButton } from '#renderer/ui/button.tsx'

interface InLibraryProps {
  readonly server: ServerView
  readonly tab: 'resources' | 'prompts'
}

const one = { resources: 'resource', prompts: 'prompt' } as const
const uses = {
  resources: t`In the library you look at them, follow their changes and attach them to a chat.`,
  prompts: t`In the library you fill them in, read what they say and put them into a chat.`,
} as const

export function InLibrary({ server: { name, counts, session }, tab }: InLibraryProps) {
  const count = counts[tab]
  const known = count > 0 || session !== undefined
  return (
    <div className="empty">
      <p className="strong">{known ? countWords(name, count, tab) : t`No ${tab} are known yet.`}</p>
      <p>{known ? uses[tab] : t`They are listed once ${name} has run.`}</p>
      {known && (
        <LinkButton icon="library" href={hrefOf({ page: 'library', tab, server: name })}>
          {t`Open the library`}
        </LinkButton>
      )}
    </div>
  )
}

const countWords = (name: string, count: number, tab: InLibraryProps['tab']): string =>
  count === 0 ? t`${name} lists no ${tab}.` : t`${name} offers ${numberWords(count)} ${count === 1 ? one[tab] : tab}.`
