// The frame of all sections of the library, and the parts that their panes share.

import type { ComponentProps } from 'react'
import type { Conversation } from '#app/chat/conversation.ts'
import { t } from '#app/i18n/translate.ts'
import { navigate } from '#renderer/router.ts'
import { useConversations, useView } from '#renderer/stores/store-hooks.tsx'
import { CopyButton } from '#renderer/ui/button.tsx'
import { labelledOptions, Segmented } from '#renderer/ui/field.tsx'
import { Empty } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

interface PaneHeadProps {
  readonly title: string
  readonly address: string
  /** Text to copy. Default: the address. */
  readonly copied?: string
}

/** Head of a resource or a template: its name, and its address to copy. */
export const PaneHead = ({ title, address, copied = address }: PaneHeadProps) => (
  <div className="headline">
    <div className="grow">
      <VisibleText as="h2" className="wrap-any" text={title} />
      <VisibleText as="p" className="faint mono wrap-any" text={address} />
    </div>
    <CopyButton words text={copied} variant="ghost" label={t`Copy address`} />
  </div>
)

/** The server's description, in quotes. */
export const ServerSays = ({ text }: { readonly text: string | undefined }) =>
  text ? (
    <p className="help">
      “<VisibleText text={text} />”
    </p>
  ) : null

/** The pane beside a list in which nothing is chosen. */
export const EmptyPane = ({ label, title, children }: { readonly label: string; readonly title: string; readonly children?: string }) => (
  <section className="b" aria-label={label}>
    <div className="in">
      <Empty icon="library" title={title}>
        {children && <p>{children}</p>}
      </Empty>
    </div>
  </section>
)

/** The chat that was last open in this window, else the newest, if there is any. */
export function useCurrentChat(): Conversation | undefined {
  const last = useView((state) => state.lastChat)
  return useConversations((state) => state.list.find(({ id }) => id === last) ?? state.list[0])
}

const libraryTabs = { resources: t`Resources`, prompts: t`Prompts`, skills: t`Skills`, tools: t`Tools` }
type LibraryTab = keyof typeof libraryTabs
export const isLibraryTab = (value = ''): value is LibraryTab => Object.hasOwn(libraryTabs, value)

type LibraryFrameProps = Pick<ComponentProps<typeof Page>, 'actions' | 'onBack' | 'children'> & { readonly tab: LibraryTab }

export const LibraryFrame = ({ tab, ...page }: LibraryFrameProps) => (
  <Page
    title={t`Library`}
    beside={
      <Segmented<LibraryTab>
        label={t`What to show`}
        value={tab}
        onChange={(next) => navigate({ page: 'library', tab: next }, { replace: true })}
        choices={labelledOptions(libraryTabs)}
      />
    }
    {...page}
  />
)
