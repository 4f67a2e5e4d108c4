import { type ComponentProps, useSyncExternalStore } from 'react'
import { type KindAnswer, modeAnswers, modeWith, type ToolKind } from '#app/consent/rules/consent-mode.ts'
import { t } from '#app/i18n/translate.ts'
import { defaultSettings } from '#app/settings.ts'
import { modeLabels } from '#renderer/features/chat/settings/mode-picker.tsx'
import { FolderList, useFolders } from '#renderer/features/folders/folder-list.tsx'
import { noticeState, onNoticeState, turnNotices } from '#renderer/navigation/browser-notifications.ts'
import { useActions, useConnection, useSettings } from '#renderer/stores/store-hooks.tsx'
import { SmallLink } from '#renderer/ui/button.tsx'
import { ChoiceSelect, Switch } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { NumberSetting, SettingRow } from '#renderer/ui/number-setting.tsx'
import { Section } from '#renderer/ui/text/section.tsx'

/** System notifications. In the desktop application the system's settings decide; a browser is asked only by the press here. */
function Notifications() {
  const web = useConnection((state) => state.about?.shell.kind === 'web')
  const state = useSyncExternalStore(onNoticeState, noticeState)
  const help = !web ? t`Turn them off in the settings of your system.` : state === 'unsupported' ? t`This browser shows none.` : undefined
  return (
    <>
      <div>
        {web && state !== 'unsupported' ? (
          <Switch
            label={t`Notifications`}
            help={help}
            checked={state === 'granted'}
            disabled={state === 'denied'}
            onChange={(on) => void turnNotices(on)}
          />
        ) : (
          <p>
            {t`Notifications`}
            <span className="help block">{help}</span>
          </p>
        )}
      </div>
      {state === 'denied' && web && (
        <Notice tone="warn" title={t`This browser refuses notifications of ${window.location.host}.`}>
          {t`Allow them in its settings for this site, then reload the page.`}
        </Notice>
      )}
    </>
  )
}

const title = t`Shared folders`

/** Folders (MCP roots) where neither a chat nor a server has its own. */
function SharedFolders() {
  const roots = useSettings((state) => state.settings.roots)
  const folders = useFolders({ kind: 'everyone' }, roots)
  return (
    <div className="shared-folders">
      <p className="grow">
        {title}
        <span className="help block">{t`Shared with servers after you allow it.`}</span>
      </p>
      <FolderList folders={folders} title={title} none={t`None`} />
    </div>
  )
}

const answerLabels: Readonly<Record<KindAnswer, string>> = {
  ask: t`Ask`,
  allow: t`Allow`,
  'always-ask': modeLabels['ask-all'].name,
  deny: modeLabels['rules-only'].name,
}
const usualAnswers = modeAnswers[defaultSettings.consentMode]

/** Kinds of tools with the answers that modes have for them, in new chats. `help` undefined: that of the mode. */
const toolKinds: readonly {
  readonly kind: ToolKind
  readonly label: string
  readonly help?: string
  readonly answers: readonly KindAnswer[]
}[] = [
  {
    ...{ kind: 'reads', label: t`Tools that only read`, help: t`In new chats, for servers that you trust.` },
    answers: ['ask', 'allow', 'always-ask', 'deny'],
  },
  { kind: 'changes', label: t`Tools that change something`, answers: ['ask', 'always-ask', 'deny'] },
]

interface LockedProps {
  readonly label: string
  readonly answer: string
}

/** Row of what no setting changes. */
const Locked = ({ label, answer }: LockedProps) => (
  <div>
    <p className="grow">{label}</p>
    <span className="row dim">
      <Icon name="lock" small />
      {answer}
    </span>
  </div>
)

export function PermissionsTab() {
  const settings = useSettings((state) => state.settings)
  const { consentMode: mode } = settings
  const { set } = useActions()
  return (
    <>
      <Section level={2} title={t`Permissions`}>
        <div className="lines settings-lines">
          {toolKinds.map(({ kind, label, help, answers }) => {
            const answer = modeAnswers[mode][kind]
            const choose = (next: KindAnswer): void => set({ consentMode: modeWith(mode, kind, next) })
            return (
              <SettingRow
                key={kind}
                label={label}
                help={help ?? modeLabels[mode].help}
                usual={answerLabels[usualAnswers[kind]]}
                isUsual={answer === usualAnswers[kind]}
                onReset={() => choose(usualAnswers[kind])}
              >
                {(ids) => (
                  <ChoiceSelect
                    {...ids}
                    className="fit"
                    value={answer}
                    options={answers.map((value) => ({ value, label: answerLabels[value] }))}
                    onChoose={choose}
                  />
                )}
              </SettingRow>
            )
          })}
          <Locked label={t`Private data that could leave a chat`} answer={t`Ask`} />
          <Locked label={t`First start of a server`} answer={t`Ask, sandboxed`} />
          <div>
            <p className="grow">
              {t`Rules`}
              <span className="help block">{t`Allow or deny without asking. Deny rules take precedence.`}</span>
            </p>
            <SmallLink to={{ page: 'activity', tab: 'rules' }}>{t`See your rules`}</SmallLink>
          </div>
          <Notifications />
          <SharedFolders />
        </div>
      </Section>
      {groups.map(({ title: name, limits }) => (
        <Section key={name} level={2} title={name}>
          <div className="lines settings-lines">
            {limits.map(({ name: setting, scale = 1, ...limit }) => (
              <NumberSetting
                key={setting}
                {...limit}
                value={scale === 1 ? settings[setting] : Math.round(settings[setting] / scale)}
                usual={defaultSettings[setting] / scale}
                onSave={(value) => set({ [setting]: value * scale })}
              />
            ))}
          </div>
        </Section>
      ))}
    </>
  )
}

type Limit = Omit<ComponentProps<typeof NumberSetting>, 'value' | 'usual' | 'onSave'> & {
  readonly name: 'stepLimit' | 'tokenLimit' | 'costLimit' | 'toolShare' | 'compactAt' | 'callTimeoutMs' | 'pingSeconds'
  /** Units of the setting in one unit on the screen. */
  readonly scale?: number
}

const groups: readonly { readonly title: string; readonly limits: readonly Limit[] }[] = [
  {
    title: t`Limits per turn`,
    limits: [
      { name: 'stepLimit', label: t`Steps`, help: t`Pauses the turn after this many model answers.`, unit: '', min: 1, max: 200 },
      {
        ...{ name: 'tokenLimit', label: t`Tokens`, unit: '' },
        ...{ zero: t`No limit`, min: 0, max: 1_000_000_000 },
      },
      {
        ...{ name: 'costLimit', label: t`Cost`, unit: '$' },
        ...{ zero: t`No limit`, digits: 2, min: 0, max: 1_000_000 },
      },
    ],
  },
  {
    title: t`Context`,
    limits: [
      {
        ...{ name: 'toolShare', label: t`Space for tool definitions`, help: t`Share of the context. Tools beyond it are found by search.` },
        ...{ unit: '%', min: 1, max: 100 },
      },
      {
        ...{
          name: 'compactAt',
          label: t`Summarize long chats`,
          help: t`When a chat fills this share of the context. All messages are kept.`,
        },
        ...{ unit: '%', zero: t`Never`, min: 0, max: 95 },
      },
    ],
  },
  {
    title: t`Servers`,
    limits: [
      {
        ...{
          name: 'callTimeoutMs',
          scale: 1000,
          label: t`Tool timeout`,
        },
        ...{ unit: 's', min: 1, max: 86_400 },
      },
      {
        ...{ name: 'pingSeconds', label: t`Health check` },
        ...{ unit: 's', zero: t`Off`, min: 0, max: 86_400 },
      },
    ],
  },
]
