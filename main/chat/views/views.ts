// The views that are open. A page may close one and be gone before it does so: only so many are kept, the oldest go first.
import { toolInterface } from '#app/apps/tool-interface.ts'
import { longestViewLog, longestViewWords, type OpenedView } from '#app/apps/view.ts'
import type { ToolCall } from '#app/chat/message.ts'
import { isToolOff } from '#app/chat/tool-switches.ts'
import { definitionOf } from '#app/consent/tool-definition.ts'
import { HostError } from '#app/errors.ts'
import { isJsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { orAborted } from '../abort.ts'
import { keepAttachment } from '../attachments/keep.ts'
import type { ChatOptions } from '../deps.ts'
import type { RunningCalls } from '../running.ts'
import type { ToldRoots } from '../told-roots.ts'
import { folderOf, isServerOffered } from '../tools/offered.ts'
import { viewResultOf } from './as-result.ts'
import { createViewDocuments } from './documents.ts'
import { readDomains } from './domains.ts'
import { createPace, type Pace } from './pace.ts'
import { readViewResource, unreadable } from './resource.ts'
import type { Views } from './types.ts'
import { runForView } from './view-call.ts'

export interface ViewDeps {
  readonly deps: ChatOptions
  readonly running: RunningCalls
  readonly toldRoots: Pick<ToldRoots, 'beforeCall'>
}

interface OpenView {
  readonly conversationId: string
  readonly callId: string
  readonly server: string
  readonly tool: string
  readonly uri: string
  readonly control: AbortController
  readonly pace: Pace
  readonly logging: Pace
  /** The person stopped it: it asks for nothing more. */
  stopped: boolean
}

const mostOpen = 32

export function createViews({ deps, running, toldRoots }: ViewDeps): Views {
  const { store, servers, broker, clock } = deps
  const open = new Map<string, OpenView>()
  const documents = createViewDocuments()
  const ended = new AbortController()

  const known = (id: string): OpenView => {
    const view = open.get(id)
    if (view) return view
    throw new HostError('view.gone', t`This view is not open any more.`)
  }
  const asking = (id: string): OpenView => {
    const view = known(id)
    if (view.stopped) throw new HostError('view.refused', t`The person stopped this view.`)
    return view
  }
  const findCall = (conversationId: string, callId: string): ToolCall | undefined => {
    for (const message of store.conversations.messages(conversationId))
      if (message.role === 'assistant')
        for (const part of message.parts) if (part.kind === 'tool-call' && part.call.id === callId) return part.call
    return undefined
  }
  const entryOf = (server: string, tool: string) => servers.catalogue(server).tools.find(({ name }) => name === tool)

  function close(id: string): void {
    documents.remove(id)
    open.get(id)?.control.abort()
    open.delete(id)
  }

  return {
    async open({ conversationId, callId, agreed }): Promise<OpenedView> {
      const call = findCall(conversationId, callId)
      if (call?.view === undefined || call.server === undefined || call.tool === undefined)
        throw new HostError('view.gone', t`There is no such call, or it has no interface.`)
      const { server, tool, view: uri } = call
      const definition = servers.view(server)?.definition
      if (!definition) throw new HostError('server.unknown', t`There is no server named “${server}”.`, { data: { server } })
      const read = await orAborted(servers.readResource(server, uri, { signal: ended.signal }), ended.signal).catch((error: unknown) => {
        throw isProtocolError(error) ? unreadable(server, uri, t`it answered: ${error.message}`) : error
      })
      const listed = servers.catalogue(server).resources.find((one) => one.uri === uri)?._meta
      const resource = readViewResource(read, { server, uri, listed })
      const { domains, refused } = readDomains(resource.csp, 'url' in definition ? definition.url : undefined)
      const { html } = resource
      const { fingerprint, approval } = broker.view({ server, tool, uri, html, domains, conversationId, callId, agreed })
      const facts = { server, uri, domains, refused: [...refused], refusedPermissions: [...resource.permissions] }
      if (!approval) return { kind: 'asks', ...facts, fingerprint }
      const id = documents.add(approval)
      const pace = createPace({ clock, burst: 20, perSecond: 1, atOnce: 4 })
      const logging = createPace({ clock, burst: 50, perSecond: 1, atOnce: 50 })
      open.set(id, { conversationId, callId, server, tool, uri, control: new AbortController(), pace, logging, stopped: false })
      for (const oldest of open.keys()) if (open.size > mostOpen) close(oldest)
      const entry = entryOf(server, tool)
      return {
        kind: 'ready',
        ...facts,
        id,
        tool: entry ? definitionOf(entry) : { name: tool, inputSchema: { type: 'object' } },
        arguments: isJsonObject(call.arguments) ? call.arguments : {},
        border: resource.border,
      }
    },
    close,
    result(id) {
      const { conversationId, callId } = known(id)
      const call = findCall(conversationId, callId)
      return call ? viewResultOf(call.state, store.blobs) : { kind: 'cancelled', reason: t`The call is gone.` }
    },
    call(id, tool, args) {
      const view = asking(id)
      return view.pace.run(async () => {
        const { server, conversationId } = view
        const definition = servers.view(server)?.definition
        const entry = definition?.enabled ? entryOf(server, tool) : undefined
        const conversation = store.conversations.get(conversationId)
        const isOn =
          conversation !== undefined &&
          isServerOffered(conversation, folderOf(store, conversation), server) &&
          !isToolOff(conversation.tools, server, tool)
        if (!definition || !entry?.enabled || !toolInterface(entry).forApp || !isOn)
          throw new HostError('tool.unknown', t`“${server}” has no tool “${tool.slice(0, 200)}” for its views.`, { data: { server } })
        const onStop = (): void => {
          view.stopped = true
        }
        return runForView({ deps, running, toldRoots }, { ...view, onStop }, entry, args, definition)
      })
    },
    read(id, uri) {
      const { server, control, pace } = asking(id)
      return pace.run(() => orAborted(servers.readResource(server, uri, { signal: control.signal }), control.signal))
    },
    openLink(id, url) {
      const { server, conversationId, callId, tool, control, pace } = asking(id)
      return pace.run(async () => {
        const answer = await broker.elicitUrl({ server, conversationId, view: { callId, tool }, message: '', url, signal: control.signal })
        if (answer.action !== 'accept' || !deps.openUrl) return false
        await deps.openUrl(answer.approval)
        return true
      })
    },
    async tell(id, words) {
      const { server, tool, uri, pace } = asking(id)
      const bytes = Buffer.from(words.slice(0, longestViewWords).toWellFormed(), 'utf8')
      return pace.run(async () => keepAttachment({ bytes, name: `What ${tool} shows`, from: { server, uri } }, store.looseBlobs))
    },
    log(id, level, text) {
      const { server, tool, logging } = known(id)
      // More than it may say is left out.
      logging.run(async () => servers.note(server, level, t`The view of ${tool}: ${text.slice(0, longestViewLog)}`)).catch(() => undefined)
    },
    forget(id) {
      const { server, uri } = known(id)
      broker.forgetView(server, uri)
    },
    document: (id) => documents.get(id),
    dispose() {
      ended.abort()
      for (const id of [...open.keys()]) close(id)
    },
  }
}
