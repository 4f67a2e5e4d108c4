// One change of another app's file: the diff, which of its servers move to Assent, and the question about those that are new here.
import { useEffect, useState } from 'react'
import type { LinkedApp } from '#app/contract/gate-requests.ts'
import type { RequestResult } from '#app/contract/requests.ts'
import { t } from '#app/i18n/translate.ts'
import { hostNames } from '#app/server/import/app-names.ts'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { DiffView } from '#renderer/features/consent/tool-call/diff-view.tsx'
import { useActions, useConsent } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CancelFooter, Dialog } from '#renderer/ui/dialog.tsx'
import { Checkbox } from '#renderer/ui/field.tsx'
import { useHostAnswer, useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { ErrorNotice, Loading } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

export type LinkTo = 'connect' | 'disconnect' | 'renew'

interface LinkDialogProps {
  readonly app: LinkedApp
  readonly to: LinkTo
  readonly onClose: () => void
}

export function LinkDialog({ app, to, onClose }: LinkDialogProps) {
  const name = hostNames()[app.host]
  const [move, setMove] = useState<readonly string[]>([])
  const [asking, setAsking] = useState(false)
  const { value: plan, error: refused, loading, reload } = useHostAnswer('appLink.preview', { app: app.id, to, move: [...move] })
  const { busy, error, submit } = useSubmit()
  const { attempt, toast } = useActions()
  const titles = { connect: t`Connect ${name}`, disconnect: t`Disconnect ${name}`, renew: t`New token for ${name}` }

  const write = async (change: string): Promise<void> => {
    const done = await submit('appLink.apply', { change })
    if (!done.ok) return reload()
    const undo = async (): Promise<void> => {
      const back = await attempt('appLink.preview', { app: app.id, to: 'disconnect' })
      if (back.ok) await submit('appLink.apply', { change: back.value.change })
    }
    onClose()
    if (to !== 'disconnect') toast(t`Restart ${name}, then it uses Assent.`, { action: { label: t`Undo`, run: () => void undo() } })
  }
  const press = async (): Promise<void> => {
    if (!plan || loading || busy || asking) return
    if (move.every((one) => app.servers.some((server) => server.name === one && server.here))) return write(plan.change)
    setAsking(true)
    const taken = await importServers(attempt, app, move)
    setAsking(false)
    if (taken) await write(plan.change)
  }
  const toggle = (server: string, on: boolean): void => setMove(on ? [...move, server] : move.filter((one) => one !== server))
  return (
    <Dialog
      onClose={onClose}
      title={titles[to]}
      width={720}
      footer={
        <CancelFooter onCancel={onClose}>
          <Button variant="primary" aria-disabled={!plan || loading || busy || asking} onClick={() => void press()}>
            {to === 'disconnect' ? t`Disconnect` : to === 'renew' ? t`Replace` : t`Connect`}
          </Button>
        </CancelFooter>
      }
    >
      <div className="stack">
        {(error ?? refused) ? <ErrorNotice error={(error ?? refused) as NonNullable<typeof error>} onRetry={reload} /> : null}
        {to === 'connect' && app.servers.length > 0 ? (
          <fieldset className="moves">
            <legend className="strong">{t`Move to Assent`}</legend>
            {app.servers.map((server) => (
              <Checkbox
                key={server.name}
                label={<VisibleText text={server.name} />}
                help={server.here ? t`here already` : undefined}
                checked={move.includes(server.name)}
                disabled={asking || busy}
                onChange={(on) => toggle(server.name, on)}
              />
            ))}
          </fieldset>
        ) : null}
        {asking ? <ImportQuestion /> : null}
        {plan ? <Change plan={plan} /> : refused ? null : <Loading />}
        {app.host === 'claude-desktop' ? <p className="help">{t`Quit ${name} first: it writes this file too.`}</p> : null}
      </div>
    </Dialog>
  )
}

function Change({ plan: { path, before, after } }: { readonly plan: RequestResult<'appLink.preview'> }) {
  return (
    <>
      <VisibleText className="mono wrap-any" text={path} />
      <DiffView before={before ?? undefined} after={after ?? ''} label={t`What changed`} />
    </>
  )
}

/** Import of the servers that move and are new here: the same question as anywhere. */
function ImportQuestion() {
  const request = useConsent((state) => state.requests.find((one) => one.kind === 'config-import'))
  useEffect(() => {
    if (request) document.querySelector<HTMLElement>(`[data-request="${request.id}"] h2`)?.focus()
  }, [request])
  return request ? <ConsentCard key={request.id} request={request} /> : <Loading />
}

/** Asks about the servers of a file that are not here yet. True: Assent has all of them. */
async function importServers(attempt: ReturnType<typeof useActions>['attempt'], app: LinkedApp, move: readonly string[]): Promise<boolean> {
  const found = await attempt('appImport.look', { place: app.path })
  if (!found.ok) return false
  const servers = found.value.hosts
    .flatMap(({ files }) => files.filter(({ path }) => path === app.path).flatMap((file) => file.servers))
    .filter(({ name, state, project }) => move.includes(name) && state.kind === 'new' && project === undefined)
    .map(({ id, name }) => ({ id, name, replace: false }))
  if (servers.length === 0) return true
  const taken = await attempt('appImport.take', { servers })
  return taken.ok && taken.value.taken.length === servers.length
}
