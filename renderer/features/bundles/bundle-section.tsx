// The bundle that a server came from: version, signature, settings, and the ways to another version.

import { useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { InstalledBundle } from '#app/server/bundle/bundle-summary.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { PrimaryButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { CancelFooter, Dialog } from '#renderer/ui/dialog.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer, useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { ErrorNotice, Notice } from '#renderer/ui/notice.tsx'
import { Section } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { BundleFields, bundleConfigValues, enteredAtFirst, useBundleValues } from './bundle-fields.tsx'
import { BundleHead, BundleOrigin, SignatureLine } from './bundle-parts.tsx'
import { ChooseBundle } from './choose-bundle.tsx'
import './bundles.css'

/** Undefined until it is known, and for a server that is not from a bundle. Asked again with each change of the server. */
function useInstalledBundle(server: ServerSummary): InstalledBundle | undefined {
  const params = server.definition.transport === 'stdio' ? { server: server.name } : undefined
  const { value, error } = useHostAnswer('bundle.installed', params, server)
  return error ? undefined : (value?.bundle ?? undefined)
}

export function BundleSection({ server }: { readonly server: ServerSummary }) {
  const { ask, toast } = useActions()
  const bundle = useInstalledBundle(server)
  const [editing, setEditing] = useState<boolean>(false)
  if (!bundle) return null
  const { name } = server
  const goBack = async (): Promise<void> => {
    if (await ask('bundle.goBack', { server: name })) toast(t`“${name}” was restored.`)
  }
  return (
    <Section title={t`Bundle`}>
      <BundleHead facts={bundle.facts} />
      {bundle.previous ? (
        <Notice
          title={tx`Version ${<VisibleText text={bundle.previous.version} />} is kept until this one has started.`}
          action={
            <span className="row">
              <SmallButton onClick={() => void goBack()}>{t`Go back`}</SmallButton>
              <SmallGhostButton onClick={() => void ask('bundle.accept', { server: name })}>{t`Remove`}</SmallGhostButton>
            </span>
          }
        />
      ) : null}
      <SignatureLine signature={bundle.signature} />
      {bundle.download ? <BundleOrigin download={bundle.download} /> : null}
      <VisibleText as="p" className="help mono wrap-any" text={bundle.folder} />
      <p className="row wrap">
        {bundle.fields.length > 0 ? <SmallButton onClick={() => setEditing(true)}>{t`Settings…`}</SmallButton> : null}
        <ChooseBundle size="sm" server={name}>
          {t`Update from a bundle`}
        </ChooseBundle>
      </p>
      {editing ? <BundleSettings bundle={bundle} onClose={() => setEditing(false)} /> : null}
    </Section>
  )
}

function BundleSettings({ bundle, onClose }: { readonly bundle: InstalledBundle; readonly onClose: () => void }) {
  const { error, setError, submit } = useSubmit()
  const { fields, server } = bundle
  const body = useRef<HTMLDivElement>(null)
  const form = useBundleValues(body, () => enteredAtFirst(fields))
  const save = async (): Promise<void> => {
    setError(undefined)
    if (!form.check(fields)) return
    const done = await submit('bundle.configure', { server, values: { ...bundleConfigValues(fields, form.entered) } })
    if (done.ok) onClose()
    else if (form.showHostError(fields, done.error)) setError(undefined)
  }
  return (
    <Dialog
      onClose={onClose}
      title={t`Settings`}
      footer={
        <CancelFooter note={t`A changed command asks before it runs.`} onCancel={onClose}>
          <PrimaryButton onClick={() => void save()}>{t`Save`}</PrimaryButton>
        </CancelFooter>
      }
    >
      <div className="stack" ref={body}>
        <BundleFields fields={fields} form={form} />
        {error ? <ErrorNotice error={error} /> : null}
      </div>
    </Dialog>
  )
}
