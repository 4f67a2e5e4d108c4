// Whose draft it is: that of a conversation ('': of a new one), or a message of the person that is being put in other words.

export interface DraftOwner {
  readonly conversationId?: string | undefined
  readonly messageId?: string | undefined
}

const EDIT = 'edit:'

export const editKey = (messageId: string): string => `${EDIT}${messageId}`

export const draftKey = ({ conversationId, messageId }: DraftOwner): string =>
  messageId === undefined ? (conversationId ?? '') : editKey(messageId)

export function draftOwner(key: string): DraftOwner {
  if (key.startsWith(EDIT)) return { messageId: key.slice(EDIT.length) }
  return key === '' ? {} : { conversationId: key }
}
