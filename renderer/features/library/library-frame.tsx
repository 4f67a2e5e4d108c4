// The bar that all shelves of the library share: which of them is shown, and at the right what the shelf puts there. How the
// pane of a resource and of a template begins: what it is called, and its address, to be copied.

import type { ReactNode } from 'react'
import { t } from '#app/i18n/translate.ts'
import { navigate } from '#renderer/router.ts'
import { Segmented } from '#renderer/ui/choices.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

interface PaneHeadProps {
  readonly title: string
  readonly address: string
  /** What is copied, where that is not the address as it is written. */
  readonly copied?: string
}

export function PaneHead({ title, address, copied = address }: PaneHeadProps) {
  return (
    <div className="headline">
      <div className="grow">
        <VisibleText as="h2" className="wrap-any" text={title} />
        <VisibleText as="p" className="faint mono wrap-any" text={address} />
      </div>
      <CopyButton text={copied} label={t`Copy address`} variant="ghost">
        {t`Copy address`}
      </CopyButton>
    </div>
  )
}

/** The server's own words on it. */
export function ServerSays({ text }: { readonly text: string | undefined }) {
  if (!text) return null
  return (
    <p className="help">
      “<VisibleText text={text} />”
    </p>
  )
}

const libraryTabs = ['resources', 'prompts', 'tools'] as const
type LibraryTab = (typeof libraryTabs)[number]
export const isLibraryTab = (value: string | undefined): value is LibraryTab => libraryTabs.some((tab) => tab === value)

interface LibraryFrameProps {
  readonly tab: LibraryTab
  /** At the right edge of the bar, e.g. a search field. */
  readonly actions?: ReactNode
  /** Narrow windows: an arrow back to the list. */
  readonly onBack?: (() => void) | undefined
  readonly children: ReactNode
}

export function LibraryFrame({ tab, actions, onBack, children }: LibraryFrameProps) {
  return (
    <Page
      title={t`Library`}
      beside={
        <Segmented<LibraryTab>
          label={t`What to show`}
          value={tab}
          onChange={(next) => navigate({ page: 'library', tab: next }, { replace: true })}
          choices={[
            { value: 'resources', label: t`Resources` },
            { value: 'prompts', label: t`Prompts` },
            { value: 'tools', label: t`Tools` },
          ]}
        />
      }
      actions={actions}
      onBack={onBack}
    >
      {children}
    </Page>
  )
}
