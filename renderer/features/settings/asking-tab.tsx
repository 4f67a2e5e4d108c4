import type { ConsentMode } from '#app/consent/mode.ts'
import { t } from '#app/words/translate.ts'
import { modes, modeWords } from '#renderer/features/chat/mode-words.ts'
import { hrefOf } from '#renderer/router.ts'
import { useActions, useSettings } from '#renderer/stores/react.tsx'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Field, Select } from '#renderer/ui/field.tsx'
import { NumberSetting } from '#renderer/ui/number-setting.tsx'
import { FoldersSection } from './folders-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'

export function AskingTab() {
  const settings = useSettings((state) => state.settings)
  const { set } = useActions()
  return (
    <>
      <section className="sec">
        <h2 className="h3">{t`Limits`}</h2>
        <div className="lines">
          <NumberSetting
            label={t`Steps in one turn`}
            help={t`After this many answers of the model, a turn pauses and offers to go on.`}
            unit={t`steps`}
            value={settings.stepLimit}
            min={1}
            max={200}
            onSave={(stepLimit) => set({ stepLimit })}
          />
          <NumberSetting
            label={t`Tokens in one turn`}
            help={t`Read and written, as the provider counts them; what it reads from its cache is not counted. Then the turn pauses and offers to go on. 0 sets no limit.`}
            unit={t`tokens`}
            value={settings.tokenLimit}
            min={0}
            max={1_000_000_000}
            onSave={(tokenLimit) => set({ tokenLimit })}
          />
          <NumberSetting
            label={t`Cost of one turn`}
            help={t`In US dollars, of models whose price is known. Then the turn pauses and offers to go on. 0 sets no limit.`}
            unit={t`dollars`}
            value={settings.costLimit}
            digits={2}
            min={0}
            max={1_000_000}
            onSave={(costLimit) => set({ costLimit })}
          />
          <NumberSetting
            label={t`Room for tools`}
            help={t`The share of a model’s context that the definitions of tools may take. Where they would take more, only those that fit the chat are sent, and the model searches for the rest.`}
            unit={t`percent`}
            value={settings.toolShare}
            min={1}
            max={100}
            onSave={(toolShare) => set({ toolShare })}
          />
          <NumberSetting
            label={t`Summary of a long chat`}
            help={t`When a chat fills this share of its model’s context, the model sums up the older part for itself. Every message is kept, and the summary can be read, edited and undone. 0: never by itself.`}
            unit={t`percent`}
            value={settings.compactAt}
            min={0}
            max={95}
            onSave={(compactAt) => set({ compactAt })}
          />
          <NumberSetting
            label={t`Time for a tool call`}
            help={t`Without progress. A call that takes longer ends with an error that the model reads. A server can have its own limit.`}
            unit={t`seconds`}
            value={Math.round(settings.callTimeoutMs / 1000)}
            min={1}
            max={86_400}
            onSave={(seconds) => set({ callTimeoutMs: seconds * 1000 })}
          />
          <NumberSetting
            label={t`Looking whether a server is still there`}
            help={t`A server with nothing to do is asked so often for a sign of life; 0 leaves it alone. One that stops answering is started again. Servers of 2026-07-28 need none.`}
            unit={t`seconds`}
            value={settings.pingSeconds}
            min={0}
            max={86_400}
            onSave={(pingSeconds) => set({ pingSeconds })}
          />
        </div>
      </section>
      <FoldersSection />
      <section className="sec">
        <h2 className="h3">{t`When you are asked`}</h2>
        <Field label={t`New chats`} help={modeWords[settings.consentMode].help}>
          {(ids) => (
            <Select {...ids} value={settings.consentMode} onChange={(event) => set({ consentMode: event.target.value as ConsentMode })}>
              {modes.map((mode) => (
                <option key={mode} value={mode}>
                  {modeWords[mode].name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <p className="lede">
          {t`Before each tool call that no rule of yours allows, before a program starts for the first time or after it changed, and whenever a server wants something of you or your model. No setting turns this off: your rules answer in your place, and a chat can be set to let tools read where you trust their server.`}
        </p>
        <p>
          <LinkButton size="sm" href={hrefOf({ page: 'record' })}>
            {t`See your rules`}
          </LinkButton>
        </p>
      </section>
      <NotificationsSection />
    </>
  )
}
