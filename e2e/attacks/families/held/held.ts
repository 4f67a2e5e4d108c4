// Rows that were written from SECURITY.md, the guide and the decisions alone, by somebody who had not built what they try. None is of the
// quick part, so `npm test` stays as it is.
import type { Attack } from '../../attack.ts'
import { exactValues } from './exact-values.ts'
import { homeSecrets } from './home-secrets.ts'
import { chatsApart, launderedChats } from './laundered-chats.ts'
import { proxyWords } from './proxy-words.ts'
import { readingAgents } from './reading-agents.ts'
import { repositories } from './repositories.ts'
import { strangeAddresses } from './strange-addresses.ts'

export const held: readonly Attack[] = [
  ...exactValues,
  ...launderedChats,
  ...chatsApart,
  ...readingAgents,
  ...strangeAddresses,
  ...homeSecrets,
  ...proxyWords,
  ...repositories,
].map((one) => ({ ...one, long: true }))
