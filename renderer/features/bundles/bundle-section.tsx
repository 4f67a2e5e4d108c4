// Of a server that came as a bundle: which version, who signed it, its settings, and the ways to another version.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { InstalledBundle } from '#app/server/bundle/bundle-summary.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { useActions, useStores } from '#renderer/stores/store-hooks.tsx'
import { showToast } from '#renderer/stores/view-state.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { BundleFields, bundleConfigValues, enteredAtFirst, useBundleValues } from './bundle-fields.tsx'
import { BundleHead, BundleOrigin, SignatureLine } from './bundle-parts.tsx'
import { ChooseBundle } from './choose-bundle.tsx'
import './bundles.css'

/** Undefined until it is known, and for a server that is not from a bundle. Asked anew with each change of the server. */
function useInstalledBundle(server: ServerSummary): InstalledBundle | undefined {
  const { attempt } = useActions()
  const [bundle, setBundle] = useState<InstalledBundle | undefined>(undefined)
  const { name, definition, state } = server
  const isLocal = definition.transport === 'stdio'
  const load = useCallback(async () => {
    const found = isLocal ? await attempt('bundle.installed', { server: name }) : undefined
    setBundle(found?.ok ? (found.value.bundle ?? undefined) : undefined)
  }, [attempt, name, isLocal])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it is started with, and that it started, change what is kept of it
  useEffect(() => void load(), [load, definition, state.kind])
  return bundle
}

export function BundleSection({ server }: { readonly server: ServerSummary }) {
  const { ask } = useActions()
  const { view } = useStores()
  const bundle = useInstalledBundle(server)
  const [editing, setEditing] = useState<boolean>(false)
  if (!bundle) return null
  const { name } = server
  const goBack = async (): Promise<void> => {
    if (await ask('bundle.goBack', { server: name })) showToast(view, t`“${name}” is as it was before the update.`)
  }
  return (
    <section className="sec">
      <h3>{t`Bundle`}</h3>
      <BundleHead facts={bundle.facts} />
      {bundle.previous ? (
        <Notice
          title={tx`Version ${<VisibleText text={bundle.previous.version} />} is kept until this one has started.`}
          action={
            <span className="row">
              <Button size="sm" onClick={() => void goBack()}>
                {t`Go back to it`}
              </Button>
              <Button size="sm" variant="ghost" onClick={() => void ask('bundle.accept', { server: name })}>
                {t`Remove it`}
              </Button>
            </span>
          }
        />
      ) : null}
      <SignatureLine signature={bundle.signature} />
      {bundle.download ? <BundleOrigin download={bundle.download} /> : null}
      <p className="help mono wrap-any">
        <VisibleText text={bundle.folder} />
      </p>
      <p className="row wrap">
        {bundle.fields.length > 0 ? (
          <Button size="sm" onClick={() => setEditing(true)}>
            {t`Settings…`}
          </Button>
        ) : null}
        <ChooseBundle size="sm" server={name}>
          {t`Update from a file…`}
        </ChooseBundle>
      </p>
      {editing ? <BundleSettings bundle={bundle} onClose={() => setEditing(false)} /> : null}
    </section>
  )
}

function BundleSettings({ bundle, onClose }: { readonly bundle: InstalledBundle; readonly onClose: () => void }) {
  const { attempt } = useActions()
  const { fields, server } = bundle
  const body = useRef<HTMLDivElement>(null)
  const form = useBundleValues(body, () => enteredAtFirst(fields))
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  const save = async (): Promise<void> => {
    setError(undefined)
    if (!form.check(fields)) return
    const done = await attempt('bundle.configure', { server, values: { ...bundleConfigValues(fields, form.entered) } })
    if (done.ok) onClose()
    else if (!form.tell(fields, done.error)) setError(done.error)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Settings of “${server}”`}
      footer={
        <>
          <span className="help grow">{t`If it runs with other arguments then, you are asked before it starts.`}</span>
          <Button variant="ghost" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button variant="primary" onClick={() => void save()}>
            {t`Save`}
          </Button>
        </>
      }
    >
      <div className="stack" ref={body}>
        <BundleFields fields={fields} entered={form.entered} errors={form.errors(fields)} onChange={form.change} />
        {error ? <ErrorNotice error={error} /> : null}
      </div>
    </Dialog>
  )
}
