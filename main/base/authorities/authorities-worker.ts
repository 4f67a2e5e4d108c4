// Reads the system's certificate authorities that Node does not know, in a thread: a system may take many seconds (macOS evaluates
// each certificate, and may use the network).
import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { parentPort } from 'node:worker_threads'
import { orElse } from '#app/or-else.ts'

const known = new Set(getCACertificates('default'))
// Node reads the file at its start; within Electron it does not.
const extra = orElse(() => readFileSync(process.env['NODE_EXTRA_CA_CERTS'] ?? '', 'utf8'), '')
const named = extra.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
parentPort?.postMessage([...getCACertificates('system'), ...named].filter((certificate) => !known.has(certificate)))
