import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { LongText } from '#renderer/features/consent/argument-list.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { asTable, type TableData } from './as-table.ts'

/** Plain members as a list, a list of alike objects as a table, the rest as JSON. */
export function StructuredView({ value }: { readonly value: Json }) {
  const table = asTable(value)
  if (table) return <DataTable table={table} />
  if (isJsonObject(value) && Object.values(value).some((item) => asTable(item))) return <Members value={value} />
  return <LongText text={JSON.stringify(value, null, 2)} label="structured result" />
}

function Members({ value }: { readonly value: JsonObject }) {
  return Object.entries(value).map(([name, item]) => {
    const table = asTable(item)
    return (
      <div key={name} className="sec">
        <span className="label mono">
          <Revealed text={name} />
        </span>
        {table ? (
          <DataTable table={table} />
        ) : (
          <LongText text={typeof item === 'string' ? item : JSON.stringify(item, null, 2)} label={name} />
        )}
      </div>
    )
  })
}

function DataTable({ table }: { readonly table: TableData }) {
  return (
    <div className="tbl-scroll">
      <table className="tbl">
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column.name} className={column.numeric ? 'r' : undefined}>
                <Revealed text={column.name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={String(index)}>
              {table.columns.map((column, at) => (
                <td key={column.name} className={column.numeric ? 'r' : undefined}>
                  <Revealed text={row[at] ?? ''} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
