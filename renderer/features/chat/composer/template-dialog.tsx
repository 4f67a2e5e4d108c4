import { useId, useRef, useState } from 'react'
import type { Offer } from '#app/server/offers.ts'
import { expandTemplate, templateVariables } from '#app/uri-template.ts'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { ArgumentFields } from './argument-fields.tsx'

interface TemplateDialogProps {
  readonly template: Offer & { kind: 'template' }
  readonly onClose: () => void
  readonly onAttach: (uri: string) => void
}

export function TemplateDialog({ template: { server, name, title, description, uriTemplate }, onClose, onAttach }: TemplateDialogProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const first = useRef<HTMLInputElement>(null)
  const formId = useId()
  const variables = templateVariables(uriTemplate)
  const uri = expandTemplate(uriTemplate, values)
  const ready = variables.some((variable) => values[variable]) || variables.length === 0
  return (
    <Dialog
      open
      onClose={onClose}
      initialFocus={first}
      mark={<ServerMark name={server} />}
      title={<Revealed text={title ?? name} />}
      footer={
        <Button type="submit" form={formId} variant="primary" aria-disabled={!ready}>
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
          if (ready) onAttach(uri)
        }}
      >
        <ArgumentFields
          server={server}
          of={{ type: 'ref/resource', uri: uriTemplate }}
          fields={variables.map((variable) => ({ name: variable }))}
          values={values}
          onChange={setValues}
          first={first}
        />
      </form>
      <p className="help">{tx`It reads ${<code className="mono">{<Revealed text={uri} />}</code>} of ${<Revealed text={server} />}.`}</p>
    </Dialog>
  )
}
