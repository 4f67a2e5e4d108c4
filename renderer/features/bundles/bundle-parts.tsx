// Parts of the review of a bundle: author, signature, command, compatibility, contents. What a bundle says is somebody else's
// text: never markup, with hidden characters named.

import { t } from '#app/i18n/translate.ts'
import type { BundleDownload } from '#app/server/bundle/bundle-download.ts'
import type { SignatureSummary } from '#app/server/bundle/bundle-signature.ts'
import type { BundleChange, BundleFacts, BundleSummary } from '#app/server/bundle/bundle-summary.ts'
import type { Concern } from '#app/server/bundle/command-warnings.ts'
import type { FitCheck } from '#app/server/bundle/compatibility.ts'
import { ChangedParts } from '#renderer/features/consent/tool-call/diff-view.tsx'
import { Badge, ServerMark } from '#renderer/ui/icon.tsx'
import { type DiffLine, diffLines } from '#renderer/ui/lib/text-diff.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice, WarnNotice } from '#renderer/ui/notice.tsx'
import { Section } from '#renderer/ui/text/section.tsx'
import { AddressName, VisibleText, visibleTextOf } from '#renderer/ui/visible-text.tsx'
import { bundleTypeLabels, changeTitle, concernLabel, fitLabel, linkLabels, signatureLabel } from './bundle-labels.ts'

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
          <VisibleText className="strong" text={facts.displayName} />
          <Badge mono>
            <VisibleText text={facts.version} />
          </Badge>
          <Badge>{bundleTypeLabels[facts.type]}</Badge>
        </p>
        <p className="faint">
          {tx`by ${<VisibleText text={facts.author.name} />}`}
          {facts.license ? <VisibleText text={` · ${facts.license}`} /> : null}
        </p>
      </div>
    </div>
  )
}

export function SignatureLine({ signature }: { readonly signature: SignatureSummary }) {
  const [tone, title, more] = signatureLabel(signature)
  return (
    <Notice
      tone={tone}
      icon={tone === 'plain' ? (signature.kind === 'none' ? 'info' : 'key') : 'warning'}
      title={<VisibleText text={title} />}
    >
      <VisibleText text={more} />
    </Notice>
  )
}

export function BundleConcerns({ concerns }: { readonly concerns: readonly Concern[] }) {
  return concerns.map((concern, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: two of them may say the same of different words
    return <WarnNotice key={index} title={<VisibleText text={concernLabel(concern)} />} />
  })
}

export function BundleFit({ fit }: { readonly fit: readonly FitCheck[] }) {
  if (fit.length === 0) return null
  return (
    <ul className="bundle-fit">
      {fit.map((check) => (
        <li key={`${check.what} ${check.name ?? ''}`} className={check.fits === 'no' ? 'warntext' : 'dim'}>
          <Badge tone={check.fits === 'no' ? 'warn' : 'grey'}>
            {check.fits === 'yes' ? t`fits` : check.fits === 'no' ? t`does not fit` : t`unknown`}
          </Badge>{' '}
          <VisibleText text={fitLabel(check)} />
        </li>
      ))}
    </ul>
  )
}

export function BundleCommandLine({ command }: Pick<BundleSummary, 'command'>) {
  const words = [
    ...command.args.map((arg, index) => [String(index + 1), arg] as const),
    ...Object.entries(command.env).map(([name, value]) => [t`Variable`, `${name}=${value}`] as const),
  ]
  return (
    <Section title={t`What it runs`}>
      <p className="help">{t`A changed command asks before it runs.`}</p>
      <div className="cmdline">
        <div>
          <span>{t`Program`}</span>
          <VisibleText as="b" text={command.command} />
        </div>
        {words.map(([label, word]) => (
          <div key={`${label} ${word}`}>
            <span>{label}</span>
            <VisibleText as="div" className="arg-word" text={word} />
          </div>
        ))}
      </div>
    </Section>
  )
}

export function BundleOrigin({ download }: { readonly download: BundleDownload }) {
  const { url, sha256, checked } = download
  return (
    <Notice
      tone={checked ? 'plain' : 'warn'}
      icon={checked ? 'check' : 'warning'}
      title={checked ? t`The SHA-256 matches the registry.` : t`The registry gives no SHA-256.`}
    >
      {tx`From ${<AddressName url={url} />}.`}
      <span className="mono wrap-any block">{tx`SHA-256 ${sha256}`}</span>
    </Notice>
  )
}

const shownAtOnce = 8

export function BundleCapabilities({ facts }: { readonly facts: BundleFacts }) {
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
        <VisibleText className="mono" text={name} /> <VisibleText className="dim" text={description} />
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
      {more ? <p className="help">{t`More appear as it runs.`}</p> : null}
    </section>
  )
}

export function BundleLinks({ facts }: { readonly facts: BundleFacts }) {
  const { links, longDescription } = facts
  if (links.length === 0 && longDescription === undefined) return null
  return (
    <details>
      <summary>{t`Details`}</summary>
      <div className="stack">
        {longDescription === undefined ? null : <VisibleText as="p" className="bundle-text" text={longDescription.slice(0, 20_000)} />}
        <dl className="kv">
          {links.map(({ what, url }, index) => (
            <div key={String(index)} className="contents">
              <dt>{linkLabels[what]}</dt>
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

export function BundleChanges({ changes }: { readonly changes: readonly BundleChange[] }) {
  if (changes.length === 0) return <p className="help">{t`Only its files may differ.`}</p>
  return (
    <div className="stack">
      <ChangedParts parts={changes.map((change) => ({ title: visibleTextOf(changeTitle(change)), note: '', lines: linesOf(change) }))} />
    </div>
  )
}

/** A part that is new or gone is shown whole; one without a text, by its name. */
function linesOf({ name = '', before, after }: BundleChange): readonly DiffLine[] {
  if (before !== undefined && after !== undefined) return diffLines(before, after)
  const kind = before === undefined ? 'in' : 'out'
  return (before || after || name).split('\n').map((text) => ({ kind, text }))
}
