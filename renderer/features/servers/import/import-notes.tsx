// What is to be said of a text that was read: what could not be used of it, and what is only worth a look.

import { t } from '#app/i18n/translate.ts'
import type { ConfigProblem } from '#app/server/definition.ts'
import { Badge } from '#renderer/ui/badges.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

interface ListProps {
  readonly problems: readonly ConfigProblem[]
}

/** Something was left out. */
export const ImportProblems = ({ problems }: ListProps) => <Said problems={problems} quiet={false} />

/** Of a server that can be used all the same. */
export const ImportNotes = ({ problems }: ListProps) => <Said problems={problems} quiet />

const Said = ({ problems, quiet }: ListProps & { readonly quiet: boolean }) =>
  problems.map((problem) => (
    <div key={`${problem.line} ${problem.server} ${problem.message}`} className={cx(quiet ? 'help row read-note' : 'err')}>
      <Icon name={quiet ? 'info' : 'warning'} small />
      <span>
        {problem.line === undefined ? (
          <VisibleText text={problem.message} />
        ) : (
          tx`Line ${problem.line}: ${<VisibleText text={problem.message} />}`
        )}{' '}
        <span className="dim">
          <VisibleText text={problem.remedy} />
        </span>
      </span>
    </div>
  ))

/** The name is what the person goes by. */
export function AlikeBadge({ others }: { readonly others: readonly string[] }) {
  if (others.length === 0) return null
  return (
    <Badge tone="warn">
      <VisibleText text={t`looks like ${others.map((name) => `“${name}”`).join(', ')}, and is another`} />
    </Badge>
  )
}
