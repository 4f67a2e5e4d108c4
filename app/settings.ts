import { z } from 'zod'
import { defaultToolShare } from './chat/tools/tool-switches.ts'
import { consentMode } from './consent/rules/consent-mode.ts'
import { systemLanguage } from './i18n/choose-language.ts'
import { chatParameters } from './models/models.ts'
import { monthBudget, prices } from './models/usage.ts'
import { officialRegistry, registryAddress } from './server/registry/registry-url.ts'
import { folderPaths } from './shared-folders.ts'

// How large the page is drawn, in percent: the steps that browsers have.
export const zoomSteps = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const
export const usualZoom = 100

/** One step larger or smaller; at the end of the steps as it is. `by` 0: the usual size. */
export function nextZoom(zoom: number, by: 1 | 0 | -1): number {
  if (by === 0) return usualZoom
  const next = by > 0 ? zoomSteps.find((step) => step > zoom) : zoomSteps.findLast((step) => step < zoom)
  return next ?? zoom
}

export const settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** `system`: the first of the person's that there are words in. Else a BCP 47 tag. */
  language: z.string().regex(/^[a-zA-Z0-9-]{2,35}$/),
  /** What is typed is checked, where that needs a dictionary that Chromium downloads: in the desktop application, but on a Mac. */
  spelling: z.boolean(),
  /** Percent; of the desktop application's windows. A browser has its own. */
  zoom: z.number().int().min(50).max(300),
  /** The model of new chats. */
  defaultModel: z.string(),
  /** How new chats ask before tool calls. */
  consentMode,
  /** Model answers in one turn before it pauses and offers to go on. */
  stepLimit: z.number().int().min(1).max(200),
  /** Tokens that a turn may read (those from the provider's cache aside) and write before it pauses; 0: any number. */
  tokenLimit: z.number().int().min(0).max(1_000_000_000),
  /** US dollars that a turn may cost before it pauses, as far as its cost is known; 0: any sum. */
  costLimit: z.number().min(0).max(1_000_000),
  /** What new chats begin with. */
  chatParameters,
  /** Percent of a model's context that the definitions of tools may take; beyond it the rest is found by search. */
  toolShare: z.number().int().min(1).max(100),
  /** Percent of the model's context beyond which the older part of a conversation is summarised; 0: never by itself. */
  compactAt: z.number().int().min(0).max(95),
  /** Milliseconds that a call may take without progress. */
  callTimeoutMs: z.number().int().min(1000).max(86_400_000),
  /** Seconds between two pings of an idle server of an older revision; 0: none. */
  pingSeconds: z.number().int().min(0).max(86_400),
  /** Folders, by absolute path, that servers are told of when they ask and the person agrees. */
  roots: folderPaths,
  /** The model names a chat after its first answer. */
  autoTitles: z.boolean(),
  /** What models cost, where their provider does not say, or says otherwise. */
  prices,
  /** Null: none. */
  monthBudget: monthBudget.nullable(),
  /** Where servers are looked for, by the official registry's API. */
  registryAddress,
  /** The first-run page was left behind. */
  welcomed: z.boolean(),
})
export type Settings = z.infer<typeof settings>

export const defaultSettings: Settings = {
  theme: 'system',
  language: systemLanguage,
  spelling: false,
  zoom: usualZoom,
  defaultModel: 'practice/practice',
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
  monthBudget: null,
  registryAddress: officialRegistry,
  welcomed: false,
}
