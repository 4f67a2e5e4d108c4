import { useMemo, useState } from 'react'
import { systemLanguage } from '#app/i18n/choose-language.ts'
import { t } from '#app/i18n/translate.ts'
import { accents, codeFontName, defaultSettings, type Settings, textSizes } from '#app/settings.ts'
import { useLocalVoices } from '#renderer/features/chat/messages/read-aloud.tsx'
import { useActions, useConnection, useSettings } from '#renderer/stores/store-hooks.tsx'
import { translations } from '#renderer/translations.ts'
import { type Choice, ChoiceSelect, RadioList, Segmented, SelectField, SuggestingInput } from '#renderer/ui/field.tsx'
import { NumberSetting, SettingRow } from '#renderer/ui/number-setting.tsx'
import { Section } from '#renderer/ui/text/section.tsx'

const themes: readonly Choice<Settings['theme']>[] = [
  { value: 'system', label: t`System` },
  { value: 'light', label: t`Light` },
  { value: 'dark', label: t`Dark` },
]
const densities: readonly Choice<Settings['density']>[] = [
  { value: 'comfortable', label: t`Comfortable` },
  { value: 'compact', label: t`Compact` },
]
const accentNames: Readonly<Record<Settings['accent'], string>> = {
  blue: t`Blue`,
  violet: t`Violet`,
  teal: t`Teal`,
  plum: t`Plum`,
  graphite: t`Graphite`,
}
const accentChoices = accents.map((accent) => ({
  value: accent,
  label: (
    <>
      <span className="swatch" data-accent={accent} />
      {accentNames[accent]}
    </>
  ),
}))

interface ChoiceRowProps<Name extends 'theme' | 'density' | 'accent'> {
  readonly name: Name
  readonly label: string
  readonly choices: readonly Choice<Settings[Name]>[]
  readonly usual: string
}

function ChoiceRow<Name extends 'theme' | 'density' | 'accent'>({ name, label, choices, usual }: ChoiceRowProps<Name>) {
  const value = useSettings((state) => state.settings[name])
  const { set } = useActions()
  const choose = (next: Settings[Name]): void => set({ [name]: next })
  return (
    <SettingRow label={label} usual={usual} isUsual={value === defaultSettings[name]} onReset={() => choose(defaultSettings[name])}>
      {() => <Segmented<Settings[Name]> label={label} value={value} choices={choices} onChange={choose} />}
    </SettingRow>
  )
}

export function AppearanceTab() {
  const textSize = useSettings((state) => state.settings.textSize)
  const { set } = useActions()
  return (
    <>
      <Section level={2} title={t`Appearance`}>
        <div className="lines settings-lines">
          <ChoiceRow name="theme" label={t`Theme`} choices={themes} usual={t`System`} />
          <ChoiceRow name="accent" label={t`Accent`} choices={accentChoices} usual={accentNames.blue} />
          <NumberSetting
            label={t`Text size`}
            unit="%"
            min={textSizes[0]}
            max={300}
            value={textSize}
            usual={defaultSettings.textSize}
            onSave={(next) => set({ textSize: next })}
          />
          <ChoiceRow name="density" label={t`Density`} choices={densities} usual={t`Comfortable`} />
          <CodeFont />
          <Language />
        </div>
      </Section>
      <Spelling />
      <ReadingAloud />
    </>
  )
}

/** Fonts for code that systems and programmers have. */
const codeFonts = (
  'JetBrains Mono,Fira Code,Cascadia Code,Cascadia Mono,Source Code Pro,IBM Plex Mono,Hack,Iosevka,SF Mono,Menlo,Monaco,Consolas,' +
  'Ubuntu Mono,DejaVu Sans Mono,Liberation Mono,Noto Sans Mono,Courier New'
).split(',')

/** Whether this computer has a font: text in it is as wide as in neither of two fallbacks, or else equal in both. */
function hasFont(name: string): boolean {
  const canvas = document.createElement('canvas').getContext('2d')
  if (!canvas) return true
  const widthIn = (font: string): number => {
    canvas.font = `48px ${font}`
    return canvas.measureText('mmmiiilll_WQ@&').width
  }
  const quoted = JSON.stringify(name)
  return widthIn(`${quoted}, serif`) === widthIn(`${quoted}, sans-serif`)
}

function CodeFont() {
  const font = useSettings((state) => state.settings.codeFont)
  const { set } = useActions()
  const installed = useMemo(() => codeFonts.filter(hasFont), [])
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const text = (draft ?? font).trim()
  const isName = codeFontName.test(text)
  const save = (): void => {
    if (draft === undefined || !isName) return
    if (text !== font) set({ codeFont: text })
    setDraft(undefined)
  }
  return (
    <SettingRow
      label={t`Code font`}
      error={isName && (text === '' || hasFont(text)) ? undefined : t`This computer has no font of that name.`}
      usual={t`System`}
      isUsual={font === ''}
      onReset={() => {
        setDraft(undefined)
        set({ codeFont: '' })
      }}
    >
      {(ids) => (
        <SuggestingInput
          {...ids}
          mono
          placeholder={t`System`}
          className="font"
          suggestions={installed}
          value={draft ?? font}
          onText={setDraft}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save()
          }}
        />
      )}
    </SettingRow>
  )
}

function ReadingAloud() {
  const voice = useSettings((state) => state.settings.voice)
  const voices = useLocalVoices()
  const { set } = useActions()
  const gone = voice !== '' && !voices.some(({ voiceURI }) => voiceURI === voice)
  if (voices.length === 0 && !gone) return null
  return (
    <Section level={2} title={t`Reading aloud`}>
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
    </Section>
  )
}

function Language() {
  const language = useSettings((state) => state.settings.language)
  const { set } = useActions()
  const choices = [...new Set(['en', ...translations.keys(), ...(language === systemLanguage ? [] : [language])])]
  const choose = (tag: string): void => set({ language: tag })
  return (
    <SettingRow label={t`Language`} usual={t`System`} isUsual={language === systemLanguage} onReset={() => choose(systemLanguage)}>
      {(ids) => (
        <ChoiceSelect
          {...ids}
          className="fit"
          value={language}
          options={[
            { value: systemLanguage, label: t`System` },
            ...choices.map((tag) => ({ value: tag, label: new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag, lang: tag })),
          ]}
          onChoose={choose}
        />
      )}
    </SettingRow>
  )
}

/** Spelling where it is ours to check: macOS and browsers do it by themselves. */
function Spelling() {
  const spelling = useSettings((state) => state.settings.spelling)
  const own = useConnection((state) => state.about?.shell.kind === 'electron' && state.about.shell.os !== 'mac')
  const { set } = useActions()
  if (!own) return null
  return (
    <Section level={2} title={t`Spelling`}>
      <RadioList<'off' | 'on'>
        label={t`Spelling`}
        value={spelling ? 'on' : 'off'}
        onChange={(next) => set({ spelling: next === 'on' })}
        choices={[
          { value: 'off', label: t`Off` },
          {
            value: 'on',
            label: t`Check spelling`,
            help: t`Downloads dictionaries of your system’s languages from Google, once; nothing that you type is sent.`,
          },
        ]}
      />
    </Section>
  )
}
