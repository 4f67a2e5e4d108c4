// Skills of running servers (MCP, skills extension): listed when the section opens, read when one is chosen, and put into a message as they
// were read. What a skill asks for is granted by nobody here.
import { useEffect, useMemo, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { ListedSkill } from '#app/server/library-listing.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { navigate, type Route } from '#renderer/router.ts'
import { useActions, useServers } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Spinner } from '#renderer/ui/icon.tsx'
import { ErrorNotice, Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { EmptyPane, PaneHead, ServerSays } from '../library-frame.tsx'
import { isOpen, type SectionRow, useOpenedRows } from '../list/library-sections.ts'
import { SectionFrame } from '../list/section-tree.tsx'
import { AttachFoot, Contents, notAttached, useResource } from './resource-pane.tsx'
import { fits, queryWords, serverKey } from './resource-rows.ts'

interface Shelf {
  readonly skills: readonly ListedSkill[]
  readonly more: number
  readonly error?: ErrorValue
}

const isRunning = ({ state }: ServerSummary): boolean => state.kind === 'ready'

/** Servers that have skills, as far as is known, and the lists of those that run, by server; absent: it is being listed. */
function useSkills() {
  const { attempt } = useActions()
  const all = useServers((state) => state.list)
  const servers = useMemo(() => all.filter(({ definition, session }) => definition.enabled && session?.offers?.includes('skills')), [all])
  const [shelves, setShelves] = useState<Readonly<Record<string, Shelf>>>({})
  const [turn, setTurn] = useState(0)
  const running = servers
    .filter(isRunning)
    .map(({ name }) => name)
    .join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn lists anew
  useEffect(() => {
    let gone = false
    for (const server of running.split('\n').filter(Boolean))
      void attempt('library.skills', { fetch: crypto.randomUUID(), server }).then((outcome) => {
        if (!gone)
          setShelves((before) => ({ ...before, [server]: outcome.ok ? outcome.value : { skills: [], more: 0, error: outcome.error } }))
      })
    return () => {
      gone = true
    }
  }, [attempt, running, turn])
  return { servers, shelves, again: () => setTurn((before) => before + 1) }
}

const skillKey = (server: string, uri: string): string => `skill ${server} ${uri}`
const wordsOf = ({ name, description, uri }: ListedSkill): string => `${name} ${description} ${uri}`.toLowerCase()

function rowsOf(server: ServerSummary, shelf: Shelf | undefined, words: readonly string[], open: boolean): SectionRow[] {
  const { name } = server
  const found = (shelf?.skills ?? []).filter((skill) => fits(words, wordsOf(skill)))
  if (words.length > 0 && found.length === 0) return []
  const runs = isRunning(server)
  const aside = shelf && runs ? formatNumber(found.length) : runs ? undefined : t`Listed once the server has run.`
  const key = serverKey(name)
  const head: SectionRow = { key, kind: 'server', level: 1, text: name, server: name, aside, busy: runs && !shelf, open }
  if (!open) return [head]
  const note = (text: string): SectionRow => ({ key: `${key} note`, kind: 'note', level: 2, text, server: name })
  return [
    head,
    ...(shelf?.error ? [note(t`The list could not be read.`)] : []),
    ...found.map(
      (skill): SectionRow => ({ key: skillKey(name, skill.uri), kind: 'skill', level: 2, text: skill.name, server: name, item: skill.uri }),
    ),
    ...(shelf && shelf.more > 0 ? [note(t`${formatNumber(shelf.more)} more`)] : []),
  ]
}

export function SkillsSection({ route: { server: serverName, item } }: { readonly route: Extract<Route, { page: 'library' }> }) {
  const { servers, shelves, again } = useSkills()
  const [text, setText] = useState('')
  const [opened, onOpen] = useOpenedRows()
  const words = queryWords(text)
  const rows = servers.flatMap((server) =>
    rowsOf(server, shelves[server.name], words, words.length > 0 || isOpen(opened, serverKey(server.name), true)),
  )
  const server = servers.find(({ name }) => name === serverName)
  const shelf = serverName === undefined ? undefined : shelves[serverName]
  const skill = shelf?.skills.find(({ uri }) => uri === item)
  const failed = shelf?.error ?? servers.map(({ name }) => shelves[name]?.error).find(Boolean)
  return (
    <SectionFrame
      tab="skills"
      label={t`Skills`}
      find={t`Search`}
      text={text}
      onText={setText}
      rows={rows}
      none={rows.length === 0 && t`Nothing found.`}
      item={item}
      chosen={server && skill ? skillKey(server.name, skill.uri) : undefined}
      onOpen={onOpen}
      onChoose={(row) => row.item !== undefined && navigate({ page: 'library', tab: 'skills', server: row.server, item: row.item })}
    >
      {server && skill ? (
        <SkillPane key={skillKey(server.name, skill.uri)} server={server} skill={skill} />
      ) : failed && words.length === 0 ? (
        <section className="b" aria-label={t`None`}>
          <div className="in">
            <ErrorNotice error={failed} onRetry={again} />
          </div>
        </section>
      ) : (
        <EmptyPane label={t`None`} title={t`None`} />
      )}
    </SectionFrame>
  )
}

function SkillPane({ server, skill }: { readonly server: ServerSummary; readonly skill: ListedSkill }) {
  const { name, uri, description, bytes = 0, problem } = skill
  const runs = isRunning(server)
  const reading = useResource(server.name, uri, runs && problem === undefined, 0, true)
  return (
    <section className="b" aria-label={name}>
      <div className="in">
        <PaneHead title={name} address={uri} />
        <div className="row wrap facts">
          <VisibleText as="p" className="dim num" text={[server.name, ...(bytes > 0 ? [formatBytes(bytes)] : [])].join(' · ')} />
          {reading.busy && <Spinner label={t`Loading…`} />}
        </div>
        <ServerSays text={description} />
        {problem === undefined ? null : <Notice icon="info" title={t`The skill ${name} was not read: ${problem}.`} />}
        {!runs && !reading.now && !reading.busy && problem === undefined && (
          <Notice title={t`“${server.name}” is not running.`} action={<Button onClick={reading.read}>{t`Start`}</Button>} />
        )}
        {reading.error && <ErrorNotice error={reading.error} onRetry={reading.read} />}
        {reading.now && <Contents read={reading.now} label={name} />}
      </div>
      {reading.now || reading.error || problem ? (
        <AttachFoot
          server={server.name}
          uri={uri}
          name={name}
          not={reading.now ? notAttached(reading) : 'unread'}
          skill={reading.now?.contents[0]?.blob.sha256 ?? ''}
        />
      ) : null}
    </section>
  )
}
