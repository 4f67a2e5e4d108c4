// The sandbox that is proposed for a launch: what its entry says, else what is suggested. The person may answer with another one, which
// is resolved and refused here just the same.
import { readdirSync, statSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { isInside } from '#app/consent/rules/path-text.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined, orElse } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { secretPaths } from '#app/server/sandbox/protected-paths.ts'
import { sandboxExemption } from '#app/server/sandbox/sandbox-exemption.ts'
import { type LaunchSandbox, noGrants, type SandboxGrants, type SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import { grantsOf, type SandboxSuggestion } from '#app/server/sandbox/sandbox-suggestion.ts'
import { suggestGrants } from '#app/server/sandbox/suggest-grants.ts'
import type { SandboxQuestion } from '#main/consent/broker-api.ts'
import type { SandboxEngine } from './find-engine.ts'
import { below, plainPath, resolveGrants, type SandboxPlace, workingFolder } from './resolve-grants.ts'

export interface ProposalRequest {
  readonly definition: StdioDefinition
  /** Working folder, resolved. */
  readonly cwd: string
  /** Sandbox of all local servers of this run, whatever their entries say. */
  readonly option?: 'on' | 'off' | undefined
  /** Hosts of the registries that it fetches from while it runs. */
  readonly registries?: readonly string[]
}

export interface SandboxProposal {
  /** Absent: it runs without one, and that is no choice of the person's. */
  readonly sandbox?: LaunchSandbox
  /** Absent: it needs none. */
  readonly question?: SandboxQuestion
}

interface Surroundings {
  readonly place: SandboxPlace
  readonly engine: SandboxEngine
}

/** @throws {HostError} `server.sandbox-grant` */
export async function proposeSandbox(
  request: ProposalRequest,
  { place, engine }: { readonly place: SandboxPlace; readonly engine: () => Promise<SandboxEngine> },
): Promise<SandboxProposal> {
  const { definition, option } = request
  if (option !== 'on' && sandboxExemption(definition) === 'container') return {}
  return option === 'off' ? proposeNone(definition) : proposeOne(request, { place, engine: await engine() })
}

/** An entry that says nothing is as it was before there were sandboxes; nothing of it is kept as the person's choice. */
function proposeNone({ sandbox: asked }: StdioDefinition): SandboxProposal {
  const off: LaunchSandbox = { kind: 'off', by: 'option' }
  const resolve = (settings: SandboxSettings): LaunchSandbox => {
    if (settings.kind === 'off') return off
    throw new HostError('server.sandbox-missing', t`There is no sandbox with --sandbox off.`, { data: { remedy: '' } })
  }
  return { ...(asked ? { sandbox: off } : {}), question: { mode: 'without', asked, hasEngine: false, suggested: [], resolve } }
}

function proposeOne(request: ProposalRequest, surroundings: Surroundings): SandboxProposal {
  const { definition, cwd, option } = request
  const { place, engine } = surroundings
  const entry = definition.sandbox
  const ownFolder = workingFolder(cwd, place) === undefined
  const asked: SandboxSettings | undefined = entry?.kind === 'on' ? { kind: 'on', grants: resolveGrants(entry.grants, place) } : entry
  const mode = option === 'on' && entry?.kind !== 'on' ? 'required' : entry === undefined ? 'default' : 'entry'
  const resolve = (settings: SandboxSettings): LaunchSandbox => resolveAnswer(settings, { surroundings, ownFolder, asked })
  const question: SandboxQuestion = { mode, asked, hasEngine: engine.kind !== 'none', suggested: [], resolve }
  if (asked?.kind === 'off' && mode === 'entry') return { sandbox: asked, question }
  if (engine.kind === 'none') {
    const { reason, remedy } = engine
    return { sandbox: { kind: 'missing', reason, remedy, ...(mode === 'default' ? { byDefault: true } : {}) }, question }
  }
  if (asked?.kind === 'on') return { sandbox: { kind: 'on', ownFolder, ...asked.grants }, question }
  const suggested = suggestionsFor(request, place)
  return { sandbox: { kind: 'on', ownFolder, ...resolveGrants(grantsOf(suggested), place) }, question: { ...question, suggested } }
}

/** Suggestions that can be granted, with links resolved. A place of secrets is only named: whether it is granted is the person's idea. */
function suggestionsFor({ definition, registries = [] }: ProposalRequest, place: SandboxPlace): SandboxSuggestion[] {
  const is = (kind: 'isDirectory' | 'isFile') => (path: string) => orElse(() => statSync(path)[kind](), false)
  const namesIn = (path: string): readonly string[] => orElse(() => readdirSync(path), [])
  const secrets = below(place.home, secretPaths)
  const isSecret = ({ list, value }: SandboxSuggestion): boolean => list !== 'hosts' && secrets.some((secret) => isInside(value, secret))
  const found = suggestGrants(definition, {
    home: place.home,
    isFolder: is('isDirectory'),
    isFile: is('isFile'),
    namesIn,
    registries,
  }).flatMap((suggestion): SandboxSuggestion[] => {
    const granted = grantable(suggestion, place)
    return granted === undefined ? [] : [isSecret(granted) ? { ...granted, review: true } : granted]
  })
  return [...new Map(found.map((one) => [`${one.list} ${one.value}`, one])).values()]
}

/** The suggestion as it can be granted: what must not be written may be read. */
function grantable(suggestion: SandboxSuggestion, place: SandboxPlace): SandboxSuggestion | undefined {
  const { list, value } = suggestion
  const [resolved] = orElse(() => resolveGrants({ ...noGrants, [list]: [value] }, place)[list], [])
  if (resolved !== undefined) return { ...suggestion, value: resolved }
  return list === 'write' ? grantable({ ...suggestion, list: 'read' }, place) : undefined
}

interface AnswerFacts {
  readonly surroundings: Surroundings
  readonly ownFolder: boolean
  readonly asked: SandboxSettings | undefined
}

function resolveAnswer(settings: SandboxSettings, { surroundings: { place, engine }, ownFolder, asked }: AnswerFacts): LaunchSandbox {
  if (settings.kind === 'off') return asked?.kind === 'off' ? { kind: 'off' } : { kind: 'off', by: 'person', ...defined({ asked }) }
  if (engine.kind === 'none')
    throw new HostError('server.sandbox-missing', t`There is no sandbox on this computer.`, { data: { remedy: engine.remedy } })
  const grants = resolveGrants(settings.grants, place)
  mustBeAsShown(settings.grants, grants, place)
  const isAsAsked = asked?.kind === 'on' && isDeepStrictEqual(asked.grants, grants)
  return { kind: 'on', ownFolder, ...grants, ...defined({ asked: isAsAsked ? undefined : asked }) }
}

/** Refuses grants other than the person saw: a path that a link leads elsewhere has to be named itself. */
function mustBeAsShown(shown: SandboxGrants, resolved: SandboxGrants, { home }: SandboxPlace): void {
  for (const list of ['read', 'write'] as const) {
    const texts = new Set(shown[list].map((text) => plainPath(text, home)))
    const other = resolved[list].find((path) => !texts.has(path))
    if (other !== undefined)
      throw new HostError('server.sandbox-grant', t`${other} is a link. Name the folder itself.`, { data: { path: other } })
  }
}
