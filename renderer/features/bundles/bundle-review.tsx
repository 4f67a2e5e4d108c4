import { useRef, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { type BundleSummary, type BundleUpdate, isQuestionable } from '#app/server/bundle/bundle-summary.ts'
import { isServerName } from '#app/server/definition.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { navigate } from '#renderer/router.ts'
import { useActions, useServers } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CancelFooter, Dialog } from '#renderer/ui/dialog.tsx'
import { RadioList, TextField } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { ErrorNotice, WarnNotice } from '#renderer/ui/notice.tsx'
import { Section } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { BundleFields, bundleConfigValues, enteredAtFirst, useBundleValues } from './bundle-fields.tsx'
import { bundleUpdateLabel } from './bundle-labels.ts'
import {
  BundleCapabilities,
  BundleChanges,
  BundleCommandLine,
  BundleConcerns,
  BundleFit,
  BundleHead,
  BundleLinks,
  BundleOrigin,
  SignatureLine,
} from './bundle-parts.tsx'
import './bundles.css'

interface BundleReviewProps {
  readonly view: BundleSummary
  /** Name of the server that the person wants to update. */
  readonly server: string | undefined
  readonly onClose: () => void
}

export function BundleReview({ view, server, onClose }: BundleReviewProps) {
  const { attempt } = useActions()
  const names = useServers((state) => state.list).map(({ name }) => name)
  const offered = view.updates.filter((update) => update.sameOrigin)
  const strangers = view.updates.filter((update) => !update.sameOrigin)
  const wanted = offered.find((update) => update.server === server) ?? offered[0]
  /** Name of the server that is replaced; '': none. */
  const [target, setTarget] = useState(wanted?.server ?? '')
  const update = offered.find((one) => one.server === target)
  const fields = update?.fields ?? view.fields
  const [name, setName] = useState(view.suggestedName)
  const { busy, error, setError, submit } = useSubmit()
  const body = useRef<HTMLDivElement>(null)
  const title = useRef<HTMLDivElement>(null)
  const form = useBundleValues(body, () => ({ ...enteredAtFirst(view.fields), ...(wanted ? enteredAtFirst(wanted.fields) : {}) }))

  const nameError = update ? undefined : nameFault(name.trim(), names)
  const questionable = isQuestionable(view)

  const install = async (): Promise<void> => {
    const to = update?.server ?? name.trim()
    const values = { ...bundleConfigValues(fields, form.entered) }
    setError(undefined)
    const done = await submit(update ? 'bundle.update' : 'bundle.install', { id: view.id, server: to, values })
    if (!done.ok) return form.showHostError(fields, done.error) ? setError(undefined) : undefined
    onClose()
    navigate({ page: 'servers', name: to })
    // The question comes first: starting is what asks for the launch.
    void attempt('server.start', { name: to })
  }
  const check = (): void => {
    if (!busy && form.check(fields, nameError ? 'name' : undefined)) void install()
  }

  return (
    <Dialog
      onClose={onClose}
      width={680}
      title={update ? t`Update from a bundle` : t`Install a bundle`}
      initialFocus={title}
      footer={
        <CancelFooter note={t`Nothing runs yet.`} onCancel={onClose}>
          <Button variant={questionable ? 'plain' : 'primary'} aria-disabled={busy} onClick={check}>
            {update ? t`Update` : questionable ? t`Install anyway` : t`Install`}
          </Button>
        </CancelFooter>
      }
    >
      <div ref={body} className="stack bundle">
        <div ref={title} tabIndex={-1} className="stack">
          <BundleHead facts={view.facts} />
          <VisibleText as="p" className="bundle-text" text={view.facts.description} />
        </div>
        <SignatureLine signature={view.signature} />
        {view.download ? <BundleOrigin download={view.download} /> : null}
        {strangers.map((one) => (
          <WarnNotice key={one.server} title={t`It has the name of “${one.server}”, but another author.`} />
        ))}
        <BundleConcerns concerns={view.concerns} />
        <UpdateChoice offered={offered} version={view.facts.version} target={target} onTarget={setTarget} />
        <BundleFit fit={view.fit} />
        <BundleCommandLine command={view.command} />
        <BundleCapabilities facts={view.facts} />
        <BundleLinks facts={view.facts} />
        {update && fields.length === 0 ? null : (
          <Section title={fields.length > 0 ? t`Settings` : t`Name`}>
            {update ? null : (
              <TextField place="name" label={t`Name`} error={form.checked ? nameError : undefined} value={name} onText={setName} />
            )}
            <BundleFields fields={fields} form={form} />
          </Section>
        )}
        <p className="help num">
          {tx`${<VisibleText text={view.file} />}, ${formatBytes(view.bytes)}; ${formatNumber(view.files)} files, ${formatBytes(view.unpackedBytes)} unpacked.`}
        </p>
        {error ? <ErrorNotice error={error} /> : null}
      </div>
    </Dialog>
  )
}

interface UpdateChoiceProps {
  readonly offered: readonly BundleUpdate[]
  readonly version: string
  /** Name of the server that is updated; '': none. */
  readonly target: string
  readonly onTarget: (server: string) => void
}

/** Choice between updating a server and installing beside, with what an update changes. */
function UpdateChoice({ offered, version, target, onTarget }: UpdateChoiceProps) {
  const update = offered.find((one) => one.server === target)
  return (
    <>
      {offered.length > 0 ? (
        <RadioList
          label={t`Install`}
          value={target}
          onChange={onTarget}
          choices={[
            ...offered.map((one) => ({ value: one.server, label: bundleUpdateLabel(one, version) })),
            { value: '', label: t`Install as another server` },
          ]}
        />
      ) : null}
      {update ? (
        <Section title={t`What changes`}>
          <BundleChanges changes={update.changes} />
        </Section>
      ) : null}
    </>
  )
}

function nameFault(name: string, taken: readonly string[]): string | undefined {
  if (!isServerName(name)) return t`Use 1 to 64 visible characters.`
  return taken.includes(name) ? t`There is a server named “${name}” already.` : undefined
}
