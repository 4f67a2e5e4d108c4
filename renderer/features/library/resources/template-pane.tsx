// A template of resources: what it wants to know is filled in, with suggestions of the server, and the address that comes of it
// is opened as any resource is.

import type { ResourceTemplateEntry } from '#app/server/catalogue.ts'
import { t } from '#app/words/translate.ts'
import { ArgumentFields } from '#renderer/features/chat/composer/argument-fields.tsx'
import { useTemplate } from '#renderer/features/chat/composer/use-template.ts'
import { Button } from '#renderer/ui/button.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { PaneHead, ServerSays } from '../pane-head.tsx'

interface TemplatePaneProps {
  readonly server: string
  readonly template: ResourceTemplateEntry
  readonly onOpen: (uri: string) => void
}

export function TemplatePane({ server, template: { uriTemplate, name, title, description, mimeType }, onOpen }: TemplatePaneProps) {
  const { uri, isReady, fields } = useTemplate(server, uriTemplate)
  return (
    <section className="b" aria-label={title ?? name}>
      <form
        className="in"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) onOpen(uri)
        }}
      >
        <PaneHead title={title ?? name} address={uriTemplate} copied={uri} />
        <p className="dim">
          <Revealed text={[server, t`template`, mimeType].filter(Boolean).join(' · ')} />
        </p>
        <ServerSays text={description} />
        <div className="grid2">
          <ArgumentFields {...fields} />
        </div>
        <p className="help">{tx`Suggestions come from ${<ServerName name={server} />}.`}</p>
        <div className="field">
          <span className="label">{t`What is read`}</span>
          <code className="code mono wrap-any template-uri">
            <Revealed text={uri} />
          </code>
        </div>
        <p className="row">
          <Button type="submit" variant="primary" aria-disabled={!isReady}>
            {t`Read it`}
          </Button>
        </p>
      </form>
    </section>
  )
}
