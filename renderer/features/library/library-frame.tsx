// The bar that all shelves of the library share: which of them is shown, and at the right what the shelf puts there.
import type { ReactNode } from 'react'
import { t } from '#app/words/translate.ts'
import { navigate } from '#renderer/router.ts'
import { Segmented } from '#renderer/ui/choices.tsx'
import { Page } from '#renderer/ui/page.tsx'

export const libraryTabs = ['resources', 'prompts', 'tools'] as const
export type LibraryTab = (typeof libraryTabs)[number]
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
