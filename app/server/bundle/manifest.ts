// Schema of a bundle's manifest (MCPB, formerly DXT; manifest versions 0.1 to 0.4), with a limit on every list and text. Unknown keys are
// ignored, as the format's own readers do; a field that is wrong is named. The claims of a manifest are shown, never believed.
import { z } from 'zod'
import { t } from '#app/i18n/translate.ts'
import { mapOf } from '../../json-schemas.ts'

const line = (max: number) => z.string().trim().min(1).max(max)
const text = (max: number) => z.string().max(max)
const strings = (count: number, length: number) => z.array(text(length)).max(count)
/** Word of a command line. It can hold no NUL, and a line break would hide what follows it. */
const word = z
  .string()
  .max(8192)
  .refine((value) => !/[\0\r\n]/.test(value), { error: () => t`has a line break or a NUL` })
const variableName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][A-Za-z0-9_()]*$/, { error: () => t`is not a variable name` })
const variables = mapOf(word, variableName).refine((env) => Object.keys(env).length <= 200, { error: () => t`has more than 200 entries` })

const command = z.object({ command: word.min(1), args: z.array(word).max(500).optional(), env: variables.optional() })
const mcpConfig = command.extend({
  /** Fields that replace those of the same name, by `process.platform`. */
  platform_overrides: mapOf(command.partial(), z.string().max(50)).optional(),
})

export const serverTypes = ['node', 'python', 'binary', 'uv'] as const

export const optionTypes = ['string', 'number', 'boolean', 'directory', 'file'] as const
const defaultValue = z.union([text(8192), z.number(), z.boolean(), strings(100, 4096)])
const configOption = z.object({
  type: z.enum(optionTypes),
  title: text(500).optional(),
  description: text(4000).optional(),
  required: z.boolean().optional(),
  default: defaultValue.optional(),
  multiple: z.boolean().optional(),
  sensitive: z.boolean().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
})
export type ConfigOption = z.infer<typeof configOption>

const versions = text(200)
const offered = { name: line(300), description: text(8000).optional() }

export const bundleManifest = z
  .object({
    manifest_version: text(20).optional(),
    dxt_version: text(20).optional(),
    name: line(200),
    display_name: text(200).optional(),
    version: line(100),
    description: text(8000),
    long_description: text(100_000).optional(),
    author: z.object({ name: line(200), email: text(320).optional(), url: text(2048).optional() }),
    repository: z.object({ url: text(2048) }).optional(),
    homepage: text(2048).optional(),
    documentation: text(2048).optional(),
    support: text(2048).optional(),
    license: text(200).optional(),
    privacy_policies: strings(20, 2048).optional(),
    server: z.object({
      type: z.enum(serverTypes),
      entry_point: text(1000),
      /** Only `uv` may leave it out. */
      mcp_config: mcpConfig.optional(),
    }),
    tools: z.array(z.object(offered)).max(2000).optional(),
    /** Left out when it is wrong, since it is for display only. */
    icon: text(2048).optional().catch(undefined),
    icons: z
      .array(z.object({ src: text(2048), size: text(50), theme: text(50).optional() }))
      .max(50)
      .optional()
      .catch(undefined),
    localization: z
      .object({ resources: text(1000).includes(`\${locale}`).optional(), default_locale: text(100).optional() })
      .optional()
      .catch(undefined),
    tools_generated: z.boolean().optional(),
    prompts: z
      .array(z.object({ ...offered, arguments: strings(100, 300).optional() }))
      .max(2000)
      .optional(),
    prompts_generated: z.boolean().optional(),
    /** Other keys name applications, with the version that the bundle asks of each. */
    compatibility: z
      .object({ platforms: strings(20, 50).optional(), runtimes: mapOf(versions, z.string().max(50)).optional() })
      .catchall(z.unknown())
      .optional(),
    user_config: mapOf(configOption, z.string().min(1).max(100))
      .refine((options) => Object.keys(options).length <= 200, { error: () => t`has more than 200 entries` })
      .optional(),
  })
  .refine((value) => value.manifest_version !== undefined || value.dxt_version !== undefined, {
    path: ['manifest_version'],
    error: () => t`is missing`,
  })
  .refine((value) => value.server.type === 'uv' || value.server.mcp_config !== undefined, {
    path: ['server', 'mcp_config'],
    error: () => t`is missing`,
  })
export type BundleManifest = z.infer<typeof bundleManifest>

/** Bytes of manifest.json. */
export const largestManifest = 1_000_000
export const knownManifestVersions: readonly string[] = ['0.1', '0.2', '0.3', '0.4']
export const manifestVersionOf = ({ manifest_version, dxt_version }: BundleManifest): string => manifest_version ?? dxt_version ?? ''

type ReadManifest =
  | { readonly kind: 'read'; readonly manifest: BundleManifest }
  /** `field`: `server.mcp_config.args[2]`, or '' for the whole manifest. */
  | { readonly kind: 'wrong'; readonly problems: readonly { readonly field: string; readonly message: string }[] }

const fieldOf = (path: readonly PropertyKey[]): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`)).join('')

export function readManifest(json: string): ReadManifest {
  let value: unknown
  try {
    value = JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch (error) {
    const message = t`is not JSON (${error instanceof Error ? error.message : String(error)})`
    return { kind: 'wrong', problems: [{ field: '', message }] }
  }
  const parsed = bundleManifest.safeParse(value)
  if (parsed.success) return { kind: 'read', manifest: parsed.data }
  const problems = parsed.error.issues.slice(0, 10).map(({ path, message }) => ({ field: fieldOf(path), message }))
  return { kind: 'wrong', problems }
}
