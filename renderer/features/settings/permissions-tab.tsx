import { type ComponentProps, useSyncExternalStore } from 'react'
import { t } from '#app/i18n/translate.ts'
import { modeLabels, modes } from '#renderer/features/chat/settings/mode-picker.tsx'
import { FolderList, useFolders } from '#renderer/features/folders/folder-list.tsx'
import { noticeState, onNoticeState, turnNotices } from '#renderer/navigation/browser-notifications.ts'
import { useActions, useConnection, useSettings } from '#renderer/stores/store-hooks.tsx'
import { SmallLink } from '#renderer/ui/button.tsx'
import { SelectField, Switch } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { NumberSetting } from '#renderer/ui/number-setting.tsx'
import { Section } from '#renderer/ui/text/section.tsx'

/** System notifications. In the desktop application the system's settings decide; a browser is asked only by the press here. */
function NotificationsSection() {
  const web = useConnection((state) => state.about?.shell.kind === 'web')
  return (
    <Section level={2} title={t`Notifications`}>
      <p className="lede">
        {t`When something waits for you and no window of Assent is in front, a notification says which server it is and what kind of thing it wants. An answer that took long calls you too. What servers and models say is never in it.`}
      </p>
      {web ? <BrowserNotifications /> : <p className="help">{t`They can be turned off in the settings of your system.`}</p>}
    </Section>
  )
}

function BrowserNotifications() {
  const state = useSyncExternalStore(onNoticeState, noticeState)
  if (state === 'unsupported')
    return <p className="help">{t`This browser shows no notifications of this page. The title of its tab counts what waits.`}</p>
  return (
    <>
      <Switch
        label={t`Show them in this browser`}
        checked={state === 'granted'}
        disabled={state === 'denied'}
        onChange={(on) => void turnNotices(on)}
      />
      {state === 'denied' && (
        <Notice tone="warn" title={t`This browser refuses notifications of ${window.location.host}.`}>
          {t`Set Notifications to “Allow” in its settings for this site, which open from the icon beside the address, then load the page anew.`}
        </Notice>
      )}
      <p className="help">{tx`The browser keeps your choice for this address, ${window.location.host}.`}</p>
    </>
  )
}

const title = t`Folders servers may be told of`

/** Folders (MCP roots) where neither a chat nor a server has its own. */
function FoldersSection() {
  const roots = useSettings((state) => state.settings.roots)
  const folders = useFolders({ kind: 'everyone' }, roots)
  return (
    <Section level={2} title={title}>
      <p className="lede">
        {t`A server can ask which folders you work in. You are asked before it is told; then it learns these paths, and nothing of what is in them. A server or a chat can have folders of its own instead, on its page.`}
      </p>
      <FolderList folders={folders} title={title} none={t`None. Servers that ask are told that there are none.`} />
    </Section>
  )
}

export function PermissionsTab() {
  return (
    <>
      <LimitsSection />
      <FoldersSection />
      <ModeSection />
      <NotificationsSection />
    </>
  )
}

type Limit = Omit<ComponentProps<typeof NumberSetting>, 'value' | 'onSave'> & {
  readonly name: 'stepLimit' | 'tokenLimit' | 'costLimit' | 'toolShare' | 'compactAt' | 'callTimeoutMs' | 'pingSeconds'
  /** Units of the setting in one unit on the screen. */
  readonly scale?: number
}

const limits: readonly Limit[] = [
  {
    name: 'stepLimit',
    label: t`Steps in one turn`,
    help: t`After this many answers of the model, a turn pauses and offers to go on.`,
    unit: t`steps`,
    min: 1,
    max: 200,
  },
  {
    name: 'tokenLimit',
    label: t`Tokens in one turn`,
    help: t`Read and written, as the provider counts them; what it reads from its cache is not counted. Then the turn pauses and offers to go on. 0 sets no limit.`,
    unit: t`tokens`,
    min: 0,
    max: 1_000_000_000,
  },
  {
    name: 'costLimit',
    label: t`Cost of one turn`,
    help: t`In US dollars, of models whose price is known. Then the turn pauses and offers to go on. 0 sets no limit.`,
    unit: t`dollars`,
    digits: 2,
    min: 0,
    max: 1_000_000,
  },
  {
    name: 'toolShare',
    label: t`Room for tools`,
    help: t`The share of a model’s context that the definitions of tools may take. Where they would take more, only those that fit the chat are sent, and the model searches for the rest.`,
    unit: t`percent`,
    min: 1,
    max: 100,
  },
  {
    name: 'compactAt',
    label: t`Summary of a long chat`,
    help: t`When a chat fills this share of its model’s context, the model sums up the older part for itself. Every message is kept, and the summary can be read, edited and undone. 0: never by itself.`,
    unit: t`percent`,
    min: 0,
    max: 95,
  },
  {
    name: 'callTimeoutMs',
    scale: 1000,
    label: t`Time for a tool call`,
    help: t`Without progress. A call that takes longer ends with an error that the model reads. A server can have its own limit.`,
    unit: t`seconds`,
    min: 1,
    max: 86_400,
  },
  {
    name: 'pingSeconds',
    label: t`Looking whether a server is still there`,
    help: t`A server with nothing to do is asked so often for a sign of life; 0 leaves it alone. One that stops answering is started again. Servers of 2026-07-28 need none.`,
    unit: t`seconds`,
    min: 0,
    max: 86_400,
  },
]

function LimitsSection() {
  const settings = useSettings((state) => state.settings)
  const { set } = useActions()
  return (
    <Section level={2} title={t`Limits`}>
      <div className="lines">
        {limits.map(({ name, scale = 1, ...limit }) => (
          <NumberSetting
            key={name}
            {...limit}
            value={scale === 1 ? settings[name] : Math.round(settings[name] / scale)}
            onSave={(value) => set({ [name]: value * scale })}
          />
        ))}
      </div>
    </Section>
  )
}

function ModeSection() {
  const settings = useSettings((state) => state.settings)
  const { set } = useActions()
  return (
    <Section level={2} title={t`When you are asked`}>
      <SelectField
        label={t`New chats`}
        help={modeLabels[settings.consentMode].help}
        value={settings.consentMode}
        options={modes.map((mode) => ({ value: mode, label: modeLabels[mode].name }))}
        onChoose={(consentMode) => set({ consentMode })}
      />
      <p className="lede">
        {t`Before each tool call that no rule of yours allows, before a program starts for the first time or after it changed, and whenever a server wants something of you or your model. No setting turns this off: your rules answer in your place, and a chat can be set to let tools read where you trust their server.`}
      </p>
      <p>
        <SmallLink to={{ page: 'activity', tab: 'rules' }}>{t`See your rules`}</SmallLink>
      </p>
    </Section>
  )
}
