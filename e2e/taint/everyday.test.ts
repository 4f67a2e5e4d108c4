import { expect, test } from 'vitest'
import type { ConsentAnswer, ToolCallRequest } from '#app/consent/request.ts'
import { flowSourceKey } from '#app/consent/taint/private-flow.ts'
import type { JsonObject } from '#app/json.ts'
import { everydayConversations, forGood } from './everyday-conversations.ts'
import { createPlayer, doneWith, endedCall, marksOf } from './play-conversation.ts'
import { playedServers, resultOf } from './servers.ts'

type Player = ReturnType<typeof createPlayer>

/** Rules of before: "always, this tool" for what only reads; what the web returns is public. */
function standingRules(player: Player): void {
  for (const [server, { tools, public: isPublic }] of Object.entries(playedServers)) {
    if (isPublic) player.rule({ server, public: true })
    for (const [tool, { readOnlyHint }] of Object.entries(tools))
      if (readOnlyHint) player.rule({ server, tool, fingerprint: `${server} ${tool}` })
  }
}

function answerOf({ why, privateFlow, server }: ToolCallRequest): ConsentAnswer {
  const isForGood = privateFlow?.from.every((from) =>
    forGood.some(([source, out]) => flowSourceKey(from) === `server ${source}` && out === server),
  )
  return { kind: 'allow', scope: why.kind === 'flow' && isForGood ? 'always' : 'conversation' }
}

async function play(player: Player) {
  standingRules(player)
  const taint: string[] = []
  let calls = 0
  for (const { title, servers, calls: made } of everydayConversations) {
    expect(made.length, title).toBeGreaterThanOrEqual(8)
    const conversationId = player.begin({ title })
    for (const [name, args] of made) {
      const { asked, verdict } = await player.call(conversationId, servers, [name, args as JsonObject], answerOf)
      calls += 1
      if (asked?.why.kind === 'flow') taint.push(`${title}: ${asked.privateFlow?.from.map(flowSourceKey).join(', ')} → ${name}`)
      player.answer(conversationId, servers, [
        {
          kind: 'tool-call',
          call: endedCall(player.nextId(), [name, args as JsonObject], doneWith(resultOf(name, args)), marksOf(verdict)),
        },
      ])
    }
  }
  player.dispose()
  return { conversations: everydayConversations.length, calls, asked: taint.length, share: taint.length / calls, taint }
}

test('of thirty everyday conversations at most 5 % of the calls are asked because of taint', async () => {
  const played = await play(createPlayer())
  process.stdout.write(`${JSON.stringify(played, null, 2)}\n`)
  expect([played.conversations, played.share <= 0.05]).toEqual([30, true])
})

test('where the person trusts no server, at most 15 % are', async () => {
  const { taint: _taint, ...figures } = await play(createPlayer(() => false))
  process.stdout.write(`where nobody is trusted: ${JSON.stringify(figures)}\n`)
  expect([figures.conversations, figures.asked > 0, figures.share <= 0.15]).toEqual([30, true, true])
})
