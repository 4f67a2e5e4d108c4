// What a server may do beyond the default of its sandbox, in one order everywhere: read, write, reach, environment.
import { type ReactNode, useState } from 'react'
import type { LaunchTarget } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { type GrantList, secretKindOf } from '#app/server/sandbox/check-grant.ts'
import type { SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { VisibleText, VisibleValue } from '#renderer/ui/visible-text.tsx'
import { GrantRow, type GrantRowProps } from './grant-row.tsx'
import './sandbox.css'

type Typed = Readonly<Partial<Record<GrantList, string>>>

/** Texts of the open fields. `isPending`: one holds text that was not added. */
export function useTypedGrants() {
  const [typed, setTyped] = useState<Typed>({})
  const set = (list: GrantList, text: string | undefined): void =>
    setTyped(({ [list]: _closed, ...others }) => (text === undefined ? others : { ...others, [list]: text }))
  return { typed, set, isPending: Object.values(typed).some((text) => text.trim() !== '') }
}

interface GrantEditorProps extends Pick<GrantRowProps, 'grants' | 'onChange'> {
  /** Goes with `onChange`. */
  readonly typed?: ReturnType<typeof useTypedGrants>
  /** Whether it begins in a home folder of its own; undefined: not known. */
  readonly ownFolder?: boolean | undefined
  readonly noteOf?: ((list: GrantList, value: string) => string | undefined) | undefined
  readonly refusalOf?: ((value: string) => string | undefined) | undefined
  /** Row of the environment. */
  readonly children?: ReactNode
}

export function GrantEditor({ grants, onChange, typed, ownFolder, noteOf, refusalOf, children }: GrantEditorProps) {
  const row = (list: GrantList): GrantRowProps => ({
    list,
    grants,
    onChange,
    typed: typed?.typed[list],
    onTyped: (text) => typed?.set(list, text),
    noteOf: noteOf && ((value) => noteOf(list, value)),
    refusalOf,
  })
  return (
    <div className="may">
      <GrantRow {...row('read')}>
        <p className="note">{alsoReads(ownFolder)}</p>
      </GrantRow>
      <GrantRow {...row('write')}>
        <p className="note">
          {grants.write.length > 0 ? t`Also these. Always: a home folder of its own.` : t`Always: a home folder of its own.`}
        </p>
      </GrantRow>
      <GrantRow {...row('hosts')}>{grants.hosts.length === 0 && <p className="note">{t`No host.`}</p>}</GrantRow>
      {children}
      <Denied grants={grants} />
    </div>
  )
}

/** Whether grants open a secret place to a server. */
export const readsSecrets = ({ read }: Pick<SandboxGrants, 'read'>): boolean => read.some((path) => secretKindOf(path) !== undefined)

const alsoReads = (ownFolder: boolean | undefined): string =>
  ownFolder === false ? t`Always: the system, its package and its folder.` : t`Always: the system and its package.`

/** Exceptions from the grants, as its entry has them. */
function Denied({ grants: { denyRead, denyWrite, denyHosts } }: Pick<GrantEditorProps, 'grants'>) {
  const rows = [
    [t`Never read`, denyRead],
    [t`Never write`, denyWrite],
    [t`Never reach`, denyHosts],
  ] as const
  return rows.map(
    ([label, values]) =>
      values.length > 0 && (
        <MayRow key={label} icon="dash" label={label}>
          <Chips values={values} />
        </MayRow>
      ),
  )
}

interface MayRowProps {
  readonly icon: 'dash' | 'key'
  readonly label: string
  readonly children: ReactNode
}

const MayRow = ({ icon, label, children }: MayRowProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
  <div className="may-row" role="group" aria-label={label}>
    <Icon name={icon} />
    <span>{label}</span>
    <div className="may-value">{children}</div>
  </div>
)

const Chips = ({ values, warned }: { readonly values: readonly string[]; readonly warned?: ReadonlySet<string> }) => (
  <ul className="chips">
    {values.map((value) => (
      <li key={value} className={cx('chip', warned?.has(value) && 'warn')}>
        {warned?.has(value) && <Icon name="warning" small />}
        <VisibleText className="mono arg-word" text={value} />
      </li>
    ))}
  </ul>
)

interface EnvironmentRowProps {
  readonly names: readonly string[]
  /** Variables that choose what runs or where traffic goes. */
  readonly variables?: Extract<LaunchTarget, { transport: 'stdio' }>['variables']
  readonly children?: ReactNode
}

/** Variables that a server is given: by name, and those with an effect with their value. */
export const EnvironmentRow = ({ names, variables = [], children }: EnvironmentRowProps) => (
  <MayRow icon="key" label={t`Environment`}>
    {names.length > 0 && <Chips values={names} warned={new Set(variables.map(({ name }) => name))} />}
    {variables.map(({ name, value, effect }) => (
      <p key={name} className="note">
        <span className="mono arg-word">
          <VisibleText as="b" text={name} />
          =<VisibleValue text={value} />
        </span>{' '}
        <span className="warntext">{effect === 'code' ? t`chooses what runs` : t`chooses where it connects`}</span>
      </p>
    ))}
    <p className="note">{names.length > 0 ? t`And PATH, HOME, language and the like.` : t`PATH, HOME, language and the like.`}</p>
    {children}
  </MayRow>
)
