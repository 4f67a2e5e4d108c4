// Requests of an agent about its tasks. In the older era a result is fetched apart, and questions come as requests on its stream; in the newer
// one both come with the task.
import { ProtocolError, type Server, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { TaskState } from '#main/chat/gate/agent-tasks.ts'
import { tasksExtension } from '#main/servers/client/requests/task.ts'
import { type AgentQuestion, askAgent, type GateLink, questionOf, type Told, withKeys } from './gate-calls.ts'
import { invalid } from './gate-names.ts'
import { endOf, relatedTask, takesTasks, taskOf } from './task-results.ts'

const ofTask = z.looseObject({ taskId: z.string().min(1).max(100) })
const MISSING_CAPABILITY = -32_021

export const taskCapabilities = {
  legacy: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  modern: { extensions: { [tasksExtension]: {} } },
} as const

export function addTasks(
  server: Server,
  parts: { readonly connection: GateLink; readonly era: 'legacy' | 'modern'; readonly told: Told },
): void {
  const { connection, era, told } = parts
  const handle = (method: string, answer: (params: z.output<typeof ofTask>, context: ServerContext) => Promise<JsonObject>): void =>
    server.setRequestHandler(method, { params: ofTask }, async (params, context) => {
      if (era === 'modern' && !takesTasks(context)) throw missing
      await told(context)
      return (await answer(params, context)) as never
    })
  const ask = async (request: 'agent.task' | 'agent.task.cancel', params: JsonObject): Promise<TaskState> => {
    try {
      return (await connection.host.request(request, params)) as TaskState
    } catch (error) {
      throw taskError(error)
    }
  }
  if (era === 'modern') {
    handle('tasks/get', async ({ taskId }) => detailed(await ask('agent.task', { taskId })))
    handle('tasks/update', async ({ taskId }, { mcpReq }) => {
      const { questions } = await ask('agent.task', { taskId })
      // The SDK takes them out of the params of every request.
      const answers = new Map(Object.entries(mcpReq.inputResponses ?? {}))
      for (const { id, key = id } of asQuestions(questions)) if (answers.has(key)) connection.reply({ id, taskId }, answers.get(key))
      return {}
    })
    handle('tasks/cancel', async ({ taskId }) => {
      await ask('agent.task.cancel', { taskId })
      return {}
    })
    return
  }
  handle('tasks/get', async ({ taskId }) => taskOf(era, await ask('agent.task', { taskId })))
  handle('tasks/cancel', async ({ taskId }) => {
    const before = await ask('agent.task', { taskId })
    if (before.outcome) throw invalid('The task has ended')
    return taskOf(era, await ask('agent.task.cancel', { taskId }))
  })
  handle('tasks/result', async ({ taskId }, context) => {
    const asked = new Map<string, AgentQuestion>()
    let state = await ask('agent.task', { taskId })
    while (!state.outcome) {
      for (const question of asQuestions(state.questions)) if (!asked.has(question.id)) asked.set(question.id, { ...question })
      askAgent(connection, [...asked.values()], context, taskId)
      context.mcpReq.signal.throwIfAborted()
      state = await ask('agent.task', { taskId, after: state.revision })
    }
    const end = endOf(state.outcome)
    if ('error' in end) throw end.error
    return { ...end.result, _meta: { ...(end.result['_meta'] as JsonObject | undefined), ...relatedTask(taskId) } }
  })
  server.setRequestHandler('tasks/list', { params: z.looseObject({ cursor: z.string().optional() }) }, async ({ cursor }, context) => {
    await told(context)
    if (cursor !== undefined) throw invalid('There is no such page')
    const { tasks } = (await connection.host.request('agent.tasks', {})) as { readonly tasks: readonly TaskState[] }
    return { tasks: tasks.map((state) => taskOf(era, state)) } as never
  })
}

const missing = new ProtocolError(MISSING_CAPABILITY, 'Missing required client capability', {
  requiredCapabilities: { extensions: { [tasksExtension]: {} } },
})

const asQuestions = (questions: TaskState['questions']): readonly AgentQuestion[] =>
  withKeys(questions as unknown as readonly AgentQuestion[], [])

/** A task of the newer era with its questions, result or error. */
function detailed(state: TaskState): JsonObject {
  const task = taskOf('modern', state)
  if (task['status'] === 'input_required')
    return {
      ...task,
      inputRequests: Object.fromEntries(asQuestions(state.questions).map((one) => [one.key ?? one.id, questionOf(one) as never])),
    }
  const end = state.outcome && endOf(state.outcome)
  if (!end || task['status'] === 'cancelled') return task
  if ('result' in end) return { ...task, result: end.result }
  const { code, message, data } = end.error
  return { ...task, statusMessage: message, error: { code, message, ...(data === undefined ? {} : { data: data as never }) } }
}

/** A task that is not there is a wrong parameter; what became of one whose host died nobody knows. */
function taskError(error: unknown): ProtocolError {
  if (error instanceof HostError && error.code === 'tool.unknown') return invalid(error.message)
  const why = error instanceof Error ? error.message : String(error)
  return new ProtocolError(
    -32603,
    error instanceof HostError && error.code === 'link.closed' ? t`It is not known whether ${'the task'} ran: ${why}` : why,
  )
}
