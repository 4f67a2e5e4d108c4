import { useEffect } from 'react'
import { t } from '#app/i18n/translate.ts'
import { ImportSuggestion } from '#renderer/features/servers/import/import-suggestion.tsx'
import {
  useActions,
  useConversation,
  useConversations,
  useModels,
  useServers,
  useSettings,
  useShallow,
  useStores,
  useTranscriptError,
} from '#renderer/stores/store-hooks.tsx'
import { LinkButton, SmallButton, SmallLink } from '#renderer/ui/button.tsx'
import { Icon, type IconName } from '#renderer/ui/icon.tsx'
import { Menu, MenuRadioGroups } from '#renderer/ui/menu.tsx'
import { ErrorNotice, Notice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { whenIdle } from '../features/chat/code/when-idle.ts'
import { Composer, useSend } from '../features/chat/composer/composer.tsx'
import { byProvider, modelChoices, modelSettings } from '../features/chat/settings/model-picker.tsx'
import { useBeginningChat, useChooseModel } from '../features/chat/settings/new-chat-choices.ts'
import { ServerPick } from '../features/chat/settings/server-picker.tsx'
import { LazyOpenChat } from './pages.ts'

function PracticeNotice({ model, onChoose }: { readonly model: string; readonly onChoose: (model: string) => void }) {
  const { attempt } = useActions()
  const none = useModels((state) => state.models.every(({ ai }) => !ai))
  const providers = useModels((state) => state.providers)
  const here = useModels(
    useShallow((state) => {
      const local = new Set(state.providers.flatMap((one) => (one.endpoint === 'local' && !one.error ? [one.id] : [])))
      return state.models.filter(({ provider }) => local.has(provider))
    }),
  )
  useEffect(() => (none ? whenIdle(() => void attempt('models.look', {})) : undefined), [none, attempt])
  const groups = byProvider(here, providers)
  return (
    <Notice
      title={t`The practice model is not an AI.`}
      action={
        here.length === 0 ? (
          <LinkButton size="sm" href={modelSettings}>
            {t`Add a model`}
          </LinkButton>
        ) : (
          <Menu trigger={<SmallButton>{t`Choose a model`}</SmallButton>}>
            <MenuRadioGroups label={t`Model`} value={model} onChange={onChoose} groups={modelChoices(groups, [])} />
          </Menu>
        )
      }
    >
      {here.length === 0
        ? t`It matches your words to tools and fills in what it finds in the text. Use it to see how servers and approvals work. Add a key for real answers.`
        : t`It matches your words to tools and fills in what it finds in the text. For real answers, use a model that runs on this computer: ${groups.map(({ name }) => name).join(', ')}.`}
    </Notice>
  )
}

/** Examples for the demo server; the practice model finds its tools by these words. */
const examples: readonly { readonly icon: IconName; readonly text: string; readonly about: string }[] = [
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
          {welcome && <ImportSuggestion lead={t`Take over the servers of`} />}
          {practice && <PracticeNotice model={model} onChoose={chooseModel} />}
        </div>
      </div>
      <Composer
        model={model}
        begins={begins}
        send={send}
        placeholder={welcome && demo ? t`Write a message, or pick an example` : t`Write a message`}
      />
    </Page>
  )
}

export function ChatPage({ id }: { readonly id: string | undefined }) {
  const conversation = useConversation(id, (one) => one)
  if (id === undefined) return <NewChat />
  return conversation ? <LazyOpenChat conversation={conversation} /> : <MissingChat id={id} />
}

/** Fetches an older chat; a deleted one gets a notice. */
function MissingChat({ id }: { readonly id: string }) {
  const { transcripts } = useStores()
  // The conversation arrives with its messages.
  useEffect(() => transcripts.open(id), [transcripts, id])
  const error = useTranscriptError(id)
  return (
    <Page title={t`Chat`}>
      <div className="scroll">
        <div className="col">
          {error?.code === 'chat.unknown-conversation' ? (
            <Notice title={t`This chat is not here.`} action={<SmallLink to={{ page: 'chat' }}>{t`New chat`}</SmallLink>}>
              {t`It was deleted, or belongs to another data folder.`}
            </Notice>
          ) : (
            error && <ErrorNotice error={error} onRetry={() => transcripts.retry(id)} />
          )}
        </div>
      </div>
    </Page>
  )
}
