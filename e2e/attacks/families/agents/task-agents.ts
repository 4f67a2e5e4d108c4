// Agents behind `assent mcp` that want another one's tasks, guess at them, or run by a task what nobody allowed. Written from SECURITY.md's row
// and the promise of issue 28 alone: a task belongs to the agent that began it, and is asked as any call.
import type { Json, JsonObject } from '#app/json.ts'
import { result } from '../../../servers/http/raw-http.ts'
import type { Message, Wire } from '../../../servers/raw/relayed.ts'
import { type Agent, type GateStage, onGate, waits } from '../../agent.ts'
import { type Attack, always, bank, no, once, same, stolen, unless } from '../../attack.ts'
import { type Part, saying, tool } from '../../puppet.ts'
import { until } from '../../stage.ts'
import { money, toolCalls } from './agent-row.ts'

const SECRET = 'the balance is 4711'
const ran = 'ran jobs transfer {"to":"mallory"}'
const form = { message: 'Which account?', requestedSchema: { type: 'object', properties: { account: { type: 'string', maxLength: 9 } } } }
const related = (taskId: string): JsonObject => ({ 'io.modelcontextprotocol/related-task': { taskId } })

interface Jobs {
  readonly part: Part
  /** Lets all tasks end. */
  finish(): void
}

/** A server whose tools are tasks. The task of `ask` wants a form; `other`: the task that the form says it is of. */
function makeJobs(other?: string): Jobs {
  const jobs = new Map<string, { asks: boolean; cancelled: boolean; asked: boolean }>()
  let finished = false
  let last = 0
  const taskOf = (taskId: string): JsonObject => {
    const { asks = false, cancelled = false } = jobs.get(taskId) ?? {}
    const status = cancelled ? 'cancelled' : finished ? 'completed' : asks ? 'input_required' : 'working'
    return { taskId, status, createdAt: new Date().toISOString(), lastUpdatedAt: new Date().toISOString(), ttl: 600_000, pollInterval: 100 }
  }
  function own(message: Message, wire: Wire): boolean {
    const taskId = String(message.params?.['taskId'])
    const job = jobs.get(taskId)
    if (message.method === 'tools/call') {
      last += 1
      jobs.set(`job-${last}`, { asks: message.params?.['name'] === 'ask', cancelled: false, asked: false })
      wire.send(result(message, { task: taskOf(`job-${last}`) }))
    } else if (message.method === 'tasks/get') wire.send(result(message, taskOf(taskId)))
    else if (message.method === 'tasks/cancel' && job) {
      job.cancelled = true
      wire.send(result(message, taskOf(taskId)))
    } else if (message.method === 'tasks/result' && job) {
      if (job.asks && !job.asked) {
        job.asked = true
        const _meta = related(other ?? taskId)
        wire.send({ jsonrpc: '2.0', id: `form-${taskId}`, method: 'elicitation/create', params: { ...form, _meta } })
      }
      const wait = setInterval(() => {
        if (!finished && !job.cancelled) return
        clearInterval(wait)
        wire.send(result(message, { ...saying(SECRET), _meta: related(taskId) }))
      }, 20)
    } else return false
    return true
  }
  const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }
  return {
    part: {
      hello: { protocolVersion: '2025-11-25', capabilities },
      tools: () => ['transfer', 'ask'].map((name) => tool(name, { execution: { taskSupport: 'optional' } })),
      own,
    },
    finish() {
      finished = true
    },
  }
}

type Owner = Agent & { readonly id: string; readonly token: string }

interface TaskStage extends GateStage, Pick<Jobs, 'finish'> {
  /** An agent of the jobs alone, with an entry of its own. */
  owner(name?: string, more?: Partial<Parameters<GateStage['agent']>[0]>): Promise<Owner>
}

/** Begins a task and resolves with its id; undefined: there is none. */
async function begin(agent: Agent, params: JsonObject = {}): Promise<string | undefined> {
  const reply = await agent.ask('tools/call', { name: 'transfer', arguments: money, task: {}, ...params })
  const task = reply?.result?.['task'] as JsonObject | undefined
  return task === undefined ? undefined : String(task['taskId'])
}
const statusOf = async (agent: Agent, taskId: string): Promise<unknown> => (await agent.ask('tasks/get', { taskId }))?.result?.['status']
const words = (value: unknown): string => JSON.stringify(value ?? null)

/** At the end an agent that may begin the same task does so, and reads its result. */
const row = (name: string, play: (stage: TaskStage) => Promise<readonly string[]>, other?: string): Attack => ({
  family: 'agents',
  name: `of tasks: ${name}`,
  run() {
    const { part, finish } = makeJobs(other)
    return onGate(
      () => ({ bank, jobs: part }),
      async (stage) => {
        const owner: TaskStage['owner'] = async (called = 'Code', more = {}) => {
          const { id, token } = await stage.add({ name: called, servers: ['jobs'] })
          return { ...(await stage.agent({ token, ...more })), id, token }
        }
        const wrong = await play({ ...stage, owner, finish })
        finish()
        stage.effects.length = 0
        stage.setPerson(once)
        const control = await owner('Control')
        const taskId = (await begin(control)) ?? 'none'
        const answer = await control.ask('tasks/result', { taskId })
        return [...wrong, ...same('control', stage.effects, [ran]), ...unless(words(answer).includes(SECRET), `control: ${words(answer)}`)]
      },
    )
  },
})

/** Tries at a task of somebody else: nothing of it is told, and it goes on. */
const thieves: Readonly<Record<string, (stage: TaskStage, owner: Owner) => Promise<Agent>>> = {
  'another agent': (stage) => stage.owner('Other'),
  'an agent of the same name': (stage) => stage.owner(),
  'an agent of other servers': async (stage) => stage.agent(await stage.add({ name: 'Bank', servers: ['bank'] })),
}
const stolenTasks = Object.entries(thieves).flatMap(([who, thief]) =>
  ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/update'].map((method) =>
    row(`${who} gets nothing by ${method}`, async (stage) => {
      stage.setPerson(once)
      const mine = await stage.owner()
      const taskId = (await begin(mine)) ?? 'none'
      await until('the task runs', () => stage.effects.includes(ran))
      const theirs = await thief(stage, mine)
      const params = { taskId, inputResponses: { one: { action: 'accept', content: {} } }, _meta: related(taskId) }
      const asked = theirs.ask(method, params)
      const early = await Promise.race([asked, new Promise<undefined>((resolve) => setTimeout(resolve, 500, undefined))])
      const status = await statusOf(mine, taskId)
      stage.finish()
      const answer = early ?? (await asked)
      return [
        ...unless(answer?.error !== undefined && !words(answer).includes(SECRET), `it got ${words(answer)}`),
        ...same('status', status, 'working'),
        ...unless(words(await mine.ask('tasks/result', { taskId })).includes(SECRET), 'the owner has no result'),
        ...same('happened', stage.effects, [ran]),
      ]
    }),
  ),
)

/** Ids that are no task of the agent, although there are tasks. */
const guessed: Readonly<Record<string, (taskId: string) => Json>> = {
  'the id that the server itself gave': () => 'job-1',
  'an id cut by one letter': (id) => id.slice(0, -1),
  'an id in capitals': (id) => id.toUpperCase(),
  'an id with a NUL behind it': (id) => `${id}\0`,
  'an empty id': () => '',
  'a number': () => 1,
  'a list with the id': (id) => [id],
  'a member of every object': () => '__proto__',
  'an id of a million letters': () => 'x'.repeat(1_000_000),
}
const guesses = Object.entries(guessed).map(([what, spoil]) =>
  row(`${what} finds none`, async (stage) => {
    stage.setPerson(once)
    const mine = await stage.owner()
    const taskId = (await begin(mine)) ?? 'none'
    stage.finish()
    await mine.ask('tasks/result', { taskId })
    const theirs = await stage.owner('Other')
    const answers = await Promise.all(
      ['tasks/get', 'tasks/result', 'tasks/cancel'].map((method) => theirs.ask(method, { taskId: spoil(taskId) })),
    )
    const listed = (await theirs.ask('tasks/list'))?.result?.['tasks']
    return [
      ...unless(
        answers.every((one) => one?.error !== undefined),
        words(answers),
      ),
      ...same('listed', listed, []),
      ...same('status', await statusOf(mine, taskId), 'completed'),
    ]
  }),
)

/** What an agent writes where the task's wish belongs: it is asked like any call. */
const wished: Readonly<Record<string, Json>> = {
  'a time below zero': { ttl: -1 },
  'a time without end': { ttl: 1e308 },
  'an id of its own': { taskId: 'mine', ttl: 1000 },
  'an approval': { approved: true, decision: { kind: 'allow' }, by: 'person' },
  'a list': [],
  'a text': 'allowed',
}
const wishes = Object.entries(wished).map(([what, task]) =>
  row(`${what} for its wish runs nothing that was refused`, async (stage) => {
    stage.setPerson(no)
    const mine = await stage.owner()
    const taskId = await begin(mine, { task })
    if (taskId !== undefined) await mine.ask('tasks/result', { taskId })
    return [...same('happened', stage.effects, []), ...unless(taskId !== 'mine', 'it chose its id')]
  }),
)

/** The person says yes after the task was ended: nothing runs. */
const late = (what: string, end: (stage: TaskStage, owner: Owner, taskId: string) => Promise<unknown>): Attack =>
  row(`a yes after ${what} runs nothing`, async (stage) => {
    stage.setPerson(() => undefined)
    const mine = await stage.owner()
    const taskId = (await begin(mine)) ?? 'none'
    const question = await waits(stage)
    await end(stage, mine, taskId)
    stage.host.context.broker.answer(question, { kind: 'allow', scope: 'once' })
    await new Promise((resolve) => setTimeout(resolve, 500))
    return same('happened', stage.effects, [])
  })

const consent = [
  late('it was cancelled', (_stage, mine, taskId) => mine.ask('tasks/cancel', { taskId })),
  late('its entry was removed', ({ host }, { id }) => host.request('gate.remove', { id })),
  late('its token was renewed', ({ host }, { id }) => host.request('gate.renewToken', { id })),
  row('one runs nothing before the person has answered, and nothing after their no', async (stage) => {
    stage.setPerson(() => undefined)
    const mine = await stage.owner()
    const taskId = (await begin(mine)) ?? 'none'
    const question = await waits(stage)
    await statusOf(mine, taskId)
    const before = [...stage.effects]
    stage.host.context.broker.answer(question, { kind: 'deny' })
    const answer = await mine.ask('tasks/result', { taskId })
    return [
      ...same('before', before, []),
      ...same('happened', stage.effects, []),
      ...unless(!words(answer).includes(SECRET), words(answer)),
    ]
  }),
  row('one is asked in the name of its agent, after that has gone too', async (stage) => {
    stage.setPerson(() => undefined)
    const mine = await stage.owner('Code', { clientInfo: { name: 'Trusted', version: '1' } })
    await begin(mine)
    await waits(stage)
    await mine.end()
    const { agent } = (stage.host.context.broker.open()[0] ?? {}) as { agent?: { client?: string; name?: string } }
    return [...same('asked for', [agent?.client, agent?.name], [mine.id, 'Code']), ...same('happened', stage.effects, [])]
  }),
  row('what was always allowed to another agent does not answer for a task', async (stage) => {
    stage.setPerson(always)
    const first = await stage.owner('First')
    const taskId = (await begin(first)) ?? 'none'
    stage.finish()
    await first.ask('tasks/result', { taskId })
    const made = stage.effects.length
    stage.effects.length = 0
    stage.setPerson(no)
    const from = toolCalls(stage)
    const second = await stage.owner('Second')
    await second.ask('tasks/result', { taskId: (await begin(second)) ?? 'none' })
    return [...same('allowed before', made, 1), ...same('happened', stage.effects, []), ...same('asked', toolCalls(stage) - from, 1)]
  }),
  row('a tool that is none is not called as one', async (stage) => {
    stage.setPerson(once)
    const { token } = await stage.add({ name: 'Bank', servers: ['bank'] })
    const agent = await stage.agent({ token })
    const reply = await agent.ask('tools/call', { name: 'transfer', arguments: money, task: {} })
    return [
      ...same('code', reply?.error?.code, -32601),
      ...same(
        'happened',
        stage.effects.filter((one) => one === stolen),
        [],
      ),
    ]
  }),
  row('fetching a result again, by all ways at once, runs nothing again', async (stage) => {
    stage.setPerson(once)
    const mine = await stage.owner()
    const taskId = (await begin(mine)) ?? 'none'
    const fetched = Array.from({ length: 20 }, () => mine.ask('tasks/result', { taskId }))
    await until('the task runs', () => stage.effects.length > 0)
    stage.finish()
    const answers = await Promise.all(fetched)
    return [
      ...unless(
        answers.every((one) => words(one).includes(SECRET)),
        words(answers[0]),
      ),
      ...same('happened', stage.effects, [ran]),
    ]
  }),
  row('a flood of them opens no more than sixteen questions, keeps no more than 64, and another agent still gets one', async (stage) => {
    stage.setPerson(() => undefined)
    const mine = await stage.owner()
    const begun = await Promise.all(Array.from({ length: 300 }, () => begin(mine)))
    await waits(stage)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const open = stage.host.context.broker.open().length
    const listed = ((await mine.ask('tasks/list'))?.result?.['tasks'] as unknown[] | undefined)?.length ?? 0
    await stage.host.request('gate.remove', { id: mine.id })
    return [
      ...unless(open <= 16, `${open} questions`),
      ...unless(listed <= 64, `${listed} tasks`),
      ...unless(
        begun.some((one) => one !== undefined),
        'none was begun',
      ),
      ...same('happened', stage.effects, []),
    ]
  }),
  row('a task named in a call’s own metadata joins nothing', async (stage) => {
    stage.setPerson(once)
    const mine = await stage.owner()
    const taskId = (await begin(mine)) ?? 'none'
    await until('the task runs', () => stage.effects.includes(ran))
    stage.setPerson(no)
    const theirs = await stage.owner('Other')
    const reply = await theirs.ask('tools/call', { name: 'transfer', arguments: money, _meta: related(taskId) })
    return [...unless(!words(reply).includes(SECRET), words(reply)), ...same('happened', stage.effects, [ran])]
  }),
]

const accept = (content: JsonObject) => (method: string) => (method === 'elicitation/create' ? { action: 'accept', content } : undefined)
const forms = [
  row(
    'a form that its server says is of another task is shown to nobody else',
    async (stage) => {
      // The person sees it in Assent, and leaves it.
      stage.setPerson((request) => (request.kind === 'elicitation-form' ? undefined : once(request)))
      const theirs = await stage.owner('Other', { capabilities: { elicitation: {} }, answer: accept({ account: 'mine' }) })
      const other = (await begin(theirs)) ?? 'none'
      void theirs.ask('tasks/result', { taskId: other })
      await until('the task runs', () => stage.effects.includes(ran))
      const mine = await stage.owner('Code', { capabilities: { elicitation: {} } })
      const taskId = (await begin(mine, { name: 'ask' })) ?? 'none'
      void mine.ask('tasks/result', { taskId })
      await new Promise((resolve) => setTimeout(resolve, 1500))
      const shown = theirs.heard.some(({ method }) => method === 'elicitation/create')
      return [
        ...unless(!shown, 'the other agent was asked'),
        ...unless(
          stage.asked.some(({ kind }) => kind === 'elicitation-form'),
          'the person was not asked',
        ),
        ...same(
          'told',
          stage.effects.filter((one) => one.startsWith('told')),
          [],
        ),
      ]
    },
    'job-1-of-nobody',
  ),
  row('values of a task’s form that its schema does not have reach no server', async (stage) => {
    stage.setPerson(once)
    const mine = await stage.owner('Code', {
      capabilities: { elicitation: {} },
      answer: accept({ account: 'far too long for it', role: 'admin' }),
    })
    const taskId = (await begin(mine, { name: 'ask' })) ?? 'none'
    void mine.ask('tasks/result', { taskId })
    await until('it is asked', () => mine.heard.some(({ method }) => method === 'elicitation/create'))
    await new Promise((resolve) => setTimeout(resolve, 500))
    return same(
      'told',
      stage.effects.filter((one) => one.startsWith('told')),
      [],
    )
  }),
  row('an answer that another agent sends under the form’s id reaches no server', async (stage) => {
    stage.setPerson(once)
    const mine = await stage.owner('Code', { capabilities: { elicitation: {} } })
    const taskId = (await begin(mine, { name: 'ask' })) ?? 'none'
    void mine.ask('tasks/result', { taskId })
    await until('it is asked', () => mine.heard.some(({ method }) => method === 'elicitation/create'))
    const asked = mine.heard.find(({ method }) => method === 'elicitation/create')?.['id'] ?? 0
    const theirs = await stage.owner('Other', { capabilities: { elicitation: {} } })
    for (const id of [asked, 0, 1, `form-job-1`])
      theirs.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'accept', content: { account: 'mallory' } } })}\n`)
    await new Promise((resolve) => setTimeout(resolve, 500))
    return same(
      'told',
      stage.effects.filter((one) => one.startsWith('told')),
      [],
    )
  }),
]

export const taskAgents: readonly Attack[] = [...stolenTasks, ...guesses, ...wishes, ...consent, ...forms]
