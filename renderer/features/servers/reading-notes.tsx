// What is to be said of a text that was read: what could not be used of it, and what is only worth a look.
import type { ConfigProblem } from '#app/server/definition.ts'
import { t } from '#app/words/translate.ts'
import { cx } from '#renderer/ui/class-names.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'

interface ListProps {
  readonly problems: readonly ConfigProblem[]
}

/** Something was left out. */
export const Problems = ({ problems }: ListProps) => <Said problems={problems} quiet={false} />

/** Of a server that can be used all the same. */
export const Notes = ({ problems }: ListProps) => <Said problems={problems} quiet />

const Said = ({ problems, quiet }: ListProps & { readonly quiet: boolean }) =>
  problems.map((problem) => (
    <div key={`${problem.line} ${problem.server} ${problem.message}`} className={cx(quiet ? 'help row read-note' : 'err')}>
      <Icon name={quiet ? 'info' : 'warning'} small />
      <span>
        {problem.line === undefined ? (
          <Revealed text={problem.message} />
        ) : (
          tx`Line ${problem.line}: ${<Revealed text={problem.message} />}`
        )}{' '}
        <span className="dim">
          <Revealed text={problem.remedy} />
        </span>
      </span>
    </div>
  ))

/** The name is what the person goes by. */
export function AlikeBadge({ others }: { readonly others: readonly string[] }) {
  if (others.length === 0) return null
  return (
    <Badge tone="warn">
      <Revealed text={t`looks like ${others.map((name) => `“${name}”`).join(', ')}, and is another`} />
    </Badge>
  )
}
