// `assent import --from`: servers of another app, of a project's folder or of a file. They are listed; those that a person on the terminal,
// or `--approve all`, allows are written. Nothing is started, and present servers are left alone.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { AppImportFile, AppImportServer } from '#app/consent/config-import.ts'
import { disguisedLabel, disguisedParts } from '#app/consent/display/disguised-parts.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { commandLine as lineOf } from '#app/server/command-line.ts'
import { type HostId, hostId, hostNames } from '#app/server/import/app-names.ts'
import { unfilledProblem } from '#app/server/import/review-candidate.ts'
import { inputsIn } from '#app/server/inputs/variable-references.ts'
import { alikeAmong, freeName } from '#app/text/look-alike.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { formatTable, inARow, suggestionLabel, visible, visibleLine, wrongValueLabel } from '../output.ts'
import type { CliContext } from '../with-host.ts'

type FoundFile = { readonly program: HostId; readonly file: AppImportFile }

interface Found {
  readonly program: HostId
  readonly path: string
  readonly server: AppImportServer
  /** The name that it gets; undefined: it is not taken. */
  readonly as: string | undefined
  readonly word: string
  readonly alike: readonly string[]
}

export const sources: readonly string[] = hostId.options.filter((id) => id !== 'other')

export async function importServers({ host, options, output, approve }: CliContext): Promise<ExitCode> {
  const from = options.from ?? ''
  const program = from === 'all' ? from : hostId.exclude(['other']).safeParse(from).data
  const text = from === '-' ? await readAll(process.stdin) : undefined
  const site = /^https?:\/\/./i.test(from) && URL.canParse(from) ? from : undefined
  const place =
    program === undefined && text === undefined && site === undefined ? (from.startsWith('~') ? from : resolve(from)) : undefined
  if (place !== undefined && !/[\\/.~]/.test(from) && !existsSync(place)) {
    const meant = nearest(from, sources)
    output.note(`assent: ${inARow(wrongValueLabel('--from', `all|${sources.join('|')}|PATH`, from), suggestionLabel(meant))}`)
    return exitCodes.usage
  }
  const snapshot = await host.request('app.snapshot', {})
  const { hosts } = await host.request('appImport.look', defined({ place, text, site }))
  const files = hosts.flatMap((one) =>
    one.files
      .filter((file) => (program === undefined ? file.asked : program === 'all' || one.host === program))
      .map((file) => ({ program: one.host, file })),
  )
  const found = choose(
    files,
    snapshot.servers.map(({ name }) => name),
    options.server,
  )
  const problems = files.flatMap(({ file }) => file.problems)
  const wanted = found.flatMap(({ server, as }) => (as === undefined ? [] : [{ id: server.id, name: as, replace: false }]))
  if (!output.json) {
    if (found.length > 0) output.text(formatTable(found.map(row)))
    for (const { server } of found) {
      for (const { message, remedy } of server.problems) output.note(visibleLine(`${server.name}: ${message} ${remedy}`))
      for (const words of disguises(server)) output.note(visibleLine(`${server.name}: ${words}`))
    }
    for (const { file, line, message, remedy } of problems)
      output.note(visibleLine(`${line === undefined ? file : t`${file}, line ${line}`}: ${message} ${remedy}`))
  }
  if (options.server !== undefined && !found.some(({ server }) => server.name === options.server))
    throw new HostError('server.unknown', t`There is no server named “${options.server}”.`, { data: { server: options.server } })
  const asked = !options.dryRun && approve !== 'none' && wanted.length > 0
  const outcome = asked ? await host.request('appImport.take', { servers: wanted }) : undefined
  if (output.json)
    output.value({
      from,
      servers: found.map(({ program: id, path, server, as, alike }) => ({
        name: server.name,
        as: as ?? null,
        program: id,
        file: path,
        state: server.state.kind,
        command: lineOf(server.definition),
        definition: server.definition,
        inputs: inputsIn(server.definition),
        secrets: server.secrets,
        alike,
        notes: [...server.problems.map(({ message }) => message), ...disguises(server)],
      })),
      problems: problems.map(({ file, line = null, server = null, message }) => ({ file, line, server, message })),
      outcome: outcome?.outcome ?? 'listed',
      taken: outcome?.taken ?? [],
      failed: outcome?.failed ?? [],
    })
  if (!outcome) {
    if (found.length === 0) output.note(t`No servers found.`)
    else if (wanted.length > 0) output.note(t`Nothing was written. Import with --approve all, or one with --server NAME.`)
    return found.length > 0 ? exitCodes.done : exitCodes.failed
  }
  for (const { name, message } of outcome.failed) output.note(visibleLine(`${name}: ${message}`))
  if (outcome.outcome !== 'allowed') return exitCodes.refused
  if (!output.json) output.text(t`Servers imported: ${outcome.taken.length}. None was started.`)
  const lost = found.some(({ server }) => server.secrets.length > 0 && outcome.taken.includes(server.name))
  if (lost && (await host.request('app.snapshot', {})).shell.secrets === 'memory')
    output.note(t`No keyring here: secrets were not kept. See assent help secret.`)
  return outcome.failed.length > 0 ? exitCodes.failed : exitCodes.done
}

const disguises = ({ definition }: AppImportServer): readonly string[] =>
  disguisedParts(definition).map((part) => `${disguisedLabel(part, visible)}.`)

/** Chooses new servers; one whose name is taken or looks like another's only if `--server` names it. */
function choose(files: readonly FoundFile[], here: readonly string[], only: string | undefined): Found[] {
  const used = [...here]
  return files.flatMap(({ program, file }) =>
    file.servers.map((server): Found => {
      const alike = alikeAmong(server.name, here)
      const not = whyNot(server, alike, used)
      const take = only === undefined ? not === undefined : only === server.name && server.state.kind !== 'same'
      const as = take ? freeName(server.name, used) : undefined
      if (as !== undefined) used.push(as)
      return { program, path: file.path, server, as, word: not ?? t`new`, alike }
    }),
  )
}

/** Returns why a server is not chosen by itself; undefined: it is new. */
function whyNot({ state, name, definition }: AppImportServer, alike: readonly string[], used: readonly string[]): string | undefined {
  if (state.kind === 'same') return t`here already`
  if (alike.length > 0) return t`looks like ${alike.join(', ')}`
  if (state.kind === 'different') return t`name taken`
  if (used.includes(name)) return t`name taken`
  return unfilledProblem(definition) ?? (definition.enabled ? undefined : t`switched off`)
}

const row = ({ program, server: { name, definition }, as, word }: Found): string[] => [
  visible(as === undefined || as === name ? name : t`${name} as ${as}`),
  visible(word),
  hostNames()[program],
  visible(lineOf(definition)),
]
