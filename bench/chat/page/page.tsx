// One thing to measure a page load: the product over a host of a few lines, or what it is measured beside. `?what=` names
// it; `window.run()` does it.
import '#renderer/ui/styles/all.css'
import { createRoot, type Root } from 'react-dom/client'
import type { Message } from '#app/chat/message.ts'
import { App } from '#renderer/app.tsx'
import { createStores } from '#renderer/stores/stores.ts'
import { makeAnswer, makeConversation, makeUserMessage } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { ReactMarkdown, Streamdown } from '../peers/peers.js'
import { hostileTexts } from './hostile-text.ts'
import { type Place, places } from './places.ts'
import { longAnswer, messageTexts } from './text.ts'

declare global {
  interface Window {
    /** Told at the beginning, after each quarter and at the end; given by the bench. */
    mark: (frames: number) => Promise<void>
    run: () => Promise<unknown>
  }
}

const query = new URLSearchParams(location.search)
const root: Root = createRoot(document.getElementById('root') as HTMLElement)

const charactersAtOnce = 50
const everyMs = 5

const painted = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

/** Calls `show` with what has come so far, as a model's answer comes; a mark after each quarter. */
async function streamed(text: string, show: (more: string, soFar: string) => void, atQuarter: (quarter: number) => void): Promise<void> {
  let frames = 0
  const count = (): void => {
    frames += 1
    next = requestAnimationFrame(count)
  }
  let next = requestAnimationFrame(count)
  const begun = performance.now()
  let at = 0
  let quarter = 0
  await window.mark(frames)
  while (at < text.length) {
    await new Promise((resolve) => setTimeout(resolve, everyMs))
    const due = Math.min(text.length, Math.floor((performance.now() - begun) / everyMs) * charactersAtOnce)
    for (; at < due; at += charactersAtOnce) {
      const end = Math.min(text.length, at + charactersAtOnce)
      show(text.slice(at, end), text.slice(0, end))
    }
    for (; quarter < 4 && at >= (text.length * (quarter + 1)) / 4; quarter++) {
      atQuarter(quarter + 1)
      await painted()
      await window.mark(frames)
    }
  }
  cancelAnimationFrame(next)
}

/** Selects the words of an element that is there, and gives what tells whether they still are. */
function select(element: Element | null | undefined): () => boolean {
  if (!element) return () => false
  getSelection()?.selectAllChildren(element)
  const words = String(getSelection())
  return () => words.length > 10 && String(getSelection()) === words
}

const conversation = makeConversation({ id: 'c1' })
const other = makeConversation({ id: 'c0', title: 'Before' })

function openApp(messages: readonly Message[]): FakeConnection {
  const link = createFakeConnection({
    snapshot: { conversations: [conversation, other] },
    answers: {
      'conversation.get': ({ id, last = messages.length }) =>
        id === 'c1'
          ? { revision: 10, conversation, messages: messages.slice(-last), earlier: Math.max(0, messages.length - last) }
          : { revision: 10, conversation: other, messages: [] },
    },
  })
  root.render(<App stores={createStores(link)} />)
  return link
}

async function untilThere(selector: string): Promise<void> {
  while (!document.querySelector(selector)) await new Promise(requestAnimationFrame)
  await painted()
}

async function streamInAssent(text: string): Promise<object> {
  location.hash = '#/chat/c1'
  const link = openApp([makeUserMessage(), makeAnswer({ state: 'streaming', parts: [{ kind: 'text', text: '' }] })])
  await untilThere('.answer')
  let offset = 0
  let survives = (): boolean => false
  let inText = false
  const show = (more: string): void => {
    link.tell('message.delta', { conversationId: 'c1', messageId: 'm2', part: 0, offset, text: more })
    offset += more.length
  }
  await streamed(text, show, (quarter) => {
    if (quarter === 1) survives = select(document.querySelectorAll('.prose p')[2])
    if (quarter === 3) {
      inText = survives()
      survives = select(document.querySelector('.prose pre'))
    }
  })
  return { selectionInText: inText, selectionInCode: survives(), shown: document.querySelector('.prose')?.textContent?.length }
}

async function streamInStreamdown(text: string, commitEveryMs: number): Promise<object> {
  let last = ''
  let waits = false
  const commit = (): void => {
    waits = false
    root.render(<Streamdown>{last}</Streamdown>)
  }
  await streamed(
    text,
    (_more, soFar) => {
      last = soFar
      if (commitEveryMs === 0) commit()
      else if (!waits) setTimeout(commit, commitEveryMs)
      waits = true
    },
    () => {},
  )
  return { shown: document.querySelector('#root')?.textContent?.length }
}

const asMessages = (texts: readonly string[]): Message[] =>
  texts.map((text, index) =>
    index % 2 === 0
      ? makeUserMessage({ id: `u${index}`, text, createdAt: index })
      : makeAnswer({ id: `a${index}`, parts: [{ kind: 'text', text }], createdAt: index }),
  )

/** From the change of address to the frame after the one that shows the end of the conversation. */
async function openInAssent(texts: readonly string[]): Promise<object> {
  location.hash = '#/chat/c0'
  openApp(asMessages(texts))
  await untilThere('.composer textarea')
  await window.mark(0)
  const begun = performance.now()
  location.hash = '#/chat/c1'
  await untilThere('.answer .prose p')
  const ms = performance.now() - begun
  await window.mark(0)
  return { ms, nodes: document.querySelectorAll('*').length }
}

async function openInReactMarkdown(texts: readonly string[]): Promise<object> {
  root.render(null)
  await painted()
  await window.mark(0)
  const begun = performance.now()
  root.render(texts.map((text, index) => <ReactMarkdown key={String(index)}>{text}</ReactMarkdown>))
  await untilThere('#root p')
  const ms = performance.now() - begun
  await window.mark(0)
  return { ms, nodes: document.querySelectorAll('*').length }
}

/** Scrolls from the end to the beginning and back. */
async function scrollInAssent(texts: readonly string[]): Promise<object> {
  location.hash = '#/chat/c1'
  openApp(asMessages(texts))
  await untilThere('.answer .prose p')
  await window.mark(0)
  const box = document.querySelector('.scroll') as HTMLElement
  for (let pass = 0; pass < 2; pass++) {
    const up = pass === 0
    for (let still = 0; still < 3; ) {
      const before = box.scrollTop
      box.scrollTop += (up ? -1 : 1) * box.clientHeight * 4
      await painted()
      still = box.scrollTop === before ? still + 1 : 0
    }
  }
  await window.mark(0)
  return { nodes: document.querySelectorAll('*').length }
}

const rested = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Longest that is waited for the page to come to rest: some texts are drawn for minutes, a slice at a time. */
const longestWait = 15_000

/** Sets the mark from which the bench looks for the longest task, does the work and waits until nothing of the page changes any more. */
async function longestTask(work: () => Promise<void>): Promise<object> {
  let last = performance.mark('measured').startTime
  const observer = new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) last = Math.max(last, startTime + duration)
  })
  observer.observe({ type: 'longtask' })
  const changes = new MutationObserver(() => {
    last = performance.now()
  })
  changes.observe(document, { subtree: true, childList: true, characterData: true })
  await work()
  const begun = performance.now()
  while (performance.now() - Math.max(last, begun) < 600 && performance.now() - begun < longestWait) await rested(100)
  observer.disconnect()
  changes.disconnect()
  return { nodes: document.querySelectorAll('*').length }
}

async function openHostile(text: string): Promise<object> {
  location.hash = '#/chat/c0'
  openApp([makeUserMessage(), makeAnswer({ parts: [{ kind: 'text', text }] })])
  await untilThere('.composer textarea')
  await rested(300)
  return longestTask(async () => {
    location.hash = '#/chat/c1'
    await untilThere('.answer .prose')
  })
}

/** In forty pieces. */
async function streamHostile(text: string): Promise<object> {
  location.hash = '#/chat/c1'
  const link = openApp([makeUserMessage(), makeAnswer({ state: 'streaming', parts: [{ kind: 'text', text: '' }] })])
  await untilThere('.answer')
  await rested(300)
  return longestTask(async () => {
    const piece = Math.ceil(text.length / 40)
    for (let offset = 0; offset < text.length; offset += piece) {
      link.tell('message.delta', { conversationId: 'c1', messageId: 'm2', part: 0, offset, text: text.slice(offset, offset + piece) })
      await rested(60)
    }
  })
}

const noWords = { revision: 10, messages: [] }
/** The app with one thing of a server on it, at this address. `before`: another address first, so that nothing of it is drawn yet. */
async function openPlace(place: Place): Promise<object> {
  const { snapshot = {}, answers = {}, messages = [] } = place
  location.hash = '#/chat/c0'
  const link = createFakeConnection({
    snapshot: { conversations: [conversation, other], ...snapshot },
    answers: {
      'conversation.get': ({ id }) =>
        id === 'c1' ? { ...noWords, conversation, messages: [...messages], earlier: 0 } : { ...noWords, conversation: other },
      ...answers,
    },
  })
  root.render(<App stores={createStores(link)} />)
  await untilThere('.composer textarea')
  await rested(300)
  return longestTask(async () => {
    location.hash = place.hash
    await untilThere(place.shown)
    if (place.open === undefined) return
    await rested(200)
    for (const one of document.querySelectorAll<HTMLElement>(place.open)) one.click()
    await rested(200)
  })
}

/** `?plain`: words of the same length in its place. */
function shape(): string {
  const text = hostileTexts[query.get('shape') ?? '']?.() ?? ''
  return query.has('plain') ? plain(text.length) : text
}
const plain = (length: number): string =>
  'some words of a plain text, of no shape at all.\n\n'.repeat(Math.ceil(length / 49)).slice(0, length)

const size = Number(query.get('size') ?? 0)
const things: Readonly<Record<string, () => Promise<unknown>>> = {
  'stream-assent': () => streamInAssent(longAnswer(size)),
  'stream-streamdown': () => streamInStreamdown(longAnswer(size), 0),
  'stream-streamdown-50': () => streamInStreamdown(longAnswer(size), 50),
  'open-assent': () => openInAssent(messageTexts(size)),
  'open-react-markdown': () => openInReactMarkdown(messageTexts(size)),
  'open-hostile': () => openHostile(shape()),
  'stream-hostile': () => streamHostile(shape()),
  ...Object.fromEntries(Object.entries(places).map(([name, place]) => [name, () => openPlace(place(shape()))])),
  'scroll-assent': () => scrollInAssent(messageTexts(size)),
}
window.run = async () => {
  const thing = things[query.get('what') ?? '']
  if (!thing) throw new Error('There is no such thing to measure.')
  return await thing()
}
