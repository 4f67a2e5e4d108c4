// A launch in words, and what the program may do once it was allowed: its sandbox and its environment. On the card of a launch the person
// edits it before they answer.
import { memo, type ReactNode, useMemo } from 'react'
import type { LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import { fetchedBy, fetchedLabel } from '#app/server/fetched.ts'
import { isContainerEngine } from '#app/server/sandbox/sandbox-exemption.ts'
import type { LaunchSandbox, SandboxGrants, SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import { EnvironmentRow, GrantEditor, type useTypedGrants } from '#renderer/features/sandbox/grant-editor.tsx'
import type { GrantRefusal } from '#renderer/features/sandbox/grant-refusal.ts'
import { MissingEngine } from '#renderer/features/sandbox/missing-engine.tsx'
import { exemptionWords, reasonWords } from '#renderer/features/sandbox/sandbox-labels.ts'
import { RadioList, Switch } from '#renderer/ui/field.tsx'
import { Badge, Icon } from '#renderer/ui/icon.tsx'
import { BadNotice, WarnNotice } from '#renderer/ui/notice.tsx'
import { Fact } from '#renderer/ui/text/section.tsx'
import { Growing, InParts, useTextsInTurn, VisibleText, VisibleValue, WebAddress } from '#renderer/ui/visible-text.tsx'

interface CommandLineProps {
  readonly target: LaunchTarget
  /** Notices between the words of the command and the folder. */
  readonly children?: ReactNode
  readonly edit?: SandboxEdit | undefined
}

/** A launch, one word a line, nothing cut. Variables and headers are given by name only, but for those that choose what runs. */
export function CommandLineView({ target, children, edit }: CommandLineProps) {
  if (target.transport !== 'stdio') {
    return (
      <>
        <WebAddress url={target.url} />
        {children}
        <Facts rows={[[t`Headers`, target.headerNames.join(', '), target.headerNames.length > 0 ? '' : t`none of yours`]]} />
      </>
    )
  }
  const fetched = fetchedBy(target.command, target.args)
  return (
    <>
      <div className="cmdline">
        <div>
          <span>{t`Program`}</span>
          <b className="arg-word">
            <VisibleValue text={target.command} />
          </b>
        </div>
        <Args args={target.args} strong={fetched?.index} />
      </div>
      {children}
      <Facts
        rows={[
          ...(fetched ? ([[t`Fetches`, ...fetchedLabel(fetched, target)]] as const) : []),
          folderRow(target, edit?.chosen.kind !== 'off'),
        ]}
      />
      <MayDo target={target} edit={edit} />
    </>
  )
}

/** `strong`: index of the argument that names what is fetched. */
function Args({ args, strong }: { readonly args: readonly string[]; readonly strong: number | undefined }) {
  const drawn = useTextsInTurn(useMemo(() => args.map(({ length }) => length), [args]))
  return (
    <>
      {args.slice(0, drawn).map((arg, index) => (
        <Arg key={String(index)} index={index} arg={arg} strong={index === strong} />
      ))}
      {drawn < args.length && <Growing />}
    </>
  )
}

const Arg = memo(({ index, arg, strong }: { readonly index: number; readonly arg: string; readonly strong: boolean }) => (
  <div>
    <span>{index + 1}</span>
    <div className={strong ? 'arg-word strong' : 'arg-word'}>
      {arg === '' ? (
        <span className="faint">{t`empty`}</span>
      ) : (
        <InParts text={arg} draw={(from, to) => <VisibleValue text={arg.slice(from, to)} />} />
      )}
    </div>
  </div>
))

type Program = Extract<LaunchTarget, { transport: 'stdio' }>

/** Tells a container engine. A name of a variable may have the source of its value behind it. */
const isInContainer = ({ command, envNames }: Program): boolean =>
  isContainerEngine(
    command,
    envNames.map((name) => name.replace(/ \(.*/s, '')),
  )

/** `sandboxed`: the person did not choose to run it without its sandbox. */
function folderRow({ cwd, folder, sandbox }: Program, sandboxed: boolean): readonly [string, string, string] {
  if (sandboxed && sandbox?.kind === 'on' && sandbox.ownFolder) return [t`Folder`, '', t`a home folder of its own`]
  if (folder === undefined) return cwd === undefined ? [t`Folder`, '', t`your home folder`] : [t`Folder`, cwd, '']
  return [t`Folder`, folder, cwd === undefined || cwd === folder ? '' : t`written as ${cwd}`]
}

/** `words`: Assent's own words after the value. */
const Facts = ({ rows }: { readonly rows: readonly (readonly [label: string, value: string, words: string])[] }) => (
  <dl className="kv">
    {rows.map(([label, value, words]) => (
      <Fact key={label} label={label}>
        <VisibleText className="mono" text={value} />
        {value !== '' && words !== '' ? ' ' : ''}
        <span className="dim">{words}</span>
      </Fact>
    ))}
  </dl>
)

/** Grants that a sandbox has, without how it came to them. */
export const launchGrants = ({ read, write, hosts, denyRead, denyWrite, denyHosts }: SandboxGrants): SandboxGrants => ({
  read,
  write,
  hosts,
  denyRead,
  denyWrite,
  denyHosts,
})

export interface SandboxEdit {
  readonly chosen: SandboxSettings
  readonly onChange: (chosen: SandboxSettings) => void
  readonly typed: ReturnType<typeof useTypedGrants>
  readonly suggested: LaunchRequest['suggested']
  readonly refusal: GrantRefusal | undefined
  /** Approved before, without a sandbox: both ways stand side by side. */
  readonly ranWithout: boolean
}

function MayDo({ target, edit }: { readonly target: Program; readonly edit?: SandboxEdit | undefined }) {
  const environment = <EnvironmentRow names={target.envNames} variables={target.variables} />
  const { sandbox } = target
  if (sandbox === undefined)
    return (
      <>
        {isInContainer(target) && <p className="help">{exemptionWords.container}</p>}
        <div className="may">{environment}</div>
      </>
    )
  if (sandbox.kind === 'on') return <Sandboxed sandbox={sandbox} edit={edit} environment={environment} />
  return (
    <section className="may-do">
      <h3 className="h3">{t`What it may do`}</h3>
      <NotSandboxed sandbox={sandbox} />
      <div className="may">{environment}</div>
    </section>
  )
}

interface SandboxedProps {
  readonly sandbox: Extract<LaunchSandbox, { kind: 'on' }>
  readonly edit: SandboxEdit | undefined
  readonly environment: ReactNode
}

function Sandboxed({ sandbox, edit, environment }: SandboxedProps) {
  const shown = edit?.chosen.kind === 'on' ? edit.chosen.grants : launchGrants(sandbox)
  const isOn = edit?.chosen.kind !== 'off'
  const choose = (on: boolean): void => edit?.onChange(on ? { kind: 'on', grants: launchGrants(sandbox) } : { kind: 'off' })
  const { refusal, suggested = [] } = edit ?? {}
  const isRefusedHere = refusal !== undefined && [...shown.read, ...shown.write].some((path) => path === refusal.path)
  return (
    <section className="may-do" data-sandbox={isOn ? 'on' : 'off'}>
      <div className="may-head">
        <h3 className="h3">{t`What it may do`}</h3>
        <span className="grow" />
        {!edit?.ranWithout && <span className="help">{isOn ? t`Everything else is blocked` : t`Nothing is blocked`}</span>}
        {edit && !edit.ranWithout && <Switch checked={isOn} label={t`Run in a sandbox`} hideLabel onChange={choose} />}
      </div>
      {edit?.ranWithout && (
        <RadioList
          label={t`Sandbox`}
          value={isOn ? 'on' : 'off'}
          choices={[
            { value: 'on', label: t`Run in a sandbox`, help: t`Everything else is blocked` },
            { value: 'off', label: t`Run without sandbox`, help: t`It can read and change what you can, and reach every host.` },
          ]}
          onChange={(value) => choose(value === 'on')}
        />
      )}
      {refusal && !isRefusedHere && (
        <div role="alert">
          <BadNotice title={<VisibleText text={refusal.message} />} />
        </div>
      )}
      {isOn ? (
        <GrantEditor
          grants={shown}
          onChange={edit && ((grants) => edit.onChange({ kind: 'on', grants }))}
          {...(edit ? { typed: edit.typed } : {})}
          noteOf={(list, value) => {
            const reason = suggested.find((one) => one.list === list && one.value === value)?.reason
            return reason && reasonWords[reason]
          }}
          refusalOf={(value) => (value === refusal?.path ? refusal.message : undefined)}
        >
          {environment}
        </GrantEditor>
      ) : (
        <>
          {!edit?.ranWithout && <WarnNotice title={t`It can read and change what you can, and reach every host.`} />}
          <div className="may">{environment}</div>
        </>
      )}
    </section>
  )
}

function NotSandboxed({ sandbox }: { readonly sandbox: Exclude<LaunchSandbox, { kind: 'on' }> }) {
  switch (sandbox.kind) {
    case 'missing':
      return <MissingEngine {...sandbox} />
    case 'off':
      return <WarnNotice title={offWords(sandbox.by)}>{t`It can read and change what you can, and reach every host.`}</WarnNotice>
    default:
      return assertNever(sandbox)
  }
}

function offWords(by: Extract<LaunchSandbox, { kind: 'off' }>['by']): string {
  if (by === 'person') return t`Not sandboxed: you chose so.`
  return by === 'option' ? t`Not sandboxed: Assent was started with --sandbox off.` : t`Not sandboxed: its entry in servers.json says so.`
}

/** A word of a command, in quotes where its end could not be seen. */
const commandWord = (text: string): string => (/^[^\s"'\\]+$/.test(text) ? text : JSON.stringify(text))

/** A launch in few lines, nothing left out: its command in one, and each fact of it in a sentence. */
export function BriefStart({ target }: { readonly target: LaunchTarget }) {
  return (
    <>
      {target.transport === 'stdio' ? (
        <VisibleText className="mono" text={[target.command, ...target.args].map(commandWord).join(' ')} />
      ) : (
        <WebAddress url={target.url} />
      )}
      {factsOf(target).map((fact) => (
        <VisibleText key={fact} className="help" text={fact} />
      ))}
    </>
  )
}

/** Says where it runs: remote, in its sandbox or without one. */
export function PlaceBadge({ target }: { readonly target: LaunchTarget }) {
  if (target.transport !== 'stdio') return <Badge>{t`remote`}</Badge>
  if (target.sandbox === undefined) return isInContainer(target) ? <Badge>{t`in a container`}</Badge> : null
  const isOn = target.sandbox.kind === 'on'
  return (
    <Badge tone={isOn ? 'grey' : 'warn'}>
      <Icon name={isOn ? 'shield' : 'shield-off'} small /> {isOn ? t`sandboxed` : t`not sandboxed`}
    </Badge>
  )
}

/** Facts of a launch that are not in its command, a sentence each: what it may do, what is fetched, its folder, variables or headers. */
function factsOf(target: LaunchTarget): readonly string[] {
  if (target.transport !== 'stdio') return target.headerNames.length > 0 ? [t`Headers: ${target.headerNames.join(', ')}`] : []
  const { sandbox, command, args, cwd, envNames } = target
  const fetched = fetchedBy(command, args)
  const folders = (label: string, paths: readonly string[]) => (paths.length > 0 ? [`${label} ${paths.join(', ')}`] : [])
  const may = sandbox?.kind === 'on' && [
    ...folders(t`read`, sandbox.read),
    ...folders(t`read and write`, sandbox.write),
    ...folders(t`reach`, sandbox.hosts),
  ]
  return [
    ...(may ? [may.length > 0 ? t`May ${may.join('; ')}. All else is blocked.` : t`Its own folder only. All else is blocked.`] : []),
    ...(sandbox !== undefined && sandbox.kind !== 'on' ? [t`It can read and change what you can, and reach every host.`] : []),
    ...(fetched ? [`${t`Fetches`} ${fetchedLabel(fetched, target).join(' ')}`] : []),
    ...(cwd === undefined ? [] : [`${t`Folder`}: ${cwd}`]),
    ...(envNames.length > 0 ? [t`Variables: ${envNames.join(', ')}`] : []),
  ]
}
