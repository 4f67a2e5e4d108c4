// Resources and prompts as the server lists them. Reading and using them belongs to the library; here they are facts.
import type { PromptEntry, ResourceEntry, ResourceTemplateEntry } from '#app/server/catalogue.ts'
import type { ServerView } from '#app/server/view.ts'
import { formatBytes } from '#app/text.ts'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { OwnIcon } from '#renderer/ui/own-icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { Loading } from './load-state.tsx'
import { SubscribeSwitch } from './subscribe-switch.tsx'
import type { CataloguePage } from './use-catalogue.ts'

function Nothing({ server, what, fetched }: { readonly server: ServerView; readonly what: string; readonly fetched: boolean }) {
  return (
    <div className="empty">
      <p className="strong">{fetched ? `${server.name} offers no ${what}.` : `No ${what} are known yet.`}</p>
      {fetched ? null : <p>They are listed once {server.name} has run.</p>}
    </div>
  )
}

const Said = ({ text }: { readonly text: string | undefined }) =>
  text ? (
    <p className="help clamp">
      “<Revealed text={text} />”
    </p>
  ) : null

function ResourceLine({ server, entry }: { readonly server: ServerView; readonly entry: ResourceEntry | ResourceTemplateEntry }) {
  const uri = 'uri' in entry ? entry.uri : entry.uriTemplate
  const size = 'size' in entry && entry.size !== undefined ? formatBytes(entry.size) : undefined
  return (
    <li>
      <OwnIcon icons={entry.icons}>
        <Icon name={'uri' in entry ? 'file' : 'text'} />
      </OwnIcon>
      <div className="grow">
        <p className="row">
          <span className="cut">
            <Revealed text={entry.title ?? entry.name} />
          </span>
          {'uri' in entry ? null : <Badge>template</Badge>}
        </p>
        <p className="help mono wrap-any">
          <Revealed text={uri} />
        </p>
        <Said text={entry.description} />
        {'uri' in entry ? <SubscribeSwitch server={server} uri={entry.uri} name={entry.title ?? entry.name} /> : null}
      </div>
      <span className="faint help num nowrap wide-only">
        <Revealed text={[entry.mimeType, size].filter(Boolean).join(' · ')} />
      </span>
    </li>
  )
}

export function ResourcesTab({ server, page }: { readonly server: ServerView; readonly page: CataloguePage }) {
  const { catalogue, error } = page
  if (!catalogue) return error ? <ErrorNotice error={error} onRetry={page.reload} /> : <Loading what="resources" />
  const { resources, resourceTemplates, fetchedAt } = catalogue
  if (resources.length + resourceTemplates.length === 0)
    return <Nothing server={server} what="resources" fetched={fetchedAt !== undefined} />
  return (
    <ul className="lines">
      {resources.map((entry) => (
        <ResourceLine key={entry.uri} server={server} entry={entry} />
      ))}
      {resourceTemplates.map((entry) => (
        <ResourceLine key={entry.uriTemplate} server={server} entry={entry} />
      ))}
    </ul>
  )
}

const argumentWords = (prompt: PromptEntry): string =>
  (prompt.arguments ?? []).map((argument) => `${argument.name}${argument.required ? '' : ' (optional)'}`).join(', ')

export function PromptsTab({ server, page }: { readonly server: ServerView; readonly page: CataloguePage }) {
  const { catalogue, error } = page
  if (!catalogue) return error ? <ErrorNotice error={error} onRetry={page.reload} /> : <Loading what="prompts" />
  if (catalogue.prompts.length === 0) return <Nothing server={server} what="prompts" fetched={catalogue.fetchedAt !== undefined} />
  return (
    <ul className="lines">
      {catalogue.prompts.map((prompt) => (
        <li key={prompt.name}>
          <OwnIcon icons={prompt.icons}>
            <Icon name="chat" />
          </OwnIcon>
          <div className="grow">
            <p className="row">
              <span className="cut">
                <Revealed text={prompt.title ?? prompt.name} />
              </span>
              {prompt.title ? (
                <span className="mono faint cut">
                  <Revealed text={prompt.name} />
                </span>
              ) : null}
            </p>
            {prompt.arguments?.length ? (
              <p className="help mono wrap-any">
                <Revealed text={argumentWords(prompt)} />
              </p>
            ) : null}
            <Said text={prompt.description} />
          </div>
        </li>
      ))}
    </ul>
  )
}
