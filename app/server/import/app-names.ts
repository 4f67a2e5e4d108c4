// Names of the applications whose servers can be imported. The readers of their files are apart, since no page needs them.
import { z } from 'zod'
import { t } from '#app/i18n/translate.ts'

const products = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  cline: 'Cline',
  zed: 'Zed',
  goose: 'Goose',
  'lm-studio': 'LM Studio',
  continue: 'Continue',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  'qwen-code': 'Qwen Code',
  opencode: 'OpenCode',
  kiro: 'Kiro',
  'copilot-cli': 'GitHub Copilot CLI',
  'amazon-q': 'Amazon Q',
  warp: 'Warp',
  'roo-code': 'Roo Code',
  'kilo-code': 'Kilo Code',
  junie: 'Junie',
  amp: 'Amp',
  crush: 'Crush',
} as const

/** `other`: a file that the person named, of whatever program. */
export const hostId = z.enum([...(Object.keys(products) as (keyof typeof products)[]), 'other'])
export type HostId = z.infer<typeof hostId>

export const hostNames = (): Readonly<Record<HostId, string>> => ({ ...products, other: t`The place that you chose` })
