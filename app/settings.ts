import { z } from 'zod'
import { longestInstructions } from './chat/personal.ts'
import { defaultToolShare } from './chat/tools/tool-switches.ts'
import { consentMode } from './consent/rules/consent-mode.ts'
import { systemLanguage } from './i18n/choose-language.ts'
import { chatParameters } from './models/models.ts'
import { monthBudget, prices } from './models/usage.ts'
import { officialRegistry, registryAddress } from './server/registry/registry-url.ts'
import { folderPaths } from './shared-folders.ts'
import { ownShortcuts } from './shortcuts.ts'

/** Steps of the text size as browsers have them, in percent; any whole number between may be set. */
export const textSizes = [80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const
const usualTextSize = 100

/** Next step of the text size. `by` 0: the usual size. */
export function nextTextSize(size: number, by: 1 | 0 | -1): number {
  if (by === 0) return usualTextSize
  const next = by > 0 ? textSizes.find((step) => step > size) : textSizes.findLast((step) => step < size)
  return next ?? size
}

/** Name of a font, which stands in quotes in a style. The page knows it without the schemas, which come later than its start. */
export const codeFontName = /^[\p{L}\p{N} ._-]{0,80}$/u

/** Colours of what waits for the person. Not among them: red, amber and green, which say failed, careful and done. */
export const accents = ['blue', 'violet', 'teal', 'plum', 'graphite'] as const

/** Narrowest, usual and widest sidebar in CSS pixels at the usual text size. */
export const sidebarWidths = { min: 180, usual: 236, max: 480 } as const

/** Steps of the start page that the person took or left out. */
const setupStep = z.enum(['practice', 'no-servers', 'invoices', 'rename', 'room'])
export type SetupStep = z.infer<typeof setupStep>

export const settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** Language as a BCP 47 tag; `system`: the first translated one of the person's. */
  language: z.string().regex(/^[a-zA-Z0-9-]{2,35}$/),
  /** Spell check with a dictionary that Chromium downloads: desktop app only, not on macOS. */
  spelling: z.boolean(),
  /** Whether the installed app looks for updates by itself. */
  updates: z.boolean(),
  /** Size of the text, and of all that is laid out around it, in percent. */
  textSize: z.number().int().min(textSizes[0]).max(300),
  density: z.enum(['comfortable', 'compact']),
  /** Name of a font of this computer for code; '': the usual one. */
  codeFont: z.string().regex(codeFontName),
  accent: z.enum(accents),
  /** Width of the sidebar in CSS pixels at the usual text size. */
  sidebarWidth: z.number().int().min(sidebarWidths.min).max(sidebarWidths.max),
  sidebarCollapsed: z.boolean(),
  defaultModel: z.string(),
  /** Ids of the models that stand first in menus. */
  favouriteModels: z.array(z.string().max(300)).max(200),
  /** Consent mode of new chats. */
  consentMode,
  /** Model answers in one turn before it pauses and offers to go on. */
  stepLimit: z.number().int().min(1).max(200),
  /** Tokens, cached ones aside, that a turn may use before it pauses; 0: unlimited. */
  tokenLimit: z.number().int().min(0).max(1_000_000_000),
  /** Cost in US dollars, as far as known, at which a turn pauses; 0: unlimited. */
  costLimit: z.number().min(0).max(1_000_000),
  /** Model parameters of new chats. */
  chatParameters,
  /** Share of the context for tool definitions, in percent; the rest is found by tool search. */
  toolShare: z.number().int().min(1).max(100),
  /** Share of the context in percent at which compaction starts; 0: never automatically. */
  compactAt: z.number().int().min(0).max(95),
  /** Milliseconds that a call may take without progress. */
  callTimeoutMs: z.number().int().min(1000).max(86_400_000),
  /** Seconds between pings of an idle server of an older revision; 0: none. */
  pingSeconds: z.number().int().min(0).max(86_400),
  /** Roots of all servers, as absolute paths, told with the person's consent. */
  roots: folderPaths,
  /** Whether the model titles a chat after its first answer. */
  autoTitles: z.boolean(),
  /** Prices of models, where the provider names none or others. */
  prices,
  /** Contexts of models in tokens, by id, as the person corrected them; Ollama loads its models with them. */
  contextSizes: z.record(z.string().max(300), z.number().int().min(256).max(100_000_000)),
  monthBudget: monthBudget.nullable(),
  registryAddress,
  /** Instructions of the person for every chat. */
  instructions: z.string().max(longestInstructions),
  /** Whether models read the facts of the memory, and may note some with the person's consent. */
  memory: z.boolean(),
  /** Voice that reads answers aloud, by its URI; '': none, and nothing is offered. */
  voice: z.string().max(300),
  shortcuts: ownShortcuts,
  /** Whether the desktop app has a tray icon, and goes on there when its last window is closed. */
  tray: z.boolean(),
  /** Whether the desktop app starts with the person's session. */
  startAtLogin: z.boolean(),
  /** Whether the keys of the quick entry work in every app. */
  quickEntryKeys: z.boolean(),
  /** Whether agents may connect over Streamable HTTP on 127.0.0.1, and at which port. */
  gateHttp: z.boolean(),
  gatePort: z.number().int().min(1024).max(65_535),
  /** Whether the steps of the start page are all done, or were hidden. */
  welcomed: z.boolean(),
  setup: z.array(setupStep).max(10),
  /** Ids of suggestions that the person dismissed, the latest last. */
  dismissed: z.array(z.string().max(1000)).max(200),
})
export type Settings = z.infer<typeof settings>

export const defaultSettings: Settings = {
  theme: 'system',
  language: systemLanguage,
  spelling: false,
  updates: true,
  textSize: usualTextSize,
  density: 'comfortable',
  codeFont: '',
  accent: 'blue',
  sidebarWidth: sidebarWidths.usual,
  sidebarCollapsed: false,
  defaultModel: 'practice/practice',
  favouriteModels: [],
  consentMode: 'rules',
  stepLimit: 25,
  tokenLimit: 1_000_000,
  costLimit: 0,
  chatParameters: {},
  toolShare: defaultToolShare,
  compactAt: 80,
  callTimeoutMs: 60_000,
  pingSeconds: 120,
  roots: [],
  autoTitles: true,
  prices: {},
  contextSizes: {},
  monthBudget: null,
  registryAddress: officialRegistry,
  instructions: '',
  memory: false,
  voice: '',
  shortcuts: {},
  tray: true,
  startAtLogin: false,
  quickEntryKeys: false,
  gateHttp: false,
  gatePort: 6284,
  welcomed: false,
  setup: [],
  dismissed: [],
}
