// The prompts of all servers, and beside the list the one that the address names.
import { useCallback, useMemo, useState } from 'react'
import { t } from '#app/words/translate.ts'
import { navigate, type Route } from '#renderer/router.ts'
import { cx } from '#renderer/ui/class-names.ts'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import '../library.css'
import { LibraryFrame } from '../library-frame.tsx'
import { type Opened, type ShelfRow, withOpened } from '../list/shelf-row.ts'
import { ShelfTree } from '../list/shelf-tree.tsx'
import { useShelves } from '../list/use-shelves.ts'
import { PromptPane } from './prompt-pane.tsx'
import { promptKey, promptRows } from './prompt-rows.ts'

const toList = (): void => navigate({ page: 'library', tab: 'prompts' })

export function PromptsShelf({ route: { server: serverName, item } }: { readonly route: Extract<Route, { page: 'library' }> }) {
  const { servers, shelves } = useShelves(false)
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<Opened>(new Map())
  const rows = useMemo(() => promptRows({ servers, shelves, opened, text }), [servers, shelves, opened, text])
  const onOpen = useCallback((row: ShelfRow, open: boolean) => setOpened((before) => withOpened(before, row.key, open)), [])
  const server = servers.find(({ name }) => name === serverName)
  const prompt = serverName === undefined ? undefined : shelves[serverName]?.offers?.prompts.find(({ name }) => name === item)
  const chosen = server && prompt ? promptKey(server.name, prompt.name) : undefined
  const loading = Object.values(shelves).some((shelf) => shelf.loading)
  const none = rows.length === 0 && !loading
  return (
    <LibraryFrame
      tab="prompts"
      onBack={item === undefined ? undefined : toList}
      actions={<SearchInput label={t`Find a prompt`} value={text} onChange={setText} />}
    >
      <div className={cx('split slim library', item === undefined && 'showlist')}>
        <div className="a">
          {none ? (
            <p className="help shelf-none">
              {text.trim() === '' ? t`No server that is known offers prompts.` : t`Nothing fits “${text.trim()}”.`}
            </p>
          ) : (
            <ShelfTree
              label={t`Prompts`}
              rows={rows}
              chosen={chosen}
              onOpen={onOpen}
              onChoose={(row) =>
                row.item !== undefined && navigate({ page: 'library', tab: 'prompts', server: row.server, item: row.item })
              }
            />
          )}
        </div>
        {server && prompt ? (
          <PromptPane key={chosen} server={server.name} prompt={prompt} runs={server.state.kind === 'ready'} />
        ) : (
          <section className="b" aria-label={t`Nothing chosen`}>
            <div className="in">
              <div className="empty">
                <p className="strong">
                  {item !== undefined && !loading
                    ? t`There is no prompt named ${item}.`
                    : none && text.trim() === ''
                      ? t`There is no prompt yet.`
                      : t`Choose a prompt to read it.`}
                </p>
                <p>{t`A prompt is a text that a server has ready for you. You read all of it before any of it is sent.`}</p>
              </div>
            </div>
          </section>
        )}
      </div>
    </LibraryFrame>
  )
}
