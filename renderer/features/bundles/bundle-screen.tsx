// Installing a bundle: one that a registry lists is fetched once the person agreed to its address; then what it says of itself, what it runs and whether it fits here come first, then what it wants to be
// told. Installing starts nothing by itself: the launch request that follows shows the exact command.
import { lazy, Suspense } from 'react'
import { useStore } from 'zustand'
import { t } from '#app/words/translate.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Track } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { DownloadProgress, DownloadQuestion } from './bundle-download.tsx'
import { type BundleOffer, closeBundle, downloadBundle, openingStore } from './opening.ts'

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
            <Track part={opening.share} label={t`Reading the file`} /> <Revealed text={opening.file} />
          </p>
        </Dialog>
      )
    case 'failed':
      return (
        <Dialog open onClose={close} title={t`This bundle was not taken`} footer={<Button onClick={close}>{t`Close`}</Button>}>
          <div className="stack" role="alert">
            <p className="mono wrap-any">
              <Revealed text={opening.file} />
            </p>
            <ErrorNotice error={opening.error} onRetry={opening.offer && again(opening.offer)} />
          </div>
        </Dialog>
      )
  }
}
