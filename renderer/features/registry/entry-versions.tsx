import { useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import type { RegistryEntry } from '#app/server/registry/entry.ts'
import { t } from '#app/words/translate.ts'
import { hrefOf, navigate } from '#renderer/router.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Select } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { Revealed, revealedText } from '#renderer/ui/revealed.tsx'

type Others =
  | { readonly kind: 'unasked' | 'asking' }
  | { readonly kind: 'known'; readonly versions: readonly string[] }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

/** The version that is shown; the others are asked for when somebody wants them. */
export function EntryVersions({ entry: { name, version, isLatest } }: { readonly entry: RegistryEntry }) {
  const { attempt } = useActions()
  const [others, setOthers] = useState<Others>({ kind: 'unasked' })
  const look = async (): Promise<void> => {
    setOthers({ kind: 'asking' })
    const outcome = await attempt('registry.server', { searcher: t`versions ${crypto.randomUUID()}`, name })
    setOthers(
      outcome.ok
        ? { kind: 'known', versions: [...new Set([...outcome.value.entries.map((one) => one.version), version])] }
        : { kind: 'failed', error: outcome.error },
    )
  }
  if (others.kind === 'known')
    return (
      <Select
        aria-label={t`Version`}
        value={version}
        onChange={({ target }) => navigate({ page: 'registry', name, version: target.value })}
      >
        {others.versions.map((one) => (
          <option key={one} value={one}>
            {revealedText(one)}
          </option>
        ))}
      </Select>
    )
  return (
    <span className="row wrap">
      <span className="num">
        <Revealed text={version} />
      </span>
      {isLatest === false ? (
        <LinkButton size="sm" variant="ghost" href={hrefOf({ page: 'registry', name })}>
          {t`Show the latest`}
        </LinkButton>
      ) : null}
      <Button size="sm" variant="ghost" aria-disabled={others.kind === 'asking'} onClick={() => others.kind !== 'asking' && void look()}>
        {others.kind === 'asking' ? <Spinner /> : null}
        {t`Other versions`}
      </Button>
      {others.kind === 'failed' ? <span className="err">{others.error.message}</span> : null}
    </span>
  )
}
