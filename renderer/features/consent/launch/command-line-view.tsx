import type { ReactNode } from 'react'
import type { LaunchTarget } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { fetchedBy, fetchedLabel } from '#app/server/fetched.ts'
import { Fact } from '#renderer/ui/text/section.tsx'
import { VisibleText, VisibleValue, WebAddress } from '#renderer/ui/visible-text.tsx'
import { MayDo, type SandboxEdit } from './may-do.tsx'

interface CommandLineProps {
  readonly target: LaunchTarget
  /** Notices between the words of the command and the folder. */
  readonly children?: ReactNode
  /** The person may edit its sandbox here. */
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
          <span>{t`program`}</span>
          <b className="arg-word">
            <VisibleValue text={target.command} />
          </b>
        </div>
        {target.args.map((arg, index) => (
          <div key={String(index)}>
            <span>{index + 1}</span>
            <div className={index === fetched?.index ? 'arg-word strong' : 'arg-word'}>
              {arg === '' ? <span className="faint">{t`empty`}</span> : <VisibleValue text={arg} />}
            </div>
          </div>
        ))}
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

type Program = Extract<LaunchTarget, { transport: 'stdio' }>

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
