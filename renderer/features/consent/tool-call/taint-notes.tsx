// The servers that marked words came from, with a link to the call, resource or prompt that gave them. A mark is no accusation.
import type { ReactNode } from 'react'
import type { ToolCallRequest } from '#app/consent/request.ts'
import type { Taints } from '#app/consent/taint/taint.ts'
import { t } from '#app/i18n/translate.ts'
import { pointerNames } from '#app/json.ts'
import { isLocal } from '#app/server/definition.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { focusCall, focusSoon } from '#renderer/navigation/focus.ts'
import { navigate } from '#renderer/router.ts'
import { useServers } from '#renderer/stores/store-hooks.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { listNodes, tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'

/** Number of names that are shown; further ones are counted. */
const MOST_SHOWN = 5

export function TaintNotes({ request }: { readonly request: ToolCallRequest }) {
  const { flows, server } = request
  if (!flows) return null
  const origins = [...flows.origins.keys()]
  const others = origins.filter((index) => flows.origins[index]?.server !== server)
  const own = origins.filter((index) => flows.origins[index]?.server === server)
  return (
    <>
      {others.slice(0, MOST_SHOWN).map((index) => (
        <TaintNote key={index} request={request} flows={flows} origin={index} />
      ))}
      {others.length > MOST_SHOWN && <p className="help">{t`And words of ${others.length - MOST_SHOWN} more calls.`}</p>}
      {flows.unseen && (
        <div className="flownote">
          <Icon name="flow" small />
          <div>{tx`${<b>{t`There was too much to look through.`}</b>} What is not marked may still have come from another server.`}</div>
        </div>
      )}
      {own.length > 0 && others.length === 0 && (
        <p className="help">{tx`Words in ${places(flows, own)} are from ${<ServerName name={server} />} itself.`}</p>
      )}
    </>
  )
}

interface TaintNoteProps {
  readonly request: ToolCallRequest
  readonly flows: Taints
  readonly origin: number
}

function TaintNote({ request: { server, conversationId }, flows, origin }: TaintNoteProps) {
  const from = flows.origins[origin]
  const leaves = useServers(({ list }) => isHere(list, from?.server) && !isHere(list, server))
  if (!from) return null
  const show = (): void => {
    if ('messageId' in from) {
      if (conversationId !== undefined) navigate({ page: 'chat', id: conversationId, at: from.messageId })
      return
    }
    if (focusCall(from.callId) || conversationId === undefined) return
    // A sheet may cover the chat. Closing it decides nothing.
    navigate({ page: 'chat', id: conversationId }, { replace: true })
    focusSoon(() => focusCall(from.callId))
  }
  const whose = <ServerName name={from.server} />
  const where = places(flows, [origin])
  const source = (
    <button type="button" className="link mono" onClick={show}>
      <VisibleText text={'resource' in from ? from.resource : 'prompt' in from ? from.prompt : from.tool} />
    </button>
  )
  return (
    <div className="flownote">
      <Icon name="flow" small />
      <div>
        <b>
          {leaves ? tx`Text from ${whose} would leave this computer.` : tx`Text from ${whose} would go to ${<ServerName name={server} />}.`}
        </b>{' '}
        {'resource' in from
          ? tx`Words in ${where} are from its resource ${source}.`
          : 'prompt' in from
            ? tx`Words in ${where} are from its prompt ${source}.`
            : tx`Words in ${where} are from its ${source}.`}
      </div>
    </div>
  )
}

const isHere = (list: readonly ServerSummary[], name: string | undefined): boolean =>
  list.some((view) => view.name === name && isLocal(view.definition))

/** "`body`, `to` and 2 more": arguments that hold words of these origins. */
function places(flows: Taints, origins: readonly number[]): ReactNode {
  const marks = flows.marks.filter(({ origin }) => origins.includes(origin))
  const names = [...new Set(marks.map(({ argument }) => pointerNames(argument)[0] ?? argument))]
  const shown = names.slice(0, MOST_SHOWN).map((name) => <VisibleText key={name} className="mono" text={name} />)
  return listNodes(names.length > MOST_SHOWN ? [...shown, t`${names.length - MOST_SHOWN} more`] : shown)
}
