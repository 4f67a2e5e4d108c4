// One server in a list of servers to add: its name to edit, its command, notes on it. Used for pasted text, links, the registry
// and the configuration of other applications.

import type { ReactNode } from 'react'
import { t } from '#app/i18n/translate.ts'
import { commandLine } from '#app/server/command-line.ts'
import type { ConfigProblem, ServerDefinition } from '#app/server/definition.ts'
import { Badge, ServerMark } from '#renderer/ui/badges.tsx'
import { FieldError, TextInput } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { UntrustedText } from '#renderer/ui/text/untrusted-text.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

interface ImportProblemsProps {
  readonly problems: readonly ConfigProblem[]
  /** Notes on a server that can be used; else the problems left something out. */
  readonly quiet?: boolean
}

export const ImportProblems = ({ problems, quiet = false }: ImportProblemsProps) =>
  problems.map((problem) => (
    <div key={`${problem.line} ${problem.server} ${problem.message}`} className={cx(quiet ? 'help row read-note' : 'err')}>
      <Icon name={quiet ? 'info' : 'warning'} small />
      <span>
        {problem.line === undefined ? (
          <VisibleText text={problem.message} />
        ) : (
          tx`Line ${problem.line}: ${<VisibleText text={problem.message} />}`
        )}{' '}
        <UntrustedText className="dim" text={problem.remedy} />
      </span>
    </div>
  ))

interface CandidateRowProps {
  readonly definition: ServerDefinition
  /** Control at the left edge, for choosing the server. */
  readonly choice: ReactNode
  /** Name whose letters stand in the mark. */
  readonly mark: string
  readonly name: string
  readonly nameLabel: string
  /** Undefined: the name cannot be edited. */
  readonly onName: ((name: string) => void) | undefined
  readonly badge: ReactNode
  /** Names of other servers that its own could be taken for. */
  readonly alike: readonly string[]
  /** Further badges. */
  readonly more?: ReactNode
  /** Folder of the project that the server was configured for. */
  readonly project: string | undefined
  readonly error: string | undefined
  readonly notes: readonly ConfigProblem[]
  /** Secrets, values and conflicts, below the command. */
  readonly children: ReactNode
  readonly action?: ReactNode
}

export function CandidateRow({ definition, name, nameLabel, onName, alike, error, ...row }: CandidateRowProps) {
  return (
    <li className="pasted">
      {row.choice}
      <ServerMark name={row.mark} />
      <div className="grow">
        <div className="row wrap">
          {onName ? (
            <>
              <TextInput
                aria-label={nameLabel}
                aria-invalid={error === undefined ? undefined : true}
                className="bare-name"
                value={name}
                size={Math.max(6, name.length)}
                onChange={({ target }) => onName(target.value)}
              />
              <Icon name="edit" small />
            </>
          ) : (
            <UntrustedText as="b" text={name} />
          )}
          {row.badge}
          {alike.length === 0 ? null : (
            <Badge tone="warn">
              <VisibleText text={t`looks like ${alike.map((other) => `“${other}”`).join(', ')}, and is another`} />
            </Badge>
          )}
          {row.more}
          <UntrustedText className="help mono wrap-any" text={row.project} />
        </div>
        <UntrustedText as="p" className="help mono wrap-any" text={commandLine(definition)} />
        {row.children}
        {error === undefined ? null : <FieldError>{error}</FieldError>}
        <ImportProblems problems={row.notes} quiet />
      </div>
      {row.action}
    </li>
  )
}
