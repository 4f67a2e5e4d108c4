import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Store } from '#main/store/store-api.ts'

/** Returns the id of the chat with this id or title. @throws HostError `chat.unknown-conversation`, also when several have the title */
export function requireChat({ conversations }: Pick<Store, 'conversations'>, named: string): string {
  const byId = conversations.get(named)
  const found = byId ? [byId] : conversations.list().filter(({ title }) => title === named)
  const [one, another] = found
  if (!one) throw new HostError('chat.unknown-conversation', t`There is no chat with the id or the title “${named}”.`)
  if (another)
    throw new HostError(
      'chat.unknown-conversation',
      t`${found.length} chats have that title. Name one by its id: ${found.map(({ id }) => id).join(', ')}.`,
    )
  return one.id
}
