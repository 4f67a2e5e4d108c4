// "What would happen if…": a call that nobody makes, put to the rules as they are.
import { useId, useState } from 'react'
import type { Explanation } from '#app/consent/explain.ts'
import type { Rule } from '#app/consent/rule.ts'
import { rulePieces } from '#app/consent/rule-words.ts'
import { describeError } from '#app/describe-error.ts'
import { isJsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useConsent, useServers } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Field, FieldError, Select, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { Pieces } from '#renderer/ui/pieces.tsx'
import { matchReason, verdictWords } from './explain-words.ts'
import { useTools } from './use-tools.ts'

export function RuleTest() {
  const { attempt } = useActions()
  const servers = useServers((state) => state.list)
  const rules = useConsent((state) => state.rules)
  const [server, setServer] = useState(servers[0]?.name ?? '')
  const [tool, setTool] = useState('')
  const [args, setArgs] = useState('{}')
  const [said, setSaid] = useState<Explanation>()
  const [error, setError] = useState<string | undefined>(undefined)
  const listId = useId()
  const tools = useTools(server)
  const ask = async (): Promise<void> => {
    setSaid(undefined)
    const value = parse(args)
    if (!value) return setError(t`The arguments are not the JSON of an object.`)
    const outcome = await attempt('rule.test', { server, tool: tool.trim(), arguments: value })
    setError(outcome.ok ? undefined : describeError(outcome.error).message)
    if (outcome.ok) setSaid(outcome.value)
  }
  return (
    <section className="sec rule-test" aria-labelledby={`${listId}-head`}>
      <h2 className="h3" id={`${listId}-head`}>
        {t`What would happen if…`}
      </h2>
      <div className="rule-fields">
        <Field label={t`Server`}>
          {(ids) => (
            <Select {...ids} value={server} onChange={(event) => setServer(event.target.value)}>
              {servers.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t`Tool`}>
          {(ids) => <TextInput {...ids} mono list={`${listId}-tools`} value={tool} onChange={(event) => setTool(event.target.value)} />}
        </Field>
        <datalist id={`${listId}-tools`}>
          {tools.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <Field label={t`Arguments`} help={t`As JSON. Links on this disk are followed; nothing runs.`}>
        {(ids) => <TextArea {...ids} mono rows={3} value={args} onChange={(event) => setArgs(event.target.value)} />}
      </Field>
      <p>
        <Button aria-disabled={tool.trim() === '' || undefined} onClick={() => tool.trim() !== '' && void ask()}>
          {t`Ask the rules`}
        </Button>
      </p>
      <div role="status" className="sec">
        {error !== undefined && <FieldError>{error}</FieldError>}
        {said && <Said said={said} rules={rules} />}
      </div>
    </section>
  )
}

function Said({ said, rules }: { readonly said: Explanation; readonly rules: readonly Rule[] }) {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const decides = said.verdict.kind === 'ask' ? undefined : said.verdict.ruleId
  return (
    <>
      <p className="strong">{verdictWords(said.verdict)}</p>
      {said.rules.length === 0 && <p className="help">{t`No rule speaks of this tool.`}</p>}
      <ul className="lines">
        {said.rules.map((looked) => {
          const rule = byId.get(looked.id)
          return rule ? (
            <li key={looked.id}>
              <div className="grow">
                <p className="wrap-any">
                  <Pieces pieces={rulePieces(rule)} />
                </p>
                <p className="help">{matchReason(rule, looked, looked.id === decides)}</p>
              </div>
            </li>
          ) : null
        })}
      </ul>
    </>
  )
}

function parse(text: string) {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
