import { t } from '#app/i18n/translate.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'

interface LeaveButtonsProps {
  readonly url: string
  /** False for what no browser opens: it can only be copied. */
  readonly isWeb: boolean
  readonly onClose: () => void
}

/** Under an address that the person has read: out of Assent, or not. */
export function ArchiveDeleteButtons({ url, isWeb, onClose }: LeaveButtonsProps) {
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
      <CopyButton text={url} label={t`Copy address`}>
        {t`Copy address`}
      </CopyButton>
      <span className="grow" />
      <Button size="lg" variant="ghost" onClick={onClose}>
        {t`Stay here`}
      </Button>
    </>
  )
}
