// One server of the registry: what is known of it and what nobody checked, the ways to have it, and the exact command that
// would run. All of it is its publisher's text. Adding it leads to the screen for that; nothing runs before the person agrees there.

import { useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ErrorValue } from '#app/errors.ts'
import { formatDate } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import { initialSlotValues, missingIn, type SlotValues } from '#app/server/registry/fill-slots.ts'
import { type BundleOption, type InstallOption, optionsOf, slotsOf } from '#app/server/registry/install-options.ts'
import { nameForEntry, type RegistryEntry } from '#app/server/registry/registry-entry.ts'
import { isOfficialRegistry } from '#app/server/registry/registry-url.ts'
import { type Install, toInstall } from '#app/server/registry/to-candidate.ts'
import { offerBundle } from '#renderer/features/bundles/open-bundle.ts'
import { ExternalLink } from '#renderer/features/chat/markdown/external-link.tsx'
import { CommandLineView } from '#renderer/features/consent/launch/command-line-view.tsx'
import { openAddServer } from '#renderer/features/servers/add/open-add-server.ts'
import { hrefOf, navigate } from '#renderer/router.ts'
import { useActions, useServers } from '#renderer/stores/store-hooks.tsx'
import { Badge, ServerMark, Spinner } from '#renderer/ui/badges.tsx'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { RadioList } from '#renderer/ui/choices.tsx'
import { Select } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { VisibleText, visibleTextOf } from '#renderer/ui/visible-text.tsx'
import { WebAddress } from '#renderer/ui/web-address.tsx'
import { OptionForm } from './option-form.tsx'
import { addressHost, installKindLabel, isPlainName, lookAlikesOf, namespaceOf } from './registry-labels.ts'

/** What would run or be connected to, as it stands now, and what in it deserves a second look. */
function InstallPreview({ install: { server, notes } }: { readonly install: Install }) {
  const { definition } = server
  if (definition.transport === 'builtin') return null
  const target =
    definition.transport === 'stdio'
      ? { transport: definition.transport, command: definition.command, args: definition.args, envNames: Object.keys(definition.env) }
      : { transport: definition.transport, url: definition.url, headerNames: Object.keys(definition.headers) }
  return (
    <section className="sec" aria-label={t`What would run`}>
      <h3>{definition.transport === 'stdio' ? t`What would run` : t`What would be connected to`}</h3>
      {notes.map(({ message, remedy }) => (
        <Notice key={message} tone="warn" title={<VisibleText text={message} />}>
          <VisibleText text={remedy} />
        </Notice>
      ))}
      <CommandLineView target={target} />
    </section>
  )
}

/** Where a bundle is, before anything of it was fetched. */
function BundleFactsSection({ option: { url, sha256 } }: { readonly option: BundleOption }) {
  return (
    <section className="sec" aria-label={t`What would be downloaded`}>
      <h3>{t`What would be downloaded`}</h3>
      <WebAddress url={url} />
      <p className="help">
        {tx`${
          sha256 === undefined
            ? t`The registry names no SHA-256 for it, so nobody can say whether what comes is what was listed.`
            : t`It is held against the SHA-256 that the registry names.`
        } What it runs and asks for stands in it, and is shown before it is installed.`}
      </p>
    </section>
  )
}

type Others =
  | { readonly kind: 'unasked' | 'asking' }
  | { readonly kind: 'known'; readonly versions: readonly string[] }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

/** The version that is shown; the others are asked for when somebody wants them. */
function EntryVersions({ entry: { name, version, isLatest } }: { readonly entry: RegistryEntry }) {
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
            {visibleTextOf(one)}
          </option>
        ))}
      </Select>
    )
  return (
    <span className="row wrap">
      <span className="num">
        <VisibleText text={version} />
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

interface EntryDetailProps {
  readonly entry: RegistryEntry
  readonly address: string
  /** Names of the list that it stands in. */
  readonly listed: readonly string[]
}

type Usable = Exclude<InstallOption, { kind: 'unusable' }>
const isUsable = (option: InstallOption): option is Usable => option.kind !== 'unusable'

export function EntryDetail({ entry, address, listed }: EntryDetailProps) {
  const configured = useServers((state) => state.list)
  const taken = useMemo(() => configured.map(({ name }) => name), [configured])
  const options = useMemo(() => optionsOf(entry), [entry])
  const usable = options.filter(isUsable)
  const [chosen, setChosen] = useState(usable[0]?.id)
  const [said, setSaid] = useState<Readonly<Record<string, SlotValues>>>({})
  const [checked, setChecked] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const option = usable.find(({ id }) => id === chosen)
  const filled = useMemo(() => (option ? { ...initialSlotValues(slotsOf(option)), ...said[option.id] } : {}), [option, said])
  const missing = option ? missingIn(slotsOf(option), filled) : []
  const install = option && option.kind !== 'bundle' ? toInstall(entry, { option, filled, taken }) : undefined

  const add = (): void => {
    if (!install) return
    flushSync(() => setChecked(true))
    if (missing.length > 0) body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    else openAddServer({ kind: 'found', from: t`the registry`, servers: [install.server], inputs: install.inputs })
  }
  return (
    <section className="b" aria-label={visibleTextOf(entry.name)}>
      <div className="in" ref={body}>
        <EntryHeading entry={entry} />
        <Warnings entry={entry} listed={listed} taken={taken} />
        <p className="said-by-server">
          {entry.description === '' ? t`Its publisher says nothing about it.` : <VisibleText text={entry.description} />}
        </p>
        <Facts entry={entry} />
        <Notice title={t`Nobody has read its code for you.`}>{checkedWords(entry, address)}</Notice>
        <OptionChoice
          options={options}
          chosen={option}
          unread={entry.unread}
          onChoose={(id) => {
            setChosen(id)
            setChecked(false)
          }}
        />
        {option ? (
          <OptionForm
            key={option.id}
            option={option}
            filled={filled}
            missing={checked ? new Set(missing.map(({ slot, at, field }) => `${slot} ${at} ${field}`)) : new Set()}
            onChange={(next) => setSaid((before) => ({ ...before, [option.id]: next }))}
          />
        ) : null}
        {install ? <InstallPreview install={install} /> : null}
        {option?.kind === 'bundle' ? <BundleFactsSection option={option} /> : null}
      </div>
      {install ? (
        <footer className="foot">
          <span className="help grow">{t`Nothing runs yet. Next you see it once more, and its first start asks.`}</span>
          <Button variant="primary" onClick={add}>
            {t`Add it`}
          </Button>
        </footer>
      ) : null}
      {option?.kind === 'bundle' ? (
        <footer className="foot">
          <span className="help grow">{t`Nothing is fetched yet. Next you see from where.`}</span>
          <Button variant="primary" onClick={() => offerBundle({ url: option.url, sha256: option.sha256, registry: address })}>
            {t`Download it…`}
          </Button>
        </footer>
      ) : null}
    </section>
  )
}

function EntryHeading({ entry }: { readonly entry: RegistryEntry }) {
  return (
    <header className="headline">
      <ServerMark name={nameForEntry(entry.name)} large />
      <div className="grow">
        <h2 className="row wrap">
          <span className="wrap-any">
            <VisibleText text={entry.title ?? entry.name} />
          </span>
          {entry.status === 'active' ? null : <Badge tone="warn">{entry.status}</Badge>}
        </h2>
        {entry.title === undefined ? null : (
          <p className="mono faint wrap-any">
            <VisibleText text={entry.name} />
          </p>
        )}
      </div>
    </header>
  )
}

interface OptionChoiceProps {
  readonly options: readonly InstallOption[]
  readonly chosen: Usable | undefined
  /** Number of ways whose form cannot be read. */
  readonly unread: number
  readonly onChoose: (id: string) => void
}

function OptionChoice({ options, chosen, unread, onChoose }: OptionChoiceProps) {
  const usable = options.filter(isUsable)
  return (
    <section className="sec" aria-label={t`How to have it`}>
      <h3>{t`How to have it`}</h3>
      {usable.length > 1 ? (
        <RadioList
          label={t`How to have it`}
          value={chosen?.id ?? ''}
          choices={usable.map((one) => ({ value: one.id, label: <OptionName option={one} /> }))}
          onChange={onChoose}
        />
      ) : null}
      {usable.length === 1 && chosen ? (
        <p>
          <OptionName option={chosen} />
        </p>
      ) : null}
      {usable.length === 0 ? <p className="dim">{t`In no way that Assent can use.`}</p> : null}
      {options.map((one) => (one.kind === 'unusable' ? <Unusable key={one.id} option={one} /> : null))}
      {unread > 0 ? (
        <p className="dim">
          {unread === 1
            ? t`One more way is written in a form that cannot be read.`
            : t`${unread} more ways are written in a form that cannot be read.`}
        </p>
      ) : null}
    </section>
  )
}

function OptionName({ option }: { readonly option: Usable }) {
  return (
    <>
      {installKindLabel(option)}{' '}
      <span className="mono wrap-any">
        <VisibleText text={option.what} />
      </span>
      {option.kind === 'package' && option.pack.version ? (
        <span className="dim num">
          {' '}
          <VisibleText text={option.pack.version} />
        </span>
      ) : null}
    </>
  )
}

function Unusable({ option }: { readonly option: Extract<InstallOption, { kind: 'unusable' }> }) {
  return (
    <div className="registry-unusable">
      <p>
        {installKindLabel(option)}{' '}
        <span className="mono wrap-any">
          <VisibleText text={option.what} />
        </span>
      </p>
      <p className="dim">
        <VisibleText text={`${option.why} ${option.remedy}`} />
      </p>
    </div>
  )
}

function Warnings({
  entry,
  listed,
  taken,
}: {
  readonly entry: RegistryEntry
  readonly listed: readonly string[]
  readonly taken: readonly string[]
}) {
  const alike = useMemo(() => lookAlikesOf(entry.name, listed, taken), [entry.name, listed, taken])
  return (
    <>
      {entry.status === 'active' ? null : (
        <Notice
          tone="warn"
          title={entry.status === 'deleted' ? t`It was taken out of the registry.` : t`Its publisher wants nobody to use it any more.`}
        >
          {entry.statusMessage ? (
            <q>
              <VisibleText text={entry.statusMessage} />
            </q>
          ) : null}
        </Notice>
      )}
      {alike.length > 0 ? (
        <Notice tone="warn" title={<VisibleText text={t`Its name looks like “${alike.join('”, “')}”.`} />}>
          {t`That is another server. Look closely which of them you want.`}
        </Notice>
      ) : null}
      {isPlainName(entry.name) ? null : (
        <Notice tone="warn" title={t`Its name is none that the registry format allows.`}>
          {t`Letters of other alphabets can look like Latin ones.`}
        </Notice>
      )}
    </>
  )
}

function Facts({ entry }: { readonly entry: RegistryEntry }) {
  const { repository, websiteUrl, publishedAt } = entry
  const day = publishedAt === undefined ? Number.NaN : Date.parse(publishedAt)
  return (
    <dl className="kv">
      <dt>{t`Version`}</dt>
      <dd>
        <EntryVersions entry={entry} />
      </dd>
      {Number.isNaN(day) ? null : (
        <>
          <dt>{t`Published`}</dt>
          <dd className="num">{formatDate(day, Date.now())}</dd>
        </>
      )}
      {repository ? (
        <>
          <dt>{t`Repository`}</dt>
          <dd>
            <ExternalLink target={repository.url}>
              <VisibleText text={repository.url} />
            </ExternalLink>
            {repository.subfolder ? <span className="dim"> {tx`in ${<VisibleText text={repository.subfolder} />}`}</span> : null}
          </dd>
        </>
      ) : null}
      {websiteUrl ? (
        <>
          <dt>{t`Website`}</dt>
          <dd>
            <ExternalLink target={websiteUrl}>
              <VisibleText text={websiteUrl} />
            </ExternalLink>
          </dd>
        </>
      ) : null}
    </dl>
  )
}

function checkedWords({ name }: RegistryEntry, address: string): string {
  const who = `“${visibleTextOf(namespaceOf(name))}”`
  return isOfficialRegistry(address)
    ? t`The registry checked that whoever published it may use the name ${who}. Whether it does what it says, nobody did.`
    : t`What ${addressHost(address)} checks is up to those who run it. That ${who} is who it seems to be is not known here.`
}
