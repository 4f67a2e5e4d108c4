// A newer catalogue from models.dev, fetched when the person asks for it, and kept in the profile.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { catalogueAddress } from '#app/models/models.ts'
import { orElse, parseJson } from '#app/or-else.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import { causeOf, endpointHost } from '../http-errors.ts'
import { fromModelsDev } from './models-dev.ts'

/** Characters; api.json had 4 million in 2026. */
const MOST_LENGTH = 30_000_000
/** Fewer models are not the catalogue. */
const LEAST_MODELS = 200
const TIMEOUT_MS = 60_000

interface RefreshOptions {
  /** Path at which it is kept. */
  readonly file: string
  readonly fetch: typeof globalThis.fetch
  /** Day of today, YYYY-MM-DD. */
  readonly today: string
}

/** Resolves to the number of models. @throws {HostError} `model.offline`, `model.bad-answer`; what was kept stays then */
export async function refreshCatalogue({ file, fetch, today }: RefreshOptions, signal: AbortSignal): Promise<number> {
  const text = await download(fetch, signal)
  const data = parseJson(text)
  const vendors = orElse(() => fromModelsDev(data), {})
  const count = Object.values(vendors).reduce((sum, models) => sum + Object.keys(models).length, 0)
  if (count < LEAST_MODELS) throw refused(t`The answer of ${endpointHost(catalogueAddress)} is not a catalogue of models.`)
  writeFileAtomically(file, JSON.stringify({ source: catalogueAddress, licence: 'MIT', date: today, vendors }))
  return count
}

const refused = (message: string): HostError => new HostError('model.bad-answer', message)

async function download(fetch: RefreshOptions['fetch'], signal: AbortSignal): Promise<string> {
  const host = endpointHost(catalogueAddress)
  try {
    const options = { redirect: 'manual', signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) } as const
    const response = await fetch(catalogueAddress, { ...options, headers: { accept: 'application/json' } })
    if (!response.ok) throw refused(t`${host} answered with HTTP ${response.status}.`)
    const decoder = new TextDecoder()
    let text = ''
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > MOST_LENGTH) throw refused(t`The answer of ${host} is not a catalogue of models.`)
    }
    return text
  } catch (error) {
    if (error instanceof HostError) throw error
    throw new HostError('model.offline', t`${host} could not be reached.`, { cause: error, data: causeOf(error) })
  }
}
