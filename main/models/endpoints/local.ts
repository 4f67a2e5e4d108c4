// Programs on this computer that serve models. They are asked for their list on their usual ports: on demand only, on
// loopback only, without any key, with a short limit.
export interface LocalPlace {
  readonly id: string
  readonly name: string
  readonly baseUrl: string
  /** It has a name, so that one hears also that it does not answer. */
  readonly named: boolean
}

export const LOOK_MS = 1500

const named: Readonly<Record<string, readonly [id: string, name: string]>> = {
  11434: ['ollama', 'Ollama'],
  1234: ['lm-studio', 'LM Studio'],
}
/** Ollama, LM Studio, llama.cpp, vLLM, Jan, GPT4All, text-generation-webui. */
const usual = ['11434', '1234', '8080', '8000', '1337', '4891', '5000']

/** `setting`: ASSENT_LOCAL_MODEL_PORTS, ports with commas between; empty: looks nowhere. */
export function localPlaces(setting: string | undefined): LocalPlace[] {
  const ports = setting === undefined ? usual : setting.split(',').map((port) => port.trim())
  return [...new Set(ports)]
    .filter((port) => /^\d{1,5}$/.test(port))
    .slice(0, 20)
    .map((port) => ({
      id: named[port]?.[0] ?? `local-${port}`,
      name: named[port]?.[1] ?? `localhost:${port}`,
      baseUrl: `http://127.0.0.1:${port}/v1`,
      named: named[port] !== undefined,
    }))
}
