// What asked from outside waits in a bar above the page, one at a time: it covers nothing, takes no focus and answers
// nothing. A press leads to the screen that adds a server, or to the bundle.
import type { DeepLinkItem } from '#app/contract/bundle-requests.ts'
import { t } from '#app/i18n/translate.ts'
import { readInstallLink } from '#app/server/import/formats/install-link.ts'
import { showBundle } from '#renderer/features/bundles/open-bundle.ts'
import { useActions, useDeepLinks } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { openAddServer } from './open-add-server.ts'

export function DeepLinkBar() {
  const items = useDeepLinks()
  const [first] = items
  if (!first) return null
  return (
    <div className="notices" role="status">
      <OutsideNotice key={first.id} item={first} more={items.length - 1} />
    </div>
  )
}

const moreWords = (more: number): string => (more === 0 ? '' : more === 1 ? t`One more waits.` : t`${more} more wait.`)
const shortest = (text: string): string => (text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text)

function OutsideNotice({ item, more }: { readonly item: DeepLinkItem; readonly more: number }) {
  const actions = useActions()
  const dismiss = (): void => actions.go('outside.dismiss', { id: item.id })
  if (item.kind === 'refused') {
    return (
      <Notice tone="warn" title={<VisibleText text={item.message} />} action={<Button onClick={dismiss}>{t`Dismiss`}</Button>}>
        {item.what === 'file' ? t`It was opened with Assent.` : t`Another program had it opened.`} {moreWords(more)}
      </Notice>
    )
  }
  if (item.kind === 'bundle') {
    const look = (): void => {
      dismiss()
      void showBundle(actions, item.bundle, item.file)
    }
    return (
      <Notice
        icon="file"
        title={tx`The bundle “${<VisibleText text={shortest(item.file)} />}” was opened with Assent.`}
        action={<Answer onLook={look} onDismiss={dismiss} />}
      >
        {t`Nothing of it runs.`} {moreWords(more)}
      </Notice>
    )
  }
  const { servers, inputs, problems } = readInstallLink(item.text)
  const names = servers.map(({ name }) => `“${shortest(name)}”`).join(', ')
  if (servers.length === 0) {
    return (
      <Notice
        tone="warn"
        title={<VisibleText text={t`A link was refused. ${problems[0]?.message ?? t`It carries no server.`}`} />}
        action={<Button onClick={dismiss}>{t`Dismiss`}</Button>}
      >
        {problems[0]?.remedy} {moreWords(more)}
      </Notice>
    )
  }
  const look = (): void => {
    dismiss()
    openAddServer({ kind: 'found', from: t`a link that another program opened`, servers, inputs })
  }
  return (
    <Notice
      icon="external"
      title={<VisibleText text={t`A link asks to add ${names}.`} />}
      action={<Answer onLook={look} onDismiss={dismiss} />}
    >
      {t`Another program opened it, maybe a web page. Nothing is added or started by it.`} {moreWords(more)}
    </Notice>
  )
}

function Answer({ onLook, onDismiss }: { readonly onLook: () => void; readonly onDismiss: () => void }) {
  return (
    <span className="row">
      <Button size="sm" onClick={onLook}>
        {t`Look at it`}
      </Button>
      <Button size="sm" variant="ghost" onClick={onDismiss}>
        {t`Dismiss`}
      </Button>
    </span>
  )
}
