import type { ConsentAnswer } from '#app/consent/request.ts'
import { HostError } from '#app/errors.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { isLocal } from '#app/server/definition.ts'
import { t } from '#app/words/translate.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

export function consentRequests(host: HostParts): HandlersOf<'consent' | 'rule'> {
  const { broker, servers } = host

  /** As Assent knows them, whether or not the server runs. */
  const toolsOf = (server: string | undefined): readonly ToolEntry[] =>
    server === undefined || !servers.view(server) ? [] : servers.catalogue(server).tools

  /** Where the folders of a rule are is for the host to say. */
  const bound = async (answer: ConsentAnswer): Promise<ConsentAnswer> =>
    answer.kind !== 'cancel' && answer.terms ? { ...answer, terms: await broker.bindTerms(answer.terms) } : answer

  return {
    'consent.answer': async ({ id, answer }) => ({ accepted: broker.answer(id, await bound(answer)) }),
    'rule.save': async ({ id, rule }) => ({ rule: await broker.saveRule(rule, { id, tools: toolsOf(rule.server) }) }),
    'rule.uses': () => ({ uses: host.store.rules.uses() }),
    async 'rule.test'({ server, tool: name, arguments: args, conversationId }) {
      const tool = toolsOf(server).find((one) => one.name === name)
      const definition = servers.view(server)?.definition
      if (!tool || !definition)
        throw new HostError('tool.unknown', t`${server} has no tool “${name}” that Assent knows of.`, { data: { server, tool: name } })
      return broker.suppose({ server, tool, conversationId, trusted: definition.trusted, local: isLocal(definition), arguments: args })
    },
    'rule.remove'({ id }) {
      broker.removeRule(id)
      return {}
    },
    'rule.restore'({ id }) {
      broker.restoreRule(id)
      return {}
    },
  }
}
