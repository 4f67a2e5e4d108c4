import { systemLanguage } from '#app/i18n/choose-language.ts'
import { formatPercent } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { type Settings, usualZoom, zoomSteps } from '#app/settings.ts'
import { useLocalVoices } from '#renderer/features/chat/messages/read-aloud.tsx'
import { useActions, useConnection, useSettings } from '#renderer/stores/store-hooks.tsx'
import { translations } from '#renderer/translations.ts'
import { RadioList, SelectField } from '#renderer/ui/field.tsx'
import { Section } from '#renderer/ui/text/section.tsx'

export function AppearanceTab() {
  const theme = useSettings((state) => state.settings.theme)
  const { set } = useActions()
  return (
    <>
      <Section level={2} title={t`Theme`}>
        <RadioList<Settings['theme']>
          label={t`Theme`}
          value={theme}
          onChange={(next) => set({ theme: next })}
          choices={[
            { value: 'system', label: t`As the system`, help: t`Changes when the system does` },
            { value: 'light', label: t`Light` },
            { value: 'dark', label: t`Dark` },
          ]}
        />
      </Section>
      <Section level={2} title={t`Size`}>
        <Size />
      </Section>
      <Section level={2} title={t`Language`}>
        <Language />
      </Section>
      <Spelling />
      <ReadingAloud />
    </>
  )
}

function ReadingAloud() {
  const voice = useSettings((state) => state.settings.voice)
  const voices = useLocalVoices()
  const { set } = useActions()
  const gone = voice !== '' && !voices.some(({ voiceURI }) => voiceURI === voice)
  return (
    <Section level={2} title={t`Reading aloud`}>
      {voices.length === 0 && !gone ? (
        <p className="help">{t`This computer offers no voice of its own.`}</p>
      ) : (
        <SelectField
          label={t`Voice`}
          help={t`Only voices of this computer: no text leaves it.`}
          value={voice}
          options={[
            { value: '', label: t`Off` },
            ...(gone ? [{ value: voice, label: t`${voice} (not available)` }] : []),
            ...voices.map(({ voiceURI, name, lang }) => ({ value: voiceURI, label: `${name} (${lang})` })),
          ]}
          onChoose={(next) => set({ voice: next })}
        />
      )}
    </Section>
  )
}

function Size() {
  const zoom = useSettings((state) => state.settings.zoom)
  const inWindow = useConnection((state) => state.about?.shell.kind === 'electron')
  const { set } = useActions()
  if (!inWindow) return <p className="help">{t`Here your browser’s zoom draws the page larger or smaller.`}</p>
  const steps = [...new Set([...zoomSteps, zoom])].sort((a, b) => a - b)
  return (
    <SelectField
      label={t`Everything is drawn at`}
      value={String(zoom)}
      options={steps.map((step) => {
        const percent = formatPercent(step / 100)
        return { value: String(step), label: step === usualZoom ? t`${percent}, as usual` : percent }
      })}
      onChoose={(step) => set({ zoom: Number(step) })}
    />
  )
}

function Language() {
  const language = useSettings((state) => state.settings.language)
  const { set } = useActions()
  const choices = [...new Set(['en', ...translations.keys(), ...(language === systemLanguage ? [] : [language])])]
  return (
    <SelectField
      label={t`Assent speaks`}
      help={t`Numbers and times are written as in your region of that language. What was reported before stays as it was.`}
      value={language}
      options={[
        { value: systemLanguage, label: t`The language of this system, or English` },
        ...choices.map((tag) => ({ value: tag, label: new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag, lang: tag })),
      ]}
      onChoose={(tag) => set({ language: tag })}
    />
  )
}

function Spelling() {
  const spelling = useSettings((state) => state.settings.spelling)
  const shell = useConnection((state) => state.about?.shell)
  const { set } = useActions()
  if (!shell) return null
  const own = shell.kind === 'electron' && shell.os !== 'mac'
  return (
    <Section level={2} title={t`Spelling`}>
      {own ? (
        <RadioList<'off' | 'on'>
          label={t`Spelling`}
          value={spelling ? 'on' : 'off'}
          onChange={(next) => set({ spelling: next === 'on' })}
          choices={[
            { value: 'off', label: t`Not checked` },
            {
              value: 'on',
              label: t`Check what I type`,
              help: t`Downloads dictionaries of your system’s languages from Google, once; nothing that you type is sent. Begins in windows that are opened from then on.`,
            },
          ]}
        />
      ) : (
        <p className="help">
          {shell.kind === 'electron' ? t`Your system checks what you type.` : t`Your browser checks what you type, as you set it there.`}
        </p>
      )}
    </Section>
  )
}
