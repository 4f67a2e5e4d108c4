// One server of the registry: its facts, its warnings, the ways to install it, and the exact command that would run. All of it
// is its publisher's text. Adding it leads to the screen for adding servers; nothing runs before the person agrees there.

import { useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatDate } from '#app/i18n/format-dates.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { ownMember } from '#app/json.ts'
import { initialSlotValues, missingIn, type SlotValues } from '#app/server/registry/fill-slots.ts'
import { type InstallOption, optionsOf, slotsOf } from '#app/server/registry/install-options.ts'
import { nameForEntry, type RegistryEntry } from '#app/server/registry/registry-entry.ts'
import { isOfficialRegistry } from '#app/server/registry/registry-url.ts'
import { type Install, toInstall } from '#app/server/registry/to-candidate.ts'
import { skeletonOf } from '#app/text/look-alike.ts'
import { offerBundle } from '#renderer/features/bundles/open-bundle.ts'
import { ExternalLink } from '#renderer/features/chat/markdown/external-link.tsx'
import { CommandLineView } from '#renderer/features/consent/launch/command-line-view.tsx'
import { openAddServer } from '#renderer/features/servers/open-add-server.ts'
import { FactList, type FactRow } from '#renderer/features/servers/status/fact-list.tsx'
import { navigate } from '#renderer/router.ts'
import { useServers } from '#renderer/stores/store-hooks.tsx'
import { PrimaryButton, SmallGhostButton, SmallLink } from '#renderer/ui/button.tsx'
import { ChoiceSelect, RadioList } from '#renderer/ui/field.tsx'
import { Badge, ServerMark, Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { Notice, WarnNotice } from '#renderer/ui/notice.tsx'
import { addressHost, VisibleText, visibleTextOf, WebAddress } from '#renderer/ui/visible-text.tsx'
import { OptionForm } from './option-form.tsx'

const kinds: Readonly<Record<string, string>> = {
  npm: t`npm package`,
  pypi: t`Python package`,
  nuget: t`NuGet package`,
  oci: t`container`,
  mcpb: t`bundle`,
  cargo: t`Rust program`,
  go: t`Go program`,
  'streamable-http': t`address`,
  sse: t`HTTP with SSE`,
}
const installKindLabel = ({ label }: Pick<InstallOption, 'label'>): string => ownMember(kinds, label) ?? label

/** Names that `name` could be taken for, among those listed and those of configured servers; at most 3. */
function lookAlikesOf(name: string, listed: readonly string[], configured: readonly string[]): string[] {
  const alike = (own: string, others: readonly string[]): string[] => {
    const skeleton = skeletonOf(own)
    return others.filter((other) => other !== own && skeletonOf(other) === skeleton)
  }
  return [...new Set([...alike(name, listed), ...alike(nameForEntry(name), configured)])].slice(0, 3)
}

/** Whether the registry's format (server.json) allows the name. */
const isPlainName = (name: string): boolean => /^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/.test(name)

/** “io.github.somebody/weather” → “io.github.somebody”. */
const namespaceOf = (name: string): string => name.split('/')[0] ?? name

/** Command or address as it stands now, with the notes on it. */
function InstallPreview({ install: { server, notes } }: { readonly install: Install }) {
  const { definition } = server
  if (definition.transport === 'builtin') return null
  const target =
    definition.transport === 'stdio'
      ? { transport: definition.transport, command: definition.command, args: definition.args, envNames: Object.keys(definition.env) }
      : { transport: definition.transport, url: definition.url, headerNames: Object.keys(definition.headers) }
  return (
    <section className="sec" aria-label={t`Command`}>
      <h3>{definition.transport === 'stdio' ? t`Command` : t`Address`}</h3>
      {notes.map(({ message, remedy }) => (
        <WarnNotice key={message} title={<VisibleText text={message} />}>
          <VisibleText text={remedy} />
        </WarnNotice>
      ))}
      <CommandLineView target={target} />
    </section>
  )
}

/** Version that is shown; the others are fetched on a press. */
function EntryVersions({ entry: { name, version, isLatest } }: { readonly entry: RegistryEntry }) {
  const [searcher, setSearcher] = useState<string | undefined>(undefined)
  const { value, error, loading } = useHostAnswer('registry.server', searcher === undefined ? undefined : { searcher, name })
  if (value && !loading) {
    const versions = [...new Set([...value.entries.map((one) => one.version), version])]
    return (
      <ChoiceSelect
        aria-label={t`Version`}
        value={version}
        options={versions.map((one) => ({ value: one, label: visibleTextOf(one) }))}
        onChoose={(chosen) => navigate({ page: 'registry', name, version: chosen })}
      />
    )
  }
  return (
    <span className="row wrap">
      <VisibleText className="num" text={version} />
      {isLatest === false ? (
        <SmallLink variant="ghost" to={{ page: 'registry', name }}>
          {t`Show the latest`}
        </SmallLink>
      ) : null}
      <SmallGhostButton aria-disabled={loading} onClick={() => loading || setSearcher(t`versions ${crypto.randomUUID()}`)}>
        {loading ? <Spinner /> : null}
        {t`Other versions`}
      </SmallGhostButton>
      {error && !loading ? <span className="err">{error.message}</span> : null}
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
        <header className="headline">
          <ServerMark name={nameForEntry(entry.name)} large />
          <div className="grow">
            <h2 className="row wrap">
              <VisibleText className="wrap-any" text={entry.title ?? entry.name} />
              {entry.status === 'active' ? null : <Badge tone="warn">{entry.status}</Badge>}
            </h2>
            {entry.title === undefined ? null : <VisibleText as="p" className="mono faint wrap-any" text={entry.name} />}
          </div>
        </header>
        <Warnings entry={entry} listed={listed} taken={taken} />
        <p className="said-by-server">{entry.description === '' ? '' : <VisibleText text={entry.description} />}</p>
        <Facts entry={entry} />
        <Notice title={t`Nobody has checked its code.`}>{checkedWords(entry, address)}</Notice>
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
        {option?.kind === 'bundle' ? (
          <section className="sec" aria-label={t`Download`}>
            <h3>{t`Download`}</h3>
            <WebAddress url={option.url} />
            {option.sha256 === undefined ? <p className="help">{t`The registry gives no SHA-256.`}</p> : null}
          </section>
        ) : null}
      </div>
      {install ? <Footer note={t`Nothing runs yet.`} label={t`Add`} onPress={add} /> : null}
      {option?.kind === 'bundle' ? (
        <Footer
          note={t`Nothing runs yet.`}
          label={t`Download`}
          onPress={() => offerBundle({ url: option.url, sha256: option.sha256, registry: address })}
        />
      ) : null}
    </section>
  )
}

const Footer = ({ note, label, onPress }: { readonly note: string; readonly label: string; readonly onPress: () => void }) => (
  <footer className="foot">
    <span className="help grow">{note}</span>
    <PrimaryButton onClick={onPress}>{label}</PrimaryButton>
  </footer>
)

interface OptionChoiceProps {
  readonly options: readonly InstallOption[]
  readonly chosen: Usable | undefined
  /** Number of install options whose form cannot be read. */
  readonly unread: number
  readonly onChoose: (id: string) => void
}

function OptionChoice({ options, chosen, unread, onChoose }: OptionChoiceProps) {
  const usable = options.filter(isUsable)
  return (
    <section className="sec" aria-label={t`How to install`}>
      <h3>{t`How to install`}</h3>
      {usable.length > 1 ? (
        <RadioList
          label={t`How to install`}
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
      {usable.length === 0 ? <p className="dim">{t`Assent cannot install this server.`}</p> : null}
      {options.map((one) =>
        one.kind === 'unusable' ? (
          <div key={one.id} className="registry-unusable">
            <p>
              {installKindLabel(one)} <VisibleText className="mono wrap-any" text={one.what} />
            </p>
            <VisibleText as="p" className="dim" text={`${one.why} ${one.remedy}`} />
          </div>
        ) : null,
      )}
      {unread > 0 ? <p className="dim">{t`${formatNumber(unread)} {entry|entries} could not be read.`}</p> : null}
    </section>
  )
}

function OptionName({ option }: { readonly option: Usable }) {
  return (
    <>
      {installKindLabel(option)} <VisibleText className="mono wrap-any" text={option.what} />
      {option.kind === 'package' && option.pack.version ? (
        <span className="dim num">
          {' '}
          <VisibleText text={option.pack.version} />
        </span>
      ) : null}
    </>
  )
}

function Warnings({ entry, listed, taken }: Pick<EntryDetailProps, 'entry' | 'listed'> & { readonly taken: readonly string[] }) {
  const alike = useMemo(() => lookAlikesOf(entry.name, listed, taken), [entry.name, listed, taken])
  return (
    <>
      {entry.status === 'active' ? null : (
        <WarnNotice title={entry.status === 'deleted' ? t`Removed from the registry.` : t`Its publisher withdrew it.`}>
          {entry.statusMessage ? <VisibleText as="q" text={entry.statusMessage} /> : null}
        </WarnNotice>
      )}
      {alike.length > 0 ? <WarnNotice title={<VisibleText text={t`The name looks like “${alike.join('”, “')}”.`} />} /> : null}
      {isPlainName(entry.name) ? null : <WarnNotice title={t`The name breaks the registry format.`} />}
    </>
  )
}

function Facts({ entry }: { readonly entry: RegistryEntry }) {
  const { repository, websiteUrl, publishedAt } = entry
  const published = Date.parse(publishedAt ?? '')
  const link = (url: string) => (
    <ExternalLink target={url}>
      <VisibleText text={url} />
    </ExternalLink>
  )
  const source = repository && (
    <>
      {link(repository.url)}
      {repository.subfolder ? <span className="dim"> {tx`in ${<VisibleText className="mono" text={repository.subfolder} />}`}</span> : null}
    </>
  )
  const rows: FactRow[] = [
    [t`Version`, <EntryVersions key="version" entry={entry} />],
    [t`Published`, !Number.isNaN(published) && formatDate(published, Date.now()), 'num'],
    [t`Repository`, source],
    [t`Website`, websiteUrl ? link(websiteUrl) : undefined],
  ]
  return <FactList rows={rows} />
}

function checkedWords({ name }: RegistryEntry, address: string): string {
  const who = `“${visibleTextOf(namespaceOf(name))}”`
  return isOfficialRegistry(address)
    ? t`The registry checked the name ${who} only.`
    : t`${addressHost(address)} may not have checked the name ${who}.`
}
