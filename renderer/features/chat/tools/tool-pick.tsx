// In the composer: how many tools the model has in this chat, and the way to their switches.

import { useState } from 'react'
import { toolBudget } from '#app/chat/tool-budget.ts'
import { isServerOff } from '#app/chat/tool-switches.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { useConversations, useModels, useServers, useSettings } from '#renderer/stores/react.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import type { BeginningChat } from '../new-choice.ts'
import { formatCount, summariseServers } from '../server-summary.ts'
import { ToolsDialog } from './tools-dialog.tsx'

interface ToolPickProps {
  readonly conversationId: string | undefined
  readonly model: string
  readonly begins?: BeginningChat | undefined
}

export function ToolPick({ conversationId, model, begins }: ToolPickProps) {
  const [open, setOpen] = useState(false)
  const own = useConversations((state) => state.list.find(({ id }) => id === conversationId)?.tools)
  const off = conversationId === undefined ? begins?.choice.tools : own
  const list = useServers((state) => state.list)
  const share = useSettings((state) => state.settings.toolShare)
  const context = useModels((state) => state.models.find(({ id }) => id === model)?.contextTokens)
  if (summariseServers(list).tools === 0) return null
  const { tools, tokens } = summariseServers(list.filter(({ name }) => !isServerOff(off, name)))
  const single = Object.entries(off?.tools ?? {}).reduce((sum, [server, names]) => sum + (isServerOff(off, server) ? 0 : names.length), 0)
  const count = Math.max(0, tools - single)
  const searched = tokens > toolBudget(share, context)
  return (
    <>
      <button type="button" className="pick num" title={t`The tools of this chat`} onClick={() => setOpen(true)}>
        <Icon name="tool" small />
        <span className="wide-only">
          {count === 1 ? t`1 tool` : t`${numberWords(count)} tools`}
          {searched ? ` · ${t`found by search`}` : tokens >= 1000 && ` · ${t`${formatCount(tokens)} tokens`}`}
        </span>
        <span className="narrow-only">{formatCount(count)}</span>
        <span className="sr narrow-only">{t`tools`}</span>
      </button>
      {open && <ToolsDialog conversationId={conversationId} model={model} begins={begins} onClose={() => setOpen(false)} />}
    </>
  )
}
