import { useId, useRef } from 'react'
import type { Offer } from '#app/server/offers.ts'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { ArgumentFields } from './argument-fields.tsx'
import { useTemplate } from './use-template.ts'

interface TemplateDialogProps {
  readonly template: Offer & { kind: 'template' }
  readonly onClose: () => void
  readonly onAttach: (uri: string) => void
}

export function TemplateDialog({ template: { server, name, title, description, uriTemplate }, onClose, onAttach }: TemplateDialogProps) {
  const { uri, isReady, fields } = useTemplate(server, uriTemplate)
  const first = useRef<HTMLInputElement>(null)
  const formId = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      initialFocus={first}
      mark={<ServerMark name={server} />}
      title={<Revealed text={title ?? name} />}
      footer={
        <Button type="submit" form={formId} variant="primary" aria-disabled={!isReady}>
          {t`Attach`}
        </Button>
      }
    >
      {description && (
        <p className="help">
          <Revealed text={description} />
        </p>
      )}
      <form
        id={formId}
        className="contents"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) onAttach(uri)
        }}
      >
        <ArgumentFields {...fields} first={first} />
      </form>
      <p className="help">{tx`It reads ${<code className="mono">{<Revealed text={uri} />}</code>} of ${<ServerName name={server} />}.`}</p>
    </Dialog>
  )
}
