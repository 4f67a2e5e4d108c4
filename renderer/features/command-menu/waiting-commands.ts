// What waits for the person. From here one only gets to it.
import type { ConsentRequest } from '#app/consent/request.ts'
import { consentSentence } from '#app/consent/sentence.ts'
import { t } from '#app/words/translate.ts'
import { navigate } from '#renderer/router.ts'
import { focusRequestSoon } from '#renderer/shell/focus.ts'
import type { Command } from './command.ts'

export const waitingCommands = (requests: readonly ConsentRequest[], titleOf: (conversationId: string) => string | undefined): Command[] =>
  requests.map((request) => {
    const { id, conversationId } = request
    const title = conversationId === undefined ? undefined : titleOf(conversationId)
    return {
      id: `request ${id}`,
      words: t`Review: ${consentSentence(request)}`,
      icon: 'waiting',
      ...(title !== undefined && { detail: title }),
      act() {
        navigate(conversationId === undefined ? { page: 'requests', id } : { page: 'chat', id: conversationId })
        focusRequestSoon(id)
      },
    }
  })
