// How the pane of a resource and of a template begins: what it is called, and its address, to be copied.
import { t } from '#app/words/translate.ts'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'

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
        <h2 className="wrap-any">
          <Revealed text={title} />
        </h2>
        <p className="faint mono wrap-any">
          <Revealed text={address} />
        </p>
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
      “<Revealed text={text} />”
    </p>
  )
}
