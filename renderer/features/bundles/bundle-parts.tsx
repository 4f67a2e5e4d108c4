// The parts of what is shown of a bundle: who made it, what it runs, whether it fits, what it brings. Its words are
// somebody else's: text, never markup, with what cannot be seen named.
import type { BundleChange } from '#app/server/bundle/compare.ts'
import type { Concern } from '#app/server/bundle/concerns.ts'
import type { BundleDownload } from '#app/server/bundle/download.ts'
import type { FitCheck } from '#app/server/bundle/fit.ts'
import type { SignatureView } from '#app/server/bundle/signature.ts'
import type { BundleFacts, BundleView } from '#app/server/bundle/view.ts'
import { t } from '#app/words/translate.ts'
import { ChangedParts } from '#renderer/features/consent/diff-view.tsx'
import { type DiffLine, diffLines } from '#renderer/features/consent/text-diff.ts'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed, revealedText } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { AddressName } from '#renderer/ui/web-address.tsx'
import { changeTitle, concernWords, fitWords, linkWords, signatureWords, typeWords } from './bundle-words.ts'

const isPicture = (src: string | undefined): boolean => /^data:image\/png;base64,[A-Za-z0-9+/]+=*$/.test(src ?? '')

export function BundleHead({ facts }: { readonly facts: BundleFacts }) {
  return (
    <div className="row bundle-head">
      {isPicture(facts.icon) ? (
        <img className="bundle-icon" src={facts.icon} alt="" width={40} height={40} />
      ) : (
        <ServerMark name={facts.displayName} large />
      )}
      <div className="grow">
        <p className="row wrap">
          <span className="strong">
            <Revealed text={facts.displayName} />
          </span>
          <Badge mono>
            <Revealed text={facts.version} />
          </Badge>
          <Badge>{typeWords[facts.type]}</Badge>
        </p>
        <p className="faint">
          {tx`by ${<Revealed text={facts.author.name} />}`}
          {facts.license ? (
            <>
              {' · '}
              <Revealed text={facts.license} />
            </>
          ) : null}
        </p>
      </div>
    </div>
  )
}

export function SignatureLine({ signature }: { readonly signature: SignatureView }) {
  const { tone, title, more } = signatureWords(signature)
  return (
    <Notice
      tone={tone}
      icon={tone === 'plain' ? (signature.kind === 'none' ? 'info' : 'key') : 'warning'}
      title={<Revealed text={title} />}
    >
      <Revealed text={more} />
    </Notice>
  )
}

export function Concerns({ concerns }: { readonly concerns: readonly Concern[] }) {
  return concerns.map((concern, index) => {
    const { title, more } = concernWords(concern)
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: two of them may say the same of different words
      <Notice key={index} tone="warn" title={<Revealed text={title} />}>
        {more}
      </Notice>
    )
  })
}

export function Fit({ fit }: { readonly fit: readonly FitCheck[] }) {
  if (fit.length === 0) return null
  return (
    <ul className="bundle-fit">
      {fit.map((check) => (
        <li key={`${check.what} ${check.name ?? ''}`} className={check.fits === 'no' ? 'warntext' : 'dim'}>
          <Badge tone={check.fits === 'no' ? 'warn' : 'grey'}>
            {check.fits === 'yes' ? t`fits` : check.fits === 'no' ? t`does not fit` : t`cannot be told`}
          </Badge>{' '}
          <Revealed text={fitWords(check)} />
        </li>
      ))}
    </ul>
  )
}

export function Runs({ command }: Pick<BundleView, 'command'>) {
  const env = Object.entries(command.env)
  return (
    <section className="sec">
      <h3>{t`What it runs`}</h3>
      <p className="help">
        {t`A program with your rights: it can read and change your files and use the network. Before it first runs you see the exact command, and Assent asks before calls of its tools.`}
      </p>
      <div className="cmdline">
        <div>
          <span>{t`program`}</span>
          <b>
            <Revealed text={command.command} />
          </b>
        </div>
        {command.args.map((arg, index) => (
          <div key={String(index)}>
            <span>{index + 1}</span>
            <div className="arg-word">
              <Revealed text={arg} />
            </div>
          </div>
        ))}
        {env.map(([name, value]) => (
          <div key={name}>
            <span>{t`variable`}</span>
            <div className="arg-word">
              <Revealed text={`${name}=${value}`} />
            </div>
          </div>
        ))}
      </div>
    </section>
  )
}

/** Where it came from, and whether it is what was listed there. */
export function Downloaded({ download }: { readonly download: BundleDownload }) {
  const { url, sha256, checked } = download
  return (
    <Notice
      tone={checked ? 'plain' : 'warn'}
      icon={checked ? 'check' : 'warning'}
      title={checked ? t`It is byte for byte what the registry lists.` : t`The registry names no SHA-256 for it.`}
    >
      {tx`From ${<AddressName url={url} />}.`} {checked ? '' : t`So nobody can say whether it is what was listed.`}{' '}
      <span className="mono wrap-any block">{tx`SHA-256 ${sha256}`}</span>
    </Notice>
  )
}

const shownAtOnce = 8

export function Offers({ facts }: { readonly facts: BundleFacts }) {
  return (
    <>
      <OfferList title={t`Tools`} list={facts.tools} more={facts.toolsGenerated} />
      <OfferList title={t`Prompts`} list={facts.prompts} more={facts.promptsGenerated} />
    </>
  )
}

function OfferList({ title, list, more }: { readonly title: string; readonly list: BundleFacts['tools']; readonly more: boolean }) {
  if (list.length === 0 && !more) return null
  const rows = (from: number, to?: number) =>
    list.slice(from, to).map(({ name, description }, index) => (
      <li key={String(from + index)}>
        <span className="mono">
          <Revealed text={name} />
        </span>{' '}
        <span className="dim">
          <Revealed text={description} />
        </span>
      </li>
    ))
  return (
    <section className="sec">
      <h3>
        {title} <span className="faint num">{list.length}</span>
      </h3>
      <ul className="bundle-offers">{rows(0, shownAtOnce)}</ul>
      {list.length > shownAtOnce ? (
        <details>
          <summary>{tx`${list.length - shownAtOnce} more`}</summary>
          <ul className="bundle-offers">{rows(shownAtOnce, 500)}</ul>
        </details>
      ) : null}
      {more ? <p className="help">{t`It makes more of them as it runs; they are seen then.`}</p> : null}
    </section>
  )
}

export function Links({ facts }: { readonly facts: BundleFacts }) {
  const { links, longDescription } = facts
  if (links.length === 0 && longDescription === undefined) return null
  return (
    <details>
      <summary>{t`More of what it says of itself`}</summary>
      <div className="stack">
        {longDescription === undefined ? null : (
          <p className="bundle-text">
            <Revealed text={longDescription.slice(0, 20_000)} />
          </p>
        )}
        <dl className="kv">
          {links.map(({ what, url }, index) => (
            <div key={String(index)} className="contents">
              <dt>{linkWords[what]}</dt>
              <dd className="mono wrap-any">
                <AddressName url={url} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  )
}

export function Changes({ changes }: { readonly changes: readonly BundleChange[] }) {
  if (changes.length === 0)
    return <p className="help">{t`It runs the same command, and offers and asks for the same. Its files may be others.`}</p>
  return (
    <div className="stack">
      <ChangedParts parts={changes.map((change) => ({ title: revealedText(changeTitle(change)), note: '', lines: linesOf(change) }))} />
    </div>
  )
}

/** What is new or gone is so whole; of what says nothing of itself the name is. */
function linesOf({ name = '', before, after }: BundleChange): readonly DiffLine[] {
  if (before !== undefined && after !== undefined) return diffLines(before, after)
  const kind = before === undefined ? 'in' : 'out'
  return (before || after || name).split('\n').map((text) => ({ kind, text }))
}
