// Installing a bundle: one that a registry lists is fetched once the person agreed to its address; then what it says of itself,
// what it runs and whether it fits here come first, then what it wants to be told. Installing starts nothing by itself: the
// launch request that follows shows the exact command. Fetching a bundle that a registry lists: first from where and how much,
// then how far it has come. What the address says is its publisher's; nothing is asked for there before the person agrees.
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '#app/i18n/translate.ts'
import { largestBundle } from '#app/server/bundle/bundle-download.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { useActions, useStores } from '#renderer/stores/store-hooks.tsx'
import { Track } from '#renderer/ui/badges.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { AddressName, WebAddress } from '#renderer/ui/web-address.tsx'
import { type BundleOffer, closeBundle, downloadBundle, openingStore } from './open-bundle.ts'

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

interface DownloadProps {
  readonly offer: BundleOffer
  readonly onClose: () => void
}

function DownloadQuestion({ offer, onClose }: DownloadProps) {
  const actions = useActions()
  const { url, sha256, registry } = offer
  const title = useRef<HTMLParagraphElement>(null)
  return (
    <Dialog
      open
      asks
      onClose={onClose}
      title={t`Download this bundle?`}
      initialFocus={title}
      footer={
        <>
          <span className="help grow">{t`Nothing of it runs. What is in it is shown next.`}</span>
          <Button variant="ghost" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button variant={sha256 === undefined ? 'plain' : 'primary'} onClick={() => void downloadBundle(actions, offer)}>
            {sha256 === undefined ? t`Download all the same` : t`Download`}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p ref={title} tabIndex={-1}>
          {tx`From ${<b className="wrap-any">{hostOf(url)}</b>}, at most ${formatBytes(largestBundle)}:`}
        </p>
        <WebAddress url={url} />
        <p className="help">{tx`${hostOf(url)}, and whatever host it sends on to, learns the address of this computer.`}</p>
        {sha256 === undefined ? (
          <Notice tone="warn" title={t`${hostOf(registry)} names no SHA-256 for it.`}>
            {t`So nobody can say whether what comes is what was listed. Its signature, if it has one, is all there is to go by.`}
          </Notice>
        ) : (
          <>
            <p>{tx`What comes is held against the SHA-256 that ${hostOf(registry)} names. If it is other, it is deleted.`}</p>
            <p className="help mono wrap-any">{sha256.toLowerCase()}</p>
          </>
        )}
      </div>
    </Dialog>
  )
}

interface Came {
  readonly bytes: number
  readonly total?: number | undefined
}

function DownloadProgress({ offer, download, onClose }: DownloadProps & { readonly download: string }) {
  const { hostConnection } = useStores()
  const [came, setCame] = useState<Came>({ bytes: 0 })
  useEffect(
    () =>
      hostConnection.onEvent((event) => {
        if (event.name === 'bundle.downloading' && event.payload.download === download) setCame(event.payload)
      }),
    [hostConnection, download],
  )
  const { bytes, total } = came
  return (
    <Dialog open onClose={onClose} title={t`Downloading a bundle`} footer={<Button onClick={onClose}>{t`Stop`}</Button>}>
      <div className="stack">
        <p className="wrap-any">
          <AddressName url={offer.url} />
        </p>
        <p className="row">
          <Track part={total === undefined ? undefined : bytes / total} label={t`Downloading the bundle`} />
          <span className="num dim">{total === undefined ? formatBytes(bytes) : t`${formatBytes(bytes)} of ${formatBytes(total)}`}</span>
        </p>
      </div>
    </Dialog>
  )
}

const BundleReview = lazy(async () => ({ default: (await import('./bundle-review.tsx')).BundleReview }))

export function BundleScreen() {
  const actions = useActions()
  const opening = useStore(openingStore, (state) => state.opening)
  const close = (): void => closeBundle(actions)
  const again = (offer: BundleOffer) => () => void downloadBundle(actions, offer)
  switch (opening.kind) {
    case 'none':
      return null
    case 'offered':
      return <DownloadQuestion offer={opening.offer} onClose={close} />
    case 'downloading':
      return <DownloadProgress key={opening.download} download={opening.download} offer={opening.offer} onClose={close} />
    case 'open':
      return (
        <Suspense>
          <BundleReview key={opening.view.id} view={opening.view} server={opening.server} onClose={close} />
        </Suspense>
      )
    case 'reading':
      return (
        <Dialog open onClose={close} title={t`Reading a bundle`} footer={<Button onClick={close}>{t`Stop`}</Button>}>
          <p className="row" role="status">
            <Track part={opening.share} label={t`Reading the file`} /> <VisibleText text={opening.file} />
          </p>
        </Dialog>
      )
    case 'failed':
      return (
        <Dialog open onClose={close} title={t`This bundle was not taken`} footer={<Button onClick={close}>{t`Close`}</Button>}>
          <div className="stack" role="alert">
            <p className="mono wrap-any">
              <VisibleText text={opening.file} />
            </p>
            <ErrorNotice error={opening.error} onRetry={opening.offer && again(opening.offer)} />
          </div>
        </Dialog>
      )
  }
}
