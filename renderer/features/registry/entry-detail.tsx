// One server of the registry: what is known of it and what nobody checked, the ways to have it, and the exact command that
// would run. All of it is its publisher's text. Adding it leads to the screen for that; nothing runs before the person agrees there.
import { useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isOfficialRegistry } from '#app/server/registry/address.ts'
import type { RegistryEntry } from '#app/server/registry/entry.ts'
import { type Filled, initialFilled, missingIn } from '#app/server/registry/fill.ts'
import { type InstallOption, optionsOf, slotsOf } from '#app/server/registry/options.ts'
import { nameForEntry } from '#app/server/registry/server-name.ts'
import { toInstall } from '#app/server/registry/to-found.ts'
import { t } from '#app/words/translate.ts'
import { dateWords } from '#app/words/when.ts'
import { offerBundle } from '#renderer/features/bundles/opening.ts'
import { OutwardLink } from '#renderer/features/chat/markdown/outward-link.tsx'
import { startAdding } from '#renderer/features/servers/adding.ts'
import { useServers } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { RadioList } from '#renderer/ui/choices.tsx'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed, revealedText } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { BundleFactsSection } from './bundle-facts.tsx'
import { EntryVersions } from './entry-versions.tsx'
import { InstallPreview } from './install-preview.tsx'
import { OptionForm } from './option-form.tsx'
import { hostOf, isPlainName, kindWords, lookAlikesOf, namespaceOf } from './registry-words.ts'

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
  const [said, setSaid] = useState<Readonly<Record<string, Filled>>>({})
  const [checked, setChecked] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const option = usable.find(({ id }) => id === chosen)
  const filled = useMemo(() => (option ? { ...initialFilled(slotsOf(option)), ...said[option.id] } : {}), [option, said])
  const missing = option ? missingIn(slotsOf(option), filled) : []
  const install = option && option.kind !== 'bundle' ? toInstall(entry, { option, filled, taken }) : undefined

  const add = (): void => {
    if (!install) return
    flushSync(() => setChecked(true))
    if (missing.length > 0) body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    else startAdding({ kind: 'found', from: t`the registry`, servers: [install.server], inputs: install.inputs })
  }
  return (
    <section className="b" aria-label={revealedText(entry.name)}>
      <div className="in" ref={body}>
        <header className="headline">
          <ServerMark name={nameForEntry(entry.name)} large />
          <div className="grow">
            <h2 className="row wrap">
              <span className="wrap-any">
                <Revealed text={entry.title ?? entry.name} />
              </span>
              {entry.status === 'active' ? null : <Badge tone="warn">{entry.status}</Badge>}
            </h2>
            {entry.title === undefined ? null : (
              <p className="mono faint wrap-any">
                <Revealed text={entry.name} />
              </p>
            )}
          </div>
        </header>
        <Warnings entry={entry} listed={listed} taken={taken} />
        <p className="said-by-server">
          {entry.description === '' ? t`Its publisher says nothing about it.` : <Revealed text={entry.description} />}
        </p>
        <Facts entry={entry} />
        <Notice title={t`Nobody has read its code for you.`}>{checkedWords(entry, address)}</Notice>
        <section className="sec" aria-label={t`How to have it`}>
          <h3>{t`How to have it`}</h3>
          {usable.length > 1 ? (
            <RadioList
              label={t`How to have it`}
              value={chosen ?? ''}
              choices={usable.map((one) => ({ value: one.id, label: <OptionName option={one} /> }))}
              onChange={(id) => {
                setChosen(id)
                setChecked(false)
              }}
            />
          ) : null}
          {usable.length === 1 && option ? (
            <p>
              <OptionName option={option} />
            </p>
          ) : null}
          {usable.length === 0 ? <p className="dim">{t`In no way that Assent can use.`}</p> : null}
          {options.map((one) => (one.kind === 'unusable' ? <Unusable key={one.id} option={one} /> : null))}
          {entry.unread > 0 ? (
            <p className="dim">
              {entry.unread === 1
                ? t`One more way is written in a form that cannot be read.`
                : t`${entry.unread} more ways are written in a form that cannot be read.`}
            </p>
          ) : null}
        </section>
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

function OptionName({ option }: { readonly option: Usable }) {
  return (
    <>
      {kindWords(option)}{' '}
      <span className="mono wrap-any">
        <Revealed text={option.what} />
      </span>
      {option.kind === 'package' && option.pack.version ? (
        <span className="dim num">
          {' '}
          <Revealed text={option.pack.version} />
        </span>
      ) : null}
    </>
  )
}

function Unusable({ option }: { readonly option: Extract<InstallOption, { kind: 'unusable' }> }) {
  return (
    <div className="registry-unusable">
      <p>
        {kindWords(option)}{' '}
        <span className="mono wrap-any">
          <Revealed text={option.what} />
        </span>
      </p>
      <p className="dim">
        <Revealed text={`${option.why} ${option.remedy}`} />
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
              <Revealed text={entry.statusMessage} />
            </q>
          ) : null}
        </Notice>
      )}
      {alike.length > 0 ? (
        <Notice tone="warn" title={<Revealed text={t`Its name looks like “${alike.join('”, “')}”.`} />}>
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
          <dd className="num">{dateWords(day, Date.now())}</dd>
        </>
      )}
      {repository ? (
        <>
          <dt>{t`Repository`}</dt>
          <dd>
            <OutwardLink target={repository.url}>
              <Revealed text={repository.url} />
            </OutwardLink>
            {repository.subfolder ? <span className="dim"> {tx`in ${<Revealed text={repository.subfolder} />}`}</span> : null}
          </dd>
        </>
      ) : null}
      {websiteUrl ? (
        <>
          <dt>{t`Website`}</dt>
          <dd>
            <OutwardLink target={websiteUrl}>
              <Revealed text={websiteUrl} />
            </OutwardLink>
          </dd>
        </>
      ) : null}
    </dl>
  )
}

function checkedWords({ name }: RegistryEntry, address: string): string {
  const who = `“${revealedText(namespaceOf(name))}”`
  return isOfficialRegistry(address)
    ? t`The registry checked that whoever published it may use the name ${who}. Whether it does what it says, nobody did.`
    : t`What ${hostOf(address)} checks is up to those who run it. That ${who} is who it seems to be is not known here.`
}
