// A new chat: on the first run what Assent does and three things to try; later only the question.
import { t } from '#app/words/translate.ts'
import { TakeoverLine } from '#renderer/features/import/takeover-line.tsx'
import { useConversations, useModels, useServers, useSettings } from '#renderer/stores/react.tsx'
import { Icon, type IconName } from '#renderer/ui/icon.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Composer } from './composer.tsx'
import { useBeginningChat, useChooseModel } from './new-choice.ts'
import { PracticeNotice } from './practice-notice.tsx'
import { ServerPick } from './server-pick.tsx'
import { useSend } from './use-send.ts'

interface Example {
  readonly icon: IconName
  readonly text: string
  readonly about: string
}

/** They name what the demo server can do; the practice model finds its tools by these words. */
const examples: readonly Example[] = [
  { icon: 'file', text: t`List the sample invoices and add up the totals`, about: t`Reads files. You are asked before each tool runs.` },
  {
    icon: 'edit',
    text: t`Rename invoice 0417 to start with its date`,
    about: t`Changes a file. You see old and new name before it happens.`,
  },
  { icon: 'text', text: t`Book a room for four on Thursday`, about: t`The server asks you for the missing details in a form.` },
]

export function NewChat() {
  const standard = useSettings((state) => state.settings.defaultModel)
  const begins = useBeginningChat()
  const model = begins.choice.model ?? standard
  const chooseModel = useChooseModel(begins)
  const first = useSettings((state) => !state.settings.welcomed)
  const none = useConversations((state) => state.list.length === 0)
  const practice = useModels((state) => state.models.find((one) => one.id === model)?.ai === false)
  const demo = useServers((state) =>
    state.list.some(
      (server) => server.definition.transport === 'builtin' && server.definition.module === 'demo' && server.state.kind !== 'disabled',
    ),
  )
  const send = useSend(undefined, undefined, model, begins)
  const welcome = first || none
  return (
    <Page title={t`New chat`} actions={<ServerPick />}>
      <div className="scroll">
        <div className="col new-chat">
          <div className="stack">
            <h2>{t`What should we work on?`}</h2>
            {welcome && (
              <p className="lede">
                {t`Assent asks before a tool runs, and keeps a record of every answer.`} {demo && t`Try it with the demo server.`}{' '}
                {demo && practice && t`Nothing leaves this computer.`}
              </p>
            )}
          </div>
          {welcome && demo && (
            <div className="stack examples">
              {examples.map((example) => (
                <button key={example.text} type="button" className="item" onClick={() => send.send(example.text)}>
                  <Icon name={example.icon} />
                  <span className="t">{example.text}</span>
                  <span className="faint">
                    <Icon name="chevron-right" small />
                  </span>
                  <span className="d">{example.about}</span>
                </button>
              ))}
            </div>
          )}
          {welcome && <TakeoverLine lead={t`Take over the servers of`} />}
          {practice && <PracticeNotice model={model} onChoose={chooseModel} />}
        </div>
      </div>
      <Composer
        conversationId={undefined}
        activity={undefined}
        model={model}
        begins={begins}
        send={send}
        placeholder={welcome && demo ? t`Write a message, or pick an example` : t`Write a message`}
      />
    </Page>
  )
}
