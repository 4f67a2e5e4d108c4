// The prompts of all servers, and beside the list the one that the address names: its arguments, the messages that the server makes
// of them, and the way into a chat. Nothing is sent from here.

import { useMemo, useRef, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { PromptEntry } from '#app/server/catalogue.ts'
import { mostTaken } from '#app/server/list-limits.ts'
import { PromptPreviewView, usePromptPreview } from '#renderer/features/chat/attachments/attachment-views.tsx'
import { ArgumentFields } from '#renderer/features/chat/composer/argument-fields.tsx'
import { useScrolls } from '#renderer/features/consent/request/use-scrolls.ts'
import { navigate, type Route } from '#renderer/router.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { SubmitForm } from '#renderer/ui/field.tsx'
import { ServerMark } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { EmptyPane, useCurrentChat } from '../library-frame.tsx'
import { isOpen, type LibrarySection, type SectionRow, useLibrarySections, useOpenedRows } from '../list/library-sections.ts'
import { SectionFrame } from '../list/section-tree.tsx'
import { fits, queryWords, type RowsOptions, serverKey } from '../resources/resource-rows.ts'
import '../library.css'

interface PromptPaneProps {
  readonly server: string
  readonly prompt: PromptEntry
  /** The server runs, so it answers at once. */
  readonly runs: boolean
}

function PromptPane({ server, prompt: { name, title, description, arguments: fields = [] }, runs }: PromptPaneProps) {
  const { values, fill, ready, preview, show } = usePromptPreview(server, name, fields, runs)
  const { draftExtras, actions } = useStores()
  const chat = useCurrentChat()
  const use = (id: string | undefined): void => {
    if (preview.kind !== 'shown') return
    const { prompt } = preview
    draftExtras.change(id ?? '', (extras) => ({ ...extras, prompt }))
    actions.announce(t`${name} is in the message.`)
    navigate({ page: 'chat', ...(id === undefined ? {} : { id }) })
  }
  const shown = preview.kind === 'shown'
  const form = useRef<HTMLFormElement | null>(null)
  const scrolls = useScrolls(form) && shown && fields.length === 0
  const canShow = ready && preview.kind !== 'loading'
  return (
    <section className="b" aria-label={title ?? name}>
      {/* The keyboard scrolls a long text that holds no control. */}
      <SubmitForm ref={form} className="in" tabIndex={scrolls ? 0 : undefined} onSubmit={() => canShow && show()}>
        <div className="headline">
          <ServerMark name={server} large />
          <div className="grow">
            <VisibleText as="h2" className="wrap-any" text={title ?? name} />
            <p className="faint wrap-any">{description ? <VisibleText text={description} /> : server}</p>
          </div>
        </div>
        {fields.length > 0 && (
          <>
            <div className="grid2">
              <ArgumentFields server={server} of={{ type: 'ref/prompt', name }} fields={fields} values={values} onChange={fill} />
            </div>
            <p className="help">{tx`Suggestions come from ${<ServerName name={server} />}.`}</p>
          </>
        )}
        <PromptPreviewView server={server} preview={preview} onRetry={show} />
        {!shown && (fields.length > 0 || preview.kind !== 'failed') && (
          <p className="row">
            <Button type="submit" variant="primary" aria-disabled={!canShow}>
              {runs ? t`Show what it says` : t`Start “${server}” and show what it says`}
            </Button>
          </p>
        )}
      </SubmitForm>
      <footer className="foot">
        {chat && (
          <Button aria-disabled={!shown} onClick={() => use(chat.id)}>
            <span className="cut">{tx`Insert into “${chat.title}”`}</span>
          </Button>
        )}
        <Button variant={chat ? 'ghost' : 'plain'} aria-disabled={!shown} onClick={() => use(undefined)}>
          {t`Insert into a new chat`}
        </Button>
        <span className="help">
          {tx`or write ${(
            <span className="key">
              /<VisibleText text={name} />
            </span>
          )} in the composer`}
        </span>
      </footer>
    </section>
  )
}

const promptKey = (server: string, name: string): string => `prompt ${server} ${name}`

type PromptRowsOptions = Pick<RowsOptions, 'servers' | 'sections' | 'opened'> & { readonly text: string }

const wordsOf = ({ name, title, description }: PromptEntry): string => `${name} ${title ?? ''} ${description ?? ''}`.toLowerCase()

function promptRows({ servers, sections, opened, text }: PromptRowsOptions): SectionRow[] {
  const words = queryWords(text)
  return servers.flatMap((server): SectionRow[] => {
    const { name } = server
    const section = sections[name]
    if (!section) return []
    const all = section.offers?.prompts ?? []
    const found = words.length === 0 ? all : all.filter((prompt) => fits(words, wordsOf(prompt)))
    // Servers without prompts are left out.
    if (found.length === 0 && !(section.error && words.length === 0)) return []
    const key = serverKey(name)
    const open = words.length > 0 || isOpen(opened, key, true)
    const aside = server.state.kind === 'ready' || words.length > 0 ? formatNumber(found.length) : t`last seen`
    const openness = words.length > 0 ? {} : { open }
    const head: SectionRow = { key, kind: 'server', level: 1, text: name, server: name, aside, ...openness, busy: section.loading }
    if (!open) return [head]
    const said = noteOf(section)
    const notes: SectionRow[] = said === undefined ? [] : [{ key: `${key} note`, kind: 'note', level: 2, text: said, server: name }]
    return [head, ...notes, ...found.map((prompt) => promptRow(name, prompt))]
  })
}

function noteOf({ error, offers }: LibrarySection): string | undefined {
  if (error) return t`Its list could not be read.`
  const full = (offers?.prompts.length ?? 0) >= mostTaken.prompts
  return full ? t`No more than ${formatNumber(mostTaken.prompts)} of one server are listed` : undefined
}

const promptRow = (server: string, { name, title }: PromptEntry): SectionRow => ({
  key: promptKey(server, name),
  kind: 'prompt',
  level: 2,
  text: title || name,
  server,
  item: name,
  beside: title && title !== name ? name : undefined,
})

export function PromptsSection({ route: { server: serverName, item } }: { readonly route: Extract<Route, { page: 'library' }> }) {
  const { servers, sections } = useLibrarySections(false)
  const [text, setText] = useState('')
  const [opened, onOpen] = useOpenedRows()
  const rows = useMemo(() => promptRows({ servers, sections, opened, text }), [servers, sections, opened, text])
  const server = servers.find(({ name }) => name === serverName)
  const prompt = serverName === undefined ? undefined : sections[serverName]?.offers?.prompts.find(({ name }) => name === item)
  const chosen = server && prompt ? promptKey(server.name, prompt.name) : undefined
  const loading = Object.values(sections).some((section) => section.loading)
  const none = rows.length === 0 && !loading
  const searches = text.trim() !== ''
  return (
    <SectionFrame
      tab="prompts"
      label={t`Prompts`}
      find={t`Find a prompt`}
      text={text}
      onText={setText}
      rows={rows}
      none={none && (searches ? t`Nothing fits “${text.trim()}”.` : t`No server that is known offers prompts.`)}
      item={item}
      chosen={chosen}
      onOpen={onOpen}
      onChoose={(row) => row.item !== undefined && navigate({ page: 'library', tab: 'prompts', server: row.server, item: row.item })}
    >
      {server && prompt ? (
        <PromptPane key={chosen} server={server.name} prompt={prompt} runs={server.state.kind === 'ready'} />
      ) : (
        <EmptyPane
          label={t`Nothing chosen`}
          title={
            item !== undefined && !loading
              ? t`There is no prompt named ${item}.`
              : none && !searches
                ? t`There is no prompt yet.`
                : t`Choose a prompt to read it.`
          }
        >
          {t`A prompt is a text that a server has ready for you. You read all of it before any of it is sent.`}
        </EmptyPane>
      )}
    </SectionFrame>
  )
}
