// A link in text of a model or a server. Its text may lie about its target, so a click first shows the whole address. A target
// that is no web address is shown and never opened.
import { type ReactNode, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { isPunycode } from '#app/text/host-name.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button, CopyButton } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { WarnNotice } from '#renderer/ui/notice.tsx'
import { addressParts, VisibleText, WebAddress } from '#renderer/ui/visible-text.tsx'

export function ExternalLink({ target, children }: { readonly target: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const parts = addressParts(target)
  if (!parts) {
    return (
      <>
        {children}{' '}
        <span className="mono faint">
          (<VisibleText text={target} />)
        </span>
      </>
    )
  }
  return (
    <>
      <button type="button" className="link" title={target} onClick={() => setOpen(true)}>
        {children}
      </button>
      {open && <AddressDialog url={target} domain={parts.domain} onClose={() => setOpen(false)} />}
    </>
  )
}

function AddressDialog({ url, domain, onClose }: { readonly url: string; readonly domain: string; readonly onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={t`Open a page of ${domain}?`} footer={<AddressButtons url={url} isWeb onClose={onClose} />}>
      <WebAddress url={url} />
      {isPunycode(url) && <WarnNotice title={t`Letters of another alphabet`}>{t`Read it letter by letter.`}</WarnNotice>}
      <p className="dim">{t`From a model or a tool. Not loaded yet.`}</p>
    </Dialog>
  )
}

type AddressButtonsProps = { readonly url: string; readonly isWeb: boolean; readonly onClose: () => void }

/** Buttons under an address that the person has read: open it outside of Assent (where `isWeb`), copy it, or stay. */
export function AddressButtons({ url, isWeb, onClose }: AddressButtonsProps) {
  const { openUrl } = useActions()
  const open = (): void => {
    void openUrl(url)
    onClose()
  }
  return (
    <>
      {isWeb && (
        <Button size="lg" onClick={open}>
          {t`Open in browser`} <Icon name="external" small />
        </Button>
      )}
      <CopyButton words text={url} label={t`Copy address`} />
      <span className="grow" />
      <Button size="lg" variant="ghost" onClick={onClose}>
        {t`Stay here`}
      </Button>
    </>
  )
}
