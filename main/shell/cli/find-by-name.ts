// Finds a chat and a model by what was typed.
import { type Conversation, listPositionOf } from '#app/chat/conversation.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { candidates, modelByShortName } from '#main/models/default-model.ts'
import type { ReachedHost } from '#main/shell/socket/join-host.ts'

const LONGEST_ID = 100
const PAGE = 500

/** Returns the id of the chat with this id or title. @throws {HostError} `chat.unknown-conversation`, also when several have the title */
export async function requireChat(host: ReachedHost, named: string): Promise<string> {
  const found = (await hasId(host, named)) ? [named] : await titled(host, named)
  const [one, another] = found
  if (one === undefined) throw new HostError('chat.unknown-conversation', t`There is no chat “${named}”.`)
  if (another === undefined) return one
  const message = t`Several chats have that title. Use an id: ${found.join(', ')}.`
  throw new HostError('chat.unknown-conversation', message)
}

async function hasId(host: ReachedHost, named: string): Promise<boolean> {
  if (named.length > LONGEST_ID) return false
  try {
    await host.request('conversation.get', { id: named, last: 1 })
    return true
  } catch (error) {
    if (error instanceof HostError && error.code === 'chat.unknown-conversation') return false
    throw error
  }
}

async function titled(host: ReachedHost, title: string): Promise<string[]> {
  const found: Conversation[] = []
  for (const archived of [false, true]) {
    const filter = { archived, text: title.slice(0, 200) }
    let page = await host.request<'conversation.find'>('conversation.find', { filter, limit: PAGE })
    for (;;) {
      found.push(...page.conversations)
      const last = page.conversations.at(-1)
      if (!page.more || !last) break
      page = await host.request<'conversation.find'>('conversation.find', { filter, limit: PAGE, after: listPositionOf(last) })
    }
  }
  return found.filter((one) => one.title === title).map(({ id }) => id)
}

/** Returns the whole id of a model by any unambiguous part of it; lists are fetched where none has it. @throws {HostError} `model.*` */
export async function requireModelNamed(host: ReachedHost, typed: string): Promise<string> {
  let known = await host.request('models.list', {})
  if (candidates(known.models, typed).length === 0) {
    await host.request('models.refresh', {})
    known = await host.request('models.list', {})
  }
  const { models, providers } = known
  return modelByShortName({ list: () => models, providers: () => providers, find: (id) => models.find((one) => one.id === id) }, typed)
}

/** Returns the id of the assistant with this id or name. @throws {HostError} `contract.invalid`, naming those that there are */
export async function requireAssistant(host: ReachedHost, named: string): Promise<string> {
  const { assistants } = (await host.request('app.snapshot', {})).personal
  const found = assistants.filter(({ id, name }) => id === named || name === named)
  const [one] = found
  if (one && found.length === 1) return one.id
  const names = (one ? found.map(({ id }) => id) : assistants.map(({ name }) => name)).join(', ')
  const message = one ? t`${found.length} assistants have that name: ${names}.` : t`There is no assistant “${named}”.`
  throw new HostError('contract.invalid', one || names === '' ? message : `${message} ${t`There are: ${names}.`}`)
}
