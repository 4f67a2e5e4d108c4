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

/** Zoom steps of browsers, in percent. */
export const zoomSteps = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const
export const usualZoom = 100

/** Next zoom step, within the steps. `by` 0: the usual size. */
export function nextZoom(zoom: number, by: 1 | 0 | -1): number {
  if (by === 0) return usualZoom
  const next = by > 0 ? zoomSteps.find((step) => step > zoom) : zoomSteps.findLast((step) => step < zoom)
  return next ?? zoom
}

/** Steps of the start page that the person took or left out. */
const setupStep = z.enum(['practice', 'no-servers', 'invoices', 'rename', 'room'])
export type SetupStep = z.infer<typeof setupStep>

export const settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** Language as a BCP 47 tag; `system`: the first translated one of the person's. */
  language: z.string().regex(/^[a-zA-Z0-9-]{2,35}$/),
  /** Spell check with a dictionary that Chromium downloads: desktop app only, not on macOS. */
  spelling: z.boolean(),
  /** Zoom of the desktop app's windows in percent. */
  zoom: z.number().int().min(50).max(300),
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
  zoom: usualZoom,
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
  welcomed: false,
  setup: [],
  dismissed: [],
}
