// Dialogs on the way to a bundle: the address that the person agrees to, the download, the reading, a failure, the review.
// Nothing is fetched before the person agrees to the address, and nothing of a bundle runs here.
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '#app/i18n/translate.ts'
import { largestBundle } from '#app/server/bundle/bundle-download.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { useActions, useStores } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CancelFooter, Dialog } from '#renderer/ui/dialog.tsx'
import { Track } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice, WarnNotice } from '#renderer/ui/notice.tsx'
import { AddressName, addressHost, VisibleText, WebAddress } from '#renderer/ui/visible-text.tsx'
import { type BundleOffer, closeBundle, downloadBundle, openingStore } from './open-bundle.ts'

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
      asks
      onClose={onClose}
      title={t`Download this bundle?`}
      initialFocus={title}
      footer={
        <CancelFooter note={t`Nothing runs yet.`} onCancel={onClose}>
          <Button variant={sha256 === undefined ? 'plain' : 'primary'} onClick={() => void downloadBundle(actions, offer)}>
            {sha256 === undefined ? t`Download anyway` : t`Download`}
          </Button>
        </CancelFooter>
      }
    >
      <div className="stack">
        <p ref={title} tabIndex={-1}>
          {tx`From ${<b className="wrap-any">{addressHost(url)}</b>}, at most ${formatBytes(largestBundle)}:`}
        </p>
        <WebAddress url={url} />
        {sha256 === undefined ? (
          <WarnNotice title={t`The registry gives no SHA-256.`} />
        ) : (
          <>
            <p>{tx`Deleted unless its SHA-256 matches ${addressHost(registry)}.`}</p>
            <p className="help mono wrap-any">{sha256.toLowerCase()}</p>
          </>
        )}
      </div>
    </Dialog>
  )
}

function DownloadProgress({ offer, download, onClose }: DownloadProps & { readonly download: string }) {
  const { hostConnection } = useStores()
  const [{ bytes, total }, setCame] = useState<{ readonly bytes: number; readonly total?: number | undefined }>({ bytes: 0 })
  useEffect(
    () =>
      hostConnection.onEvent((event) => {
        if (event.name === 'bundle.downloading' && event.payload.download === download) setCame(event.payload)
      }),
    [hostConnection, download],
  )
  return (
    <Dialog onClose={onClose} title={t`Download`} footer={<Button onClick={onClose}>{t`Stop`}</Button>}>
      <div className="stack">
        <p className="wrap-any">
          <AddressName url={offer.url} />
        </p>
        <p className="row">
          <Track part={total === undefined ? undefined : bytes / total} label={t`Download`} />
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
        <Dialog onClose={close} title={t`Reading the file`} footer={<Button onClick={close}>{t`Stop`}</Button>}>
          <p className="row" role="status">
            <Track part={opening.share} label={t`Reading the file`} /> <VisibleText text={opening.file} />
          </p>
        </Dialog>
      )
    case 'failed': {
      const { file, error, offer } = opening
      return (
        <Dialog onClose={close} title={t`This bundle was refused`} footer={<Button onClick={close}>{t`Close`}</Button>}>
          <div className="stack" role="alert">
            <VisibleText as="p" className="mono wrap-any" text={file} />
            <ErrorNotice error={error} onRetry={offer && (() => void downloadBundle(actions, offer))} />
          </div>
        </Dialog>
      )
    }
  }
}
