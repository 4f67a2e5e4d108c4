// Text of a resource, with colours where its type or its name says what it is.
import { t } from '#app/words/translate.ts'
import { LongBox } from '#renderer/ui/long-text.tsx'
import { CodeBlock } from '../code/code-block.tsx'

const byType: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/xml': 'xml',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'application/javascript': 'js',
  'application/sql': 'sql',
  'application/x-sh': 'sh',
  'application/graphql': 'graphql',
}

/** The language that a MIME type names, else the one that the end of the address does; '' for neither. */
export function languageOf(mimeType: string, uri: string): string {
  const type = (mimeType.split(';')[0] ?? '').trim().toLowerCase()
  if (type === 'text/plain' || type === '') return /\.([a-z0-9+#]{1,10})$/i.exec(uri.split(/[?#]/)[0] ?? '')?.[1]?.toLowerCase() ?? ''
  const suffix = /\+(json|xml|yaml)$/.exec(type)?.[1]
  return byType[type] ?? suffix ?? /^text\/(?:x-)?([a-z0-9+#-]+)$/.exec(type)?.[1] ?? ''
}

export function ResourceText({ text, mimeType, uri }: { readonly text: string; readonly mimeType: string; readonly uri: string }) {
  const language = languageOf(mimeType, uri)
  return language === '' || language === 'txt' ? (
    <LongBox text={text} label={t`resource`} />
  ) : (
    <div className="bounded-code">
      <CodeBlock code={text} language={language} />
    </div>
  )
}
