// All that is known of one tool: what its server says of it, marked as that, what it costs, and what it takes and gives.

import type { ReactNode } from 'react'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { t } from '#app/words/translate.ts'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { annotationWords } from './annotation-words.ts'
import { parameterWords } from './tool-standing.ts'

interface ToolFactsProps {
  readonly server: string
  /** Its server's word counts. */
  readonly trusted: boolean
  readonly tool: ToolEntry
  /** More rows of the list. */
  readonly children?: ReactNode
}

export function ToolFacts({ server, trusted, tool, children }: ToolFactsProps) {
  const claims = annotationWords(tool.annotations)
  const takes = parameterWords(tool.inputSchema)
  const gives = tool.outputSchema ? parameterWords(tool.outputSchema) : []
  return (
    <>
      {tool.description ? (
        <p className="said-by-server">
          “<Revealed text={tool.description} />”
        </p>
      ) : (
        <p className="faint">{tx`${<ServerName name={server} />} gives no description.`}</p>
      )}
      <dl className="kv">
        {claims.length > 0 && (
          <>
            <dt>{trusted ? t`It is said to` : t`It claims`}</dt>
            <dd>
              {claims.join(', ')}
              {trusted ? null : <span className="faint"> · {t`not counted, you don’t trust it on this`}</span>}
            </dd>
          </>
        )}
        <dt>{t`Model sees it as`}</dt>
        <dd className="mono">
          <Revealed text={tool.modelName} />
        </dd>
        {children}
        {takes.length > 0 && (
          <>
            <dt>{t`Arguments`}</dt>
            <dd>
              <Parameters of={takes} />
            </dd>
          </>
        )}
        {gives.length > 0 && (
          <>
            <dt>{t`Gives back`}</dt>
            <dd>
              <Parameters of={gives} />
            </dd>
          </>
        )}
      </dl>
    </>
  )
}

/** More are read in the schema. */
const mostShown = 100

function Parameters({ of }: { readonly of: ReturnType<typeof parameterWords> }) {
  return (
    <ul className="stack tight">
      {of.slice(0, mostShown).map(({ name, type, required, description }) => (
        <li key={name}>
          <span className="mono">
            <Revealed text={name} />
          </span>{' '}
          <span className="faint">
            <Revealed text={[type, required ? t`needed` : ''].filter(Boolean).join(', ')} />
          </span>
          {description ? (
            <span className="help block">
              “<Revealed text={description} />”
            </span>
          ) : null}
        </li>
      ))}
      {of.length > mostShown && <li className="help">{tx`And ${of.length - mostShown} more.`}</li>}
    </ul>
  )
}
