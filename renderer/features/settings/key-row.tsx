import { useId, useRef, useState } from 'react'
import type { ProviderView } from '#app/chat/models.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { roughDuration } from '#renderer/features/servers/rough-duration.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { FieldError } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge, Spinner } from '#renderer/ui/marks.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { keyErrorWords } from './key-error.ts'

type KeySet = Extract<ProviderView['key'], { kind: 'set' }>

const modelsWords = (count: number): string => `${count} ${count === 1 ? t`model` : t`models`}`

/** "4 models · checked 5 min ago". */
function factWords(provider: ProviderView, key: KeySet, now: number): string {
  const checked =
    key.checkedAt === undefined
      ? ''
      : now - key.checkedAt < 60_000
        ? t`checked just now`
        : t`checked ${roughDuration(now - key.checkedAt)} ago`
  return [provider.modelCount > 0 ? modelsWords(provider.modelCount) : '', checked, provider.baseUrl ? t`at ${provider.baseUrl}` : '']
    .filter(Boolean)
    .join(' · ')
}

export function KeyRow({ provider }: { readonly provider: ProviderView }) {
  const [replacing, setReplacing] = useState(false)
  const { key } = provider
  if (key.kind === 'not-needed') return null
  if (key.kind === 'missing' || replacing) return <KeyEntry provider={provider} {...(replacing && { onDone: () => setReplacing(false) })} />
  return <KeyKept provider={provider} kept={key} onReplace={() => setReplacing(true)} />
}

function KeyKept({
  provider,
  kept,
  onReplace,
}: {
  readonly provider: ProviderView
  readonly kept: KeySet
  readonly onReplace: () => void
}) {
  const { go } = useActions()
  const now = useNow(30_000)
  const fixed = kept.source === 'environment'
  return (
    <div className="key-row">
      <Icon name="key" />
      <div className="grow">
        <p className="row">
          {provider.name}
          {kept.source === 'memory' ? <Badge tone="warn">{t`this run only`}</Badge> : null}
          {fixed ? <Badge>{t`from the environment`}</Badge> : null}
        </p>
        {provider.error ? (
          <p className="help dangertext">{keyErrorWords(provider.error)}</p>
        ) : (
          <p className="help num">
            {fixed
              ? t`${factWords(provider, kept, now)}${provider.modelCount > 0 ? ' · ' : ''}ANTHROPIC_API_KEY`
              : factWords(provider, kept, now)}
          </p>
        )}
      </div>
      <span className="mono faint wide-only">{kept.hint}</span>
      {provider.error ? (
        <Button size="sm" icon="refresh" onClick={() => go('models.refresh', {})}>
          {t`Check again`}
        </Button>
      ) : null}
      {fixed ? null : (
        <>
          <Button size="sm" onClick={onReplace}>
            {t`Replace`}
          </Button>
          <Button size="sm" variant="ghost" className="quiet" onClick={() => go('key.remove', { provider: provider.id })}>
            {t`Remove`}
          </Button>
        </>
      )}
    </div>
  )
}

/** The key goes to the host and nowhere else: it is never kept in the page's stores, and gone from here once it is checked. */
function KeyEntry({ provider, onDone }: { readonly provider: ProviderView; readonly onDone?: () => void }) {
  const { attempt } = useActions()
  const { view } = useStores()
  const [key, setKey] = useState('')
  const [shown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const trimmed = key.trim()

  const save = async (): Promise<void> => {
    if (busy || trimmed === '') {
      input.current?.focus()
      return
    }
    setBusy(true)
    setError(undefined)
    const outcome = await attempt('key.set', { provider: provider.id, key: trimmed })
    setBusy(false)
    if (!outcome.ok) {
      setError(outcome.error)
      input.current?.focus()
      return
    }
    setKey('')
    announce(view, t`The key works: ${modelsWords(outcome.value.models)}.`)
    onDone?.()
  }

  return (
    <form
      className="key-row key-entry"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Icon name="key" />
      <div className="grow field">
        <label htmlFor={id}>{provider.name}</label>
        <div className="key-line">
          <span className={error ? 'input mono key-box bad' : 'input mono key-box'}>
            <input
              ref={input}
              id={id}
              className="bare"
              type={shown ? 'text' : 'password'}
              autoComplete="off"
              spellCheck={false}
              placeholder={t`sk-ant-…`}
              aria-invalid={error ? true : undefined}
              aria-describedby={`${id}-about`}
              // biome-ignore lint/a11y/noAutofocus: "Replace" was pressed for this field; without a press it takes no focus.
              autoFocus={onDone !== undefined}
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
            <IconButton
              small
              icon="eye"
              label={shown ? t`Hide the key` : t`Show the key`}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            />
          </span>
          <Button type="submit" aria-disabled={busy || trimmed === ''}>
            {busy ? <Spinner /> : null}
            {busy ? t`Checking` : t`Check and save`}
          </Button>
          {onDone ? (
            <Button variant="ghost" onClick={onDone}>
              {t`Cancel`}
            </Button>
          ) : null}
        </div>
        <div id={`${id}-about`} role="status">
          {error ? (
            <FieldError>{keyErrorWords(error)}</FieldError>
          ) : (
            <p className="help">{t`Assent lists your models with it once, to see that it works.`}</p>
          )}
        </div>
      </div>
    </form>
  )
}
