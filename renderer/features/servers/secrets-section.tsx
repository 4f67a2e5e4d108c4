// The secrets of one server: which are kept, which are missing, and which still stand in the file as plain text. Values are
// never shown: one can be replaced or forgotten.
import { useState } from 'react'
import type { ServerInput } from '#app/server/input.ts'
import type { ServerView } from '#app/server/view.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'
import { showToast } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { SecretEntry } from './secret-entry.tsx'
import { keptWords, memoryWords, useSecretKeeper } from './secret-words.ts'

export function SecretsSection({ server }: { readonly server: ServerView }) {
  const { name, inputs, plainSecrets } = server
  if (inputs.length === 0 && plainSecrets.length === 0) return null
  return (
    <section className="sec">
      <h3>Secrets</h3>
      {plainSecrets.length > 0 ? <PlainSecrets name={name} names={plainSecrets} /> : null}
      {inputs.length > 0 ? (
        <ul className="lines">
          {inputs.map((input) => (
            <SecretRow key={input.id} server={server} input={input} />
          ))}
        </ul>
      ) : null}
    </section>
  )
}

function PlainSecrets({ name, names }: { readonly name: string; readonly names: readonly string[] }) {
  const { ask, go } = useActions()
  const { view } = useStores()
  const keeper = useSecretKeeper()
  const move = async (): Promise<void> => {
    const done = await ask('server.keepSecrets', { name, names: [...names] })
    if (!done) return
    const undo = { label: 'Undo', run: () => go('server.putBackSecrets', { name }) }
    showToast(view, names.length === 1 ? 'Moved to the keyring.' : `${names.length} secrets moved to the keyring.`, { action: undo })
  }
  const title = <Revealed text={`${names.join(', ')} ${names.length === 1 ? 'stands' : 'stand'} in servers.json as plain text.`} />
  if (keeper === 'memory') {
    return (
      <Notice icon="lock" title={title}>
        {memoryWords} So the file is left as it is.
      </Notice>
    )
  }
  return (
    <Notice
      icon="lock"
      title={title}
      action={
        <Button size="sm" onClick={() => void move()}>
          Move to the keyring
        </Button>
      }
    >
      Whoever reads the file reads {names.length === 1 ? 'it' : 'them'} too. Once moved, the file only names{' '}
      {names.length === 1 ? 'it' : 'them'}.
    </Notice>
  )
}

function SecretRow({ server, input }: { readonly server: ServerView; readonly input: ServerInput }) {
  const { ask, attempt } = useActions()
  const { view } = useStores()
  const keeper = useSecretKeeper()
  const [entering, setEntering] = useState(false)
  const running = server.state.kind === 'ready'
  const { name } = server

  const kept = (): void => {
    setEntering(false)
    if (!running) return
    const restart = { label: 'Restart', run: () => void attempt('server.restart', { name }) }
    showToast(view, `Kept. ${name} gets it at its next start.`, { action: restart })
  }
  const forget = async (): Promise<void> => {
    if (await ask('server.forgetSecret', { name, id: input.id })) showToast(view, `${input.id} is forgotten.`)
  }
  const about = input.from === undefined ? keptWords(keeper) : `from ${input.from}, for this run`
  return (
    <li className="secret-line">
      <div className="row wrap">
        <Icon name="key" small />
        <span className="mono wrap-any">
          <Revealed text={input.id} />
        </span>
        {input.set ? <span className="help">{about}</span> : <Badge tone="warn">not entered</Badge>}
        {input.shared ? <Badge>shared</Badge> : null}
        <span className="grow" />
        {entering || input.from !== undefined ? null : (
          <>
            <Button size="sm" aria-label={`${input.set ? 'Replace' : 'Enter'} ${input.id}`} onClick={() => setEntering(true)}>
              {input.set ? 'Replace' : 'Enter'}
            </Button>
            {input.set ? (
              <Button size="sm" variant="ghost" className="quiet" aria-label={`Forget ${input.id}`} onClick={() => void forget()}>
                Forget
              </Button>
            ) : null}
          </>
        )}
      </div>
      {input.description === undefined || entering ? null : (
        <p className="help">
          <Revealed text={input.description} />
        </p>
      )}
      {entering ? <SecretEntry server={name} inputs={[input]} label="Keep" onDone={kept} onCancel={() => setEntering(false)} /> : null}
    </li>
  )
}
