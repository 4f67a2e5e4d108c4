// Deep links and files that were opened with Assent, one at a time in a bar above the page. The bar takes no focus and decides
// nothing: a press leads to the screen that adds a server, or to the bundle.
import type { ReactNode } from 'react'
import type { DeepLinkItem } from '#app/contract/bundle-requests.ts'
import { t } from '#app/i18n/translate.ts'
import { readInstallLink } from '#app/server/import/formats/deep-link.ts'
import { showBundle } from '#renderer/features/bundles/open-bundle.ts'
import { useActions, useDeepLinks } from '#renderer/stores/store-hooks.tsx'
import { Button, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import type { IconName } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice, WarnNotice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { openAddServer } from '../open-add-server.ts'

export function DeepLinkBar() {
  const items = useDeepLinks()
  const [first] = items
  if (!first) return null
  return (
    <div className="notices" role="status">
      <DeepLinkNotice key={first.id} item={first} more={items.length - 1} />
    </div>
  )
}

const waitingLabel = (more: number): string => (more === 0 ? '' : t`${more} more`)
const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text)

function DeepLinkNotice({ item, more }: { readonly item: DeepLinkItem; readonly more: number }) {
  const actions = useActions()
  const dismiss = (): void => actions.go('deepLink.dismiss', { id: item.id })
  const refused = (title: string, about: string | undefined) => (
    <WarnNotice title={<VisibleText text={title} />} action={<Button onClick={dismiss}>{t`Dismiss`}</Button>}>
      {about} {waitingLabel(more)}
    </WarnNotice>
  )
  const offered = (icon: IconName, title: ReactNode, about: string, look: () => unknown) => (
    <Notice
      icon={icon}
      title={title}
      action={
        <span className="row">
          <SmallButton
            onClick={() => {
              dismiss()
              look()
            }}
          >
            {t`Review…`}
          </SmallButton>
          <SmallGhostButton onClick={dismiss}>{t`Dismiss`}</SmallGhostButton>
        </span>
      }
    >
      {about} {waitingLabel(more)}
    </Notice>
  )
  if (item.kind === 'refused')
    return refused(item.message, item.what === 'file' ? '' : t`Opened by another program, maybe a web page. Nothing is added yet.`)
  if (item.kind === 'bundle') {
    const title = tx`The bundle “${<VisibleText text={shortened(item.file)} />}” was opened with Assent.`
    return offered('file', title, t`Nothing runs yet.`, () => void showBundle(actions, item.bundle, item.file))
  }
  const { servers, problems } = readInstallLink(item.text)
  if (servers.length === 0)
    return refused(t`A link was refused. ${problems[0]?.message ?? t`No server is named here.`}`, problems[0]?.remedy)
  const names = servers.map(({ name }) => `“${shortened(name)}”`).join(', ')
  return offered(
    'external',
    <VisibleText text={t`A link asks to add ${names}.`} />,
    t`Opened by another program, maybe a web page. Nothing is added yet.`,
    // The host reads it again: no input of it may have the id of a value that the person’s servers share.
    async () => {
      const read = await actions.ask('config.parse', { text: item.text })
      if (read) openAddServer({ kind: 'found', from: t`a link that another program opened`, servers: read.servers, inputs: read.inputs })
    },
  )
}
