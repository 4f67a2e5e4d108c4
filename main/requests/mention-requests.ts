// Resources and prompts of servers for a message. Reading them is the person's own act, so nobody is asked; both are in the
// audit log. A server that does not run is started for it, and the person can cancel the request.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import type { ResourceEntry } from '#app/server/catalogue.ts'
import { type ListedResource, type ListedSkill, mostListed, mostSkills } from '#app/server/library-listing.ts'
import { resourceAttachments, toUsedPrompt } from '#main/chat/attachments/server-attachments.ts'
import { createFindMentions } from '#main/chat/mentions/find-mentions.ts'
import { toViewedContents } from '#main/chat/mentions/resource-contents.ts'
import type { SkillText } from '#main/servers/client/catalogue/skills.ts'
import { toolChanged } from '#main/servers/client/requests/request-outcome.ts'
import { type HandlersOf, type HostContext, knownServer, quoteServerError } from './request-handlers.ts'

export function mentionHandlers(context: HostContext): HandlersOf<'mention' | 'library'> {
  const { servers, store, viewedContents } = context
  const fetches = new Map<string, AbortController>()
  const known = (name: string): string => knownServer(context, name)

  const find = createFindMentions(servers)
  async function fetched<T>(fetch: string, server: string, ask: (options: { readonly signal: AbortSignal }) => Promise<T>): Promise<T> {
    const control = new AbortController()
    fetches.set(fetch, control)
    try {
      return await quoteServerError(known(server), ask({ signal: control.signal }))
    } finally {
      fetches.delete(fetch)
    }
  }
  const read = (fetch: string, server: string, uri: string, isSkill: boolean) =>
    fetched(fetch, server, async (options) =>
      isSkill ? contentsOf(await servers.readSkill(server, uri, undefined, options)) : servers.readResource(server, uri, options),
    )

  return {
    'mention.find': ({ kind, text }) => find(kind, text),
    async 'mention.attach'({ fetch, server, uri, skill }) {
      const result = await read(fetch, server, uri, skill !== undefined)
      const [shown] = skill === undefined ? [] : toViewedContents(result, { server, uri }, viewedContents).contents
      if (shown && shown.blob.sha256 !== skill) throw toolChanged(server, uri)
      return { attachments: resourceAttachments(result, server, uri, store.orphanBlobs) }
    },
    async 'mention.prompt'({ fetch, server, name, arguments: given }) {
      const result = await fetched(fetch, server, (options) => servers.getPrompt(server, name, given, options))
      const title = servers.catalogue(server).prompts.find((prompt) => prompt.name === name)?.title
      return { prompt: toUsedPrompt(result, { server, name, title: title?.slice(0, 1000), arguments: given }, store.orphanBlobs) }
    },
    'library.listing'({ server }) {
      const { resourceTemplates, prompts, resources, fetchedAt, stale } = servers.catalogue(known(server))
      return { templates: resourceTemplates, prompts, resources: resources.length, ...defined({ fetchedAt, stale }) }
    },
    'library.resources'({ server, from }) {
      const revision = servers.view(known(server))?.catalogueRevision ?? 0
      const { resources } = servers.catalogue(server)
      return { revision, resources: resources.slice(from, from + mostListed).map(listed) }
    },
    'library.resource': ({ server, uri }) => ({
      resource: servers.catalogue(known(server)).resources.find((resource) => resource.uri === uri) ?? null,
    }),
    'library.read': async ({ fetch, server, uri, skill = false }) =>
      toViewedContents(await read(fetch, server, uri, skill), { server, uri }, viewedContents),
    async 'library.skills'({ fetch, server }) {
      const { skillProblem } = await import('#main/servers/client/catalogue/skills.ts')
      const all = await fetched(fetch, server, (options) => servers.skills(server, options))
      const skills = all.slice(0, mostSkills).map((skill): ListedSkill => {
        const { uri, frontmatter, resources } = skill
        const problem = skillProblem(skill)
        const bytes = resources === 'dynamic' ? undefined : resources.reduce((sum, { size }) => sum + size, 0)
        return { uri, name: frontmatter.name, description: frontmatter.description, ...defined({ bytes, problem }) }
      })
      return { skills, more: all.length - skills.length }
    },
    'mention.cancel': ({ fetch }) => fetches.get(fetch)?.abort(new HostError('cancelled', t`It was cancelled.`)),
  }
}

const contentsOf = ({ uri, mimeType, bytes }: SkillText): JsonObject => ({
  contents: [{ uri, ...defined({ mimeType }), text: Buffer.from(bytes).toString('utf8') }],
})

const listed = ({ uri, name, title, mimeType, size }: ResourceEntry): ListedResource => ({
  uri,
  name,
  ...defined({ title, mimeType, size }),
})
