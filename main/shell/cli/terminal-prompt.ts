// Consent on a terminal: shows the whole request with hidden characters named, then asks y or n. Enter alone is no. Requests come one at a
// time, on stderr, so that stdout stays the command's.

import { createInterface } from 'node:readline'
import { disguisedLabel, disguisedParts } from '#app/consent/display/disguised-parts.ts'
import { consentSentence, whySentence } from '#app/consent/display/request-title.ts'
import { type ElicitationField, elicitationFields, fieldError } from '#app/consent/elicitation.ts'
import type { ConsentAnswer, ConsentRequest, LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import { flowPieces, joinPieces } from '#app/consent/rules/rule-labels.ts'
import type { SamplingPart } from '#app/consent/sampling.ts'
import { clientLabels, signInFacts } from '#app/consent/sign-in-warnings.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever, type Json } from '#app/json.ts'
import type { LaunchSandbox } from '#app/server/sandbox/sandbox-settings.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { isPunycode } from '#app/text/host-name.ts'
import { createWorkQueue } from '#main/base/work-queue.ts'
import { visible, visibleJson, visibleLine } from './output.ts'

interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Switches the echo of keys off; undefined: it cannot, so no secret is asked for. */
  readonly hide?: (hidden: boolean) => void
}

export function describeRequest(request: ConsentRequest): string {
  const lines = [visibleLine(consentSentence(request)), ...contentOf(request)]
  if (request.why.kind !== 'no-rule' && request.why.kind !== 'server-asks') lines.push(whySentence(request.why))
  return lines.join('\n')
}

function contentOf(request: ConsentRequest): string[] {
  switch (request.kind) {
    case 'tool-call':
      return [
        labelled(t`Tool`, visibleLine(request.tool)),
        labelled(t`Arguments`, visible(request.argumentsText)),
        ...(request.privateFlow ? [visibleLine(joinPieces(flowPieces(request.privateFlow, request.server)))] : []),
      ]
    case 'launch': {
      const { target } = request
      const changed = request.changedValues?.map((name) => t`the value of ${name} has changed`) ?? []
      if (request.valuesUnknown) changed.push(t`its secret values may have changed`)
      const before = request.previous ? [t`It was:`, ...targetLines(request.previous)] : []
      const disguised = disguisedParts(target).map((part) => disguisedLabel(part, visibleLine))
      return [...targetLines(target), ...before, ...notes([...disguised, ...changed])]
    }
    case 'elicitation-form':
      return [labelled(t`Message`, visible(request.message))]
    case 'elicitation-url':
      return [
        labelled(t`Message`, visible(request.message)),
        labelled(t`Address`, visibleLine(request.url)),
        ...notes(isPunycode(request.url) ? [t`Letters of another alphabet`] : []),
      ]
    case 'sign-in': {
      const { otherDomain, otherPage, lookAlike } = signInFacts(request)
      return [
        labelled(t`Issuer`, visibleLine(request.issuer)),
        labelled(t`Tokens only for`, visibleLine(request.resource)),
        ...named(t`Scopes`, request.scopes),
        ...named(t`granted`, request.granted),
        labelled(t`Client`, clientLabels()[request.client]),
        labelled(t`Address`, visibleLine(request.url)),
        ...notes([
          ...(otherDomain ? [t`The server is at ${otherDomain.server}, the sign-in at ${otherDomain.issuer}.`] : []),
          ...(otherPage ? [t`The page is of ${otherPage.page}, not of ${otherPage.issuer}.`] : []),
          ...(lookAlike ? [t`Letters of another alphabet`] : []),
        ]),
      ]
    }
    case 'sampling':
      return [
        labelled(t`Model`, t`${visibleLine(request.model)}, at most ${request.maxTokens} tokens`),
        ...(request.systemPrompt === undefined ? [] : [labelled(t`System prompt`, visible(request.systemPrompt))]),
        ...request.messages.flatMap(({ role, parts }) => parts.map((part) => labelled(role, partWords(part)))),
        ...request.tools.map(({ name, description = '' }) => labelled(t`Tool`, `${visibleLine(name)}  ${visible(description)}`)),
      ]
    case 'sampling-result':
      return [
        labelled(t`Model`, visibleLine(request.model)),
        ...(request.text === '' ? [] : [labelled(t`Answer`, visible(request.text))]),
        ...request.calls.map(({ name, input }) => labelled(t`Call`, `${visibleLine(name)}  ${visibleJson(input)}`)),
      ]
    case 'roots':
      return [labelled(t`Folders`, visibleJson(request.roots.map(({ uri }) => uri)))]
    case 'tool-changed':
      return [labelled(t`Tool`, visibleLine(request.tool))]
    case 'config-import':
      return request.servers.flatMap(({ name, file, target, replaces }) => [
        labelled(t`Server`, replaces ? t`${visibleLine(name)}, in place of the one here` : visibleLine(name)),
        labelled(t`File`, visibleLine(file)),
        ...(target ? targetLines(target) : []),
      ])
    default:
      return assertNever(request)
  }
}

function targetLines(target: LaunchTarget): string[] {
  if (target.transport !== 'stdio') return [labelled(t`Address`, visibleLine(target.url)), ...named(t`Headers`, target.headerNames)]
  const words = [target.command, ...target.args].map((word) => visible(JSON.stringify(word)))
  return [
    labelled(t`Command`, words.join(' ')),
    ...named(t`Variables`, target.envNames),
    ...(target.variables ?? []).map(({ name, value, effect }) =>
      labelled(
        t`Variable`,
        `${visibleLine(name)}=${visibleLine(value)}  (${effect === 'code' ? t`chooses what runs` : t`chooses where it connects`})`,
      ),
    ),
    ...(target.sandbox?.kind === 'on' && target.sandbox.ownFolder
      ? [labelled(t`Folder`, t`a home folder of its own`)]
      : named(t`Folder`, [target.folder ?? target.cwd ?? []].flat())),
    ...(target.sandbox ? sandboxLines(target.sandbox) : []),
  ]
}

function sandboxLines(sandbox: LaunchSandbox): string[] {
  if (sandbox.kind === 'off') return [labelled(t`Sandbox`, t`not sandboxed`)]
  if (sandbox.kind === 'missing') return [labelled(t`Sandbox`, `${t`not sandboxed`}: ${visibleLine(sandbox.remedy)}`)]
  const { read, write, hosts, denyRead, denyWrite, denyHosts } = sandbox
  return [
    labelled(t`Sandbox`, t`Everything else is blocked`),
    ...named(t`Read folders`, [...read, ...write]),
    ...named(t`Write folders`, write),
    ...named(t`Reach hosts`, hosts),
    ...named(t`Never read`, denyRead),
    ...named(t`Never write`, denyWrite),
    ...named(t`Never reach`, denyHosts),
  ]
}

function partWords(part: SamplingPart): string {
  switch (part.type) {
    case 'text':
      return visible(part.text)
    case 'image':
      return `[${visibleLine(part.mimeType)}, ${formatBytes(Math.floor(part.data.length * 0.75))}]`
    case 'tool-use':
      return `${t`Call`} ${visibleLine(part.name)}  ${visibleJson(part.input)}`
    case 'tool-result': {
      const content = part.content.map((one) => (one.type === 'text' ? visible(one.text) : partWords(one)))
      return [
        part.isError ? t`Error` : t`Result`,
        ...content,
        ...(part.structured === undefined ? [] : [visibleJson(part.structured)]),
      ].join('\n')
    }
  }
}

/** Formats a label with its text beside it, line below line. */
const labelled = (label: string, text: string): string => `${label.padEnd(15)}  ${text.replaceAll('\n', `\n${' '.repeat(17)}`)}`
const named = (label: string, values: readonly string[]): string[] =>
  values.length === 0 ? [] : [labelled(label, values.map(visibleLine).join(' '))]
const notes = (texts: readonly string[]): string[] => texts.map((text) => labelled(t`Notice`, visibleLine(text)))

const isYes = (line: string | undefined): boolean => /^\s*y(es)?\s*$/i.test(line ?? '')

export type TerminalPrompt = ReturnType<typeof createTerminalPrompt>

/** Reads input from the start, so that what was typed before a request was shown is never taken for its answer. */
export function createTerminalPrompt({ input, output: terminal, hide }: Terminal) {
  // As in `createCliOutput`: for what a text above forgot to name.
  const output = { write: (text: string): void => void terminal.write(visible(text)) }
  const lines = createInterface({ input, terminal: false })
  let waiting: ((line: string | undefined) => void) | undefined
  let ended = false
  lines.on('line', (line) => waiting?.(line))
  lines.once('close', () => {
    ended = true
    waiting?.(undefined)
  })

  const question: Question = (text) => {
    output.write(text)
    if (ended) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      waiting = (line) => {
        waiting = undefined
        resolve(line)
      }
    })
  }

  async function answerTo(request: ConsentRequest, signal?: AbortSignal): Promise<ConsentAnswer> {
    if (signal?.aborted) return { kind: 'cancel' }
    output.write(`\n${describeRequest(request)}\n`)
    const onAbort = (): void => {
      output.write(`\n${t`Answered elsewhere, or withdrawn.`}\n`)
      waiting?.(undefined)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await readAnswer(request)
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async function readAnswer(request: ConsentRequest): Promise<ConsentAnswer> {
    if (request.kind === 'elicitation-form') return fillIn(elicitationFields(request.requestedSchema, request.message), question, output)
    if (request.kind === 'launch' && request.target.transport === 'stdio' && request.target.sandbox?.kind === 'on')
      return readSandboxed(request)
    if (!isYes(await question(`${t`Allow this once?`} [y/N] `))) return { kind: 'deny' }
    return request.kind === 'sampling-result' ? { kind: 'allow', scope: 'once', text: request.text } : { kind: 'allow', scope: 'once' }
  }

  /** Launches that were allowed before are allowed for good again, but by a command that has joined a host: the person answers there. */
  async function readSandboxed(request: LaunchRequest): Promise<ConsentAnswer> {
    const isKept = request.why.kind === 'launch-sandbox' && request.joined === undefined && !request.changedValues
    const asked = isKept ? t`Run it in this sandbox from now on?` : t`Allow this once?`
    const line = await question(`${asked} [y/N, w: ${t`without sandbox`}] `)
    const allowed = { kind: 'allow', scope: isKept ? 'always' : 'once' } as const
    if (/^\s*w\s*$/i.test(line ?? '')) return { ...allowed, sandbox: { kind: 'off' } }
    return isYes(line) ? allowed : { kind: 'deny' }
  }

  async function typeHidden(text: string): Promise<string | undefined> {
    if (hide === undefined || ended) return undefined
    // Without echo, the keys that edit a line and end a program come as characters.
    const onKeys = (keys: Buffer | string): void => {
      const text = String(keys)
      if (!text.includes(interrupt) && !text.includes(endOfInput)) return
      waiting?.(undefined)
      // Sending it would end a process of Windows at once.
      if (text.includes(interrupt)) process.emit('SIGINT', 'SIGINT')
    }
    hide(true)
    input.on('data', onKeys)
    try {
      const line = await question(text)
      return line === undefined ? undefined : typedLine(line) || undefined
    } finally {
      input.off('data', onKeys)
      hide(false)
      output.write('\n')
    }
  }

  const inTurn = createWorkQueue()
  return {
    /** Asks after the requests before it. The end of input is a no. The signal aborts when no answer is wanted any more. */
    ask: (request: ConsentRequest, signal?: AbortSignal): Promise<ConsentAnswer> => inTurn(() => answerTo(request, signal)),
    /** Reads a line without showing it; undefined: nothing was typed. */
    secret: (text: string): Promise<string | undefined> => inTurn(() => typeHidden(text)),
    close: (): void => lines.close(),
  }
}

const interrupt = '\x03'
const endOfInput = '\x04'
const eraseLine = '\x15'

function typedLine(keys: string): string {
  const typed: string[] = []
  for (const key of keys) {
    if (key === '\x7f' || key === '\b') typed.pop()
    else if (key === interrupt || key === endOfInput || key === eraseLine) typed.length = 0
    else typed.push(key)
  }
  return typed.join('')
}

type Question = (text: string) => Promise<string | undefined>

async function fillIn(
  fields: readonly ElicitationField[],
  question: Question,
  output: { write(text: string): void },
): Promise<ConsentAnswer> {
  const content = new Map<string, Json>()
  for (const field of fields) {
    if (field.kind === 'unsupported') continue
    for (;;) {
      const line = await question(fieldPrompt(field))
      if (line === undefined) return { kind: 'cancel' }
      const value = line.trim() === '' ? defaultOf(field) : readValue(field, line.trim())
      const error = value === undefined ? (field.required ? t`Required` : undefined) : fieldError(field, value)
      if (error === undefined) {
        if (value !== undefined) content.set(field.name, value)
        break
      }
      output.write(`${visibleLine(error)}\n`)
    }
  }
  if (!isYes(await question(`${t`Send these answers?`} [y/N] `))) return { kind: 'deny' }
  return { kind: 'allow', scope: 'once', content: Object.fromEntries(content) }
}

const defaultOf = (field: ElicitationField): Json | undefined => ('default' in field ? field.default : undefined)

function fieldPrompt(field: ElicitationField): string {
  const label = visibleLine(field.title ?? field.name)
  const hints = [
    'options' in field ? field.options.map(({ value }) => visibleLine(value)).join(' | ') : '',
    field.kind === 'boolean' ? 'y/n' : '',
    field.secret ? t`looks like a secret` : '',
    field.required ? '' : t`optional`,
    defaultOf(field) === undefined ? '' : t`default ${visibleLine(String(defaultOf(field)))}`,
  ].filter((hint) => hint !== '')
  return `${label}${hints.length > 0 ? ` (${hints.join('; ')})` : ''}: `
}

function readValue(field: ElicitationField, text: string): Json {
  switch (field.kind) {
    case 'number':
      return Number(text)
    case 'boolean':
      return /^(y|yes|true)$/i.test(text) ? true : /^(n|no|false)$/i.test(text) ? false : text
    case 'choices':
      return text.split(',').map((item) => item.trim())
    default:
      return text
  }
}
