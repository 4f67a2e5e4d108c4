// Changes between two launches, part by part. The approved launch is kept with its secrets masked: the new one is masked alike for the
// comparison, and shown as it is.
import { maskTarget } from '#app/consent/launch-digest.ts'
import type { LaunchTarget } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import type { LaunchSandbox } from '#app/server/sandbox/sandbox-settings.ts'
import { MASK } from '#app/text/secret-names.ts'
import { type DiffLine, diffSequences } from '#renderer/ui/lib/text-diff.ts'
import type { ChangedPart } from '../tool-call/definition-diff.ts'

export function launchDiff(before: LaunchTarget, after: LaunchTarget) {
  const both = [before, after].every((target) => target.transport === 'stdio' && target.folder !== undefined)
  const versions = [before, after].every((target) => target.transport === 'stdio' && target.package !== undefined)
  const [was, is, shown] = [before, maskTarget(after), after].map((target) => factsOf(target, both, versions)) as [Facts, Facts, Facts]
  const changed = (Object.keys(titles) as (keyof typeof titles)[]).flatMap((fact): ChangedPart[] => {
    const lines = unmask(diffSequences(was[fact], is[fact]), shown[fact])
    return lines.every(({ kind }) => kind === 'same') ? [] : [{ title: titles[fact], note: '', lines }]
  })
  /** `masked`: a part of the approved launch was not kept, so it may have changed too. */
  return { changed, masked: JSON.stringify(was).includes(MASK) }
}

const titles = {
  command: t`Command`,
  package: t`Version`,
  cwd: t`Folder`,
  envNames: t`Environment`,
  sandbox: t`Sandbox`,
  variables: t`Variables`,
  transport: t`Transport`,
  url: t`Address`,
  headerNames: t`Headers`,
}

/** The lines of each part of a launch. */
type Facts = Readonly<Record<keyof typeof titles, readonly string[]>>
const none: Facts = { command: [], package: [], cwd: [], envNames: [], sandbox: [], variables: [], transport: [], url: [], headerNames: [] }

/** `isCompared`: the folders of both launches are known. `areKnown`: the versions of what they fetch. */
function factsOf(target: LaunchTarget, isCompared: boolean, areKnown: boolean): Facts {
  if (target.transport === 'stdio') {
    const { command, args, cwd, folder, envNames, variables = [], package: fetched, sandbox } = target
    return {
      ...none,
      command: [command, ...args].map(word),
      package: fetched && areKnown ? [`${fetched.name} ${fetched.version}`, fetched.integrity] : [],
      cwd: [folder !== undefined && isCompared ? word(folder) : cwd === undefined ? t`your home folder` : word(cwd)],
      envNames: inOrder(envNames),
      sandbox: sandboxLines(sandbox),
      variables: variables.map(({ name, value }) => word(`${name}=${value}`)),
      transport: [t`Program on this computer`],
    }
  }
  const { transport, url, headerNames } = target
  return { ...none, transport: [transport], url: [url], headerNames: inOrder(headerNames) }
}

const inOrder = (names: readonly string[]): string[] => names.map(word).sort((a, b) => (a < b ? -1 : 1))

/** Quotes a word whose ends cannot be seen, or that could pass for several. */
const word = (text: string): string => (/^$|[\n\r]|^\s|\s$|^"/.test(text) ? JSON.stringify(text) : text)

/** Puts the unmasked text into the current lines. Marks of the masked text go with it. */
function unmask(lines: readonly DiffLine[], shown: readonly string[]): DiffLine[] {
  let at = 0
  return lines.map((line) => {
    if (line.kind === 'out') return line
    const text = shown[at] ?? line.text
    at += 1
    return text === line.text ? line : { kind: line.kind, text }
  })
}

/** Lines about what a sandbox lets a server do: compared when a launch has changed, and looked through for hidden characters. */
export function sandboxLines(sandbox: LaunchSandbox | undefined): string[] {
  if (sandbox === undefined) return []
  if (sandbox.kind !== 'on') return [t`not sandboxed`]
  const { read, write, hosts, denyRead, denyWrite, denyHosts } = sandbox
  const rows = [
    [t`Read folders`, [...read, ...write]],
    [t`Write folders`, write],
    [t`Reach hosts`, hosts],
    [t`Never read`, denyRead],
    [t`Never write`, denyWrite],
    [t`Never reach`, denyHosts],
  ] as const
  return [t`sandboxed`, ...rows.flatMap(([label, values]) => values.map((value) => `${label}: ${value}`))]
}
