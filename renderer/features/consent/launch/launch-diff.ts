// What changed between two launches, part by part: the words of the command in their order, folder, names of variables and
// headers, address. Pure. What was approved is kept with its secrets masked, so the new one is compared masked alike, and
// shown as it is.
import type { LaunchTarget } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { MASK, maskArgs, maskUrl, maskVariable } from '#app/text/secret-names.ts'
import { type DiffLine, diffSequences } from '#renderer/ui/lib/text-diff.ts'
import type { ChangedPart } from '../tool-call/definition-diff.ts'

interface LaunchDiff {
  readonly changed: readonly ChangedPart[]
  /** Something of what was approved is not written down: it may have changed too. */
  readonly masked: boolean
}

interface Facts {
  readonly command: readonly string[]
  readonly cwd: readonly string[]
  readonly envNames: readonly string[]
  readonly variables: readonly string[]
  readonly transport: readonly string[]
  readonly url: readonly string[]
  readonly headerNames: readonly string[]
}

export function launchDiff(before: LaunchTarget, after: LaunchTarget): LaunchDiff {
  const both = [before, after].every((target) => target.transport === 'stdio' && target.folder !== undefined)
  const [was, is, shown] = [factsOf(before, both), factsOf(maskTarget(after), both), factsOf(after, both)]
  const titles: Readonly<Record<keyof Facts, string>> = {
    command: t`Program and arguments`,
    cwd: t`Folder`,
    envNames: t`Variables that it is given`,
    variables: t`Values that choose what runs or where it connects`,
    transport: t`How it is reached`,
    url: t`Address`,
    headerNames: t`Headers that are sent`,
  }
  const changed = (Object.keys(titles) as (keyof Facts)[]).flatMap((fact): ChangedPart[] => {
    const lines = unmask(diffSequences(was[fact], is[fact]), shown[fact])
    return lines.every(({ kind }) => kind === 'same') ? [] : [{ title: titles[fact], note: '', lines }]
  })
  return { changed, masked: JSON.stringify(was).includes(MASK) }
}

/** `isCompared`: both were looked up. */
function factsOf(target: LaunchTarget, isCompared: boolean): Facts {
  if (target.transport === 'stdio') {
    const { command, args, cwd, folder, envNames, variables = [] } = target
    return {
      command: [command, ...args].map(word),
      cwd: [folder !== undefined && isCompared ? word(folder) : cwd === undefined ? t`your home folder` : word(cwd)],
      envNames: inOrder(envNames),
      variables: variables.map(({ name, value }) => word(`${name}=${value}`)),
      transport: [t`as a program`],
      url: [],
      headerNames: [],
    }
  }
  const { transport, url, headerNames } = target
  return {
    command: [],
    cwd: [],
    envNames: [],
    variables: [],
    transport: [t`over the network (${transport})`],
    url: [url],
    headerNames: inOrder(headerNames),
  }
}

const inOrder = (names: readonly string[]): string[] => names.map(word).sort((a, b) => (a < b ? -1 : 1))

/** In quotes where its ends could not be told, or where it could pass for more than one. */
const word = (text: string): string => (/^$|[\n\r]|^\s|\s$|^"/.test(text) ? JSON.stringify(text) : text)

const maskTarget = (target: LaunchTarget): LaunchTarget =>
  target.transport === 'stdio'
    ? {
        ...target,
        args: maskArgs(target.args),
        ...(target.variables ? { variables: target.variables.map((one) => ({ ...one, value: maskVariable(one) })) } : {}),
      }
    : { ...target, url: maskUrl(target.url) }

/** The lines that are there now, as they really are; a mark is of the masked text, and goes with it. */
function unmask(lines: readonly DiffLine[], shown: readonly string[]): DiffLine[] {
  let at = 0
  return lines.map((line) => {
    if (line.kind === 'out') return line
    const text = shown[at] ?? line.text
    at += 1
    return text === line.text ? line : { kind: line.kind, text }
  })
}
