// Structured content: a list of alike objects as a table, members that are such lists as tables, all else as a tree. The
// JSON itself is one button away.
import { useState } from 'react'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { asTable } from './as-table.ts'
import { DataTable } from './data-table.tsx'
import { ValueTree } from './value-tree.tsx'

export function StructuredView({ value }: { readonly value: Json }) {
  const [raw, setRaw] = useState(false)
  const json = (): string => JSON.stringify(value, null, 2)
  const plain = typeof value !== 'object' || value === null
  return (
    <div className="structured">
      {!plain && (
        <span className="code-tools">
          <IconButton label={t`Show as JSON`} icon="text" small aria-pressed={raw} onClick={() => setRaw(!raw)} />
          <CopyButton text={json} label={t`Copy as JSON`} />
        </span>
      )}
      {raw || plain ? <CodeBlock code={json()} language="json" /> : <Shaped value={value} />}
    </div>
  )
}

function Shaped({ value }: { readonly value: Json }) {
  const table = asTable(value)
  if (table) return <DataTable table={table} />
  if (isJsonObject(value) && Object.values(value).some((item) => asTable(item))) return <Members value={value} />
  return <ValueTree value={value} label={t`structured result`} />
}

/** What is a table stands under its name; the other members together, as a tree. */
function Members({ value }: { readonly value: JsonObject }) {
  const entries = Object.entries(value)
  const others = Object.fromEntries(entries.filter(([, item]) => !asTable(item)))
  return (
    <>
      {Object.keys(others).length > 0 && <ValueTree value={others} label={t`structured result`} />}
      {entries.map(([name, item]) => {
        const table = asTable(item)
        return (
          table && (
            <div key={name} className="sec">
              <span className="label mono">
                <Revealed text={name} />
              </span>
              <DataTable table={table} />
            </div>
          )
        )
      })}
    </>
  )
}
